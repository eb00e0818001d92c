"""The blocks of docs/frontier.md are what its table says: nothing in them is written by hand."""

import importlib
import re
import sys
from pathlib import Path

import pandas as pd
import pytest

from radmm.results.frontier.answers import MODELS, all_answers
from radmm.results.frontier.judgement import OTHER
from radmm.study.tuned_groups import ALONE

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def blocks():
    sys.path.insert(0, str(DOCS))
    yield importlib.import_module("frontier_blocks")
    sys.path.remove(str(DOCS))


@pytest.mark.parametrize(
    ("block", "made"),
    [
        ("short", "in_short"),
        ("answers", "answers"),
        ("selection", "selection"),
        ("airlines", "airlines"),
        ("price", "price_in_short"),
    ],
)
def test_blocks_are_those_of_the_table(blocks, block, made):
    found = pd.read_csv(DOCS / "frontier.csv", keep_default_na=False, na_values={"worst": [""], "curator": [""]})
    page = (DOCS / "frontier.md").read_text() + (DOCS.parent / "README.md").read_text()
    shown = re.search(rf"<!-- {block}: begin -->\n(.*?)<!-- {block}: end -->", page, re.DOTALL)
    assert shown is not None
    of_study = found[(found["data_set"] == "") == (block == "airlines")]
    assert shown[1] == getattr(blocks, made)(of_study), "run `python docs/refresh.py frontier`"


def judged(data_set, method, error, worst=0.17):
    at = {"neighbours": "replace", "chosen_on": OTHER, "data_set": data_set, "method": method}
    told = {"error": error, "curator": 0.16, "above": error - 0.16, "worst": worst, "secrets": False}
    cells = ("N = 5, even", "N = 20, even", "N = 100, even")
    return [{**at, **told, "cell": cell, "epsilon": epsilon} for cell in cells for epsilon in (0.5, 1.0)]


def test_the_method_of_an_aim_is_chosen_without_the_data_that_it_is_judged_on(blocks):
    rows = [
        *judged("adult", "a", 0.161),
        *judged("adult", "b", 0.164),
        *judged("bank", "a", 0.2),
        *judged("bank", "b", 0.1),
    ]
    lines = blocks.targets(pd.DataFrame(rows)).splitlines()
    assert [line.split(" | ")[2:4] for line in lines[2:8]] == [["b", "0.1640"]] * 6
    assert lines[-1] == "Both aims are met in 0 of 6 rows."  # .004 above, and the worst node .006 above the average


def test_a_range_of_prices_names_its_ends_once(blocks):
    both = {"cell": "N = 5", "neighbours": "replace", "chosen_on": OTHER, "data_set": "mean", "method": "a", "or": ""}
    rows = [
        {**both, "threat_model": model, "epsilon": epsilon, "above": above}
        for model in MODELS.values()
        for epsilon, above in ((0.25, 0.02), (0.5, 0.001), (1.0, 0.004))
    ]
    told = blocks.in_short(pd.DataFrame(rows))
    assert "+0.1 to +0.4 points of test error at\n   ε ≥ 0.5, and +2.0 at ε = 0.25" in told
    assert "+0.1 to +2.0 at N = 5" in told


def test_the_aims_tell_edges_of_curators_and_what_a_node_sends(blocks):
    more = {"secrets": True, "spent": 0.4, "low": 0.1, "high": 0.2, "messages": 400.0, "floats_sent": 4000.0}
    methods = [row | more | {"edge": {}} for name in ("adult", "bank") for row in judged(name, "a", 0.161, 0.162)]
    at = {"cell": ALONE, "method": "curator", "edge": {"algorithm.step": "largest", "noise.total_epsilon": "least"}}
    curators = [{**row, **at} for row in methods if row["cell"] == "N = 5, even"]
    free = [{**row, "method": "no privacy", "spent": 0.0, "error": 0.1} for row in curators]
    table = pd.DataFrame([*methods, *curators, *free])
    table = table.assign(by_seed=[{0: each, 1: each} for each in table["error"]])
    judged_methods = blocks.methods_of(table)
    assert "Both aims are met in 6 of 6 rows." in blocks.targets(judged_methods)
    told = blocks.at_edges(table, all_answers(judged_methods))
    assert "Of 12 choices, 0 lie at an edge of their grid." in told
    assert "Of 4 best curators, 4 lie at an edge of their grid, most of them curator, largest step (4)." in told
    assert "| N = 20, even | a | 0.5 | 0.1610 | 0.1600 | 0.1620 | 20 | 200 |" in blocks.costs(judged_methods)
