"""The paper's conditions against matrices written out by hand, and against their own special case."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import radmm
from radmm.data.topology import make_edges
from radmm.model.losses.logistic import Logistic
from radmm.model.public_facts import PublicFacts
from radmm.model.weighting import Weighting
from radmm.results.convergence_theorem import (
    Matrices,
    best_of,
    convergence_condition,
    matrices_at,
    matrices_of,
    sufficient_gamma,
)
from radmm.results.paper_theorems import SampleSize

TRIANGLE = radmm.Network([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
PATH = radmm.Network([[0, 1, 0], [1, 0, 1], [0, 1, 0]])


def facts(network, C=10.0, rho=0.3):
    return PublicFacts.of(Logistic(), C, rho, np.full(network.nodes, 100), network.degrees, 5, Weighting.NODES)


def margins_at(step, network, algorithm, gamma, L, mu):
    """Of one pair of odd iterations."""
    parts = matrices_at(facts(network), network, algorithm, step, gamma)
    return Matrices(*(part[None] for part in parts)).margins(np.log([L, mu - 1]))


@pytest.mark.parametrize("network", [TRIANGLE, PATH], ids=["triangle", "path"])
@pytest.mark.parametrize(
    "algorithm", [radmm.RADMM(0.7, gamma=4.0), radmm.MRADMM(radmm.Geometric([0.5, 0.9, 0.7], 1.2), gamma=4.0)]
)
def test_conditions_as_the_theorem_writes_them(network, algorithm):
    L, mu = 1.7, 2.3
    now, after = (np.diag(algorithm.penalties(k, 3)) for k in (2, 3))
    A = network.adjacency.toarray()
    D = np.diag(A.sum(axis=1))
    tilde = 2 * now @ D + 4.0 * np.eye(3)
    D_M = np.eye(3) * (10.0 * 0.25 + 0.3 / 3) ** 2
    sigma = np.linalg.svd(tilde, compute_uv=False).min()
    inverse = np.linalg.inv(tilde)
    first = np.eye(3) + after @ (D + A) @ inverse - L * mu / (2 * sigma) * np.linalg.pinv(after @ (D - A)) @ D_M
    second = (
        after @ (D + A)
        - after @ (D + A) @ inverse @ (now @ (D - A) + 2 / L * after @ (D + A))
        - L * mu / (2 * sigma * (mu - 1)) * D_M
    )
    expected = [np.linalg.eigvalsh((matrix + matrix.T) / 2).min() for matrix in (first, second)]
    last = margins_at(2, network, algorithm, 4.0, L, mu)
    assert last == pytest.approx(expected)
    both = matrices_of(facts(network), network, algorithm, 5, 4.0).margins(np.log([[L, mu - 1], [1.0, 1.0]]))
    assert both[0] == pytest.approx(np.minimum(last, margins_at(1, network, algorithm, 4.0, L, mu)))


def test_the_search_finds_the_best_constants():
    algorithm = radmm.RADMM(1.0, gamma=50.0)
    found = convergence_condition(facts(TRIANGLE), TRIANGLE, algorithm, 10)
    matrices = matrices_of(facts(TRIANGLE), TRIANGLE, algorithm, 10, 50.0)
    grid = np.stack(np.meshgrid(np.linspace(-14, 14, 120), np.linspace(-9, 9, 80)), axis=-1)  # log L, log(μ − 1)
    best = matrices.margins(grid).min(axis=-1).max()
    assert found.margin >= best
    assert found.margin == pytest.approx(best, rel=0.05)


def test_the_gamma_found_is_the_least():
    algorithm = radmm.RADMM(1.0)
    gamma = sufficient_gamma(facts(TRIANGLE), TRIANGLE, algorithm, 10)
    assert convergence_condition(facts(TRIANGLE), TRIANGLE, algorithm, 10, gamma).margin > 0
    assert convergence_condition(facts(TRIANGLE), TRIANGLE, algorithm, 10, 0.98 * gamma).margin < 0


def test_a_bipartite_network_has_none():
    assert sufficient_gamma(facts(PATH), PATH, radmm.RADMM(1.0), 10) is None


def test_sample_sizes():
    size = SampleSize(excess=0.1, failure=0.05, reference_norm=2.0)
    public = facts(TRIANGLE, C=50.0)
    assert size.without_noise() == pytest.approx(400 * np.log(20))
    denominator = 3 * 50 * 0.01 / 8 - 3 * 25 / (50 * 4) * np.log(5 / 0.05) ** 2
    assert size.denominator(public, 5, 2.0) == pytest.approx(denominator)
    assert size.with_noise(public, 5, 2.0) is None
    least = np.sqrt(2.0) * 2.0 * 5 * np.log(5 / 0.05) / (50.0 * 0.1)  # where the denominator is zero
    assert size.with_noise(public, 5, 0.999 * least) is None
    assert size.with_noise(public, 5, 1.001 * least) > 1e5


def test_without_noise_the_private_theorem_is_twice_the_other():
    size, public = SampleSize(), facts(TRIANGLE)
    assert size.with_noise(public, 5, 1e12) == pytest.approx(2 * size.without_noise())


@given(st.integers(0, 10_000), st.floats(-1.0, 5.0), st.sampled_from([0.5, 1.0, 3.0]))
@settings(max_examples=40, deadline=None)
def test_the_conditions_can_be_met_exactly_where_the_search_succeeds(seed, exponent, penalty):
    network = radmm.Network.from_edges(make_edges({"law": "erdos-renyi", "nodes": 4, "probability": 0.8, "seed": seed}))
    algorithm = radmm.MRADMM(radmm.Geometric([penalty, 1.0, 0.8, penalty], 1.05))
    matrices = matrices_of(facts(network), network, algorithm, 6, 10.0**exponent)
    grid = np.stack(np.meshgrid(np.linspace(-14, 14, 120), np.linspace(-9, 9, 80)), axis=-1)
    best = max(best_of(matrices).margin, matrices.margins(grid).min(axis=-1).max())
    assert abs(best) < 1e-4 or matrices.can_be_met() == (best > 0)
