"""A grid of very many labelled settings: nothing of it may stand on a command line, whose length is limited."""

import pandas as pd
import pytest
import yaml

from tests.jobs.test_workflow import Project

pytestmark = pytest.mark.xdist_group("many")

COUNT, LENGTH = 130, 200
ARGUMENT = 128 * 1024  # bytes that Linux allows in one argument


@pytest.fixture
def project(tmp_path):
    """One experiment of settings that each take no time; not the paper's, so there is nothing to be claimed."""
    settings = {
        f"{number:05}, described at length ".ljust(LENGTH, "…"): {
            "algorithm": {"name": "admm", "penalty": 1.0 + number / COUNT}
        }
        for number in range(COUNT)
    }
    tiny = {"data": {"name": "synthetic", "rows": 120, "features": 3}, "split": {"train": 60, "test": 60}}
    tiny |= {"problem": {"C": 10}, "iterations": 1, "runs": 1}
    experiment = {"figure": "convergence", "defaults": tiny, "settings": settings}
    made = Project(tmp_path)
    (tmp_path / "many.yaml").write_text(yaml.safe_dump({"shipped": False, "experiments": {"many": experiment}}))
    return made


def test_many_labelled_settings_run(project):
    project.snakemake("--cores", "2", "--", "results/tables/many.csv", "results/settings.parquet", config="many.yaml")
    assert len(list((project.folder / "results" / "traces").glob("[!.]*"))) == COUNT
    planned = (project.folder / "many.yaml").stat().st_size
    assert planned > ARGUMENT  # on a command line it would have been too long
    made = pd.read_parquet(project.folder / "results" / "tables" / "many.parquet")
    assert set(made["label"].str.len()) == {LENGTH}
    assert made["label"].nunique() == COUNT
