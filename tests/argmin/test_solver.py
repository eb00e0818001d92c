import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import radmm
from radmm.argmin import kernel, lbfgs
from radmm.argmin.engine import NumpyEngine
from radmm.argmin.engine_choice import engine_for
from radmm.argmin.solver import ArgminSolver, kinds_of_nodes
from radmm.model.losses.huber_hinge import HuberHinge
from radmm.model.public_facts import TOLERANCE
from tests.conftest import EDGES, make_data
from tests.reference import PlainProblem, argmin


@pytest.mark.parametrize("make_engine", [engine_for, NumpyEngine], ids=["compiled", "numpy"])
@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 30), st.floats(-3, 3), st.floats(-2, 3))
def test_solves_every_node_and_run_to_the_tolerance(make_engine, seed, dimension, log_ridge, log_pull):
    """Heterogeneous nodes, ridges over six decades, linear terms over five."""
    features, labels, node = make_data(seed, dimension)
    problem = radmm.Problem(features, labels, node, C=5.0, rho=0.4)
    plain = PlainProblem(features, labels, node, 5.0, 0.4)
    rng = np.random.default_rng(seed)
    ridge = 10**log_ridge * rng.uniform(0.5, 2.0, 4)
    linear, start = 10**log_pull * rng.standard_normal((4, dimension, 3)), rng.standard_normal((4, dimension, 3))
    solution = ArgminSolver(make_engine(problem), TOLERANCE).minimise(linear, 0.1 + 2 * ridge, np.arange(3), start)
    assert solution.residual.max() <= 1e-8
    for i in range(4):
        for run in range(3):
            expected = argmin(plain, i, start[i, :, run], linear[i, :, run], ridge[i])
            np.testing.assert_allclose(solution.point[i, :, run], expected, atol=1e-8 / (0.1 + 2 * ridge[i]) + 1e-9)


@pytest.mark.parametrize("make_engine", [engine_for, NumpyEngine], ids=["compiled", "numpy"])
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 25), st.floats(-3, 1), st.floats(-1, 2), st.floats(-2, 2))
def test_the_huberised_hinge_is_solved_though_its_curvature_jumps(
    make_engine, seed, dimension, log_width, log_ridge, log_pull
):
    """Widths over four decades; three solves one after the other, each from where the last one ended."""
    features, labels, node = make_data(seed, dimension)
    loss = HuberHinge(10**log_width)
    problem = radmm.Problem(features, labels, node, loss, C=5.0, rho=0.4)
    rng = np.random.default_rng(seed)
    curvature = 10**log_ridge * rng.uniform(0.5, 2.0, 4)
    solver = ArgminSolver(make_engine(problem), TOLERANCE)
    for _ in range(3):
        linear = 10**log_pull * rng.standard_normal((4, dimension, 3))
        solution = solver.minimise(linear, curvature, np.arange(3), np.zeros((4, dimension, 3)))
        assert solution.residual.max() <= 1e-8
        for i in range(4):
            rows = labels[node == i, None] * features[node == i]
            value, slope = loss.value_and_slope(rows @ solution.point[i])
            gradient = 5.0 / len(rows) * rows.T @ slope + linear[i] + curvature[i] * solution.point[i]
            assert np.linalg.norm(gradient, axis=0).max() <= 1.1e-8
            np.testing.assert_allclose(solution.loss[i], value.sum(axis=0), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("make_engine", [engine_for, NumpyEngine], ids=["compiled", "numpy"])
@pytest.mark.parametrize("loss", ["softmax", "squared"])
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 25), st.floats(-1, 2), st.floats(-2, 2))
def test_the_other_losses_are_solved(make_engine, loss, seed, dimension, log_ridge, log_pull):
    features, labels, node = make_data(seed, dimension)
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, len(node)) if loss == "softmax" else labels
    problem = radmm.Problem(features, labels, node, loss, C=5.0, rho=0.4, classes=3)
    curvature = 10**log_ridge * rng.uniform(0.5, 2.0, 4)
    linear = 10**log_pull * rng.standard_normal((4, problem.dimension, 3))
    solver = ArgminSolver(make_engine(problem), TOLERANCE)
    solution = solver.minimise(linear, curvature, np.arange(3), np.zeros((4, problem.dimension, 3)))
    assert solution.residual.max() <= 1e-8
    gradient = problem.row_weights[:, None, None] * NumpyEngine(problem).gradients(solution.point)
    gradient += linear + curvature[:, None, None] * solution.point
    assert np.linalg.norm(gradient, axis=1).max() <= 1.1e-8


@pytest.mark.parametrize("make_engine", [engine_for, NumpyEngine], ids=["compiled", "numpy"])
@pytest.mark.parametrize("dimension", [4, 10, 40], ids=["large nodes", "both", "small nodes"])
def test_residual_is_the_explicit_gradient_norm(dimension, make_engine):
    rng = np.random.default_rng(0)
    linear, start = rng.standard_normal((2, 4, dimension, 2))
    features, labels, node = make_data(dimension=dimension)
    solver = ArgminSolver(make_engine(radmm.Problem(features, labels, node, C=5.0, rho=0.4)), tolerance=1e-3)
    solution = solver.minimise(linear, np.full(4, 2.1), np.arange(2), start)
    plain = PlainProblem(features, labels, node, 5.0, 0.4)
    for i in range(4):
        for run in range(2):
            f = solution.point[i, :, run]
            gradient = plain.gradient(i, f) + linear[i, :, run] + 2.0 * f
            np.testing.assert_allclose(solution.residual[i, run], np.linalg.norm(gradient), atol=1e-12)


@pytest.mark.parametrize("make_engine", [engine_for, NumpyEngine], ids=["compiled", "numpy"])
def test_a_hopeless_run_does_not_hold_up_the_others(small, make_engine):
    linear = np.ones((4, 4, 3))
    linear[2, :, 1] = np.nan
    solver = ArgminSolver(make_engine(small.problem), TOLERANCE)
    solution = solver.minimise(linear, np.full(4, 2.0), np.arange(3), np.zeros((4, 4, 3)))
    assert np.isnan(solution.residual[2, 1])
    solved = np.ones((4, 3), dtype=bool)
    solved[2, 1] = False
    assert (solution.residual[solved] <= 1e-8).all()


def test_a_run_that_misses_the_tolerance_says_so(small, monkeypatch):
    for module in (kernel, lbfgs):
        monkeypatch.setattr(module, "MAX_PASSES", 1)
    result = radmm.solve(small.problem, small.network, radmm.ADMM(), iterations=3, runs=2)
    assert {status.status for status in result.status} == {"not converged"}
    assert result.status[0].reason.startswith("iteration 1: the argmin of node ")
    assert result.trace.query("iteration > 0")["loss"].isna().all()


@pytest.mark.parametrize("dimension", [4, 10, 40], ids=["large nodes", "both", "small nodes"])
@pytest.mark.parametrize("runs", [1, 2, 7])
def test_iterates_do_not_depend_on_the_batch(dimension, runs):
    problem = radmm.Problem(*make_data(dimension=dimension), C=5.0, rho=0.4)
    network = radmm.Network.from_edges(EDGES)
    options = {"noise": radmm.ObjectiveNoise(2.0), "iterations": 9, "keep_iterates": True}
    few = radmm.solve(problem, network, radmm.RADMM(), runs=runs, **options)
    many = radmm.solve(problem, network, radmm.RADMM(), runs=9, **options)
    np.testing.assert_allclose(few.primal, many.primal[:runs], atol=1e-7)


@pytest.mark.parametrize(
    ("dimension", "most", "kinds"),
    [
        (4, 2, [[0, 1, 2, 3, 4, 5]]),
        (9, 3, [[1, 3, 5], [2, 4], [0]]),
        (40, 3, [[2, 4], [0], [1, 3, 5]]),
        (40, 2, [[2, 4], [0], [1, 3], [5]]),
    ],
    ids=["large nodes", "both", "small nodes", "small nodes in pairs"],
)
def test_nodes_that_share_room_are_alike(dimension, most, kinds):
    """Small nodes that are solved together have the same number of rows, and are not too many."""
    problem = radmm.Problem(*make_data(dimension=dimension, row_counts=(9, 36, 5, 36, 5, 36)), C=5.0)
    assert [nodes.tolist() for nodes in kinds_of_nodes(problem, most)] == kinds
