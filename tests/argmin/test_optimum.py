"""The limits of the non-private algorithms against scikit-learn's centralised optimum."""

import time
import tracemalloc

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import radmm
from radmm.argmin import optimum as optimum_module
from radmm.argmin.optimum import centralised_optimum
from tests.conftest import EDGES, make_data

C, RHO = 5.0, 0.4


def by_scikit_learn(features, labels, node, weighting="nodes"):
    """Σ_i O(f, D_i) = Σ_n (C_i/B_i) L(y_n f·x_n) + ρ/2 ‖f‖²; rows that count alike have C N/ΣB_j each."""
    weight = C / np.bincount(node)[node] if weighting == "nodes" else np.full(len(node), C * 4 / len(node))
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
    optimum = by_scikit_learn(features, labels, node)
    np.testing.assert_allclose(result.primal[:, -1], np.broadcast_to(optimum, (2, 4, 4)), atol=1e-6)


def test_per_node_dual_steps_reach_a_consensus_that_is_not_the_optimum():
    features, labels, node = make_data(skew=1.0)
    problem = radmm.Problem(features, labels, node, C=C, rho=RHO)
    algorithm = radmm.MRADMM(radmm.Geometric([0.6, 1.2, 0.7, 0.3], 1.0), gamma=0.5)
    result = radmm.solve(
        problem, radmm.Network.from_edges(EDGES), algorithm, iterations=800, runs=1, keep_iterates=True
    )
    assert result.trace["consensus"].iloc[-1] < 1e-6
    distance = np.abs(result.primal[0, -1] - by_scikit_learn(features, labels, node)).max()
    assert distance > 0.01


@pytest.mark.parametrize("weighting", ["nodes", "rows"])
def test_our_optimum_is_scikit_learns(weighting):
    features, labels, node = make_data(skew=1.0)
    problem = radmm.Problem(features, labels, node, C=C, rho=RHO, weighting=weighting)
    expected = by_scikit_learn(features, labels, node, weighting)
    np.testing.assert_allclose(centralised_optimum(problem), expected, atol=1e-7)


def test_the_limit_is_the_optimum_of_rows_that_count_alike():
    features, labels, node = make_data(skew=1.0)
    problem = radmm.Problem(features, labels, node, C=C, rho=RHO, weighting="rows")
    network = radmm.Network.from_edges(EDGES)
    result = radmm.solve(problem, network, radmm.RADMM(0.5, gamma=0.5), iterations=800, runs=1, keep_iterates=True)
    optimum = by_scikit_learn(features, labels, node, "rows")
    np.testing.assert_allclose(result.primal[0, -1], np.broadcast_to(optimum, (4, 4)), atol=1e-6)
    assert np.abs(optimum - by_scikit_learn(features, labels, node)).max() > 0.01


def test_the_distance_is_the_farthest_nodes():
    features, labels, node = make_data(skew=1.0)
    problem = radmm.Problem(features, labels, node, C=C, rho=RHO)
    optimum = centralised_optimum(problem)
    network = radmm.Network.from_edges(EDGES)
    result = radmm.solve(
        problem, network, radmm.RADMM(), iterations=5, runs=3, optimum=optimum, keep_iterates=True, seed=1
    )
    expected = np.linalg.norm(result.primal - optimum, axis=3).max(axis=2)
    np.testing.assert_allclose(result.trace["distance"], expected.ravel(), rtol=1e-12)
    assert radmm.solve(problem, network, radmm.RADMM(), iterations=2, runs=1).trace["distance"].isna().all()


def test_passes_are_counted_for_data_steps_alone():
    features, labels, node = make_data(skew=1.0)
    problem = radmm.Problem(features, labels, node, C=C, rho=RHO)
    trace = radmm.solve(problem, radmm.Network.from_edges(EDGES), radmm.RADMM(), iterations=6, runs=2).trace
    passes = trace.set_index("iteration")["passes"]
    assert (passes[[1, 3, 5]] >= 1).all()
    assert (passes[[0, 2, 4, 6]] == 0).all()


@pytest.mark.parametrize("loss", ["logistic", "huber-hinge", "softmax"])
def test_problems_that_share_rows_have_the_bytes_of_problems_that_do_not(loss):
    """Layout and Hessian are computed once for all ρ; solves in between must leave them as they were."""
    features, labels, node = make_data(row_counts=(40, 60, 50, 50))
    labels = (labels > 0).astype(float) if loss == "softmax" else labels
    first = radmm.Problem(features, labels, node, loss=loss, C=20.0, rho=7.0)
    for rho in (0.1, 7.0, 0.5):
        shared, own = first.with_rho(rho), radmm.Problem(features, labels, node, loss=loss, C=20.0, rho=rho)
        assert (shared.rho, first.rho) == (rho, 7.0)
        found = []
        for problem in (shared, own):
            optimum = centralised_optimum(problem)
            options = {"iterations": 6, "runs": 2, "optimum": optimum, "test": (features, labels)}
            solved = radmm.solve(problem, radmm.Network.from_edges(EDGES), radmm.RADMM(1.0, 0.5), **options)
            found.append([optimum, *solved.columns.values()])
        for one, two in zip(*found, strict=True):
            np.testing.assert_array_equal(one, two)


def test_what_is_kept_of_all_rows_is_not_taken_for_that_of_some():
    features, labels, node = make_data()
    problem = radmm.Problem(features, labels, node, C=5.0, rho=0.5)
    assert problem.once("rows", lambda: len(problem.rows.indptr)) == problem.with_rho(2.0).once("rows", lambda: None)
    part = problem.restricted(np.array([1, 3]))
    assert part.once("rows", lambda: "others") == "others"
    with pytest.raises(radmm.InputError, match="rho = -1: must be a positive number"):
        problem.with_rho(-1)


@pytest.mark.parametrize("ridge", [1e-3, 0.4, 1e3])
@pytest.mark.parametrize("loss", ["logistic", "huber-hinge", "softmax", "squared"])
def test_many_features_have_the_optimum_without_a_hessian(loss, ridge, monkeypatch):
    """The same point as by Hessians, by conjugate gradients: for few features, where both can be had."""
    features, labels, node = make_data(dimension=30, row_counts=(40, 60, 50, 50))
    labels = np.arange(len(node)) % 3 if loss == "softmax" else labels
    problem = radmm.Problem(features, labels, node, loss, C=20.0, rho=ridge, classes=3)
    by_hessian = centralised_optimum(problem)
    monkeypatch.setattr(optimum_module, "MANY", 29)
    monkeypatch.setattr(optimum_module, "from_hessian", None)
    np.testing.assert_allclose(centralised_optimum(problem), by_hessian, atol=2e-8 / ridge)


def test_five_thousand_features_take_seconds():
    """Hessians of them took minutes, in silence, and 200 MB each."""
    draw = np.random.default_rng(0)
    features = draw.standard_normal((400, 5000))
    features /= np.linalg.norm(features, axis=1)[:, None]
    problem = radmm.Problem(features, np.sign(features[:, 0]), np.arange(400) % 4, C=50.0, rho=0.1)
    tracemalloc.start()
    begin = time.process_time()
    centralised_optimum(problem)
    seconds, most = time.process_time() - begin, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert seconds < 10
    assert most < 8 * 5000**2 / 2


def test_newton_finishes_what_a_hessian_of_another_place_leaves(monkeypatch):
    """On Census-Income at ρ = 0.001 rounding ends the descent at 1.3e-8; here it ends before its first step."""
    rng = np.random.default_rng(0)
    rows = rng.uniform(-0.4, 0.4, (60, 3))
    problem = radmm.Problem(rows, np.sign(rows[:, 0] + 0.1), np.arange(60) % 2, C=20.0, rho=0.4)
    expected = centralised_optimum(problem)
    monkeypatch.setattr(optimum_module, "minimise", lambda evaluate, start, precondition, tolerance: (start, 0))
    np.testing.assert_allclose(centralised_optimum(problem), expected, atol=1e-6)
