"""What hides a node behind shared noise: bounds against exact inverses, closed forms and bad solutions."""

from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import radmm
from radmm.privacy.cancelling_noise import draw_cancelling, effective_scales, pairs_of
from radmm.privacy.hidden_variance import covariance, hidden_variance, sparse_solver
from radmm.privacy.noise_laws import draw_gaussian


def exact_inverse_diagonal(own, shared, graph):
    """Of diag(own) + shared·Laplacian, in fractions, by Gauss and Jordan."""
    nodes = len(own)
    rows = [[Fraction(0)] * nodes + [Fraction(int(i == j)) for j in range(nodes)] for i in range(nodes)]
    for i in range(nodes):
        rows[i][i] += Fraction(own[i])
    for i, j in graph.edges:
        for one, other in ((i, j), (j, i)):
            rows[one][one] += Fraction(shared)
            rows[one][other] -= Fraction(shared)
    for i in range(nodes):
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for k in set(range(nodes)) - {i}:
            rows[k] = [value - rows[k][i] * mine for value, mine in zip(rows[k], rows[i], strict=True)]
    return [rows[i][nodes + i] for i in range(nodes)]


@settings(max_examples=40, deadline=None)
@given(
    own=st.lists(st.floats(1.0, 4.0), min_size=3, max_size=6), ratio=st.sampled_from([0.1, 1.0, 10.0, 100.0, 1000.0]),
    seed=st.integers(0, 100), spoilt=st.sampled_from([0.0, 1e-6, 1e-2, 10.0]),
)  # fmt: skip
def test_the_bound_is_never_above_the_exact_value_however_bad_the_solution(own, ratio, seed, spoilt):
    graph = nx.connected_watts_strogatz_graph(len(own), 2, 0.5, seed=seed)
    pairs, own, shared = pairs_of(radmm.Network(graph)), np.array(own), ratio**2
    inverse = np.linalg.inv(covariance(own, shared, pairs).toarray())
    moved = inverse + spoilt * np.random.default_rng(seed).standard_normal(inverse.shape) / shared
    found = hidden_variance(own, shared, pairs, lambda nodes: moved[:, nodes])
    exact = exact_inverse_diagonal(own, shared, graph)
    residual = np.eye(len(own)) - covariance(own, shared, pairs) @ moved
    for told, true, off in zip(found, exact, (residual**2 / own[:, None]).sum(axis=0), strict=True):
        assert Fraction(told) * true <= 1
        assert Fraction(told) * true >= 1 - Fraction(1e-9) - Fraction(off) / true  # its error is squared


def ring_value(nodes, ratio):
    return 1.0 / np.mean(1.0 / (1.0 + ratio**2 * (2.0 - 2.0 * np.cos(2.0 * np.pi * np.arange(nodes) / nodes))))


@pytest.mark.parametrize(("nodes", "ratio"), [(400, 100.0), (200, 1000.0), (200, 1.0)])
def test_dense_networks(nodes, ratio):
    network = radmm.Network(nx.complete_graph(nodes))
    told = effective_scales(np.full(nodes, 2.0), ratio, 0, network) ** 2 / 4.0
    exact = 1.0 / (1 / nodes + (1 - 1 / nodes) / (1.0 + nodes * ratio**2))
    assert (told <= exact * (1 + 1e-14)).all()
    np.testing.assert_allclose(told, exact, rtol=1e-6)


@pytest.mark.parametrize("ratio", [10.0, 100.0])
def test_sparse_networks_are_not_inverted(ratio, monkeypatch):
    """A ring of 2,500 nodes has sparse factors, a random regular graph is solved by conjugate gradients."""
    monkeypatch.setattr(np.linalg, "inv", None)
    told = effective_scales(np.ones(2500), ratio, 0, radmm.Network(nx.cycle_graph(2500))) ** 2
    assert (told <= ring_value(2500, ratio)).all()
    np.testing.assert_allclose(told, ring_value(2500, ratio), rtol=1e-8)
    monkeypatch.undo()
    network = radmm.Network(nx.random_regular_graph(5, 600, seed=1))
    own, pairs = np.linspace(1.0, 3.0, 600), pairs_of(network)
    found = hidden_variance(own, ratio**2, pairs, sparse_solver(own, ratio**2, pairs))
    exact = 1.0 / np.diag(np.linalg.inv(covariance(own, ratio**2, pairs).toarray()))
    assert (found <= exact * (1 + 1e-9)).all()
    np.testing.assert_allclose(found, exact, rtol=1e-6)


def test_strongly_shared_noise_hides_a_node_behind_all_others():
    """σ_eff → √N σ, which is the noise of the sum: a trusted curator's."""
    network = radmm.Network(nx.gnp_random_graph(20, 0.5, seed=2))
    told = effective_scales(np.ones(20), 100.0, 0, network)
    assert (told < np.sqrt(20)).all()
    np.testing.assert_allclose(told, np.sqrt(20), rtol=1e-3)


@pytest.fixture(scope="module")
def drawn():
    """Own and shared noise of a hundred nodes with σ = 1 and σ_c = 100, (node, sample)."""
    network = radmm.Network(nx.gnp_random_graph(100, 0.5, seed=1))
    runs = np.arange(40)
    own = draw_gaussian(np.ones(100), 100, runs, 5, 1)
    shared = draw_cancelling(100.0, network, 100, runs, 5, 1)
    return network, own.reshape(100, -1), (own + shared).reshape(100, -1)


def test_the_sum_keeps_twelve_digits_of_the_own_noise(drawn):
    """Messages are 700 σ large and their sum over the nodes is 10 σ: what neighbours share leaves 1e-11 σ of it."""
    _, own, message = drawn
    assert message.std() > 500
    left = message.sum(axis=0) - own.sum(axis=0)
    assert own.sum(axis=0).std() == pytest.approx(10.0, rel=0.05)
    assert np.abs(left).max() < 1e-11


def test_the_noise_has_the_covariance_that_the_ledger_counts_on(drawn):
    """In each mode of the network, from 1 in that of the mean to a million: 4,000 samples, five standard errors."""
    network, _, message = drawn
    variance, modes = np.linalg.eigh(covariance(np.ones(100), 1e4, pairs_of(network)).toarray())
    assert variance[0] == pytest.approx(1.0)
    assert variance[1] > 1e5
    white = (modes.T @ message) / np.sqrt(variance)[:, None]
    samples = white.shape[1]
    found = white @ white.T / samples
    np.testing.assert_allclose(np.diag(found), 1.0, atol=5 * np.sqrt(2 / samples))
    np.testing.assert_allclose(found, np.eye(100), atol=5 * np.sqrt(2 / samples))
    assert np.trace(found) / 100 == pytest.approx(1.0, abs=5 * np.sqrt(2 / samples / 100))


@pytest.mark.parametrize(("cancelling", "colluders"), [(10.0, 0), (100.0, 0), (10.0, 1)])
def test_calibrated_shared_noise_meets_its_budget(small, cancelling, colluders):
    network, method = radmm.Network(nx.complete_graph(4)), radmm.DGD(0.01, gossip=3)
    given_to = (small.problem, network, method)
    noise = radmm.calibrate(*given_to, radmm.GradientNoise, 5, epsilon=1.0, cancelling=cancelling, colluders=colluders)
    assert (noise.cancelling, noise.colluders) == (cancelling, colluders)
    assert 0.99 <= radmm.epsilon(*given_to, noise, 5) <= 1.0
    alone = radmm.calibrate(*given_to, radmm.GradientNoise, 5, epsilon=1.0)
    hidden_by = np.sqrt(4 - colluders)  # as many times the noise, in the limit
    assert float(alone.sigma) / float(noise.sigma) == pytest.approx(hidden_by, rel=0.02)
