"""The approximate inverse Hessians against the inverses themselves."""

import numpy as np
import pytest

from radmm.preconditioner import from_hessian


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


def test_a_preconditioner_acts_on_all_runs():
    hessian, ridge = made_hessians(), np.array([0.5, 1.0, 4.0])
    vector = np.random.default_rng(1).standard_normal((3, 6, 2))
    expected = np.linalg.solve(hessian + ridge[:, None, None] * np.eye(6), vector)
    np.testing.assert_allclose(from_hessian(hessian, ridge)(vector), expected, rtol=1e-9)
