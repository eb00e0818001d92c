"""One node's subproblem on few distinct rows, solved to rounding for many runs at once.

Arrays are (feature, run) here, and equal rows are stored once with a weight, so that a node of any size costs little.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from radmm.base.arrays import Array
from radmm.model.losses.logistic import Logistic
from radmm.model.losses.loss import Loss
from radmm.model.quadratic_model import pack

ROUNDING = 1e-13  # rounding error of a gradient, relative to the terms it is summed from
STEPS = 200
LOSS = Logistic()


@dataclass(frozen=True)
class Rows:
    """A node's distinct rows y x, each with the weight C/B_i times how often it occurs; the loss is one of margins."""

    rows: Array  # (row, feature)
    weight: Array
    loss: Loss = LOSS

    def gradient(self, point: Array) -> Array:
        return self._gradient(self._bends(point)[0])

    def moments(self, fine: float) -> Array:
        """Return Σ w and fine·Σ w wᵀ, packed, of the weighted rows w."""
        return np.concatenate([self.weight @ self.rows, fine * pack(self.rows.T * self.weight @ self.rows)])

    def log_determinant(self, point: Array, curvature: float) -> Array:
        """Return the log-determinant of the Hessian of the rows' loss + ½ curvature ‖f‖².

        A term that all data sets share is left out.
        """
        return solve_small(self._hessian(self._bends(point)[1], curvature), np.zeros_like(point))[1]

    def minimise(self, linear: Array, curvature: float) -> Array:
        """Minimise the rows' loss + linear·f + ½ curvature ‖f‖².

        Newton steps are halved until the gradient shrinks: on a strongly convex function they end at the minimum.
        """
        goal = ROUNDING * (1.0 + self.weight.sum() + 2.0 * norms(linear))  # ‖curvature f‖ ≤ ‖linear‖ + the weights' sum
        point = -linear / curvature
        missing, bend = self._bends(point)
        gradient = self._gradient(missing) + linear + curvature * point
        for _ in range(STEPS):
            norm = norms(gradient)
            if np.all(norm <= goal):
                return point
            step, _ = solve_small(self._hessian(bend, curvature), gradient)
            share, longer = np.ones_like(norm), np.ones(1, dtype=np.bool_)
            while longer.any():
                trial = point - share * step
                missing, bend = self._bends(trial)
                gradient = self._gradient(missing) + linear + curvature * trial
                longer = norms(gradient) > np.maximum((1.0 - share / 4.0) * norm, goal)
                share = np.where(longer, share / 2.0, share)
            point = trial
        raise ArithmeticError(f"an argmin missed rounding precision after {STEPS} Newton steps")

    def _bends(self, point: Array) -> tuple[Array, Array]:
        """Return minus each row's slope, and its curvature, (row, run).

        A logistic slope is what its probability lacks to 1.
        """
        margin: Array = self.rows @ point
        if self.loss is LOSS:
            missing: Array = expit(-margin)
            return missing, missing * (1.0 - missing)
        return -self.loss.value_and_slope(margin)[1], self.loss.curvature(margin)

    def _gradient(self, missing: Array) -> Array:
        gradient: Array = -(self.rows.T * self.weight) @ missing
        return gradient

    def _hessian(self, bend: Array, curvature: float) -> Array:
        size = self.rows.shape[1]
        products = np.einsum("n,ni,nj->ijn", self.weight, self.rows, self.rows).reshape(size * size, -1)
        hessian: Array = (products @ bend).reshape(size, size, -1)
        return hessian + curvature * np.eye(size)[:, :, None]


def norms(values: Array) -> Array:
    """Return Euclidean norms over the features."""
    norm: Array = np.sqrt(np.einsum("dr,dr->r", values, values))
    return norm


def solve_small(matrix: Array, right: Array) -> tuple[Array, Array]:
    """Solve positive definite systems, one a run, by elimination along the few features.

    The log-determinants are returned as well.
    """
    matrix, right = matrix.copy(), right.copy()
    size = len(right)
    for pivot in range(size):
        for row in range(pivot + 1, size):
            factor = matrix[row, pivot] / matrix[pivot, pivot]
            matrix[row, pivot:] -= factor * matrix[pivot, pivot:]
            right[row] -= factor * right[pivot]
    for row in reversed(range(size)):
        right[row] -= (matrix[row, row + 1 :] * right[row + 1 :]).sum(axis=0)
        right[row] /= matrix[row, row]
    return right, np.log(np.einsum("iir->ir", matrix)).sum(axis=0)
