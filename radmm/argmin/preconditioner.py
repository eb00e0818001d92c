"""The approximate inverse Hessian that L-BFGS starts from: one for each node, shared by its runs.

Nodes with few rows have theirs in small_nodes.py, so that memory never grows like N·d².
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from radmm.base.arrays import Array, per_node
from radmm.base.threads import in_threads

BY_FACTOR_FROM = 128  # rows and columns
INVERTED_TOGETHER = 64  # matrices


@dataclass(frozen=True)
class Preconditioner:
    """Multiplies (node, feature, run) vectors by the approximate inverse Hessian of each node."""

    matrix: Array  # (node, feature, feature)
    ridge: Array  # the q_i it was made for
    outputs: int = 1  # columns of f

    def for_curvature(self, curvature: Array) -> "Preconditioner":
        """Return the preconditioner corrected for other q_i: it needs no new inverse and is nearly as good.

        With p the old q, an eigenvalue h of the data term's Hessian stands in the matrix as 1/(h + p). It becomes
        1/(h + p) − (p − p²/q)/(h + p)², which is 1/q at h = 0, is right for large h too, and too large by a
        fifteenth at most in between when q has grown by two thirds. It is positive for every q.
        """
        if np.array_equal(curvature, self.ridge):
            return self
        change = self.ridge**2 / curvature - self.ridge
        matrix: Array = per_node(change) * self._square
        matrix += self.matrix  # in place: a second array of this size would be fresh pages each time
        return Preconditioner(matrix, curvature, self.outputs)

    @cached_property
    def _square(self) -> Array:
        square: Array = self.matrix @ np.swapaxes(self.matrix, 1, 2)  # it is symmetric: BLAS then does half the work
        return square

    def __call__(self, vector: Array, _point: Array) -> Array:
        if self.outputs > 1:
            return self._times_all_columns(vector)
        product: Array = self.matrix @ vector
        return product

    def _times_all_columns(self, vector: Array) -> Array:
        """Multiply with several columns of f: their mean changes no margin, so it is divided by the ridge alone."""
        nodes, dimension, runs = vector.shape
        columns = vector.reshape(nodes, self.outputs, -1, runs)
        mean = columns.mean(axis=1, keepdims=True)
        side_by_side = (columns - mean).swapaxes(1, 2).reshape(nodes, -1, self.outputs * runs)
        product = (self.matrix @ side_by_side).reshape(nodes, -1, self.outputs, runs).swapaxes(1, 2)
        whole: Array = product + mean / per_node(self.ridge)[..., None]
        return whole.reshape(nodes, dimension, runs)


def from_hessian(hessian: Array, ridge: Array, outputs: int = 1, threads: int = 1) -> Preconditioner:
    """Build the preconditioner from the data terms' Hessians.

    Args:
        hessian: Weighted Hessians, (node, d, d), which all columns of f share.
        ridge: Quadratic weight q_i, one a node.
        threads: Number of threads among which nodes are shared out.
    """
    matrix, identity = np.empty_like(hessian), np.eye(hessian.shape[1])

    def invert(first: int) -> None:
        nodes = slice(first, first + INVERTED_TOGETHER)
        matrix[nodes] = inverse(hessian[nodes] + per_node(ridge[nodes]) * identity)

    in_threads(threads, invert, range(0, len(matrix), INVERTED_TOGETHER))
    return Preconditioner(matrix, ridge, outputs)


def inverse(matrix: Array) -> Array:
    """Invert symmetric positive definite matrices, (…, d, d); large ones by their Cholesky factor, which is faster."""
    if matrix.shape[-1] > BY_FACTOR_FROM:
        try:
            factor: Array = np.linalg.cholesky(matrix)  # type: ignore[assignment]
            root = _inverse_of_triangle(factor)
            product: Array = np.swapaxes(root, -1, -2) @ root
            return product
        except np.linalg.LinAlgError:  # rounding has taken one of them out of what is positive definite
            if matrix.ndim > 2:
                return np.stack([inverse(own) for own in matrix])
    whole: Array = np.linalg.inv(matrix)  # type: ignore[assignment]
    return whole


def _inverse_of_triangle(lower: Array) -> Array:
    """Invert a lower triangular matrix by halves, so that most of the work is in matrix products."""
    half = lower.shape[-1] // 2
    if half <= BY_FACTOR_FROM // 4:
        whole: Array = np.linalg.inv(lower)  # type: ignore[assignment]
        return whole
    first, second = _inverse_of_triangle(lower[..., :half, :half]), _inverse_of_triangle(lower[..., half:, half:])
    found = np.zeros_like(lower)
    found[..., :half, :half], found[..., half:, half:] = first, second
    found[..., half:, :half] = -second @ (lower[..., half:, :half] @ first)
    return found
