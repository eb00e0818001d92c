"""Accelerated gossip: the polynomial of its rounds, the bounds it takes from the network, and what it leaves."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import radmm
from radmm.model.gossip import Chebyshev
from tests.reference import gossip_matrix, metropolis

NETWORKS = {
    "pair": nx.path_graph(2),
    "complete": nx.complete_graph(7),
    "star": nx.star_graph(6),
    "ring": nx.cycle_graph(20),
    "path": nx.path_graph(9),
    "sparse": nx.connected_watts_strogatz_graph(30, 4, 0.3, seed=1),
    "dense": nx.gnp_random_graph(25, 0.5, seed=3),
}


def weights(graph):
    return metropolis([list(graph[node]) for node in sorted(graph)])


@pytest.mark.parametrize("rounds", [1, 2, 5, 9])
@pytest.mark.parametrize("name", NETWORKS)
def test_rounds_apply_the_polynomial_and_keep_the_mean(name, rounds):
    network, W = radmm.Network(NETWORKS[name]), weights(NETWORKS[name])
    values = np.random.default_rng(0).standard_normal((network.nodes, 3, 2))
    polynomial = network.polynomial(rounds)
    expected = np.einsum("ij,jdr->idr", gossip_matrix(W, rounds, polynomial.low, polynomial.high), values)
    exchanges = []

    def mix(now):
        exchanges.append(now)
        return network.mix(now)

    for found in (network.gossip(values, rounds), polynomial.apply(mix, values)):
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11)
        np.testing.assert_allclose(found.mean(axis=0), values.mean(axis=0), rtol=0, atol=1e-14)
    assert len(exchanges) == rounds


@pytest.mark.parametrize("name", NETWORKS)
def test_the_interval_holds_all_eigenvalues_but_that_of_the_mean(name):
    polynomial, found = radmm.Network(NETWORKS[name]).polynomial(1), np.linalg.eigvalsh(weights(NETWORKS[name]))
    assert 0 < found[0] - polynomial.low < 1.1e-4
    assert 0 < (polynomial.high - found[-2]) / (1 - found[-2]) < 1.1e-3
    assert polynomial.high < 1


@pytest.mark.parametrize(
    ("graph", "second"),
    [
        (nx.cycle_graph(300), (1 + 2 * np.cos(2 * np.pi / 300)) / 3),
        (nx.cycle_graph(6000), (1 + 2 * np.cos(2 * np.pi / 6000)) / 3),  # Lanczos's plain method gives up
        (nx.random_regular_graph(6, 200, seed=2), None),
    ],
    ids=["ring", "long ring", "regular"],
)
def test_large_networks_have_the_same_bounds_without_a_dense_matrix(graph, second, monkeypatch):
    monkeypatch.setattr("radmm.model.gossip.MOST_FOR_DENSE", 100)
    network = radmm.Network(graph)
    polynomial = network.polynomial(1)
    least = network.least_mixing
    if second is None:
        eigenvalues = np.linalg.eigvalsh(weights(graph))
        second = eigenvalues[-2]
        assert least <= eigenvalues[0]
    assert 0 < (polynomial.high - second) / (1 - second) < 1.1e-3
    assert 0 < least - polynomial.low < 1.1e-4


@settings(max_examples=50, deadline=None)
@given(rounds=st.integers(1, 40), low=st.floats(-0.99, 0.3), width=st.floats(0.0, 0.6), data=st.data())
def test_no_mode_in_the_interval_is_damped_less_than_said(rounds, low, width, data):
    polynomial = Chebyshev(rounds, low, low + width)
    points, factors = polynomial.factors()
    np.testing.assert_allclose(polynomial.apply(lambda x: points * x, np.ones_like(points)), factors, atol=1e-9)
    inside = np.array(data.draw(st.lists(st.floats(low, low + width), min_size=1)))
    found = polynomial.apply(lambda x: inside * x, np.ones_like(inside))
    assert (np.abs(found) <= np.abs(factors[:-1]).max() + 1e-9).all()


def test_acceleration_pays():
    """On a ring of 20, ten plain rounds leave three quarters of the slowest mode, ten accelerated ones a tenth."""
    network = radmm.Network(NETWORKS["ring"])
    slowest = np.cos(2 * np.pi * np.arange(20) / 20)[:, None, None]
    plain = slowest
    for _ in range(10):
        plain = network.mix(plain)
    assert plain[0, 0, 0] == pytest.approx(((1 + 2 * np.cos(np.pi / 10)) / 3) ** 10)
    assert 0.7 < plain[0, 0, 0] < 0.75
    assert abs(network.gossip(slowest, 10)[0, 0, 0]) < 0.13


def test_values_travel_one_edge_a_round():
    network, one = radmm.Network(NETWORKS["path"]), np.zeros((9, 1, 1))
    one[0] = 1.0
    for rounds in (1, 3, 8):
        reached = network.gossip(one, rounds)[:, 0, 0]
        assert (reached[: rounds + 1] != 0).all()
        assert (reached[rounds + 1 :] == 0).all()


def test_no_rounds_and_a_single_node_change_nothing():
    values = np.random.default_rng(0).standard_normal((9, 2, 2))
    assert radmm.Network(NETWORKS["path"]).gossip(values, 0) is values
    alone = radmm.Network([[0]])
    np.testing.assert_array_equal(alone.gossip(values[:1], 5), values[:1])
