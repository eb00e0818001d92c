"""A tuned study from its config to its page, on made-up data; choices against runs made one by one."""

import json
import shutil

import numpy as np
import pandas as pd
import pytest

from radmm.base.errors import InputError
from radmm.base.store import DamagedError, fault, link, read_metadata
from radmm.privacy.accountants.shift import ShiftAccountant
from radmm.privacy.ledger import ledger_of
from radmm.study.draws import drawn_with
from radmm.study.setting_facts import facts_of, query_log_of
from tests.jobs.made_study import MadeStudy

# A candidate that may diverge is never chosen, and only warned of.
pytestmark = [pytest.mark.xdist_group("tune"), pytest.mark.filterwarnings("ignore:.* may diverge:UserWarning")]

DATA = {"name": "synthetic", "rows": 600, "features": 5, "label_noise": 0.1}
NOISE = {"kind": "gradient", "law": "gaussian", "sigma": [2.0, 20.0]}
STUDY = {
    "defaults": {"data": DATA, "split": {"train": 400}, "problem": {"C": 40.0}, "iterations": 6, "runs": 2},
    "cells": {
        "even": {},
        "skewed": {"problem": {"weighting": "rows"}, "partition": {"law": "label-skew", "beta": 2.0}},
    },
    "methods": {
        "DGD": {"algorithm": {"name": "dgd", "step": [0.02, 0.1]}, "noise": NOISE},
        "published": {"algorithm": {"name": "dgd", "step": 0.02}, "noise": NOISE},
        "budgets": {
            "algorithm": {"name": "dgd", "step": 0.02},
            "noise": {"kind": "gradient", "law": "gaussian", "total_epsilon": [1.0, 2.0], "delta": 1e-5},
            "iterations": [2, 6],
        },
    },
    "references": {"no privacy": {"network": {"law": "single"}, "algorithm": {"name": "dgd", "step": 0.02}}},
    "untuned": ["published"],
    "rounds": [1, 3, 6],
    "epsilon": [0.01, 1.0, 8.0],
    "selection": [100, 101],
    "keep": [1],
    "judgement": [0, 1],
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    study = MadeStudy(tmp_path_factory.mktemp("tuned"), STUDY)
    study.make()
    return study


def test_what_is_spent_holds_on_every_network(made):
    group = made.groups[0]
    chosen = read_metadata(made.file_of(group))["chosen"]
    assert {choice["epsilon"] for choice in chosen} == {1.0, 8.0}  # nothing meets the smallest budget
    by_id = {candidate.id: candidate.setting for candidate in group.candidates}
    for choice in chosen[:1]:
        setting = by_id[choice["setting"]]
        spent = []
        for seed in (100, 101, 0, 1):
            drawn = drawn_with(setting, seed)
            ledger = ledger_of(query_log_of(drawn), facts_of(drawn, np.full(5, 80)), drawn.known_noise)
            spent.append(ShiftAccountant().epsilon(ledger, 1e-5, choice["rounds"]))
        assert choice["neighbours"] == "replace"
        assert choice["spent"] == pytest.approx(max(spent), rel=1e-12)
        assert choice["spent"] <= choice["epsilon"]


def test_candidates_are_halved_and_the_chosen_judged_on_other_seeds(made):
    group = made.groups[0]
    measured, about = pd.read_parquet(made.file_of(group)), read_metadata(made.file_of(group))
    assert set(measured["seed"][measured["stage"] == "selection"]) == {100, 101}
    assert set(measured["seed"][measured["stage"] == "judgement"]) == {0, 1}
    assert about["runs"] == len(group.candidates) * 4 == 16
    by_seed = measured.set_index(["setting", "iteration", "seed"]).sort_index()
    for choice in about["chosen"]:
        column = "error_rate_average" if choice["averaged"] else "error_rate"
        on = by_seed.loc[(choice["setting"], choice["rounds"]), column]
        assert choice["selection_error"] == pytest.approx(on[[100, 101]].mean(), rel=1e-12)
    # Each budget keeps one candidate after seed 100, which is then chosen, however good others are on seed 101.
    errors = measured[measured["seed"] == 100].melt(
        ["setting", "iteration"], ["error_rate", "error_rate_average"], value_name="error"
    )
    for choice in (each for each in about["chosen"] if each["epsilon"] == 8.0):  # which every candidate meets
        assert choice["setting"] == errors.loc[errors["error"].idxmin(), "setting"]


def test_what_is_read_are_the_means_over_the_runs_of_ordinary_traces(made):
    group = made.groups[0]
    measured = pd.read_parquet(made.file_of(group)).set_index(["setting", "seed", "iteration"]).sort_index()
    candidate = group.candidates[-1]
    for entry in group.drawn(candidate):
        (path,) = made.files("traces", entry.id)
        assert read_metadata(path)["setting"] == entry.setting.to_json()
        means = pd.read_parquet(path).groupby("iteration")[["error_rate", "loss_average"]].mean()
        found = measured.loc[(candidate.id, entry.setting.seed), ["error_rate", "loss_average"]]
        np.testing.assert_allclose(found, means.loc[[1, 3, 6]], rtol=1e-12)


def test_noise_that_asks_for_a_budget_spends_it(made):
    """Over either number of rounds; the shorter runs are not read beyond their end."""
    (group,) = [each for each in made.groups if (each.cell, each.method) == ("even", "budgets")]
    measured, about = pd.read_parquet(made.file_of(group)), read_metadata(made.file_of(group))
    assert about["rounds"] == [1, 2, 3, 6]
    for candidate in group.candidates:
        iterations, asked = candidate.setting.iterations, candidate.grid_point["noise.total_epsilon"]
        spent = dict(zip(about["rounds"], about["spent"]["replace"][candidate.id], strict=True))
        assert spent[iterations] == pytest.approx(asked, rel=1e-2)
        assert spent[iterations] <= asked
        assert np.isinf(spent[6]) == (iterations < 6)
        assert measured[measured["setting"] == candidate.id]["iteration"].max() == iterations
    (choice,) = [each for each in about["chosen"] if (each["neighbours"], each["epsilon"]) == ("replace", 1.0)]
    assert choice["spent"] <= 1.0


def test_what_is_published_is_not_tuned(made):
    (group,) = [each for each in made.groups if (each.cell, each.method) == ("even", "published")]
    chosen = read_metadata(made.file_of(group))["chosen"]
    assert {(choice["rounds"], choice["averaged"]) for choice in chosen} == {(6, False)}


def test_table_page_and_figure(made, tmp_path):
    outputs = made.judge(tmp_path)
    table = pd.read_parquet(outputs["parquet"])
    assert set(table["cell"]) == {"even", "skewed", "one node"}
    assert set(table["neighbours"]) == {"replace", "zero-out"}
    assert (table["spent"] <= table["epsilon"]).all()
    assert (table["n"] == 2).all()
    assert set(json.loads(table["by_seed"].iloc[0])) == {"0", "1"}
    page = outputs["markdown"].read_text()
    assert "| use | ε = 0.01 | ε = 1 | ε = 8 |" in page
    assert "No method meets ε = 0.01 with any noise that was tried." in page
    assert "| *no privacy* | " in page
    assert outputs["png"].stat().st_size > 10_000
    assert [fault(path) for path in outputs.values()] == [""] * len(outputs)


def test_choices_carry_over_from_other_data_sets(tmp_path):
    smaller = {"data": DATA | {"rows": 500, "seed": 1}, "split": {"train": 300}}
    small = STUDY | {"cells": {"even": {}}, "data_sets": {"first": {"data": DATA}, "second": smaller}}
    study = MadeStudy(tmp_path / "made", small)
    study.make()
    outputs = study.judge(tmp_path)
    table = pd.read_parquet(outputs["parquet"])
    assert set(zip(table["data_set"], table["chosen_on"], strict=True)) == {
        (data_set, rule) for data_set in ("first", "second") for rule in ("other splits", "other data sets")
    }
    assert (table["spent"] <= table["epsilon"]).all()
    tuned = table[(table["method"] == "DGD") & (table["chosen_on"] == "other data sets") & (table["epsilon"] == 8.0)]
    (group,) = [each for each in study.groups if (each.method, each.data_set) == ("DGD", "first")]
    found = tuned[tuned["data_set"] == "first"].iloc[0]
    assert found["setting"] in {candidate.id for candidate in group.candidates}
    page = outputs["markdown"].read_text()
    assert "Errors are means over 2 data sets: first, second." in page
    assert page.index("Chosen on other data sets:") < page.index("Chosen on other splits:")


@pytest.fixture
def changed(made, tmp_path):
    """A copy that a test may spoil."""
    return MadeStudy(shutil.copytree(made.folder, tmp_path / made.folder.name), STUDY)


def test_damaged_files_are_not_put_together(changed, tmp_path):
    path = changed.file_of(changed.groups[1])
    path.write_bytes(path.read_bytes().replace(b"published", b"forbidden"))
    with pytest.raises(DamagedError, match=f"^{path} has SHA-256"):
        changed.judge(tmp_path)


def test_nothing_is_chosen_by_traces_of_other_noise(changed):
    group = changed.groups[0]
    one, other = (changed.files("traces", entry.id)[0] for entry in group.entries[:2])
    link(one, other)
    with pytest.raises(DamagedError, match=f"^{other} is of another setting"):
        changed.choose(group)


def test_a_study_whose_budgets_no_method_meets_says_so(changed, tmp_path):
    none = MadeStudy(changed.folder, STUDY | {"epsilon": [1e-3]})
    for group in none.groups:
        none.choose(group)
    with pytest.raises(InputError, match=r"tuned.study.epsilon = \[0.001\]: must have a budget that a method meets"):
        none.judge(tmp_path)
