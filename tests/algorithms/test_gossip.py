"""Gradient methods with gossip: what they compute from releases alone, which steps are stable, what is refused."""

import networkx as nx
import numpy as np
import pytest

import radmm
from radmm.argmin.optimum import centralised_optimum
from radmm.base.errors import InputError
from radmm.privacy.data_oracle import DataOracle
from tests.reference import gossip_matrix, metropolis, outwards

METHODS = [radmm.DGD(0.03, 0.8, gossip=3), radmm.GradientTracking(0.04, gossip=2)]
NOISE = radmm.GradientNoise(sigma=0.7, cancelling=10.0)


def recorded(monkeypatch, problem, network, method, iterations):
    """A private run, and the noisy gradients that its oracle released."""
    released, gradient = [], DataOracle.gradient

    def recording(self, point):
        released.append(gradient(self, point))
        return released[-1]

    monkeypatch.setattr(DataOracle, "gradient", recording)
    found = radmm.solve(problem, network, method, noise=NOISE, iterations=iterations, runs=2, keep_iterates=True)
    return found, released


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_released_gradients_and_the_network_give_all_iterates(small, monkeypatch, method):
    """Whoever reads the noisy gradients knows all that is gossiped: f(0), W and these, and no data."""
    found, released = recorded(monkeypatch, small.problem, small.network, method, 12)
    W = metropolis(small.neighbours)
    eigenvalues = np.linalg.eigvalsh(W)
    P = gossip_matrix(W, method.gossip, *outwards(eigenvalues[0], eigenvalues[-2]))
    for run in range(2):
        f = found.primal[run, 0]
        v = y = before = np.zeros_like(f)
        for t, answer in enumerate(released, 1):
            g = answer[..., run]
            if method.name == "dgd":
                v = method.momentum * v - method.step * g
                f, v = P @ (W @ f + v), P @ v
            else:
                y = W @ y + g - before
                f, y, before = P @ (W @ f - method.step * y), P @ y, g
            np.testing.assert_allclose(found.primal[run, t], f, rtol=0, atol=1e-11)


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_gossip_costs_no_privacy(small, method):
    plain = type(method)(method.step)
    totals = [
        radmm.epsilon(small.problem, small.network, each, radmm.GradientNoise(2.0), 6) for each in (method, plain)
    ]
    assert totals[0] == totals[1]
    ledger = radmm.ledger(small.problem, small.network, method, radmm.GradientNoise(sigma=2.0), 6)
    assert ledger.data_steps.tolist() == list(range(7))  # one release an iteration, however much is gossiped


def test_with_enough_gossip_all_nodes_hold_the_mean_and_shared_noise_is_gone(small):
    """The mean takes the step of a curator who adds the nodes' own noises, whatever neighbours share."""
    network = radmm.Network(nx.cycle_graph(4))
    shared, own = (
        radmm.solve(
            small.problem, network, radmm.DGD(0.03, 0.8, gossip=30), noise=radmm.GradientNoise(sigma=0.7, cancelling=c),
            iterations=10, runs=1, initial_scale=0.0, keep_iterates=True,
        ).primal[0]
        for c in (100.0, 0.0)
    )  # fmt: skip
    np.testing.assert_allclose(shared, own, rtol=0, atol=1e-10)
    np.testing.assert_allclose(shared, shared.mean(axis=1, keepdims=True).repeat(4, axis=1), rtol=0, atol=1e-10)


def test_gossip_brings_descent_nearer_to_the_optimum(small):
    optimum = centralised_optimum(small.problem)
    ends = [
        radmm.solve(
            small.problem, small.network, radmm.DGD(0.05, gossip=m), iterations=3000, runs=1, optimum=optimum
        ).trace["distance"].iloc[-1]
        for m in (0, 2, 20)
    ]  # fmt: skip
    assert ends[1] < 0.2 * ends[0]
    assert ends[2] < 1e-8


def recursion(method, W, P, h):
    """The matrix by which an iteration multiplies (f, v) or (f, y, f before) where all objectives are ½h‖f‖²."""
    a, one, none = method.step, np.eye(len(W)), np.zeros_like(W)
    if method.name == "dgd":
        return np.block([[P, none], [none, P]]) @ np.block(
            [[W - a * h * one, method.momentum * one], [-a * h * one, method.momentum * one]]
        )
    tracker = np.block([[h * one, W, -h * one]])
    return np.vstack([P @ (np.block([[W, none, none]]) - a * tracker), P @ tracker, np.block([[one, none, none]])])


@pytest.mark.parametrize("rounds", [1, 2, 5, 30])
@pytest.mark.parametrize("graph", [nx.cycle_graph(12), nx.star_graph(5), nx.gnp_random_graph(12, 0.5, seed=1)])
@pytest.mark.parametrize(
    "method", [radmm.DGD, lambda a, gossip: radmm.DGD(a, 0.6, gossip=gossip), radmm.GradientTracking]
)
def test_steps_are_said_to_be_stable_up_to_where_they_are(method, graph, rounds):
    network, method = radmm.Network(graph), method(1.0, gossip=rounds)
    W = metropolis([list(graph[node]) for node in sorted(graph)])
    polynomial = network.polynomial(rounds)
    P = gossip_matrix(W, rounds, polynomial.low, polynomial.high) if rounds < 10 else network.gossip(np.eye(len(W)), 30)
    limit = float(method.most(*polynomial.factors()).min())
    assert method.doubt(0.999 * limit, network) is None
    assert f"stable up to {1 / 1.01:.3g}" in method.doubt(1.01 * limit, network)
    radius = [np.abs(np.linalg.eigvals(recursion(method, W, P, h))).max() for h in (0.99 * limit, 1.02 * limit)]
    assert radius[0] < 1 + 1e-7  # tracking keeps a root 1: the mean of y is that of the gradients
    if method.name == "dgd" or rounds == 30:
        assert radius[1] > 1 + 1e-3


@pytest.mark.parametrize(
    ("gossip", "sentence"),
    [
        (-1, "algorithm.gossip = -1: must be at least 0"),
        (10**6, "algorithm.gossip = 1000000: must be at most 10000"),
        (2.5, "algorithm.gossip = 2.5: must be a whole number"),
        (True, "algorithm.gossip = True: must be a whole number"),
    ],
)
@pytest.mark.parametrize("method", [radmm.DGD, radmm.GradientTracking])
def test_bad_numbers_of_rounds_are_named(method, gossip, sentence):
    with pytest.raises(InputError) as refused:
        method(0.01, gossip=gossip)
    assert str(refused.value) == sentence
