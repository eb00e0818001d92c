"""What people type at a prompt: no command, a wrong one, a list, a name of a setting, and `| head`."""

import re
import shutil
import subprocess
import sys

import pandas as pd
import pytest

import radmm
from radmm.__main__ import COMMANDS, main
from radmm.command.setting_flags import section
from tests.command.example_plugin import FLAGS

NOISE = ["--noise", "objective,sigma=2"]
SOLVE = ["solve", *FLAGS, "--data", "synthetic,rows=200,features=3", "--train", "160", "--runs", "3", "--algorithm"]
EPSILON = ["epsilon", *FLAGS, "--rows-per-node", "50", "--dimension", "3", "--algorithm", "admm", *NOISE]


def test_no_command_prints_the_help(capsys):
    assert main([]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    for module in COMMANDS:
        assert re.search(rf"^    {module.__name__.rpartition('.')[2]}\s", told.out, re.MULTILINE)


def test_the_version(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert (ended.value.code, capsys.readouterr().out) == (0, f"radmm {radmm.__version__}\n")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["sovle"], "radmm: COMMAND = sovle: must be one of .*; did you mean solve?; see radmm --help"),
        (["solve", "--iteratons", "5"], "unrecognized arguments: --iteratons 5; did you mean --iterations?; see"),
        (["predict", "f.json", "t.csv", "--lable=x"], "--lable=x; did you mean --label?; see radmm predict --help"),
        (["--versoin"], "unrecognized arguments: --versoin; did you mean --version?; see radmm --help"),
        (["compare", "a", "b", "c"], "unrecognized arguments: c; see radmm compare --help"),
    ],
)
def test_what_was_probably_meant(capsys, words, sentence):
    assert main(words) == 2
    assert re.search(sentence.replace("?", r"\?"), capsys.readouterr().err)


AGES = {"file": "t.csv", "bounds": {"age": [0, 120]}, "ignore": ["id", 7]}


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("file=t.csv,classes=[low,high]", {"file": "t.csv", "classes": ["low", "high"]}),
        ("file=t.csv,bounds.age=[0,120], ignore=[id, 7]", AGES),
        ("file=t.csv,classes=[>50K, <=50K]", {"file": "t.csv", "classes": [">50K", "<=50K"]}),
        ("file=t.csv,bounds=[[0,1],[low,1e-5]]", {"file": "t.csv", "bounds": [[0, 1], ["low", 1e-5]]}),
    ],
)
def test_a_list_needs_no_quotes(typed, expected):
    assert section("data", typed) == expected


@pytest.mark.parametrize("typed", ["file=t.csv,classes=[low,high", "file=t.csv,classes=[low]]", "file=t.csv,x=[a]: b"])
def test_half_a_list_is_refused(typed, capsys):
    assert main(["solve", *FLAGS, "--data", typed, "--algorithm", "admm"]) == 2
    assert "must be a list like [1,2] or [low,high]" in capsys.readouterr().err


def test_a_grid_is_no_setting(capsys):
    assert main([*SOLVE, "r-admm,gamma=[0.5,1.0]"]) == 2
    assert "algorithm.gamma is a list of values, 0.5 and others: must be one" in capsys.readouterr().err


@pytest.mark.parametrize("flags", [[], ["--help"]])
def test_a_reader_that_has_read_enough(flags):
    """As in `radmm epsilon … | head -0`, with a pipe that is closed before anything is written."""
    command = [sys.executable, "-m", "radmm", *EPSILON, *flags]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == (0 if "--help" in flags else 141)


@pytest.fixture
def results(tmp_path):
    """Three traces, two of which an experiment has under one label, and the table of settings."""
    rows = []
    for label, gamma in (("plain", 0.1), ("grid", 0.5), ("grid", 1.0)):
        path = tmp_path / "traces" / f"{gamma}.parquet"
        assert main([*SOLVE, f"r-admm,gamma={gamma}", "--save-trace", str(path)]) == 0
        asked = f'{{"algorithm":{{"gamma":{gamma},"name":"r-admm"}},"runs":3}}'
        rows.append({"id": str(gamma), "experiment": "mine", "label": label, "asked": asked})
    pd.DataFrame(rows).to_parquet(tmp_path / "settings.parquet")
    return ["--results", str(tmp_path)]


def test_compare_by_experiment_and_label(results, capsys):
    assert main(["compare", "mine/plain", "0.5", *results]) == 0
    assert "algorithm.gamma  0.1  |  0.5" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("mine/grid", "is a grid of 2 settings: must be one, named by its id: 0.5 has algorithm.gamma = 0.5; 1.0 has"),
        ("mine/plian", "mine/plian: must be one of mine/grid, mine/plain; did you mean mine/plain?"),
    ],
)
def test_compare_by_a_name_that_is_not_one_setting(results, capsys, name, sentence):
    assert main(["compare", name, "0.5", *results]) == 2
    assert sentence in capsys.readouterr().err


def test_compare_by_a_name_without_a_table_of_settings(tmp_path, capsys):
    assert main(["compare", "mine/plain", "x", "--results", str(tmp_path)]) == 2
    assert "as there is no" in capsys.readouterr().err


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("cal", "calibrate"),
        ("solve --iter", "--iterations"),
        ("check my_st", "my_study.yaml"),
        ("solve --config my_st", "my_study.yaml"),
        ("predict f.json my_st", "my_study.yaml"),
    ],
)
def test_bash_completes(tmp_path, capsys, typed, expected):
    with pytest.raises(SystemExit):
        main(["--print-completion", "bash"])
    (tmp_path / "completion").write_text(capsys.readouterr().out)
    (tmp_path / "my_study.yaml").touch()
    words = ["radmm", *typed.split()]
    asked = f"COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; _shtab_radmm; echo ${{COMPREPLY[@]}}"
    command = ["bash", "-c", f"compopt() {{ :; }}; source ./completion; {asked}"]
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert told.split() == [expected]
