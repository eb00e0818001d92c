"""Nodes with few rows are solved in the space of their rows, where there are fewer unknowns than features.

With f = −(linear + Xᵀu)/q the margins are z = X f = a − G u/q, where G = X Xᵀ and a = −X linear/q. The argmin is that
of (C/B_i) Σ L(z) + (q/2) (a − z)ᵀG⁻¹(a − z), whose last term is ½ u·(a − z) and whose gradient (C/B_i) L'(z) − u. The
pulls u = q G⁻¹(a − z) follow the margins without G⁻¹, which need not exist: every step is G times something. So a point
is (z, u), 2 B_i long, and a gradient belongs to z; it is padded with zeros, so that no product sees u.
"""

from dataclasses import dataclass, replace

import numpy as np

from radmm.arrays import Array, Mask, per_node
from radmm.problem import Problem

SMALL_NODE = 0.6  # of d: up to so many rows they are fewer dimensions, and cheaper


def are_small(problem: Problem) -> Mask:
    """Which nodes are better solved here."""
    small: Mask = problem.row_counts <= SMALL_NODE * problem.dimension
    return small


class SmallNodes:
    """The inner products of every node's rows, (node, row, row); rows that a node lacks are zero."""

    def __init__(self, problem: Problem) -> None:
        node = np.repeat(np.arange(problem.nodes), problem.row_counts)
        self._place = node, np.arange(len(node)) - problem.node_start[node]
        rows = np.zeros((problem.nodes, int(problem.row_counts.max()), problem.dimension))
        entries = problem.rows.tocoo()
        rows[node[entries.row], self._place[1][entries.row], entries.col] = entries.data
        self.gram: Array = rows @ np.swapaxes(rows, 1, 2)
        self.exists = self.spread(np.ones(len(node), dtype=bool))

    def spread(self, values: Array) -> Array:
        """One entry a row becomes (node, row, …)."""
        spread = np.zeros((*self.gram.shape[:2], *values.shape[1:]), values.dtype)
        spread[self._place] = values
        return spread

    def precondition(self, weight: Array, ridge: Array) -> "RowInverse":
        """From each row's weight in the Hessian: (W + q G⁻¹)⁻¹ = (q I + G W)⁻¹ G."""
        bend = self.spread(weight)
        identity = np.eye(bend.shape[1])
        matrix: Array = np.linalg.solve(per_node(ridge) * identity + self.gram * bend[:, None, :], self.gram)  # type: ignore[assignment]
        return RowInverse(self, matrix, bend, ridge, ridge)


@dataclass(frozen=True)
class RowInverse:
    """The approximate inverse Hessian in the margins, one for each node, shared by its runs."""

    nodes: SmallNodes
    matrix: Array  # (node, row, row)
    bend: Array  # each row's weight in the Hessian, (node, row)
    ridge: Array  # the q_i it was made for
    curvature: Array  # the q_i it is used for

    def for_curvature(self, curvature: Array) -> "RowInverse":
        return replace(self, curvature=curvature)

    @property
    def scale(self) -> Array:
        """Makes the matrix right for other q_i, as far as a number for each node can."""
        typical = (self.bend * np.einsum("nbb->nb", self.nodes.gram)).mean(axis=1)
        scale: Array = (self.ridge + typical) / (self.curvature + typical)
        return scale

    def __call__(self, vector: Array) -> Array:
        """Minus a padded gradient becomes a direction of (z, u)."""
        vector = vector[:, : self.matrix.shape[1]]
        scale = per_node(self.scale)
        step = scale * (self.matrix @ vector)
        pull = per_node(self.curvature / self.ridge) * (self.bend[:, :, None] * step - scale * vector)
        return np.concatenate([step, pull], axis=1)
