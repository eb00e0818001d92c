"""Nodes with few rows are solved in the space of their rows, where there are fewer unknowns than features.

With f = −(linear + Xᵀu)/q the margins are z = X f = a − G u/q, where G = X Xᵀ and a = −X linear/q. The argmin is that
of w Σ L(z) + (q/2) (a − z)ᵀG⁻¹(a − z), w = C_i/B_i, whose last term is ½ u·(a − z) and whose gradient w L'(z) − u. The
pulls u = q G⁻¹(a − z) follow the margins without G⁻¹, which need not exist: every step is G times something. So a point
is (z, u), 2 B_i long, and a gradient belongs to z; it is padded with zeros, so that no product sees u.
"""

from dataclasses import dataclass, replace

import numpy as np

from radmm.base.arrays import Array, Mask, per_node
from radmm.model.losses.loss import middle_curvature
from radmm.model.problem import Problem


def are_small(problem: Problem) -> Mask:
    """Which nodes are better solved here: not only are there fewer unknowns, each run has a Hessian of its own.

    None with more than two classes, where a row's curvature is a matrix.
    """
    small: Mask = (problem.row_counts <= problem.features) & (problem.label is None)
    return small


class SmallNodes:
    """The inner products of every node's rows, (node, row, row); rows that a node lacks are zero."""

    def __init__(self, problem: Problem) -> None:
        self._loss, self._weight = problem.loss, problem.row_weights
        node = np.repeat(np.arange(problem.nodes), problem.row_counts)
        self._place = node, np.arange(len(node)) - problem.node_start[node]
        rows = np.zeros((problem.nodes, int(problem.row_counts.max()), problem.features))
        entries = problem.rows.tocoo()
        rows[node[entries.row], self._place[1][entries.row], entries.col] = entries.data
        self.gram: Array = rows @ np.swapaxes(rows, 1, 2)
        self.exists = self.spread(np.ones(len(node), dtype=bool))

    def spread(self, values: Array) -> Array:
        """One entry a row becomes (node, row, …)."""
        spread = np.zeros((*self.gram.shape[:2], *values.shape[1:]), values.dtype)
        spread[self._place] = values
        return spread

    def precondition(self, ridge: Array) -> "RowInverse":
        """Once and for all, from the middle of what the rows' curvatures can be."""
        middle = middle_curvature(self._loss) * self._weight
        identity = np.eye(self.gram.shape[1])
        matrix: Array = np.linalg.solve(per_node(ridge) * identity + per_node(middle) * self.gram, self.gram)  # type: ignore[assignment]
        return RowInverse(self, matrix, middle, ridge, ridge)

    def curvatures(self, margin: Array) -> Array:
        """(C_i/B_i) L'' of every row and run, (node, row, run); of rows that a node lacks it doesn't matter."""
        return per_node(self._weight) * self._loss.curvature(margin)


@dataclass(frozen=True)
class RowInverse:
    """Each run's own inverse Hessian in the margins, (W + q G⁻¹)⁻¹ with the diagonal W of its rows' curvatures.

    Only W and q differ from one use to the next. With the matrix M = (m I + p G⁻¹)⁻¹ and r = q/p the inverse is
    (M⁻¹ + Δ)⁻¹/r, Δ = W/r − m, of which M − M Δ M is the beginning of a series. As M < 1/m and |Δ| ≤ m that converges,
    and its beginning is positive definite. W is at most 2m; W/r, should q have fallen, is cut to that.
    """

    nodes: SmallNodes
    matrix: Array  # (node, row, row)
    middle: Array  # m, one a node
    ridge: Array  # the q_i it was made for
    curvature: Array  # the q_i it is used for

    def for_curvature(self, curvature: Array) -> "RowInverse":
        return replace(self, curvature=curvature)

    def __call__(self, vector: Array, point: Array) -> Array:
        """Minus a padded gradient becomes a direction of (z, u), where u = −q G⁻¹z."""
        count = self.matrix.shape[1]
        vector, margin = vector[:, :count], point[:, :count]
        ratio = per_node(self.curvature / self.ridge)
        middle = per_node(self.middle)
        excess = np.minimum(self.nodes.curvatures(margin) / ratio, 2.0 * middle) - middle
        rest = vector - excess * (self.matrix @ vector)
        step = self.matrix @ rest
        return np.concatenate([step / ratio, middle * step - rest], axis=1)
