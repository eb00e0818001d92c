import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from radmm.base.store import RECORDS, read_metadata, replacing, write_parquet, write_text
from radmm.data.files import write_split
from radmm.data.split import Split

SOLVER_FILES = """
import sys, pathlib
import numpy as np
from radmm.data.files import read_split
from radmm.base.store import write_parquet
write_parquet(pathlib.Path(sys.argv[1]), {"x": np.array([1.0, np.nan]), "run": np.arange(2, dtype=np.int32)}, {})
read_split(pathlib.Path(sys.argv[2]))
assert "pandas" not in sys.modules
"""


def test_a_failure_leaves_the_old_file_and_no_trace(tmp_path):
    target = tmp_path / "sub" / "file.txt"
    write_text(target, "old")
    with pytest.raises(RuntimeError), replacing(target) as temporary:
        temporary.write_text("half")
        raise RuntimeError
    assert target.read_text() == "old"
    assert {path.name for path in target.parent.iterdir()} == {target.name, RECORDS}


def test_a_solver_jobs_files_need_no_pandas(tmp_path):
    write_split(tmp_path / "split", Split(np.arange(3), np.arange(3, 5)))
    command = [sys.executable, "-c", SOLVER_FILES, str(tmp_path / "trace"), str(tmp_path / "split")]
    subprocess.run(command, check=True)
    stored = pd.read_parquet(tmp_path / "trace")
    assert stored["x"].isna().tolist() == [False, True]
    assert stored["run"].tolist() == [0, 1]


def test_parquet_keeps_metadata_and_turns_nan_into_null(tmp_path):
    for name in ("one", "two"):
        write_parquet(tmp_path / name, {"x": np.array([1.0, np.nan]), "run": np.arange(2)}, {"α": [1]})
    assert read_metadata(tmp_path / "one") == {"α": [1]}
    assert pd.read_parquet(tmp_path / "one")["x"].isna().tolist() == [False, True]
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
