"""Batches in the workflow: what is missing runs, alone, and results don't depend on how settings were put together."""

import shutil

import pandas as pd
import pytest

from radmm.jobs.batches import SNAKEMAKE_MEGABYTES, read_batches
from radmm.jobs.plan import BATCHES, PLAN
from radmm.jobs.progress import is_over, progress
from tests.jobs.test_workflow import Project

pytestmark = pytest.mark.xdist_group("batches")

FIGURES = ["results/figures/fig2.pdf", "results/figures/fig5.pdf"]


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    project = Project(tmp_path_factory.mktemp("batches"))
    project.snakemake("--cores", "2", "--", *FIGURES)
    return project


def files(project, kind):
    return {path.name: path for path in (project.folder / "results" / kind).glob("[!.]*")}


def markers(project):
    return [f"results/batches/{name}" for name in files(project, "batches")]


def test_jobs_take_less_than_is_asked_for(finished):
    for batch in read_batches(finished.folder / PLAN / BATCHES):
        measured = finished.folder / "results" / "benchmarks" / "batches" / f"{batch.name}.tsv"
        (used,) = pd.read_csv(measured, sep="\t").to_dict("records")
        assert used["max_rss"] < batch.megabytes_to_ask_for - SNAKEMAKE_MEGABYTES
        assert used["s"] < 60 * batch.minutes_to_ask_for


def test_progress_is_that_of_the_targets_and_of_no_other_experiment(finished):
    assert {f"results/batches/{batch.name}.json" for batch in read_batches(finished.folder / PLAN / BATCHES)} == set(
        markers(finished)
    )
    found = progress(finished.folder, is_over(finished.folder))
    assert str(found) == f"{len(files(finished, 'traces'))} of {found.done} settings done, 0 running, 0 failed"


def test_a_deleted_trace_is_made_again_and_no_other(finished):
    targets = [*FIGURES, *markers(finished)]
    before = {name: (path.stat().st_mtime_ns, path.read_bytes()) for name, path in files(finished, "traces").items()}
    lost = next(name for name in before if name.startswith("mr-admm"))
    files(finished, "traces")[lost].unlink()
    assert finished.plan(*targets) == {"traces": 1, "table": 1, "figure": 1}
    assert finished.forecast.startswith("1 setting would be solved, in about ")
    assert ": 1 is new; " in finished.forecast
    assert all((finished.folder / marker).is_file() for marker in targets)  # planning removes nothing
    finished.snakemake("--cores", "2", "--", *targets)
    after = {name: (path.stat().st_mtime_ns, path.read_bytes()) for name, path in files(finished, "traces").items()}
    assert after[lost][1] == before[lost][1]
    assert {name for name in before if after[name] != before[name]} == {lost}
    assert finished.plan(*targets) == {}
    assert finished.forecast == "No setting would be solved: every trace that is needed is there."


def test_a_change_in_one_figure_touches_no_batch_of_another(finished):
    undo = finished.edit("config/config.yaml", "ratio: 1.04}, gamma: 0.5", "ratio: 1.04}, gamma: 0.6")
    assert finished.plan(*FIGURES) == {"traces": 1, "table": 1, "figure": 1}
    undo()


def test_the_same_bytes_with_a_job_for_each_setting(finished, tmp_path_factory):
    alone = Project(tmp_path_factory.mktemp("alone"))
    shutil.copytree(finished.folder / "data", alone.folder / "data", dirs_exist_ok=True)
    alone.snakemake("--cores", "1", "--config", "batches={seconds: 0}", "--", *FIGURES)
    assert len(markers(alone)) == len(files(alone, "traces")) > len(markers(finished))
    for kind in ("traces", "tables", "figures"):
        one, two = files(alone, kind), files(finished, kind)
        assert one.keys() == two.keys()
        assert [name for name in one if one[name].read_bytes() != two[name].read_bytes()] == []


def test_other_batches_of_the_same_settings_compute_nothing(finished):
    before = {name: path.stat().st_mtime_ns for name, path in files(finished, "traces").items()}
    finished.snakemake("--cores", "2", "--config", "batches={seconds: 0}", "--", *FIGURES)
    assert {name: path.stat().st_mtime_ns for name, path in files(finished, "traces").items()} == before
