"""The approximate inverse Hessians against the inverses themselves."""

import numpy as np
import pytest

import radmm
from radmm.argmin.preconditioner import BY_FACTOR_FROM, from_hessian, inverse
from radmm.argmin.small_nodes import SmallNodes
from tests.conftest import make_data


def made_hessians(dimension=6):
    """Of three nodes, with eigenvalues from nothing to far above q."""
    root = np.random.default_rng(0).standard_normal((3, dimension, dimension)) * np.geomspace(1e-3, 30.0, dimension)
    return root @ np.swapaxes(root, 1, 2)


@pytest.mark.parametrize(("growth", "excess"), [(1.0, 0.0), (5 / 3, 1 / 15), (0.6, 1 / 15), (100.0, 25.0)])
def test_a_preconditioner_follows_q(growth, excess):
    """It is positive definite and never below the true inverse, and above it by so little as it says."""
    hessian, ridge = made_hessians(), np.array([0.5, 1.0, 4.0])
    after = ridge * growth
    product = from_hessian(hessian, ridge).for_curvature(after).matrix @ (hessian + after[:, None, None] * np.eye(6))
    ratios = np.linalg.eigvals(product)
    np.testing.assert_allclose(ratios.imag, 0.0, atol=1e-9)
    assert ratios.real.min() >= 1.0 - 1e-9
    assert ratios.real.max() <= 1.0 + excess + 1e-9
    assert growth == 1.0 or ratios.real.max() > 1.0 + 0.2 * excess  # the bound says something


@pytest.mark.parametrize("size", [1, 2, BY_FACTOR_FROM, BY_FACTOR_FROM + 2, 301])
def test_inverses_of_large_matrices_are_as_exact_as_of_small_ones(size):
    """With eigenvalues from 1 to about 1e6."""
    matrix = made_hessians(size) + np.eye(size)
    identity = np.broadcast_to(np.eye(size), matrix.shape)
    np.testing.assert_allclose(inverse(matrix) @ matrix, identity, atol=3e-9)
    np.testing.assert_allclose(inverse(matrix), np.linalg.inv(matrix), atol=1e-11)


def test_what_rounding_made_indefinite_has_an_inverse_all_the_same():
    matrix = np.diag([*np.ones(BY_FACTOR_FROM), -1e-9])
    np.testing.assert_array_equal(inverse(matrix), np.linalg.inv(matrix))


def test_a_preconditioner_acts_on_all_runs():
    hessian, ridge = made_hessians(), np.array([0.5, 1.0, 4.0])
    vector = np.random.default_rng(1).standard_normal((3, 6, 2))
    expected = np.linalg.solve(hessian + ridge[:, None, None] * np.eye(6), vector)
    np.testing.assert_allclose(from_hessian(hessian, ridge)(vector, vector), expected, rtol=1e-9)


@pytest.mark.parametrize("growth", [1.0, 3.0, 0.2])
def test_in_the_space_of_rows_each_run_has_its_own_inverse(growth):
    """Two terms of the series: what they leave is the square of how far the Hessian is from the one inverted."""
    problem = radmm.Problem(*make_data(dimension=20, row_counts=(15, 15, 15, 15)), C=5.0)
    ridge, rng = np.array([0.3, 1.0, 2.0, 5.0]), np.random.default_rng(0)
    margin, vector = 3.0 * rng.standard_normal((2, 4, 15, 2))
    nodes = SmallNodes(problem)
    inverse = nodes.precondition(ridge).for_curvature(growth * ridge)
    direction = inverse(np.concatenate([vector, 0 * vector], axis=1), np.concatenate([margin, 0 * margin], axis=1))
    step, pull = np.split(direction, 2, axis=1)
    for i, count in enumerate(problem.row_counts):
        rows = problem.rows[problem.node_start[i] : problem.node_start[i + 1]].toarray()
        stiffness, q = np.linalg.inv(rows @ rows.T), growth * ridge[i]
        weight = 5.0 / count
        np.testing.assert_allclose(rows @ rows.T @ pull[i, :count], -q * step[i, :count], atol=1e-9)
        for run in range(2):
            bend = np.minimum(weight * problem.loss.curvature(margin[i, :count, run]), 0.25 * weight * growth)
            hessian = np.diag(bend) + q * stiffness
            inverted = growth * (weight / 8 * np.eye(count) + ridge[i] * stiffness)
            off = np.linalg.solve(inverted, hessian - inverted)
            expected = (np.eye(count) - off @ off) @ np.linalg.solve(hessian, vector[i, :count, run])
            np.testing.assert_allclose(step[i, :count, run], expected, rtol=1e-7, atol=1e-9)
            assert np.abs(np.linalg.eigvals(off)).max() < 1.0
