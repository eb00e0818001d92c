"""What a study recommends: methods by data sets left out, parameters by all of them, and only what a threat allows."""

import json

import numpy as np
import pandas as pd
import pytest

from radmm.results.frontier.answers import priced
from radmm.results.frontier.judgement import OTHER, SAME, against_best, judged
from radmm.results.frontier.recommendations import recommendations
from radmm.results.frontier.transfer import chosen_elsewhere
from tests.results.test_transfer import BUDGET, CANDIDATES, group

BEST = list(CANDIDATES).index("1.0-4.0")  # the least σ that four rounds may have at ε = 1, with half of the rows


def made(method, level, cancelling=0.0, rows=(("one", 400), ("two", 400))):
    """A method on data sets with so many rows, best with step 1, σ = 4, one round and averages."""
    groups = []
    for data_set, train in rows:
        errors = np.full((len(CANDIDATES), 2, 2), level + 0.1)
        errors[BEST, 0, 1] = level
        measured, about = group(data_set, errors, rows=0.3)
        noise = {"kind": "gradient", "sigma": 4.0, "cancelling": cancelling}
        setting = {
            "algorithm": {"name": "dgd", "step": 1.0},
            "network": {"law": "ring", "nodes": 5, "seed": 7},
            "partition": {"law": "even"},
            "problem": {"C": 1.0, "rho": 0.1},
            "split": {"train": train},
            "noise": noise,
        }
        groups.append((measured, about | {"method": method, "candidates": dict.fromkeys(about["points"], setting)}))
    return groups


def table_of(groups, curator):
    elsewhere = judged(list(chosen_elsewhere(groups, [BUDGET])), OTHER)
    rows = [{**each, "spent": 1.0, "error": curator} for each in elsewhere.to_dict("records")]
    return priced(against_best(elsewhere), pd.DataFrame(rows))


def test_each_threat_model_has_its_own_method_with_parameters_of_all_data_sets():
    groups = [*made("alone", 0.2), *made("shared", 0.1, cancelling=30.0)]
    table = table_of(groups, curator=0.09)
    free = table.assign(spent=0.0, by_seed=[{0: 0.07, 1: 0.09}] * len(table))
    found = recommendations(groups, table, free).set_index("secrets")
    assert found["method"].to_dict() == {False: "alone", True: "shared"}
    assert (found["rounds"] == 1).all()
    assert found["averaged"].all()
    assert found.loc[True, "above"] == pytest.approx(0.1 + 0.005 - 0.09)  # seeds 0 and 1 add 0.005 on average
    assert found.loc[True, "free"] == pytest.approx(0.08)
    assert found.loc[True, "low"] < found.loc[True, "error"] < found.loc[True, "high"]
    assert json.loads(found.loc[True, "noise"]) == {"kind": "gradient", "cancelling": 30.0}
    assert json.loads(found.loc[True, "network"]) == {"law": "ring", "nodes": 5}
    assert found.loc[True, "data_sets"] == "one, two"


def test_the_rows_are_those_of_most_data_sets_whichever_comes_first():
    groups = made("alone", 0.2, rows=(("one", 250), ("two", 400), ("three", 400)))
    table = table_of(groups, curator=0.09)
    assert (recommendations(groups, table, table.assign(spent=0.0))["train"] == 400).all()


def test_a_study_of_one_data_set_recommends_by_other_splits():
    groups = made("alone", 0.2)[:1]
    measured, about = groups[0]
    choice = {**BUDGET._asdict(), "setting": f"one-{list(CANDIDATES)[BEST]}", "rounds": 1, "averaged": True}
    table = judged([(measured, about | {"chosen": [choice | {"spent": 0.9, "selection_error": 0.2}]})], SAME)
    found = recommendations(groups, priced(against_best(table), table), table.iloc[:0])
    assert found["method"].tolist() == ["alone", "alone"]
