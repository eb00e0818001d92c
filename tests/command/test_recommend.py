"""`radmm recommend`: the nearest network and budget of the study, under each threat model, and a command that runs."""

import json
import re
import shlex

import pandas as pd
import pytest

from radmm.__main__ import main
from radmm.command import recommend
from radmm.results.frontier.lookup import read_table
from radmm.results.frontier.recommendations import recommendations
from tests.results.test_recommendations import made, table_of

ASKED = "recommend --nodes 5 --rows 400 --features 6 --epsilon 1"


@pytest.fixture(autouse=True)
def table(monkeypatch):
    groups = [*made("alone", 0.2), *made("shared", 0.1, cancelling=30.0)]
    table = table_of(groups, curator=0.09)
    found = recommendations(groups, table, table.assign(error=0.08, spent=0.0))
    monkeypatch.setattr(recommend, "read_table", lambda: found)


def said(capsys, words):
    assert main(shlex.split(words)) == 0
    return capsys.readouterr().out


def test_each_threat_model_has_its_method_and_its_price(capsys):
    alone, shared = said(capsys, ASKED).split("\nNeighbours that keep")
    assert alone.startswith("No secrets between nodes: alone, 1 iteration, read the average of all iterates\n")
    assert "test error 0.205 (" in alone
    assert "), +11.5 points against a trusted curator, +" in alone
    assert " against no privacy; as at N = 5, ε = 1, mean over one, two" in alone
    assert " the draws they share: shared, 1 iteration," in shared
    assert "), +1.5 points against" in shared
    assert (
        "\nEach test error is the mean over the study's data sets (one, two), each judged with the parameters that the "
        "other data sets choose; `make frontier` computes it again.\n"
    ) in shared


def test_the_price_against_no_privacy_is_told_where_the_table_has_it(capsys, monkeypatch, tmp_path):
    """As in the shipped table: the column is read from a CSV, empty or filled."""
    monkeypatch.setattr(recommend, "read_table", lambda: pd.read_csv(tmp_path / "recommended.csv"))
    asked = "recommend --nodes 20 --rows 40000 --features 105 --epsilon 0.5"
    for free in ("", 0.15):
        read_table().assign(free=free).to_csv(tmp_path / "recommended.csv", index=False)
        found = json.loads(said(capsys, f"{asked} --json"))
        assert [each["free"] for each in found] == [free or None] * 2
        costs = re.findall(r"points against a trusted curator, (\S+) against no privacy; as at", said(capsys, asked))
        assert costs == ([f"{100 * (each['error'] - free):+.1f}" for each in found] if free else [])


def test_the_command_finds_noise_that_meets_the_budget(capsys):
    found = [
        line.partition("its noise: radmm ")[2] for line in said(capsys, ASKED).splitlines() if "its noise: " in line
    ]
    assert len(found) == 2
    for command in found:
        told = json.loads(said(capsys, f"{command} --json"))
        assert 0.97 < told["total_epsilon"] <= 1.0


def test_the_command_that_trains_spends_at_most_the_budget(capsys):
    lines = [line for line in said(capsys, ASKED).splitlines() if "train once" in line]
    assert len(lines) == 2
    for line in lines:
        command = line.partition("radmm ")[2].replace("--data adult", "--data synthetic,rows=500,features=6")
        told = json.loads(said(capsys, f"{command} --json"))
        assert 0.97 < told["privacy"]["total_epsilon"] <= 1.0
        assert told["last"].keys() == {"loss", "error_rate", "error_rate_average"}


def test_rows_and_epsilon_make_up_for_each_other(capsys):
    """Half of the rows at twice the ε is looked up as the study's; a tenth of them at the same ε is below it."""
    assert "expect a larger error" not in said(capsys, ASKED.replace("400", "200").replace("epsilon 1", "epsilon 2"))
    assert "expect a larger error" in said(capsys, ASKED.replace("400", "40"))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (ASKED.replace("nodes 5", "nodes 0"), "nodes = 0: must be above 0"),
        (ASKED.replace("epsilon 1", "epsilon -1"), "epsilon = -1.0: must be above 0"),
        (ASKED.replace("rows 400", "rows 4"), "rows = 4: must be at least 5, one for each node"),
        (f"{ASKED} --neighbours all", "neighbours = all: must be one of replace"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(capsys, words, sentence):
    assert main(shlex.split(words)) == 2
    assert sentence in capsys.readouterr().err
