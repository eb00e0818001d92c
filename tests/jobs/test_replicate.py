"""A replication from its config to its page, on made-up data: budgets on every graph, choices, judgement."""

import numpy as np
import pandas as pd
import pytest

from radmm.base.store import read_metadata
from radmm.privacy.accountants.pure import PaperAccountant
from radmm.privacy.accountants.shift import ShiftAccountant
from radmm.privacy.ledger import ledger_of
from radmm.study.draws import drawn_with
from radmm.study.setting_facts import facts_of, query_log_of
from radmm.study.settings import Setting
from tests.jobs.made_study import MadeStudy

pytestmark = pytest.mark.xdist_group("replicate")

DATA = {"name": "synthetic", "rows": 600, "features": 5, "label_noise": 0.1}
BOUND, EPSILON = 3.0, 2.0
NOISES = [
    {"kind": "objective", "total_bound": BOUND},
    {"kind": "objective", "law": "gaussian", "total_epsilon": EPSILON, "delta": 1e-5},
]
TRIED = [0.1, 1.0]  # no noise meets ADMM's bound at the first
RECYCLED, STOPPED = "R-ADMM", "ADMM, stopped at T/2"
STUDY = {
    "defaults": {"data": DATA, "split": {"train": 400}, "problem": {"C": 16.0}, "iterations": 6, "runs": 2},
    "cells": {"N = 5": {}},
    "methods": {
        RECYCLED: {"algorithm": {"name": "r-admm", "penalty": TRIED, "gamma": 0.5}, "noise": NOISES},
        STOPPED: {"algorithm": {"name": "admm", "penalty": TRIED}, "noise": NOISES, "iterations": 3},
        "ADMM": {"algorithm": {"name": "admm", "penalty": TRIED}, "noise": NOISES},
    },
    "pairs": [[RECYCLED, STOPPED], [RECYCLED, "ADMM"]],
    "throughout": [RECYCLED, STOPPED],
    "published": {"algorithm.penalty": 1.0},
    "selection": [100, 101],
    "judgement": [0, 1, 2],
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    study = MadeStudy(tmp_path_factory.mktemp("replicated"), STUDY)
    study.make()
    return study


@pytest.fixture(scope="module")
def read(made):
    """What was measured and chosen, by method."""
    files = {group.method: made.file_of(group) for group in made.groups}
    return {name: (pd.read_parquet(path), read_metadata(path)) for name, path in files.items()}


@pytest.mark.parametrize("method", STUDY["methods"])
def test_budgets_are_met_on_every_graph_and_spent_on_the_worst(read, method):
    about = read[method][1]
    for setting, parameters in about["candidates"].items():
        ledgers = []
        for seed in (100, 101, 0, 1, 2):
            drawn = drawn_with(Setting.from_json(parameters), seed)
            ledgers.append(ledger_of(query_log_of(drawn), facts_of(drawn, np.full(5, 80)), drawn.known_noise))
        if about["asked"][setting]["axis"] == "P(T)":
            spent = [PaperAccountant().epsilon(ledger) for ledger in ledgers]
            assert max(spent) == pytest.approx(BOUND, rel=1e-8)
        else:
            spent = [ShiftAccountant().epsilon(ledger, 1e-5) for ledger in ledgers]
            assert 0.99 * EPSILON <= max(spent) <= EPSILON


def test_one_noise_is_shared_by_the_draws_of_a_candidate_and_by_no_other_setting(made):
    for group in made.groups:
        for candidate in group.candidates:
            stored = [read_metadata(made.files("traces", entry.id)[0]) for entry in group.drawn(candidate)]
            assert len({str(each["setting"]["noise"]) for each in stored}) == 1
            assert all(each["asked"]["noise"]["draws"] == [100, 101, 0, 1, 2] for each in stored)
            alone = drawn_with(candidate.setting, 0)  # which an experiment may ask for, and calibrates by itself
            assert alone.id not in {each["id"] for each in stored}


def test_what_the_published_bound_forbids_is_left_out(read):
    about = read["ADMM"][1]
    at = {about["asked"][setting]["axis"]: set() for setting in about["candidates"]}
    for setting in about["candidates"]:
        at[about["asked"][setting]["axis"]].add(about["asked"][setting]["penalty"])
    assert at == {"P(T)": {1.0}, "ε": set(TRIED)}


@pytest.mark.parametrize("method", STUDY["methods"])
def test_choices_are_made_on_selection_seeds_alone(read, method):
    measured, about = read[method]
    means = measured[measured["stage"] == "selection"].groupby("setting")["error_rate"].mean()
    for choice in about["chosen"]:
        rivals = [name for name, one in about["asked"].items() if one["axis"] == choice["axis"] and name in means]
        assert means[choice["setting"]] == min(means[rivals])
    assert {about["asked"][setting]["penalty"] for setting in about["published"]} == {1.0}


def test_differences_are_of_judgement_seeds_in_pairs(made, read, tmp_path):
    outputs = made.judge(tmp_path)
    table = pd.read_parquet(outputs["parquet"])
    assert set(table["kind"]) == {"η tuned", "η of the paper", "every η"}
    found = table[(table["kind"] == "every η") & (table["metric"] == "error_rate") & (table["axis"] == "ε")]
    assert sorted(found["penalty"]) == TRIED
    for _, row in found.iterrows():
        means = []
        for name in (RECYCLED, STOPPED):
            measured, about = read[name]
            (setting,) = [
                key for key, one in about["asked"].items() if (one["axis"], one["penalty"]) == ("ε", row["penalty"])
            ]
            own = measured[(measured["setting"] == setting) & (measured["stage"] == "judgement")]
            means.append(own["error_rate"].mean())
        assert row["difference"] == pytest.approx(means[0] - means[1], abs=1e-12)
        assert row["low"] <= row["difference"] <= row["high"]
    assert set(table["outcome"]) == {"undecided"}  # of three seeds nothing is decided
    page = outputs["markdown"].read_text()
    assert "| P(T) = 3 | R-ADMM | ADMM | " in page
    assert "| N = 5 | 0.1 | " in page
    assert outputs["png"].stat().st_size > 10_000
