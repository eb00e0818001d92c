"""The approximate inverse Hessian that L-BFGS starts from: one for each node, shared by its runs.

Nodes with few rows have theirs in small.py, so that memory never grows like N·d².
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from radmm.base.arrays import Array, combine, per_node


@dataclass(frozen=True)
class Preconditioner:
    """v ↦ (approximate inverse Hessian) · v for (node, feature, run) vectors."""

    matrix: Array  # (node, d, d)
    ridge: Array  # the q_i it was made for

    def for_curvature(self, curvature: Array) -> "Preconditioner":
        """Corrected for other q_i without a new inverse, and nearly as good.

        With p the old q, an eigenvalue h of the data term's Hessian stands in the matrix as 1/(h + p). It becomes
        1/(h + p) − (p − p²/q)/(h + p)², which is 1/q at h = 0, is right for large h too, and too large by a
        fifteenth at most in between when q has grown by two thirds. It is positive for every q.
        """
        if np.array_equal(curvature, self.ridge):
            return self
        change = self.ridge**2 / curvature - self.ridge
        return Preconditioner(combine((1.0, self.matrix), (change, self._square)), curvature)

    @cached_property
    def _square(self) -> Array:
        square: Array = self.matrix @ np.swapaxes(self.matrix, 1, 2)  # it is symmetric: BLAS then does half the work
        return square

    def __call__(self, vector: Array, _point: Array) -> Array:
        product: Array = self.matrix @ vector
        return product


def from_hessian(hessian: Array, ridge: Array) -> Preconditioner:
    """From the weighted Hessians of the data terms, (node, d, d)."""
    inverse: Array = np.linalg.inv(hessian + per_node(ridge) * np.eye(hessian.shape[1]))  # type: ignore[assignment]
    return Preconditioner(inverse, ridge)
