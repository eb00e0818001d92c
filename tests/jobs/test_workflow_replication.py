"""A replication in the workflow: one look after the other, on the settings, batches and traces of all experiments."""

import json

import pandas as pd
import pytest
import yaml

from radmm.results.claims.replication import case_key
from tests.jobs.test_workflow import ROOT, Project

pytestmark = pytest.mark.xdist_group("replication")

DATA = {"name": "synthetic", "rows": 1000, "features": 4}
SMOKE = yaml.safe_load((ROOT / "config" / "smoke.yaml").read_text())
CONFIG = SMOKE | {
    "defaults": SMOKE["defaults"] | {"data": DATA},
    "experiments": SMOKE["experiments"] | {"fig1a": None, "computation": None},
    "replication": {"looks": [6, 7], "runs": 3, "data": {"small": {"data": DATA}}},
}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """After its first look."""
    made = Project(tmp_path_factory.mktemp("replication"))
    (made.folder / "mine.yaml").write_text(yaml.safe_dump(CONFIG, sort_keys=False))
    made.snakemake("--cores", "2", "--", "replication", config="mine.yaml")
    return made


def read(project, pairs):
    return json.loads((project.folder / "results" / "replication" / f"replication_small_{pairs}.json").read_text())


def effects(project, pairs):
    return pd.read_parquet(project.folder / "results" / "replication" / f"replication_small_{pairs}.parquet")


def test_looks_follow_each_other_until_the_last(project):
    first = read(project, 6)
    assert (first["pairs"], first["runs"], first["train"], first["test"]) == (6, 3, 600, 300)
    still_open = {(claim, case_key(at)) for claim, cases in first["open"].items() for at in cases}
    assert 0 < len(still_open) < len(effects(project, 6)) / 6
    assert effects(project, 6).groupby(["claim", "at"])["pair"].nunique().eq(6).all()
    project.snakemake("--cores", "2", "--", "replication", config="mine.yaml")
    counted = effects(project, 7).groupby(["claim", "at"])["pair"].nunique()
    assert set(counted[counted == 7].index) == still_open
    assert counted[~counted.index.isin(still_open)].eq(6).all()
    before = effects(project, 6)
    pd.testing.assert_frame_equal(effects(project, 7).head(len(before)), before)
    output = project.snakemake("--cores", "2", "--", "replication", config="mine.yaml")
    assert "Nothing to be done" in output


def test_other_margins_judge_again_and_run_nothing(project):
    (project.folder / "other.yaml").write_text(yaml.safe_dump(CONFIG | {"claims": {"margins": {"ratio": 0.2}}}))
    planned = project.plan("results/replication/replication_small_6.json", config="other.yaml")
    assert planned == {"replication_small_6": 1}
    assert project.forecast.startswith("No setting would be solved")


def test_verdicts_of_a_run_rest_on_its_replication(project):
    project.snakemake("--cores", "2", "--", "results/claims.json", config="mine.yaml")
    claims = json.loads((project.folder / "results" / "claims.json").read_text())["claims"]
    tested = {claim["name"]: claim for claim in claims if claim["cases"]}
    assert set(tested) == set(read(project, 7)["claims"])
    assert all(claim["evidence"].startswith("small: up to 7 pairs") for claim in tested.values())
    assert tested["less-noise"]["cases"][0]["units"] == 6
    assert tested["outperform"]["this_run"]["evidence"] == "runs on one split and graph"
