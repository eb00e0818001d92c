"""Tuned studies in the workflow: on the same settings, batches and traces as experiments."""

import pytest
import yaml

from radmm.base.store import read_metadata
from tests.jobs.test_workflow import Project

pytestmark = pytest.mark.xdist_group("studies")

DEFAULTS = {
    "data": {"name": "synthetic", "rows": 300, "features": 4},
    "split": {"train": 200},
    "network": {"law": "ring", "nodes": 4},
    "problem": {"C": 10.0, "rho": 0.3},
    "iterations": 4,
    "runs": 2,
}
SEEDS = {"selection": [100], "judgement": [0, 1]}
ADMM = {"algorithm": {"name": "admm", "penalty": [0.5, 1.0]}}
NOISE = {"kind": "objective", "law": "gaussian", "sigma": 2.0}
BUDGET = {"kind": "objective", "law": "gaussian", "total_epsilon": 5.0, "delta": 1e-05}
SKEW = {"law": "label-skew", "beta": 2.0}
CONFIG = {
    "shipped": False,
    "defaults": DEFAULTS,
    "experiments": {
        "mine": {"figure": "comparison", "settings": {"as in the study": {**ADMM, "noise": NOISE, "seed": 0}}}
    },
    "tuned": {
        "best": {
            "cells": {"even": {}},
            "methods": {"ADMM": {**ADMM, "noise": NOISE}},
            "rounds": [2, 4],
            "epsilon": [50.0],
            **SEEDS,
        },
        "pairs": {
            "cells": {"skewed": {"partition": SKEW}},
            "methods": {"ADMM": {**ADMM, "noise": BUDGET}, "short": {**ADMM, "noise": BUDGET, "iterations": 2}},
            "pairs": [["ADMM", "short"]],
            **SEEDS,
        },
    },
}
FILES = ("best.md", "pairs.md", "tables/best.csv", "tables/pairs.csv", "figures/best.pdf", "figures/pairs.pdf")


def plan(project, config, *targets):
    """What a run of another config would do; batches have names that depend on what is in them."""
    (project.folder / "other.yaml").write_text(yaml.safe_dump(config, sort_keys=False))
    return project.plan(*targets, config="other.yaml")


def changed(study, **said):
    return CONFIG | {"tuned": CONFIG["tuned"] | {study: CONFIG["tuned"][study] | said}}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    project = Project(tmp_path_factory.mktemp("studies"))
    (project.folder / "mine.yaml").write_text(yaml.safe_dump(CONFIG, sort_keys=False))
    project.snakemake("--cores", "2", "--", "best", "pairs", config="mine.yaml")
    return project


def test_every_candidate_has_an_ordinary_trace_on_every_seed(finished):
    results = finished.folder / "results"
    assert all((results / name).is_file() for name in FILES)
    traces = [read_metadata(path) for path in (results / "traces").glob("*.parquet")]
    assert len(traces) == 2 * 3 + 4 * 3
    assert all(trace["setting"]["seed"] == trace["setting"]["split"]["seed"] for trace in traces)
    assert len(list((results / "ledgers").glob("*.parquet"))) == len(traces)
    assert len(list((results / "partitions").glob("*.json"))) == 3
    assert [path.name for path in (results / "calibrations").glob("*.json")] == ["pairs.json"]


def test_experiments_and_studies_share_traces(finished):
    planned = finished.plan("results/tables/mine.csv", config="mine.yaml")
    assert planned == {"table": 1}
    assert finished.forecast.startswith("No setting would be solved")


def test_another_rule_of_selection_needs_no_run(finished):
    assert plan(finished, changed("best", epsilon=[40.0]), "best") == {"selection": 1, "best": 1}
    assert plan(finished, changed("pairs", pairs=[["short", "ADMM"]]), "pairs") == {"selection": 2, "pairs": 1}


def test_another_seed_runs_that_seed_alone(finished):
    planned = plan(finished, changed("best", judgement=[0, 1, 2]), "best")
    assert (planned["split"], planned["selection"], planned["best"]) == (1, 1, 1)
    assert finished.forecast.startswith("2 settings would be solved")


def test_traces_that_are_gone_come_back_from_what_their_jobs_kept(finished):
    results = finished.folder / "results"
    before = {path: path.read_bytes() for path in (results / "traces").glob("*.parquet")}
    old_logs = (results / "logs" / "batches").glob("*.log")
    for path in (*before, *(results / "tuned").glob("*.parquet"), *results.glob("*.md"), *old_logs):
        path.unlink()
    finished.snakemake("--cores", "2", "--", "best", config="mine.yaml")
    back = {path: path.read_bytes() for path in (results / "traces").glob("*.parquet")}
    assert len(back) == 2 * 3
    assert back.items() <= before.items()
    logs = "".join(path.read_text() for path in (results / "logs" / "batches").glob("*.log"))
    assert "settings are already done" in logs
    assert " begins\n" not in logs
