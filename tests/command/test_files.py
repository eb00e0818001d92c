"""Files that a command reads or writes: only regular ones, asked before anything is solved."""

import os
import shutil
import signal
import socket

import pandas as pd
import pytest

from radmm.__main__ import main
from tests.command.example_plugin import FLAGS

DATA = ["--data", "synthetic,rows=60,features=3", "--train", "40", "--runs", "2"]
NOISY = ["--algorithm", "r-admm", "--noise", "objective,sigma=100", "--accountant", "renyi"]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """In a folder of its own; and whoever waits for a pipe is woken up."""
    monkeypatch.chdir(tmp_path)
    signal.alarm(60)
    yield
    signal.alarm(0)


@pytest.fixture(params=["pipe", "folder", "socket", "device"])
def strange(request, tmp_path):
    """What is no regular file, and a path with a given ending."""

    def make(ending):
        path = tmp_path / f"strange{ending}"
        if request.param == "pipe":
            os.mkfifo(path)
        elif request.param == "folder":
            path.mkdir()
        elif request.param == "socket":
            with socket.socket(socket.AF_UNIX) as opened:
                opened.bind(str(path))
        else:
            path.symlink_to("/dev/null")
        return path, request.param

    return make


def solved(*more):
    """Exit code."""
    return main(["solve", *FLAGS, *DATA, *NOISY, *more])


def identity(path):
    """Which file it is, of which kind; when it was read last may change by anybody."""
    found = path.lstat()
    return found.st_dev, found.st_ino, found.st_mode, found.st_rdev


def refusal(arguments, capsys):
    capsys.readouterr()
    assert main(list(map(str, arguments))) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    return told.err


@pytest.mark.parametrize(
    ("flag", "ending"), [("--save-trace", ".parquet"), ("--save-classifier", ".json"), ("--save-plot", ".png")]
)
def test_what_is_no_regular_file_is_not_replaced(flag, ending, strange, capsys, monkeypatch):
    monkeypatch.setattr("radmm.jobs.steps.solve.solve_setting", lambda *_: pytest.fail("it was solved"))
    path, kind = strange(ending)
    before = identity(path)
    told = refusal(["solve", *FLAGS, *DATA, *NOISY, flag, path], capsys)
    assert told == f"radmm: {flag} = {path}: is a {kind}: must be a regular file or a new one\n"
    assert identity(path) == before


def test_predictions_replace_no_device(strange, tmp_path, capsys):
    solved("--save-classifier", "f.json")
    path, kind = strange(".csv")
    table = tmp_path / "rows.csv"
    pd.DataFrame({"x0": [0.1], "x1": [0.2], "x2": [0.3]}).to_csv(table, index=False)
    told = refusal(["predict", "f.json", table, "--output", path], capsys)
    assert f"--output = {path}: is a {kind}: must be a regular file or a new one" in told


def test_a_folder_that_cannot_be_written_to_is_told_before_solving(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    told = refusal(["solve", *FLAGS, *DATA, *NOISY, "--save-trace", "file/r.parquet"], capsys)
    assert "must be in a folder that can be written to" in told


def test_a_trace_without_a_folder_has_its_ledger_beside_it(tmp_path, capsys):
    assert solved("--save-trace", "r.parquet") == 0
    told = capsys.readouterr().err
    assert "trace written to r.parquet" in told
    assert "written to r.ledger.parquet" in told
    made = {path.name for path in tmp_path.iterdir() if path.suffix == ".parquet" or path.is_dir()}
    assert made - {"__pycache__"} == {"r.parquet", "r.ledger.parquet", ".hashes"}
    assert not (tmp_path.parent / "ledgers").exists()
    assert main(["compare", "r.parquet", "r.parquet", "--accountant", "renyi"]) == 0
    assert "A spends ε = " in capsys.readouterr().out


def test_the_workflow_s_layout_stays(tmp_path):
    (tmp_path / "traces").mkdir()
    os.chdir(tmp_path / "traces")
    assert solved("--save-trace", "r.parquet") == 0
    assert (tmp_path / "ledgers" / "r.parquet").is_file()


READERS = {
    "data": (
        ".csv",
        lambda path: ["solve", *FLAGS, *NOISY, "--data", f"table,file={path},label=y,positive=1", "--train", "5"],
    ),
    "sparse data": (
        ".svm",
        lambda path: ["solve", *FLAGS, *NOISY, "--data", f"table,file={path},positive=1", "--train", "5"],
    ),
    "network": (".edges", lambda path: ["solve", *FLAGS, *DATA, *NOISY, "--network", f"file,path={path}"]),
    "config": (".yaml", lambda path: ["solve", "--config", path, "--setting", "a/b"]),
    "checked config": (".yaml", lambda path: ["check", path]),
    "checked plug-in": (".py", lambda path: ["check", path]),
    "plug-in": (".py", lambda path: ["solve", *FLAGS, *DATA, *NOISY, "--plugin", path]),
    "inspected": (".parquet", lambda path: ["inspect", path]),
    "compared": (".parquet", lambda path: ["compare", path, path]),
    "classifier": (".json", lambda path: ["predict", path, "x.csv"]),
    "rows": (".csv", lambda path: ["predict", "f.json", path]),
    "sparse rows": (".svm", lambda path: ["predict", "f.json", path]),
}


@pytest.mark.parametrize("reader", READERS)
def test_what_is_no_regular_file_is_not_read(reader, strange, capsys):
    ending, arguments = READERS[reader]
    path, _ = strange(ending)
    told = refusal(arguments(path), capsys)
    assert str(path) in told or "/dev/null" in told  # a config's path is resolved
    assert "must be " in told


def test_a_trace_that_is_copied_alone_has_no_ledger(capsys):
    assert solved("--save-trace", "r.parquet") == 0
    shutil.copy("r.parquet", "s.parquet")
    capsys.readouterr()
    assert main(["compare", "s.parquet", "s.parquet"]) == 0
    assert "A has no ledger beside it" in capsys.readouterr().out
