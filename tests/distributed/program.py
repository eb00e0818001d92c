"""What each rank does in the tests, started by mpirun: python -m tests.distributed.program CHECK."""

import os
import re
import sys
import traceback
import warnings

import numpy as np
import pytest
from mpi4py import MPI

import radmm
from radmm.__main__ import main
from radmm.base.errors import InputError
from radmm.distributed.ranks import RefusedByAllError, first_nodes
from radmm.privacy.noises import objective
from tests.argmin.test_threads import problem_of
from tests.distributed.recording import Recording

COMM = MPI.COMM_WORLD
ROW_COUNTS = (200, 30, 12, 17, 300)
NETWORK = radmm.Network.from_edges([(0, 1), (1, 2), (2, 3), (3, 4), (1, 3)])
PER_NODE = radmm.Geometric([1.0, 1.1, 1.2, 1.3, 1.0], 1.05)
PRIVATE = radmm.ObjectiveNoise(alpha=5.0)
CASES = {
    "ADMM": (radmm.ADMM(), PRIVATE),
    "M-ADMM": (radmm.MADMM(PER_NODE, 0.5), radmm.PenaltyNoise(alpha=5.0)),
    "R-ADMM": (radmm.RADMM(), radmm.OutputNoise(sigma=0.1)),
    "MR-ADMM": (radmm.MRADMM(PER_NODE), radmm.ObjectiveNoise(sigma=1.0, repair=1e-6, cancelling=3.0)),
    "MR-ADMM, not private": (radmm.MRADMM((1.0, 1.1, 1.2, 1.3, 1.0)), None),
    "DGD": (radmm.DGD(0.02, momentum=0.5), radmm.GradientNoise(sigma=0.1)),
    "gradient tracking": (radmm.GradientTracking(0.02), radmm.GradientNoise(alpha=5.0)),
}
OPTIONS = {"iterations": 6, "runs": 3, "seed": 1, "keep_iterates": True}


def own_rows(problem, comm=COMM):
    """The problem with the rows of this rank's nodes alone."""
    start = first_nodes(comm.size, problem.nodes)
    first, last = problem.node_start[start[comm.rank : comm.rank + 2]]
    node = np.repeat(np.arange(problem.nodes), problem.row_counts)[first:last]
    labels = np.ones(last - first) if problem.label is None else problem.label[first:last]
    constants = {"C": problem.C, "rho": problem.rho, "classes": problem.classes, "row_counts": problem.row_counts}
    return radmm.Problem(problem.rows[first:last], labels, node, problem.loss, **constants)


def assert_same(one, other):
    assert list(one.columns) == list(other.columns)
    for name, values in one.columns.items():
        assert values.tobytes() == other.columns[name].tobytes(), name
    for name in ("primal", "dual", "last", "last_average"):
        left, right = getattr(one, name), getattr(other, name)
        assert (left is None and right is None) or left.tobytes() == right.tobytes(), name
    assert one.status == other.status


def same_bytes():
    """Every algorithm and noise, and every loss, gives the same bytes as in one process."""
    problem = problem_of(ROW_COUNTS, 20)
    test, optimum = (problem.rows[:50], np.ones(50)), np.zeros(problem.dimension)
    for algorithm, noise in CASES.values():
        given = {"noise": noise, "test": test, "optimum": optimum, **OPTIONS}
        alone = radmm.solve(problem, NETWORK, algorithm, **given)
        assert_same(alone, radmm.solve(own_rows(problem), NETWORK, algorithm, comm=COMM, **given))
    for loss in ("softmax", "huber-hinge", "squared"):
        problem = problem_of(ROW_COUNTS, 6, loss)
        alone = radmm.solve(problem, NETWORK, radmm.RADMM(), **OPTIONS)
        assert_same(alone, radmm.solve(own_rows(problem), NETWORK, radmm.RADMM(), comm=COMM, **OPTIONS))
    runs_that_end()


def runs_that_end():
    """Runs that overflow end at the same iteration, with the same reason."""
    problem = problem_of(ROW_COUNTS, 4)
    wild = {"iterations": 40, "runs": 12, "initial_scale": 3e289}
    alone = radmm.solve(problem, NETWORK, radmm.DGD(1e3), **wild)
    assert {status.status for status in alone.status} == {"diverged"}
    assert_same(alone, radmm.solve(own_rows(problem), NETWORK, radmm.DGD(1e3), comm=COMM, **wild))


def messages():
    """Without metrics, edges carry what neighbours are to know, control carries masks and digests, and nothing else."""
    problem = problem_of(ROW_COUNTS, 20)
    assert COMM.size == problem.nodes  # so that every edge crosses
    for name in ("R-ADMM", "DGD"):
        algorithm, noise = CASES[name]
        alone = radmm.solve(problem, NETWORK, algorithm, noise=noise, **OPTIONS)
        comm = Recording(COMM)
        blind = radmm.solve(own_rows(problem), NETWORK, algorithm, noise=noise, comm=comm, metrics=False, **OPTIONS)
        assert_edges_carry_iterates(comm, alone, first=0 if name == "DGD" else 1)
        assert_control_is_public(comm)
        assert not comm.of("research")
        assert list(blind.columns) == ["run", "iteration", "privacy_loss", "messages", "floats_sent"]
        assert blind.columns["floats_sent"].tobytes() == alone.columns["floats_sent"].tobytes()
        np.testing.assert_array_equal(blind.last[:, COMM.rank], alone.last[:, COMM.rank])
        others = np.arange(problem.nodes) != COMM.rank
        assert np.isnan(blind.last[:, others]).all()
        assert_no_rows(comm, problem)
        watched = Recording(COMM)
        radmm.solve(own_rows(problem), NETWORK, algorithm, noise=noise, comm=watched, **OPTIONS)
        assert_no_rows(watched, problem)
        assert watched.of("research", "gathered")


def assert_edges_carry_iterates(comm, alone, first):
    """Each neighbour, and nobody else, is sent f(t) of this node, and as many numbers as the trace counts."""
    neighbours = np.flatnonzero(NETWORK.adjacency.toarray()[comm.rank]).tolist()
    sent = comm.of("edges", "sent")
    assert sorted({other for other, _ in sent}) == neighbours
    for neighbour in neighbours:
        theirs = [payload for other, payload in sent if other == neighbour]
        expected = [np.moveaxis(alone.primal[:, first + t, comm.rank], 0, 1)[None] for t in range(len(theirs))]
        assert [part.tobytes() for part in theirs] == [part.tobytes() for part in expected]
    assert {method for channel, method, *_ in comm.kept if channel == "edges"} == {"sent", "received"}
    total = sum(COMM.allgather(sum(payload.size for _, payload in sent)))
    assert total == alone.columns["floats_sent"].max() * OPTIONS["runs"]


def assert_control_is_public(comm):
    """Digests, refusals of which there are none, and for each iteration and run two bits: finite, and solved."""
    for _, told in comm.of("control"):
        for value in told:
            is_mask = isinstance(value, np.ndarray) and value.dtype == bool and value.shape == (2, OPTIONS["runs"])
            is_digest = isinstance(value, str) and len(value) == 64
            assert value is None or is_mask or is_digest, value


def assert_no_rows(comm, problem):
    """No vector in any message is a row of the data, with either sign."""
    rows = problem.rows.toarray()
    known = {row.tobytes() for row in np.concatenate([rows, -rows]) + 0.0}
    assert comm.arrays()
    for values in comm.arrays():
        if values.ndim == 3:
            vectors = np.moveaxis(values, 1, 2).reshape(-1, values.shape[1]) + 0.0
            assert not known & {vector.tobytes() for vector in vectors}
    assert next(iter(known)) in known  # which the comparison would find


def refused(kind, text):
    return pytest.raises(kind, match=f"^{re.escape(text)}")


def refusals():
    """One sentence for each mistake, the same at all ranks."""
    problem = problem_of(ROW_COUNTS, 6)
    mine = own_rows(problem)
    few = problem_of([9] * (COMM.size - 1), 4)
    line = radmm.Network(np.eye(few.nodes, k=1) + np.eye(few.nodes, k=-1))
    more = f"there are {COMM.size} ranks for {few.nodes} nodes: must be at most one rank a node"
    with refused(RefusedByAllError, more):
        radmm.solve(few, line, radmm.ADMM(), comm=COMM)
    with refused(RefusedByAllError, "rank 1 was given another problem, network or setting than rank 0"):
        radmm.solve(mine, NETWORK, radmm.ADMM(), comm=COMM, iterations=5 + (COMM.rank == 1))
    with refused(RefusedByAllError, "gossip = 2: must be 0"):
        radmm.solve(mine, NETWORK, radmm.DGD(0.02, gossip=2), comm=COMM)
    with refused(RefusedByAllError, "algorithm = one-shot: must be one whose steps are known to need neighbours"):
        radmm.solve(mine, NETWORK, radmm.OneShot(), comm=COMM)
    with refused(RefusedByAllError, "the problem holds no rows of node"):
        others = radmm.Problem(problem.rows[:200], np.ones(200), np.zeros(200, int), row_counts=problem.row_counts)
        radmm.solve(others, NETWORK, radmm.ADMM(), comm=COMM)
    with refused(InputError, "the problem holds no rows of node"):
        radmm.solve(mine, NETWORK, radmm.ADMM())
    with refused(InputError, "threads = 0: must be a whole number, at least 1"):
        radmm.solve(mine, NETWORK, radmm.ADMM(), comm=COMM, threads=0)


def dying(how, folder, trace):
    """Rank 1 raises, or is killed, at the third draw of noise, while the others wait for its values."""
    drawn = objective.ObjectiveNoise.linear_term

    def fail(noise, epsilon, weight):
        fail.calls += 1
        if COMM.rank == 1 and fail.calls == 3:
            if how == "killed":
                os.kill(os.getpid(), 9)
            raise FloatingPointError("a fault")
        return drawn(noise, epsilon, weight)

    fail.calls = 0
    objective.ObjectiveNoise.linear_term = fail
    sys.exit(main(["solve", "--nodes", folder, "--save-trace", trace]))


def run(check, *arguments):
    warnings.simplefilter("ignore")  # of steps that may diverge, as some are meant to
    try:
        {each.__name__: each for each in (same_bytes, messages, refusals, dying)}[check](*arguments)
    except BaseException as error:  # pytest's failures too
        if isinstance(error, SystemExit):
            raise
        traceback.print_exc()
        COMM.Abort(1)


if __name__ == "__main__":
    for name in sys.argv[1].split("+"):
        run(name, *sys.argv[2:])
