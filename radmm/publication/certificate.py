"""Certified argmins: a bound on the gradient's norm that holds in real arithmetic, whatever the solver says.

A sum of n products of 64-bit numbers, in any order and with or without fused operations, is off by at most
γ_n = nu/(1 − nu) times the sum of the absolute products, u = 2⁻⁵³ (Higham, 2002, section 3.1). With rows of norm at
most 1 + 1e-9 and slopes of at most 1 that bounds what rounding can hide of a node's gradient. Of NumPy's exponential it
is assumed that its relative error is at most 4 units in the last place, which the tests compare with exact values.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.model.losses.logistic import Logistic

LONGEST = 1.0 + 1e-9  # norm of a row that counts; the others count as rows of zeros
UNIT = 2.0**-53
SLOPE_ERROR = 32 * UNIT  # of L' at a margin: 8 u of the exponential, a sum and a quotient, twice over
OUTWARD = 1.0 + 1e-6  # for the rounding of the bound itself
LOSS = Logistic()


def within_norm(rows: sparse.csr_array) -> sparse.csr_array:
    """Return the rows with those set to zero that are not certain to have norm at most 1 + 1e-9.

    Args:
        rows: Rows of a node, each column at most once in a row.
    """
    row = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    square = np.zeros(rows.shape[0])
    np.add.at(square, row, rows.data**2)
    certain = square * (1.0 + _gamma(rows.shape[1] + 4)) <= LONGEST**2 * (1.0 - 4 * UNIT)
    return sparse.csr_array((np.where(certain[row], rows.data, 0.0), rows.indices, rows.indptr), shape=rows.shape)


@dataclass(frozen=True, eq=False)
class Subproblem:
    """A node's subproblem: minimise a Σ L(x·f) + linear·f + ½λ‖f‖², L logistic and all numbers as the machine has them.

    Args:
        rows: Rows y·x, of norm at most 1 + 1e-9.
        weight: a = C_i/B_i.
        linear: Linear term.
        curvature: λ, the strong convexity.
    """

    rows: sparse.csr_array
    weight: float
    linear: Array
    curvature: float

    def gradient(self, point: Array) -> Array:
        """Return the gradient, as floating-point numbers give it."""
        slope = LOSS.value_and_slope(self.rows @ point)[1]
        found: Array = self.weight * (self.rows.T @ slope) + self.linear + self.curvature * point
        return found

    def residual_bound(self, point: Array) -> float:
        """Return a bound on the norm of the gradient in real arithmetic; infinite or NaN if a number is not finite."""
        found = float(np.linalg.norm(self.gradient(point))) * (1.0 + _gamma(len(point) + 4))
        return OUTWARD * (found + self.hidden(float(np.linalg.norm(point))))

    def hidden(self, norm: float) -> float:
        """Return how much of the gradient's norm rounding can hide at any point of this norm."""
        count, features = self.rows.shape
        margin = _gamma(features + 4) * LONGEST * norm
        slope = 0.25 * margin + SLOPE_ERROR
        total = self.weight * count * LONGEST  # of rows' weights: C_i
        linear = float(np.linalg.norm(self.linear))
        last = _gamma(8) * (total + linear + self.curvature * norm)
        return float(OUTWARD * (total * (slope + _gamma(count + 8)) + last))

    def certified(self, start: Array, tolerance: float) -> Array:
        """Return a point at which the gradient's norm is certain to be at most the tolerance.

        Gradient descent with step 1/L goes on from the point that is given until the bound says so. It always gets
        there: what rounding can hide wherever it may go is seen to be far below the tolerance before it begins, by
        public numbers alone (docs/proofs.md).

        Args:
            start: Where to begin; a solver's answer, which need not be any good.
            tolerance: Norm to reach, a public number.
        """
        steepest = self.weight * self.rows.shape[0] * LONGEST
        farthest = 2.0 * (steepest + float(np.linalg.norm(self.linear))) / self.curvature
        if not self.hidden(2.0 * farthest) <= 0.1 * tolerance:
            raise InputError("the released values grew beyond what argmins can be certified for: take a larger penalty")
        point = start if np.linalg.norm(start) <= farthest else np.zeros_like(start)
        largest = 0.25 * steepest * LONGEST + self.curvature
        while not self.residual_bound(point) <= tolerance:
            point = point - self.gradient(point) / largest
        return point


def _gamma(count: int) -> float:
    return count * UNIT / (1.0 - count * UNIT)
