"""The approximate inverse Hessian that L-BFGS starts from: one for each node, shared by its runs.

Nodes with few rows have theirs in small.py, so that memory never grows like N·d².
"""

from dataclasses import dataclass, replace

import numpy as np

from radmm.arrays import Array, per_node


@dataclass(frozen=True)
class Preconditioner:
    """v ↦ scale · (approximate inverse Hessian) · scale · v for (node, feature, run) vectors."""

    matrix: Array  # (node, d, d)
    ridge: Array  # the q_i it was made for
    diagonal: Array  # of the data term's Hessian, (node, feature)
    scale: Array  # (node, feature)

    def for_curvature(self, curvature: Array) -> "Preconditioner":
        """Rescaled so that the diagonal is right for other q_i: as good as new while they change little."""
        scale = np.sqrt((self.diagonal + self.ridge[:, None]) / (self.diagonal + curvature[:, None]))
        return replace(self, scale=scale)

    def __call__(self, vector: Array) -> Array:
        scaled = self.scale[:, :, None] * vector
        return self.scale[:, :, None] * (self.matrix @ scaled)


def from_hessian(hessian: Array, ridge: Array) -> Preconditioner:
    """From the weighted Hessians of the data terms, (node, d, d)."""
    inverse: Array = np.linalg.inv(hessian + per_node(ridge) * np.eye(hessian.shape[1]))  # type: ignore[assignment]
    diagonal = np.einsum("njj->nj", hessian).copy()
    return Preconditioner(inverse, ridge, diagonal, np.ones_like(diagonal))
