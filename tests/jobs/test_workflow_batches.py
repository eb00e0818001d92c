"""Batches in the workflow: what is missing runs, alone, whatever other settings it was put together with."""

import pandas as pd
import pytest

from radmm.jobs.batches import SNAKEMAKE_MEGABYTES
from radmm.jobs.progress import progress
from radmm.jobs.study import Study
from radmm.study.config_files import read_configs
from tests.jobs.test_workflow import BATCHES

pytestmark = pytest.mark.xdist_group("workflow")  # it shares the finished project

FIGURES = ["results/figures/fig2.pdf", "results/figures/fig5.pdf"]


def files(project, kind):
    return {path.name: path for path in (project.folder / "results" / kind).glob("[!.]*")}


def traces(project):
    return [f"results/traces/{name}" for name in files(project, "traces")]


def logs(project):
    return project.folder / "results" / "logs" / "batches"


def test_jobs_take_less_than_is_asked_for(finished):
    configs = [finished.folder / "config" / name for name in ("config.yaml", "smoke.yaml")]
    batches = Study.of(read_configs(configs)).batches
    measured = {path.stem: path for path in (finished.folder / "results" / "benchmarks" / "batches").glob("*.tsv")}
    assert len(measured) == BATCHES
    for name, path in measured.items():
        (used,) = pd.read_csv(path, sep="\t").to_dict("records")
        assert used["max_rss"] < batches[name].megabytes_to_ask_for - SNAKEMAKE_MEGABYTES
        assert used["s"] < 60 * batches[name].minutes_to_ask_for


def test_a_trace_that_is_lost_with_what_jobs_keep_is_solved_again_and_no_other(finished):
    targets = [*FIGURES, *traces(finished)]
    before = {name: (path.stat().st_ino, path.read_bytes()) for name, path in files(finished, "traces").items()}
    lost, deleted = (next(name for name in before if name.startswith(f"{kind}-")) for kind in ("mr-admm", "r-admm"))
    for kind, name in (("traces", lost), (".resume/traces", lost), ("traces", deleted)):
        files(finished, kind)[name].unlink()
    assert finished.plan(*targets).keys() == {"traces", "table", "figure"}
    assert finished.forecast.startswith("1 setting would be solved, in about ")
    assert ": 1 is new; " in finished.forecast
    assert all((finished.folder / path).is_file() for path in targets if lost not in path and deleted not in path)
    finished.snakemake("--cores", "2", "--", *targets)
    after = {name: (path.stat().st_ino, path.read_bytes()) for name, path in files(finished, "traces").items()}
    assert after[lost][1] == before[lost][1]
    assert {name for name in before if after[name] != before[name]} == {lost}  # the other is as its job kept it
    solved = progress(logs(finished)).done
    assert finished.plan(*targets) == {}
    assert solved < len(before)  # the log of that batch is the last attempt's


def test_a_change_in_one_figure_touches_no_batch_of_another(finished):
    undo = finished.edit("config/config.yaml", "ratio: 1.04}, gamma: 0.5", "ratio: 1.04}, gamma: 0.6")
    planned = finished.plan(*FIGURES)
    undo()
    assert planned == {"traces": 1, "table": 1, "figure": 1}


def test_jobs_have_the_threads_that_the_config_asks_for(finished):
    """The scheduler is told, and other settings stay as they are: threads change no result."""
    undo = finished.edit("config/config.yaml", "ratio: 1.04}, gamma: 0.5", "ratio: 1.04}, gamma: 0.6")
    told = finished.snakemake("--cores", "8", "--dry-run", "--config", "batches={threads: 3}", "--", *FIGURES)
    undo()
    assert "threads: 3" in told
    assert "1 setting would be solved" in told


def test_other_batches_of_the_same_settings_compute_nothing(finished):
    before = {name: path.stat().st_ino for name, path in files(finished, "traces").items()}
    finished.snakemake("--cores", "2", "--config", "batches={seconds: 0}", "--", FIGURES[0])
    assert {name: path.stat().st_ino for name, path in files(finished, "traces").items()} == before
