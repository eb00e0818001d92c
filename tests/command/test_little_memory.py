"""With little memory a command ends in one sentence; it went on for ever, as OpenBLAS asks again and again."""

import subprocess
import sys

import pytest

SOLVE = (
    "solve --data synthetic,rows=60000,features=300 --train 50000 --test 100 --algorithm r-admm "
    "--network ring,nodes=5 --C 100 --rho 0.1 --iterations 4"
)
LIMITED = f'ulimit -v $0; exec "{sys.executable}" -m radmm {SOLVE}'


@pytest.mark.parametrize(
    ("kilobytes", "sentence"),
    [
        (250_000, "radmm: ulimit -v = 250000: must be at least 1048576, "),
        (600_000, "radmm: ulimit -v = 600000: must be at least 1048576, "),
        (1_048_576, "radmm: there is not enough memory: "),
    ],
)
def test_the_end_is_one_sentence(kilobytes, sentence, tmp_path):
    command = ["bash", "-c", LIMITED, str(kilobytes)]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    told = [line for line in ended.stderr.splitlines() if not line.startswith("[")]  # but for the log
    assert ended.returncode
    assert len(told) == 1
    assert told[0].startswith(sentence)
