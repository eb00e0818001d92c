"""What a solve of the compiled kernel reports, against formulas in NumPy: losses, slopes and gradient norms."""

import numpy as np
import pytest

import radmm
from radmm.argmin.engine_choice import engine_for
from radmm.argmin.solver import ArgminSolver
from tests.conftest import needs_compiler

pytestmark = needs_compiler
NODES, ROWS, DIMENSION = 2, 700, 9


def problem_of(C=300.0):
    """Sparse columns and dense ones."""
    source = np.random.default_rng(5)
    features = source.standard_normal((NODES * ROWS, DIMENSION)) * (source.random((1, DIMENSION)) < 0.6)
    features[:, :4] = (source.random((NODES * ROWS, 4)) < 0.2) * 1.0
    features /= np.maximum(1.0, np.linalg.norm(features, axis=1))[:, None]
    labels = np.where(features @ source.standard_normal(DIMENSION) + source.standard_normal(len(features)) > 0, 1, -1)
    return radmm.Problem(features, labels, np.arange(len(features)) % NODES, C=C, rho=0.4)


def solve_twice(problem, runs, tolerance, pull=30.0):
    """Two steps, the second from where the first ended, with runs that take differently many passes."""
    source = np.random.default_rng(runs)
    shape = NODES, DIMENSION, runs
    far = np.logspace(-3.0, 0.0, runs)
    linear = pull * far * source.standard_normal(shape)
    solver, curvature = ArgminSolver(engine_for(problem), tolerance), np.array([1.3, 2.1])
    start = source.standard_normal(shape)
    first = solver.minimise(linear, curvature, np.arange(runs), start)
    again = linear + far[::-1] * source.standard_normal(shape)
    second = solver.minimise(again, 1.1 * curvature, np.arange(runs), start)
    return [(first, linear, curvature), (second, again, 1.1 * curvature)]


def exact(problem, node, point):
    """Σ L and Σ ∇L of one node and run, by NumPy."""
    rows = problem.rows[problem.node_start[node] : problem.node_start[node + 1]]
    margin = rows @ point
    return np.logaddexp(0.0, -margin).sum(), -(rows.T @ (1.0 / (1.0 + np.exp(margin))))


@pytest.mark.parametrize("tolerance", [1e-4, 1e-8, 1e-11])
@pytest.mark.parametrize("runs", [1, 3, 5, 8, 9, 12, 13, 16, 19])
def test_what_is_reported_is_exact(runs, tolerance):
    problem = problem_of()
    for solution, linear, curvature in solve_twice(problem, runs, tolerance):
        assert (solution.residual <= tolerance).all()
        for node in range(NODES):
            for run in range(runs):
                f = solution.point[node, :, run]
                loss, slope = exact(problem, node, f)
                gradient = problem.row_weights[node] * slope + linear[node, :, run] + curvature[node] * f
                assert np.linalg.norm(gradient) == pytest.approx(solution.residual[node, run], abs=1e-12 * problem.C)
                assert solution.loss[node, run] == pytest.approx(loss, rel=1e-13)
                np.testing.assert_allclose(solution.slope[node, :, run], slope, atol=1e-10)


def test_a_node_that_is_hard_to_solve_gets_there_all_the_same():
    """With C a million times ρ."""
    problem = problem_of(C=700.0)
    problem.node_weights[:] = 1e6
    for solution, _, _ in solve_twice(problem, 7, 1e-7):
        assert (solution.residual <= 1e-7).all()
