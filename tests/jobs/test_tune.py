"""A tuned study from its config to its page, on made-up data; choices against runs made one by one."""

import json
import shutil

import numpy as np
import pandas as pd
import pytest

from radmm.base.errors import InputError
from radmm.base.store import DamagedError, fault, read_metadata
from radmm.jobs.steps.frontier import frontier
from radmm.jobs.steps.tune import tune
from radmm.jobs.study import Study
from radmm.privacy.accountants.shift import ShiftAccountant
from radmm.privacy.ledger import ledger_of
from radmm.study.groups import drawn_with
from radmm.study.setting_facts import facts_of, query_log_of
from tests.jobs.made_study import planned

pytestmark = pytest.mark.xdist_group("tune")

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
    folder = tmp_path_factory.mktemp("tuned")
    study = planned(folder, STUDY)
    for group in study.groups:
        tune(group, study.tuned["study"].said, folder / "rows.npz", folder / f"{group.name}.parquet")
    return folder, study


def put_together(folder, study, name, *outputs):
    groups = [folder / f"{group.name}.parquet" for group in study.groups_of(name)]
    frontier(name, study.tuned[name].said, groups, *outputs)


def test_what_is_spent_holds_on_every_network(made):
    folder, study = made
    group = study.groups[0]
    chosen = read_metadata(folder / f"{group.name}.parquet")["chosen"]
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
    folder, study = made
    measured = pd.read_parquet(folder / f"{study.groups[0].name}.parquet")
    chosen = read_metadata(folder / f"{study.groups[0].name}.parquet")["chosen"]
    run_on = {seed: set(part["setting"]) for seed, part in measured.groupby("seed")}
    assert len(run_on[100]) == 4
    assert run_on[101] < run_on[100]
    assert run_on[0] == run_on[1] == {choice["setting"] for choice in chosen}
    for choice in chosen:
        rows = measured[(measured["stage"] == "selection") & (measured["setting"] == choice["setting"])]
        rows = rows[rows["iteration"] == choice["rounds"]]
        column = "error_rate_average" if choice["averaged"] else "error_rate"
        assert choice["selection_error"] == pytest.approx(rows[column].mean(), rel=1e-12)


def test_what_is_published_is_not_tuned(made):
    folder, study = made
    (group,) = [each for each in study.groups if (each.cell, each.method) == ("even", "published")]
    chosen = read_metadata(folder / f"{group.name}.parquet")["chosen"]
    assert {(choice["rounds"], choice["averaged"]) for choice in chosen} == {(6, False)}


def test_table_page_and_figure(made):
    folder, study = made
    outputs = {name: folder / f"out.{name}" for name in ("parquet", "csv", "markdown", "pdf", "png")}
    put_together(folder, study, "study", *outputs.values())
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


def test_damaged_files_are_not_put_together(made, tmp_path):
    folder, study = shutil.copytree(made[0], tmp_path / made[0].name), made[1]
    path = folder / f"{study.groups[1].name}.parquet"
    path.write_bytes(path.read_bytes().replace(b"published", b"forbidden"))
    with pytest.raises(DamagedError, match=f"^{path} has SHA-256"):
        put_together(folder, study, "study", *(tmp_path / kind for kind in ("parquet", "csv", "md", "pdf", "png")))


def test_a_study_whose_budgets_no_method_meets_says_so(made, tmp_path):
    folder, study = made
    none = Study.of({**study.config.model_dump(), "tuned": {"none": STUDY | {"epsilon": [1e-3]}}})
    for group in none.groups:
        tune(group, none.tuned["none"].said, folder / "rows.npz", tmp_path / f"{group.name}.parquet")
    outputs = [tmp_path / f"out.{name}" for name in ("parquet", "csv", "markdown", "pdf", "png")]
    with pytest.raises(InputError, match=r"tuned.none.epsilon = \[0.001\]: must have a budget that a method meets"):
        put_together(tmp_path, none, "none", *outputs)
