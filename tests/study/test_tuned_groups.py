"""Tuned studies in the config: what they become, and what is refused."""

import copy

import pytest
import yaml

from radmm.base.errors import InputError
from radmm.jobs.study import Study
from radmm.study.draws import drawn_with
from radmm.study.tuned_groups import ALONE
from tests.conftest import ROOT

BASE = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
TUNED = {
    "cells": {"N = 5": {"network": {"nodes": 5}}, "N = 20": {"network": {"nodes": 20}, "problem": {"C": 437.5}}},
    "methods": {
        "ADMM": {
            "algorithm": {"name": "admm", "penalty": [0.3, 1.0]},
            "noise": {"kind": "objective", "law": "gaussian", "sigma": [3.0, 10.0]},
        },
        "published": {
            "algorithm": {"name": "r-admm", "penalty": 1.0, "gamma": 0.5},
            "noise": {"kind": "objective", "law": "gaussian", "sigma": 3.0},
        },
    },
    "references": {"curator": {"network": {"law": "single"}, "algorithm": {"name": "admm", "penalty": 1.0}}},
    "untuned": ["published"],
    "rounds": [1, 10, 80],
    "epsilon": [0.5, 1.0],
    "selection": [100, 101],
    "keep": [2],
    "judgement": [0, 1, 2],
}


def config(**changes):
    own = {"figure": "comparison", "settings": {"ADMM": {"algorithm": {"name": "admm", "penalty": 1.0}}}}
    tuned = copy.deepcopy(TUNED) | changes
    return BASE | {"shipped": False, "experiments": {"mine": own}, "tuned": {"study": tuned}}


def test_cells_are_crossed_with_methods_and_references_stand_alone():
    groups = Study.of(config()).groups
    assert [(group.cell, group.method, len(group.candidates)) for group in groups] == [
        ("N = 5", "ADMM", 4),
        ("N = 5", "published", 1),
        ("N = 20", "ADMM", 4),
        ("N = 20", "published", 1),
        (ALONE, "curator", 1),
    ]
    assert groups[2].candidates[0].setting.problem.C == 437.5
    assert (groups[0].rounds, groups[0].averages) == ((1, 10, 50), True)
    assert (groups[1].rounds, groups[1].averages) == ((50,), False)
    assert len({group.name for group in groups}) == len(groups)


def test_candidates_of_several_lengths_are_read_at_each_of_them():
    own = {"ADMM": {**TUNED["methods"]["ADMM"], "iterations": [15, 60]}}
    (first, *_) = Study.of(config(methods=own, untuned=[])).groups
    assert {entry.setting.iterations for entry in first.candidates} == {15, 60}
    assert first.rounds == (1, 10, 15, 60)


def test_cells_and_references_are_run_on_every_data_set():
    bank = {"data": "bank", "split": {"train": 40_000}}
    groups = Study.of(config(data_sets={"adult": {"data": "adult"}, "bank": bank})).groups
    assert len(groups) == 2 * len(Study.of(config()).groups)
    assert [group.data_set for group in groups] == ["adult"] * 5 + ["bank"] * 5
    assert {group.candidates[0].setting.data.name for group in groups[5:]} == {"bank"}
    assert groups[5].cell == groups[0].cell
    assert len({group.name for group in groups}) == len(groups)


def test_a_seed_draws_everything_anew():
    candidate = Study.of(config()).groups[0].candidates[0].setting
    one, two = (drawn_with(candidate, seed) for seed in (1, 2))
    written, other = one.to_json(), two.to_json()
    assert {name for name in written if written[name] != other[name]} == {"split", "network", "seed"}
    assert one.id != two.id


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"judgement": [101, 5]}, "must judge on other seeds than it selects on, but both have 101"),
        ({"keep": []}, "must keep a number after each selection seed but the last: 1"),
        ({"untuned": ["MR"]}, "must list methods in untuned, but 'MR' is none"),
        ({"rounds": [0, 5]}, "must have rounds from 1, but lists 0"),
        ({"epsilon": [0.0]}, "greater than 0"),
        ({"data_sets": {"a": {"data": "adlut"}}}, "tuned.study.data_sets.a.data = 'adlut'"),
        ({"cells": {}}, "must have at least one entry"),
        (
            {"methods": {"A": {**TUNED["methods"]["published"], "iterations": [5, 10]}}, "untuned": ["A"]},
            "iterations = [5, 10]: must be one number for a method that is run as published",
        ),
        ({"methods": {"A": {"algorithm": {"name": "admn"}}}}, "tuned.study.methods.A.algorithm.name = 'admn'"),
    ],
)
def test_what_makes_no_sense_is_refused(changes, sentence):
    with pytest.raises(InputError) as error:
        Study.of(config(**{"untuned": []} | changes))
    assert sentence in str(error.value)
    assert "tuned" in str(error.value)


ASKING = {"algorithm": {"name": "admm", "penalty": [0.1, 1.0]}, "noise": {"kind": "objective", "total_bound": 8.0}}
REPLICATION = {"methods": {"A": ASKING, "B": ASKING}, "rounds": [], "epsilon": [], "pairs": [["A", "B"]], "untuned": []}


def test_a_replication_leaves_out_what_no_noise_can_meet():
    groups = Study.of(config(**REPLICATION)).groups[:2]
    assert [[setting.grid_point["algorithm.penalty"] for setting in group.candidates] for group in groups] == [
        [1.0],
        [1.0],
    ]
    assert (groups[0].rounds, groups[0].averages) == ((50,), False)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"pairs": []}, "must give either epsilon, with rounds, or pairs of methods"),
        ({"pairs": [["A", "C"]]}, "must list methods in pairs, but 'C' is none"),
        ({"throughout": ["C"]}, "must list methods in throughout, but 'C' is none"),
        ({"rounds": [5]}, "must give both rounds and epsilon, or neither"),
        ({"methods": TUNED["methods"] | {"A": ASKING, "B": ASKING}}, "must ask for total_bound or total_epsilon"),
        (
            {"methods": {"A": ASKING, "B": ASKING | {"algorithm": {"name": "admm", "penalty": 0.1}}}},
            "total_bound = 8 can't be met by any noise",
        ),
    ],
)
def test_a_replication_that_makes_no_sense_is_refused(changes, sentence):
    with pytest.raises(InputError) as error:
        Study.of(config(**REPLICATION | changes))
    assert sentence in str(error.value)


def test_an_experiments_name_is_taken():
    raw = config()
    raw["tuned"] = {"mine": raw["tuned"]["study"]}
    with pytest.raises(InputError, match="an experiment has this one"):
        Study.of(raw)
