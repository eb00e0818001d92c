"""The limits of the non-private algorithms against scikit-learn's centralised optimum."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import radmm
from tests.conftest import EDGES, make_data

C, RHO = 5.0, 0.4


def centralised_optimum(features, labels, node):
    """Σ_i O(f, D_i) = Σ_n (C/B_i) L(y_n f·x_n) + ρ/2 ‖f‖²."""
    weight = C / np.bincount(node)[node]
    model = LogisticRegression(C=1 / RHO, fit_intercept=False, tol=1e-12, max_iter=10_000, solver="newton-cholesky")
    return model.fit(features, labels, sample_weight=weight).coef_[0]


@pytest.mark.parametrize(
    "algorithm",
    [
        radmm.ADMM(0.5),
        radmm.RADMM(0.5, gamma=0.5),
        radmm.RADMM(0.5, gamma=2.0),
        radmm.MADMM(radmm.Geometric([0.6, 0.8, 0.7, 0.6], 1.001), dual_step=0.5),
        radmm.MRADMM(radmm.Geometric(0.5, 1.001), gamma=0.5),
        radmm.MRADMM(radmm.Geometric([0.6, 0.8, 0.7, 0.6], 1.001), gamma=0.5, dual_step=0.5),
    ],
    ids=lambda algorithm: algorithm.name,
)
def test_limit_is_the_centralised_optimum(algorithm):
    features, labels, node = make_data(skew=1.0)
    problem = radmm.Problem(features, labels, node, C=C, rho=RHO)
    result = radmm.solve(
        problem, radmm.Network.from_edges(EDGES), algorithm, iterations=800, runs=2, keep_iterates=True
    )
    optimum = centralised_optimum(features, labels, node)
    np.testing.assert_allclose(result.primal[:, -1], np.broadcast_to(optimum, (2, 4, 4)), atol=1e-6)


def test_per_node_dual_steps_reach_a_consensus_that_is_not_the_optimum():
    features, labels, node = make_data(skew=1.0)
    problem = radmm.Problem(features, labels, node, C=C, rho=RHO)
    algorithm = radmm.MRADMM(radmm.Geometric([0.6, 1.2, 0.7, 0.3], 1.0), gamma=0.5)
    result = radmm.solve(
        problem, radmm.Network.from_edges(EDGES), algorithm, iterations=800, runs=1, keep_iterates=True
    )
    assert result.trace["consensus"].iloc[-1] < 1e-6
    distance = np.abs(result.primal[0, -1] - centralised_optimum(features, labels, node)).max()
    assert distance > 0.01
