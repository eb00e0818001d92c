"""The approximate inverse Hessian that L-BFGS starts from: one for each node, shared by its runs.

A node with many rows has it as a (d, d) matrix. One with few has it as a core in the space of its rows (Woodbury):
(q I + Xᵀ W X)⁻¹ = (I − Xᵀ core X)/q, core = √W (q I + √W X Xᵀ √W)⁻¹ √W, so that memory never grows like N·d².
"""

from dataclasses import dataclass, replace

import numpy as np

from radmm.arrays import Array, per_node
from radmm.problem import Problem

SMALL_NODE = 0.6  # of d: up to so many rows the core is cheaper than the matrix


@dataclass(frozen=True)
class Preconditioner:
    """v ↦ scale · (approximate inverse Hessian) · scale · v for (node, feature, run) vectors."""

    matrix: Array  # (node, d, d), or the cores (node, rows, rows)
    ridge: Array  # the q_i it was made for
    diagonal: Array  # of the data term's Hessian, (node, feature)
    scale: Array  # (node, feature)
    rows: Array | None = None  # (node, rows, feature) for small nodes

    @property
    def is_small(self) -> bool:
        return self.rows is not None

    def for_curvature(self, curvature: Array) -> "Preconditioner":
        """Rescaled so that the diagonal is right for other q_i: as good as new while they change little."""
        scale = np.sqrt((self.diagonal + self.ridge[:, None]) / (self.diagonal + curvature[:, None]))
        return replace(self, scale=scale)

    def __call__(self, vector: Array) -> Array:
        scaled = self.scale[:, :, None] * vector
        if self.rows is None:
            return self.scale[:, :, None] * (self.matrix @ scaled)
        inner = scaled - np.swapaxes(self.rows, 1, 2) @ (self.matrix @ (self.rows @ scaled))
        return self.scale[:, :, None] * inner / per_node(self.ridge)


class SmallNodes:
    """Every node's rows, (node, rows, feature), padded with zero rows, and their inner products."""

    def __init__(self, problem: Problem) -> None:
        node = np.repeat(np.arange(problem.nodes), problem.row_counts)
        self._place = node, np.arange(len(node)) - problem.node_start[node]
        self.rows = np.zeros((problem.nodes, int(problem.row_counts.max()), problem.dimension))
        entries = problem.rows.tocoo()
        self.rows[node[entries.row], self._place[1][entries.row], entries.col] = entries.data
        self._gram = self.rows @ np.swapaxes(self.rows, 1, 2)

    @staticmethod
    def suit(problem: Problem) -> bool:
        return bool(problem.row_counts.max() <= SMALL_NODE * problem.dimension)

    def precondition(self, weight: Array, ridge: Array) -> Preconditioner:
        """From each row's weight in the Hessian."""
        root = np.zeros(self.rows.shape[:2])
        root[self._place] = np.sqrt(weight)
        inner = root[:, :, None] * self._gram * root[:, None, :] + per_node(ridge) * np.eye(root.shape[1])
        core = root[:, :, None] * np.linalg.inv(inner) * root[:, None, :]
        diagonal = np.einsum("nb,nbd,nbd->nd", root**2, self.rows, self.rows)
        return Preconditioner(core, ridge, diagonal, np.ones_like(diagonal), self.rows)


def from_hessian(hessian: Array, ridge: Array) -> Preconditioner:
    """From the weighted Hessians of the data terms, (node, d, d)."""
    inverse: Array = np.linalg.inv(hessian + per_node(ridge) * np.eye(hessian.shape[1]))  # type: ignore[assignment]
    diagonal = np.einsum("njj->nj", hessian).copy()
    return Preconditioner(inverse, ridge, diagonal, np.ones_like(diagonal))
