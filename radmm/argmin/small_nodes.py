"""Nodes with few rows, solved in the space of their rows, where there are fewer unknowns than features.

With f = −(linear + Xᵀu)/q the margins are z = X f = a − G u/q, where G = X Xᵀ and a = −X linear/q. The argmin is that
of w Σ L(z) + (q/2) (a − z)ᵀG⁻¹(a − z), w = C_i/B_i, whose last term is ½ u·(a − z) and whose gradient w L'(z) − u. The
pulls u = q G⁻¹(a − z) follow the margins without G⁻¹, which need not exist: every step is G times something. So a point
is (z, u), 2 B_i long, and a gradient belongs to z; it is padded with zeros, so that no product sees u.

Nodes that are solved together have the same number of rows: zeros in place of missing ones would change how sums round.
"""

from dataclasses import dataclass, replace

import numpy as np

from radmm.base.arrays import Array, Mask, per_node
from radmm.model.losses.loss import middle_curvature
from radmm.model.problem import Problem


def are_small(problem: Problem) -> Mask:
    """Return a mask of the nodes to solve in the space of their rows: those with at most as many rows as features.

    There each run has a Hessian of its own. With more than two classes a row's curvature is a matrix, so no node is.
    """
    small: Mask = (problem.row_counts <= problem.features) & (problem.label is None)
    return small


def node_blocks(problem: Problem, values: Array) -> Array:
    """Reshape values of each row, (row, …), into (node, row, …); all nodes have the same number of rows."""
    return values.reshape(problem.nodes, -1, *values.shape[1:])


class SmallNodes:
    """The inner products of every node's rows, (node, row, row); all nodes have the same number of rows."""

    def __init__(self, problem: Problem) -> None:
        self._loss, self._weight = problem.loss, problem.row_weights
        rows = node_blocks(problem, problem.rows.toarray())
        self.gram: Array = rows @ np.swapaxes(rows, 1, 2)

    def precondition(self, ridge: Array) -> "RowInverse":
        """Build the preconditioner once, from the middle of the range of the rows' curvatures."""
        middle = middle_curvature(self._loss) * self._weight
        identity = np.eye(self.gram.shape[1])
        matrix: Array = np.linalg.solve(per_node(ridge) * identity + per_node(middle) * self.gram, self.gram)  # type: ignore[assignment]
        return RowInverse(self, matrix, middle, ridge, ridge)

    def curvatures(self, margin: Array) -> Array:
        """Return (C_i/B_i) L'' of every row and run, (node, row, run)."""
        return per_node(self._weight) * self._loss.curvature(margin)


@dataclass(frozen=True)
class RowInverse:
    """Each run's own inverse Hessian in the margins, (W + q G⁻¹)⁻¹ with the diagonal W of its rows' curvatures.

    Only W and q differ from one use to the next. With the matrix M = (m I + p G⁻¹)⁻¹ and r = q/p the inverse is
    (M⁻¹ + Δ)⁻¹/r, Δ = W/r − m, approximated by M − M Δ M, the first terms of a series. As M < 1/m and |Δ| ≤ m that
    converges, and the approximation is positive definite. W is at most 2m; W/r, should q have fallen, is cut to that.
    """

    nodes: SmallNodes
    matrix: Array  # (node, row, row)
    middle: Array  # m, one a node
    ridge: Array  # the q_i it was made for
    curvature: Array  # the q_i it is used for

    def for_curvature(self, curvature: Array) -> "RowInverse":
        """Return the inverse for other quadratic weights q_i of the subproblems."""
        return replace(self, curvature=curvature)

    def __call__(self, vector: Array, point: Array) -> Array:
        """Turn minus a padded gradient into a search direction of (z, u), where u = −q G⁻¹z."""
        count = self.matrix.shape[1]
        vector, margin = vector[:, :count], point[:, :count]
        ratio = per_node(self.curvature / self.ridge)
        middle = per_node(self.middle)
        excess = np.minimum(self.nodes.curvatures(margin) / ratio, 2.0 * middle) - middle
        rest = vector - excess * (self.matrix @ vector)
        step = self.matrix @ rest
        return np.concatenate([step / ratio, middle * step - rest], axis=1)
