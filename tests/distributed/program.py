"""What each rank does in the tests, started by mpirun: python -m tests.distributed.program CHECK."""

import os
import re
import sys
import traceback
import warnings
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import pytest
from mpi4py import MPI

import radmm
from radmm.__main__ import main
from radmm.base.errors import InputError
from radmm.distributed.ranks import RefusedByAllError, first_nodes
from radmm.driver import initial_point
from radmm.privacy.data_oracle import DataOracle
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
# Of so many nodes a ring takes three rounds of gossip one after the other; more are one product, and refused.
RING = radmm.Network.from_edges([(node, (node + 1) % 12) for node in range(12)])
GOSSIP = {
    "DGD": (radmm.DGD(0.02, momentum=0.5, gossip=3), radmm.GradientNoise(sigma=0.1)),
    "gradient tracking": (radmm.GradientTracking(0.02, gossip=2), radmm.GradientNoise(alpha=5.0)),
    "one shot": (radmm.OneShot(gossip=3), radmm.MomentNoise(sigma=[0.1] * 6 + [0.2] * 6)),
    "one shot, not private": (radmm.OneShot(gossip=3), None),
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
    for algorithm, noise in GOSSIP.values():
        problem, given = problem_of(range(20, 32), 5), {"noise": noise, **OPTIONS}
        alone = radmm.solve(problem, RING, algorithm, **given)
        assert_same(alone, radmm.solve(own_rows(problem), RING, algorithm, comm=COMM, **given))
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
    messages_of_gossip()


def messages_of_gossip():
    """Edges carry values between releases, all of which anyone can compute from the releases, without rows."""
    for name in ("DGD", "gradient tracking", "one shot"):
        problem, (algorithm, noise) = problem_of(range(20, 32), 5), GOSSIP[name]
        releases, alone = releases_of(problem, algorithm, noise)
        comm = Recording(COMM)
        radmm.solve(own_rows(problem), RING, algorithm, noise=noise, comm=comm, metrics=False, **OPTIONS)
        exchanged = exchanges_from(releases, algorithm, problem)
        own = range(*first_nodes(COMM.size, problem.nodes)[COMM.rank : COMM.rank + 2])
        for place, neighbour in ((own[0], own[0] - 1), (own[-1], own[-1] + 1)):  # one node of this rank beside each
            other = np.searchsorted(first_nodes(COMM.size, 12), neighbour % 12, side="right") - 1
            theirs = [payload for rank, payload in comm.of("edges", "sent") if rank == other]
            assert [part.tobytes() for part in theirs] == [values[[place]].tobytes() for values in exchanged]
        assert_control_is_public(comm)
        assert not comm.of("research")
        assert_no_rows(comm, problem)
        numbers = sum(values.shape[1] for values in exchanged)
        assert numbers * RING.adjacency.nnz == alone.columns["floats_sent"].max()


def releases_of(problem, algorithm, noise):
    """What the oracle of one process answers, in its order, and the result."""
    kind = "moments" if algorithm.name == "one-shot" else "gradient"
    answers, answer = [], getattr(DataOracle, kind)

    def kept(oracle, point):
        answers.append(answer(oracle, point))
        return answers[-1]

    with patch.object(DataOracle, kind, kept):
        alone = radmm.solve(problem, RING, algorithm, noise=noise, **OPTIONS)
    return answers, alone


def exchanges_from(releases, algorithm, problem):
    """All values that nodes exchange, computed from the releases by an algorithm that has no rows."""
    exchanged, mix, answers = [], radmm.Network.mix, iter(releases)

    def noted(network, values):
        exchanged.append(values.copy())
        return mix(network, values)

    oracle = SimpleNamespace(gradient=lambda _: next(answers), moments=lambda _: next(answers))
    state = algorithm.first(initial_point(problem, OPTIONS["runs"], OPTIONS["seed"], 1.0), RING)
    with patch.object(radmm.Network, "mix", noted):
        for _ in range(OPTIONS["iterations"]):
            state = algorithm.advance(state, RING, oracle)
    return exchanged


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


class Own(radmm.ADMM):
    """An algorithm with a step of its own, which doesn't say that it needs neighbours alone."""

    name = "own"

    def step(self, state, network, oracle):
        raise AssertionError


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
    for algorithm in (radmm.DGD(0.02, gossip=2), radmm.OneShot(gossip=2)):
        with refused(RefusedByAllError, "gossip = 2: must be at most 1 on this network, as one process takes more"):
            radmm.solve(mine, NETWORK, algorithm, comm=COMM)
    with refused(RefusedByAllError, "algorithm = own: must be one whose steps are known to need neighbours' values"):
        radmm.solve(mine, NETWORK, Own(), comm=COMM)
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
