"""A batch whose settings are solved by several processes: the same files, and one sentence when they can't start."""

import stat
from functools import partial

import pytest

from radmm.base.errors import InputError
from radmm.jobs.steps.solve_by_ranks import slurm_places
from tests.distributed.test_processes import AS_ROOT, MPIRUN
from tests.jobs import made_project
from tests.jobs.made_project import MadeProject

PRIVATE = made_project.CONFIG["experiments"]["mine"]["settings"]["R-ADMM"] | {"split": {"seed": 0}}
CONFIG = made_project.CONFIG | {"experiments": {"mine": {"figure": "comparison", "settings": {"R-ADMM": PRIVATE}}}}


def project_of(folder):
    """The project with its data, and the call of its only batch."""
    project = MadeProject(folder, CONFIG)
    for step, *_ in project.data_steps():
        step()
    (batch,) = project.study.batches.values()
    return project, project.batch_step(batch)[0]


def files_of(project):
    made = [*project.results.glob("traces/*.parquet"), *project.results.glob("ledgers/*.parquet")]
    return {path.relative_to(project.results): path.read_bytes() for path in made}


@pytest.mark.skipif(MPIRUN is None, reason="needs mpirun")
@pytest.mark.xdist_group("processes")
def test_processes_write_the_same_files(tmp_path, monkeypatch):
    for name, value in AS_ROOT.items():
        monkeypatch.setenv(name, value)
    (alone, solve_alone), (spread, solve_by_ranks) = (project_of(tmp_path / name) for name in ("alone", "spread"))
    solve_alone()
    solve_by_ranks(ranks=5, launcher=MPIRUN)  # of which no more start than there are nodes
    assert files_of(spread) == files_of(alone)
    assert len(files_of(alone)) == 2  # a trace and its ledger


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("exit 1", "it said nothing"),
        ("echo ----- >&2; echo no such >&2; echo >&2; echo machine >&2; exit 1", "no such machine"),
        ("echo noise >&2; echo radmm: a reason >&2; exit 1", "radmm: a reason"),
    ],
)
def test_a_launcher_that_fails(script, said, tmp_path, capsys):
    launcher = program(tmp_path / "launcher", script)
    project, solve = project_of(tmp_path)
    with pytest.raises(SystemExit, match="1 of 1 settings failed"):
        solve(ranks=2, launcher=str(launcher))
    assert f"{launcher} -n 2 radmm solve ended without a trace: {said}\n" in capsys.readouterr().err
    assert not files_of(project)
    assert not list((project.results / ".resume").rglob("*.*"))  # nor what was meant for the processes


def program(path, script):
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_slurm_says_where_processes_may_run(tmp_path, monkeypatch):
    places = partial(slurm_places, 3, 2)
    for name in ("SLURM_JOB_ID", "SLURM_NODELIST", "SLURM_TASKS_PER_NODE"):
        monkeypatch.delenv(name, raising=False)
    assert places() == {}
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    task = 'SLURM_NODELIST="n[1-2]" SLURM_TASKS_PER_NODE="2,1" "$@"'
    asked = '[ "$1 $2" = "--ntasks=3 --cpus-per-task=2" ] || exit 1; shift 2'
    program(tmp_path / "srun", f"{asked}; {task}; {task}; true")
    assert places() == {"SLURM_NODELIST": "n[1-2]", "SLURM_TASKS_PER_NODE": "2,1"}
    program(tmp_path / "srun", "echo srun: no room >&2; exit 1")
    with pytest.raises(InputError, match=r"^srun can't start 3 processes in this job: srun: no room$"):
        places()
    monkeypatch.setenv("SLURM_NODELIST", "n1")
    monkeypatch.setenv("SLURM_TASKS_PER_NODE", "3")
    assert places() == {}
