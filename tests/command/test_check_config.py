"""`radmm check FILE.yaml`: all mistakes at once, each with its place; suspicions, which `--strict` makes mistakes."""

import json
from pathlib import Path

import pytest
import yaml

from radmm.__main__ import main

ROWS = "".join(f"{n},{n % 7},{'low' if n % 3 else 'high'}\n" for n in range(60))
DEFAULTS = {
    "data": {"file": "t.csv", "label": "income", "positive": "high", "bounds": {"x": [0, 9]}},
    "split": {"train": 40},
    "network": {"law": "ring", "nodes": 4},
    "problem": {"C": 5, "rho": 0.1},
    "algorithm": {"name": "admm"},
    "iterations": 4,
    "runs": 1,
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "t.csv").write_text(f"id,x,income\n{ROWS}")
    return tmp_path


def written(settings=None, defaults=DEFAULTS, **others):
    experiment = {"figure": "convergence", "defaults": defaults, "settings": settings or {"a": {}}, **others}
    return {"shipped": False, "experiments": {"mine": experiment}}


def check(content, capsys, *flags):
    Path("my.yaml").write_text(yaml.safe_dump(content, sort_keys=False))
    code = main(["check", "my.yaml", *flags])
    told = capsys.readouterr()
    return code, told.out, told.err


def test_a_suspicion_does_not_stop_a_run_unless_it_is_strict(capsys):
    suspicion = "t.csv: the column 'id' has a different whole number in every row, as an index or id has: leave out"
    code, out, _ = check(written(), capsys)
    assert code == 0
    assert f"suspicious: {suspicion}" in out
    code, out, _ = check(written(), capsys, "--json")
    assert json.loads(out)["suspicions"][0].startswith(suspicion)
    code, out, err = check(written(), capsys, "--strict")
    assert (code, out) == (2, "")
    assert suspicion in err
    assert check({**written(), "strict": True}, capsys)[0] == 2
    data = {**DEFAULTS["data"], "ignore": ["id"]}
    assert check(written(defaults={**DEFAULTS, "data": data}), capsys, "--strict")[0] == 0


def test_all_mistakes_of_a_config_are_told_at_once(capsys):
    """Of the file, of an experiment, of two settings, of a table: each a line."""
    settings = {
        "a": {"algorithm": {"name": "r-adm"}},
        "b": {"split": {"train": 400}, "noise": {"kind": "gradient", "alpha": 1.0}},
        "c": {"data": {"label": "incomes", "bounds": {"y": [0, 1]}}},
        "d": {"data": {"bounds": {"x": [0, 3]}, "positive": "top"}},
    }
    content = {**written(settings, figure="convergenc"), "batchs": {}, "style": "clean"}
    code, _, err = check(content, capsys)
    lines = err.splitlines()
    assert code == 2
    for part in (
        "batchs is not a known field here: did you mean batches?",
        "style = 'clean': must be one of clear, paper; did you mean clear?",
        "experiments.mine.figure = 'convergenc'",
        "experiments.mine.settings.a.algorithm.name = 'r-adm'",
        "experiments.mine.settings.b: split.train = 400",
        "experiments.mine.settings.b: gradient noise is for gradients, but admm asks for argmins",
        "experiments.mine.settings.c: data.label names the column 'incomes', which t.csv doesn't have: did you mean",
        "experiments.mine.settings.c: data.bounds names the column 'y'",
        "experiments.mine.settings.d: t.csv: the column 'x' has '4' in row 5: must be within its declared bounds",
        "experiments.mine.settings.d: t.csv: the label column 'income' has no 'top'",
    ):
        assert sum(part in line for line in lines) == 1, part


def test_the_refused_points_of_a_grid_are_told_each(capsys):
    settings = {"a": {"problem": {"rho": [0.1, -1, 0.2, -2]}}}
    code, _, err = check(written(settings), capsys)
    assert code == 2
    assert "problem.rho = -1: must" in err
    assert "problem.rho = -2: must" in err


def test_keys_that_stand_twice_are_told_each(folder, capsys):
    (folder / "my.yaml").write_text("shipped: false\nshipped: true\nonly: a\nonly: b\n")
    assert main(["check", "my.yaml"]) == 2
    err = capsys.readouterr().err
    assert "line 2 has 'shipped' again: line 1 has it already" in err
    assert "my.yaml: line 4 has 'only' again: line 3 has it already" in err
