"""Verification: silent about a study as it was made, and a sentence for each thing that was changed."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from radmm.base.store import checked, read_metadata, read_record, write_json, write_parquet
from radmm.data.prepared_files import write_edges
from radmm.data.source import make_source
from radmm.jobs.steps import step_runner
from radmm.jobs.steps.verify import verify
from radmm.jobs.verify import Folders, raw_faults, sample_of
from radmm.study.component_json import to_json
from tests.jobs.made_project import MadeProject

pytestmark = pytest.mark.xdist_group("made project")


@pytest.fixture
def folder(made_project, tmp_path):
    return shutil.copytree(made_project, tmp_path / "copy")


def run(folder, sample=0):
    study = MadeProject(folder).study
    verify(
        study.experiments,
        [to_json(each) for each in study.data_sets.values()],
        folder / "results",
        folder / "data",
        folder / "results" / "networks",
        sample,
        seed=1,
    )


def complaint(folder, sample=0):
    with pytest.raises(SystemExit) as caught:
        run(folder, sample)
    return str(caught.value)


def one(folder, pattern):
    return sorted(folder.glob(pattern))[0]


def test_a_study_as_it_was_made_passes_and_the_whole_of_it_is_made_again(made_project, capsys):
    run(made_project, sample=100)
    said = capsys.readouterr().err
    experiments = MadeProject(made_project).study.experiments
    results = made_project / "results"
    settings = Folders(results, made_project / "data", results / "networks").settings(experiments)
    assert len(settings) == 6
    assert all(name in said.splitlines()[-1] for name in settings)


KINDS = [
    "traces/*.parquet",
    "ledgers/*.parquet",
    "tables/*.csv",
    "figures/*.pdf",
    "networks/*.json",
    "settings.parquet",
]


@pytest.mark.parametrize("pattern", KINDS)
def test_a_file_that_was_changed_is_named_and_set_aside(folder, pattern):
    path = one(folder / "results", pattern)
    path.write_bytes(path.read_bytes() + b" ")
    assert f"error: {path} has SHA-256 " in complaint(folder)
    assert not path.exists()


def test_a_file_that_nobody_vouches_for_is_named(folder):
    path = folder / "results" / "traces" / "stranger.parquet"
    path.write_text("")
    assert f"{path} has no record" in complaint(folder)


def test_a_figure_of_another_table_is_named(folder):
    """All hashes fit, but the table was written again after the figure was drawn."""
    path = folder / "results" / "tables" / "mine.parquet"
    write_parquet(path, {"x": np.arange(3)}, {})
    assert f"mine.png was made of another version of {path}" in complaint(folder)


def test_a_table_whose_trace_is_gone_is_named(folder):
    path = one(folder / "results", "traces/*.parquet")
    path.unlink()
    assert "which is no longer there" in complaint(folder)


def test_a_trace_of_another_network_is_named(folder):
    write_edges(one(folder / "results", "networks/ring*.edges"), np.array([[0, 1], [1, 2], [2, 3]]))
    assert "was made of another version of the network" in complaint(folder)


@pytest.mark.parametrize(
    ("change", "reason"), [({"code": "x"}, "made by other code, x"), ({"id": "x"}, "another setting")]
)
def test_a_trace_that_says_something_else_is_named(folder, change, reason):
    import pyarrow.parquet as pq

    path = one(folder / "results", "traces/*.parquet")
    table = pq.ParquetFile(path).read()
    stored = read_metadata(path) | change
    write_parquet(path, {name: table.column(name).to_numpy() for name in table.column_names}, stored)
    assert reason in complaint(folder)


def test_a_value_that_the_computation_does_not_give_is_found_by_making_it_again(folder):
    """A trace that was forged with its record: only the computation tells."""
    import pyarrow.parquet as pq

    for path in (folder / "results" / "traces").glob("*.parquet"):
        table = pq.ParquetFile(path).read()
        columns = {name: table.column(name).to_numpy() for name in table.column_names}
        write_parquet(path, columns | {"loss": columns["loss"] * (1 + 1e-15)}, read_metadata(path))
    assert "has other bytes than when it is made again" in complaint(folder, sample=1)


def test_raw_files_that_are_not_as_published_are_named(tmp_path):
    (tmp_path / "data" / "raw").mkdir(parents=True)
    for file in make_source("adult").files:
        (tmp_path / "data" / "raw" / file).write_text("39, State-gov\n")
    (sentence,) = raw_faults(["adult"], tmp_path / "data" / "raw")
    assert "must be the file of adult as it was published" in sentence


def test_a_step_writes_down_what_it_read(tmp_path, monkeypatch):
    read, written = tmp_path / "a" / "x", tmp_path / "b" / "y"
    write_json(read, 1)
    monkeypatch.setattr("sys.argv", ["step", "--read", str(read), "--output", str(written)])
    step_runner.run(lambda read, output: write_json(output, checked(read).name), None, read=Path, output=Path)
    assert list(read_record(written)["made_of"]) == ["../a/x"]


def test_the_sample_is_random_and_can_be_had_again():
    settings = {str(number): number for number in range(50)}
    assert sample_of(settings, 5, 1) == sample_of(settings, 5, 1) != sample_of(settings, 5, 2)
    assert len(sample_of(settings, 80, 1)) == 50
