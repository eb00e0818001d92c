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


def small_rows(problem: Problem) -> Array | None:
    """The rows of each node, (node, rows, feature), padded with zero rows, if all nodes are small."""
    largest = int(problem.row_counts.max())
    if largest > SMALL_NODE * problem.dimension:
        return None
    padded = np.zeros((problem.nodes, largest, problem.dimension))
    node = np.repeat(np.arange(problem.nodes), problem.row_counts)
    entries = problem.rows.tocoo()
    padded[node[entries.row], entries.row - problem.node_start[node[entries.row]], entries.col] = entries.data
    return padded


def from_hessian(hessian: Array, ridge: Array) -> Preconditioner:
    """From the weighted Hessians of the data terms, (node, d, d)."""
    inverse: Array = np.linalg.inv(hessian + per_node(ridge) * np.eye(hessian.shape[1]))  # type: ignore[assignment]
    diagonal = np.einsum("njj->nj", hessian).copy()
    return Preconditioner(inverse, ridge, diagonal, np.ones_like(diagonal))


def from_rows(problem: Problem, rows: Array, weight: Array, ridge: Array) -> Preconditioner:
    """From small nodes' rows and each row's weight in the Hessian."""
    root = np.zeros(rows.shape[:2])
    node = np.repeat(np.arange(problem.nodes), problem.row_counts)
    root[node, np.arange(len(weight)) - problem.node_start[node]] = np.sqrt(weight)
    weighted = root[:, :, None] * rows
    inner = weighted @ np.swapaxes(weighted, 1, 2) + per_node(ridge) * np.eye(rows.shape[1])
    core = root[:, :, None] * np.linalg.inv(inner) * root[:, None, :]
    diagonal = np.einsum("nbd,nbd->nd", weighted, weighted)
    return Preconditioner(core, ridge, diagonal, np.ones_like(diagonal), rows)
