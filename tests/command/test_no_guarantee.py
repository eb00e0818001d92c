"""Noise so small that an accountant finds no finite bound: said, never a number, and no success."""

import json

import pytest

from radmm.__main__ import main
from tests.command.example_plugin import FLAGS

TINY = ["--algorithm", "r-admm", "--noise", "objective,sigma=1e-3", "--accountant", "pld", *FLAGS]
SIZE = ["--rows-per-node", "50", "--dimension", "3"]
DATA = ["--data", "synthetic,rows=240,features=3", "--train", "200", "--runs", "2"]
WHY = "the pld accountant finds no finite bound at δ = 1e-05 for replacing one row: node 0 must have more noise"


def strict(text):
    """JSON by the letter: it has no Infinity."""
    return json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))


def test_epsilon_says_why_and_fails(capsys):
    assert main(["epsilon", *TINY, *SIZE]) == 1
    told = capsys.readouterr().out
    assert told.startswith(f"no ε: {WHY}")
    assert "inf" not in told.replace("finite", "")


def test_the_same_as_json(capsys):
    assert main(["epsilon", *TINY, *SIZE, "--json"]) == 1
    found = strict(capsys.readouterr().out)
    assert found["total_epsilon"] is None
    assert found["refusal"].startswith(WHY)


def test_solve_says_it_and_fails(tmp_path, capsys):
    saved = tmp_path / "f.json"
    assert main(["solve", *TINY, *DATA, "--save-classifier", str(saved)]) == 1
    assert f"privacy        no ε: {WHY}" in capsys.readouterr().out
    privacy = strict(saved.read_text())["made"]["privacy"]
    assert (privacy["total_epsilon"], privacy["refusal"].startswith(WHY)) == (None, True)


def test_without_noise_nothing_was_promised_and_nothing_failed(capsys):
    assert main(["solve", *FLAGS, *DATA, "--algorithm", "r-admm"]) == 0
    assert "none: without noise there is no guarantee" in capsys.readouterr().out
