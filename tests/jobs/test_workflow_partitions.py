"""Nodes with different rows, from the config to the report: a label skew, of which only the data tell the sizes."""

import json

import numpy as np
import pandas as pd
import pytest
import yaml

from radmm.base.store import read_metadata
from tests.jobs.test_workflow import Project

pytestmark = pytest.mark.xdist_group("partitions")

SKEW = {"law": "label-skew", "beta": 0.7, "least": 15}
BASE = {
    "data": {"name": "synthetic", "rows": 400, "features": 4},
    "split": {"train": 300},
    "network": {"law": "ring", "nodes": 5},
    "partition": SKEW,
    "problem": {"C": 12.0, "rho": 0.3},
    "algorithm": {"name": "r-admm", "gamma": 0.5},
    "iterations": 4,
    "runs": 2,
}
SETTINGS = {
    "plain": {},
    "nodes alike": {"noise": {"kind": "objective", "alpha": 1.5}},
    "rows alike": {"noise": {"kind": "objective", "alpha": 1.5}, "problem": {"weighting": "rows"}},
    "same bound": {
        "noise": {"kind": "objective", "total_bound": {"same_as": "nodes alike"}},
        "algorithm": {"name": "admm"},
    },
}


def write_config(project, name, settings):
    experiments = {"mine": {"figure": "comparison", "defaults": BASE, "settings": settings}}
    config = {"shipped": False, "experiments": experiments}
    (project.folder / name).write_text(yaml.safe_dump(config))


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    project = Project(tmp_path_factory.mktemp("partitions"))
    write_config(project, "mine.yaml", SETTINGS)
    project.snakemake("--cores", "2", config="mine.yaml")
    return project


def held_by_nodes(project, law):
    (path,) = (project.folder / "results" / "partitions").glob(f"*-{law}-*.json")
    return path, json.loads(path.read_text())


def trace_of(project, label):
    settings = pd.read_parquet(project.folder / "results" / "settings.parquet").set_index("label")
    row = settings.loc[label]
    return row, pd.read_parquet(project.folder / "results" / "traces" / f"{row['id']}.parquet")


def test_it_is_told_and_drawn_who_has_what(finished):
    path, skewed = held_by_nodes(finished, "label-skew")
    counts = np.array(skewed["rows_by_class_and_node"])
    assert counts.sum() == skewed["rows"] == 300
    np.testing.assert_array_equal(counts.sum(axis=0), skewed["rows_by_node"])
    assert counts.sum(axis=0).min() >= 15
    assert np.ptp(counts[0] / counts.sum(axis=0)) > 0.2  # the mixtures differ
    assert path.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
    report = (finished.folder / "results" / "report.html").read_text()
    assert report.count("Who has which training rows in mine") == 1


def test_bounds_are_those_of_the_rows_that_nodes_have(finished):
    rows = np.array(held_by_nodes(finished, "label-skew")[1]["rows_by_node"])
    curvature = 0.3 / 5 + 2 * 1.0 * 2
    for label, weight in (("nodes alike", 12.0 / rows), ("rows alike", np.full(5, 12.0 * 5 / 300))):
        settings, trace = trace_of(finished, label)
        expected = 2 * weight * (1.4 * 0.25 / curvature + 1.5)
        at_last = trace.query("iteration == 4")["privacy_loss"]
        np.testing.assert_allclose(at_last, 2 * expected.max(), rtol=1e-12)
        assert (settings["rows.fewest"], settings["rows.most"]) == (rows.min(), rows.max())
        ledger = pd.read_parquet(finished.folder / "results" / "ledgers" / f"{settings['id']}.parquet")
        first = ledger.query("iteration == 1")
        np.testing.assert_array_equal(first["rows"], rows)
        np.testing.assert_allclose(first["C"] / first["rows"], weight, rtol=1e-14)
    assert trace_of(finished, "nodes alike")[0]["bound.node"] == rows.argmin()


def test_a_budget_is_met_where_only_the_data_tell_the_rows(finished):
    bounds = [trace_of(finished, label)[1]["privacy_loss"].max() for label in ("nodes alike", "same bound")]
    assert bounds[1] <= bounds[0]
    assert bounds[1] == pytest.approx(bounds[0], rel=1e-8)


def test_theory_speaks_of_it_too(finished):
    settings, _ = trace_of(finished, "plain")
    assert settings["theory.margin"] < 0 < settings["theory.sufficient_gamma"]
    assert not np.isnan(settings["theory.sufficient_gamma"])
    assert read_metadata(finished.folder / "results" / "traces" / f"{settings['id']}.parquet")["setting"][
        "partition"
    ] == {"seed": 0, **SKEW}


def test_another_picture_reruns_no_trace(finished):
    undo = finished.edit("radmm/results/figures/partition.py", "FEW = 40", "FEW = 4")
    planned = finished.plan("main", config="mine.yaml")
    undo()
    assert planned == {"partition": 1, "report": 1, "settings": 1, "pictures_of_main_networks": 1, "main": 1}


def test_a_c_that_does_not_fit_is_refused_before_anything_is_solved(finished):
    rows = held_by_nodes(finished, "label-skew")[1]["rows_by_node"]
    write_config(finished, "bad.yaml", {"greedy": {"problem": {"C": 80.0}}, "fine": SETTINGS["plain"]})
    traces = set((finished.folder / "results" / "traces").glob("[!.]*"))
    finished.snakemake("--cores", "2", fails=True, config="bad.yaml")
    assert set((finished.folder / "results" / "traces").glob("[!.]*")) == traces
    (log,) = (finished.folder / "results" / "logs" / "partitions").glob("*label-skew*.log")
    node = int(np.argmin(rows))
    assert (
        f"error: experiments.mine.settings.greedy: C = 80 is more than the {min(rows)} rows of node {node}: "
        "must be at most B_i everywhere"
    ) in log.read_text()
