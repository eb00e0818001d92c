"""One setting by processes on two nodes of a real Slurm: the same bytes as in one process."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from radmm.__main__ import main
from tests.conftest import ROOT
from tests.distributed.test_processes import AS_ROOT
from tests.slurm.runs import QUICK, SNAKEMAKE

pytest.importorskip("mpi4py")
pytestmark = [pytest.mark.xdist_group("slurm"), pytest.mark.usefixtures("slurm")]
CONFIG = ROOT / "tests" / "slurm" / "ranks.yaml"
SETTING = ["--config", str(CONFIG), "--setting", "spread/R-ADMM"]
PROGRAMS = Path(SNAKEMAKE[0]).parent
ENVIRONMENT = os.environ | AS_ROOT | {"PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}"}


def call(*command, folder):
    ended = subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=300)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def check_nodes(job, folder):
    assert "NumNodes=2 " in call("scontrol", "show", "job", job, folder=folder)


def check_bytes(trace, ledger, folder):
    """Both are those of one process."""
    alone = folder / "alone.parquet"
    assert main(["solve", *SETTING, "--save-trace", str(alone)]) == 0
    assert trace.read_bytes() == alone.read_bytes()
    assert ledger.read_bytes() == alone.with_suffix(".ledger.parquet").read_bytes()


def test_mpirun_in_a_job(tmp_path):
    """As docs/cluster.md has it; a node has two cores, so three processes need two nodes."""
    assert main(["partition", *SETTING, "--output", str(tmp_path / "nodes")]) == 0
    solve = "mpirun -n 3 radmm solve --nodes nodes --save-trace trace.parquet"
    said = call("sbatch", "--wait", "--ntasks=3", "--wrap", solve, folder=tmp_path)
    check_nodes(re.search(r"\d+", said)[0], tmp_path)
    check_bytes(tmp_path / "trace.parquet", tmp_path / "trace.ledger.parquet", tmp_path)


@pytest.mark.faults
def test_ranks_of_the_workflow(tmp_path):
    profile = ["--workflow-profile", ROOT / "workflow" / "profiles" / "slurm", *QUICK["slurm"], "--retries=0"]
    place = ["--snakefile", ROOT / "Snakefile", "--directory", tmp_path, "--configfile", CONFIG]
    call(SNAKEMAKE[0], *place, *profile, "--", "traces", folder=tmp_path)
    results = tmp_path / "results"
    (log,) = (path.read_text() for path in (results / "logs" / "batches").iterdir())
    assert "solved by 3 processes of mpiexec" in log
    check_nodes(re.search(r"Slurm job (\d+)", log)[1], tmp_path)
    (trace,), (ledger,) = (list((results / kind).glob("*.parquet")) for kind in ("traces", "ledgers"))
    check_bytes(trace, ledger, tmp_path)
