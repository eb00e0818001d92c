"""Files that come back from a backup together with their records: whole, and of an older study."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from radmm.__main__ import main
from radmm.base.store import DamagedError, fault, file_hash, provenance, read_metadata, record_path, write_parquet
from radmm.data.prepared_files import write_edges
from radmm.jobs.calibrations import calibrated
from radmm.jobs.input_files import InputFiles
from radmm.jobs.steps.solve import solver_digest
from radmm.jobs.up_to_date import require_current, why_outdated
from radmm.study.resolution import resolve
from tests.jobs.made_project import MadeProject
from tests.study.test_own_data import CSV, DATA, config

pytestmark = pytest.mark.xdist_group("made project")
STAR_WITH_A_CHORD = np.array([[0, 1], [0, 2], [0, 3], [1, 2]])


@pytest.fixture
def backup(made_project):
    return MadeProject(made_project).results


@pytest.fixture
def project(made_project, tmp_path):
    return MadeProject(shutil.copytree(made_project, tmp_path / "copy"))


def make_again(project, network, edges):
    """With another network, as if its law had changed meanwhile; the network itself stays."""
    write_edges(project.results / "networks" / f"{network}.edges", edges)
    for call, _, made in project.steps():
        if made[0].parent.name in ("traces", "tables", "figures"):
            with provenance():
                call()


def restore(backup, project, name):
    for path in (backup / name, record_path(backup / name)):
        shutil.copy(path, project.results / path.relative_to(backup))


def of_star(project):
    return next(each for each in project.study.experiments["other"] if each.label == "Star")


def test_a_trace_of_another_network_is_refused_and_made_again(project, backup):
    make_again(project, "star-nodes4", STAR_WITH_A_CHORD)
    project.table("other")
    name = f"traces/{of_star(project).id}.parquet"
    restore(backup, project, name)
    assert not fault(project.results / name)  # as it was written, then
    with pytest.raises(DamagedError, match=r"was made of another version of the network: .* the next run makes it"):
        project.table("other")
    assert not (project.results / name).exists()
    make_again(project, "star-nodes4", STAR_WITH_A_CHORD)
    project.table("other")


def test_the_report_refuses_an_older_trace_too(project, backup):
    make_again(project, "star-nodes4", STAR_WITH_A_CHORD)
    restore(backup, project, f"traces/{of_star(project).id}.parquet")
    with pytest.raises(DamagedError, match="was made of another version of the network"):
        project.report()


def test_an_older_table_is_not_drawn(project, backup):
    make_again(project, "star-nodes4", STAR_WITH_A_CHORD)
    restore(backup, project, "tables/other.parquet")
    with pytest.raises(DamagedError, match=r"other.parquet was made of another version of .*/traces/"):
        project.figure("other")
    assert not (project.results / "tables" / "other.parquet").exists()


def test_a_study_that_an_earlier_run_left_is_left_out_of_the_report_if_it_is_outdated(project, backup, capsys):
    described = project.study.described
    described["other"]["set"] = "study"
    make_again(project, "star-nodes4", STAR_WITH_A_CHORD)
    restore(backup, project, "tables/other.parquet")
    capsys.readouterr()
    project.report(described)
    said = capsys.readouterr().err
    assert "other is left out: " in said
    assert "1 of 2 experiments" in said


@pytest.mark.parametrize("kind", ["traces", "ledgers"])
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"code": "x"}, "was made by other code, x"),
        ({"id": "x"}, "is of another setting or other noise"),
        ({"setting": {}}, "is of another setting or other noise"),
        ({"hashes": {}}, "was made of another version of the data and the split and the network"),
    ],
)
def test_each_thing_that_a_trace_and_its_ledger_say_of_themselves_is_compared(project, kind, change, reason):
    import pyarrow.parquet as pq

    settings = [entry.setting for entry in calibrated(project.study.experiments["mine"], project.noise("mine"))]
    private = next(each for each in settings if each.noise is not None)
    path = project.results / kind / f"{private.id}.parquet"
    columns = pq.ParquetFile(path).read()
    values = {name: columns.column(name).to_numpy() for name in columns.column_names}
    write_parquet(path, values, read_metadata(path) | change)
    with pytest.raises(DamagedError, match=f"{path} {reason}"):
        require_current(settings, project.results / "traces", InputFiles(project.data, project.results / "networks"))
    assert not path.exists()
    assert not (project.results / "traces" / path.name).exists()


def test_inputs_that_are_gone_are_not_compared(project):
    shutil.rmtree(project.data)
    project.table("mine")


def test_commands_tell_that_a_trace_is_outdated_and_leave_it_where_it_is(project, backup, capsys):
    make_again(project, "star-nodes4", STAR_WITH_A_CHORD)
    path = project.results / "traces" / f"{of_star(project).id}.parquet"
    for outdated in (False, True):
        if outdated:
            restore(backup, project, f"traces/{path.name}")
        capsys.readouterr()
        assert main(["inspect", str(path)]) == 0
        assert main(["compare", str(path), str(path)]) == 0
        told = capsys.readouterr().out
        edges = project.results / "networks" / "star-nodes4.edges"
        assert told.count(f"was made of another version of {edges}") == (3 if outdated else 0)
    assert path.is_file()


@pytest.mark.parametrize("content_is_given", [True, False])
def test_a_trace_stays_when_its_table_is_moved_if_the_content_is_given(tmp_path, monkeypatch, content_is_given):
    monkeypatch.chdir(tmp_path)
    settings = []
    for file in ("t.csv", "moved.csv"):
        Path(file).write_text(CSV)
        digest = file_hash(Path("t.csv")) if content_is_given else None
        ((entry,),) = resolve(config({**DATA, "file": file, "sha256": digest})).values()
        settings.append(entry.setting)
    here, moved = settings
    stored = {"id": here.id, "setting": here.to_json(), "code": solver_digest(here), "hashes": {}}
    write_parquet(tmp_path / "trace.parquet", {"run": np.arange(3)}, stored)
    assert why_outdated(tmp_path / "trace.parquet", here, {}) == ""
    assert (why_outdated(tmp_path / "trace.parquet", moved, {}) == "") == content_is_given
