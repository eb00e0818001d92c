"""Networks of one node, where the problem is the centralised one, and of ten thousand, where nothing may be N²."""

import tracemalloc

import numpy as np
import pytest

import radmm
from radmm.argmin.optimum import centralised_optimum
from radmm.base.errors import InputError
from radmm.data.topology import make_edges
from tests.conftest import make_data

ALGORITHMS = [
    radmm.ADMM(),
    radmm.MADMM(radmm.Geometric(1.0, 1.1)),
    radmm.RADMM(),
    radmm.MRADMM(radmm.Geometric(1.0, 1.1)),
]
MANY = 10_000
DENSE = MANY**2  # bytes of the smallest dense matrix of all pairs of nodes


@pytest.fixture
def single():
    features, labels, _ = make_data(row_counts=(40,))
    return radmm.Problem(features, labels, np.zeros(40, dtype=int), C=5.0, rho=0.4), radmm.Network([[0]])


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda algorithm: algorithm.name)
def test_one_node_finds_the_centralised_optimum_at_once(single, algorithm):
    problem, network = single
    optimum = centralised_optimum(problem)
    result = radmm.solve(problem, network, algorithm, iterations=4, runs=2, keep_iterates=True, optimum=optimum)
    np.testing.assert_allclose(
        result.primal[:, 1:, 0], np.broadcast_to(optimum, result.primal[:, 1:, 0].shape), atol=1e-6
    )
    assert not result.dual.any()
    assert result.trace.query("iteration > 0")["consensus"].max() == 0.0


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda algorithm: algorithm.name)
def test_the_bound_of_one_node_is_the_theorem_s(single, algorithm):
    """P(t) = K(t)·(2C/B)(1.4 c1/(ρ/N + 2ηV) + α) with N = 1 and V = 0."""
    problem, network = single
    result = radmm.solve(problem, network, algorithm, noise=radmm.ObjectiveNoise(0.5), iterations=4, runs=2)
    each = 2 * 5.0 / 40 * (1.4 * 0.25 / 0.4 + 0.5)
    steps = np.array([0, 1, 1, 2, 2]) if algorithm.name in ("r-admm", "mr-admm") else np.arange(5)
    np.testing.assert_allclose(result.trace.query("run == 0")["privacy_loss"], each * steps)
    assert result.epsilon(accountant="paper") == pytest.approx(each * steps[-1])


def test_what_one_node_has_not_is_not_perturbed(single):
    problem, network = single
    with pytest.raises(InputError, match="penalty noise enters with the penalty, but node 0 has no neighbour"):
        radmm.solve(problem, network, radmm.MADMM(), noise=radmm.PenaltyNoise(1.0))
    for algorithm in (radmm.RADMM(gamma=0.0), radmm.MRADMM(gamma=0.0)):
        with pytest.raises(InputError, match="gamma = 0: must be positive for a single node"):
            radmm.solve(problem, network, algorithm)
    features, labels, _ = make_data(row_counts=(40,))
    weak = radmm.Problem(features, labels, np.zeros(40, dtype=int), C=40.0, rho=0.4)
    with pytest.raises(InputError, match="the left side is 0.5 and the right side 0.4: raise rho or lower C"):
        radmm.solve(weak, network, radmm.ADMM(), noise=radmm.ObjectiveNoise(1.0))


def test_ten_thousand_nodes_take_no_dense_matrix():
    features, labels, node = make_data(dimension=3, row_counts=(2,) * MANY)
    tracemalloc.start()
    network = radmm.Network.from_edges(make_edges({"law": "torus", "rows": 100, "columns": 100}))
    problem = radmm.Problem(features, labels, node, C=1.0, rho=0.4)
    options = {"noise": radmm.ObjectiveNoise(1.0), "iterations": 3, "runs": 1}
    result = radmm.solve(problem, network, radmm.RADMM(), test=(features[:50], labels[:50]), **options)
    assert 0 < result.epsilon(accountant="pure") < np.inf
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [status.status for status in result.status] == ["done"]
    assert peak < DENSE / 2
