"""Bounds on the part of a gradient that rounding may hide: the true norm exceeds the measured one by at most as much.

A subproblem's gradient is a sum of terms that cancel at the argmin, w Σ L' x + linear + q f. Each is rounded in
proportion to its size, so large ones can leave a norm of zero where the true one is above the tolerance.
"""

import numpy as np

from radmm.base.arrays import Array, Integers, dot
from radmm.model.losses.loss import is_multiclass
from radmm.model.problem import Problem

EPSILON = float(np.finfo(np.float64).eps)
SHARE = 0.1  # of the tolerance: what rounding may hide without being added to what was measured


def rounding_of_sums(problem: Problem, linear: Array, curvature: Array, point: Array) -> Array:
    """Bound the error of the gradient norms that a pass over the rows measures, (node, run).

    Sums of n rounded terms are off by √n times the rounding of one (Higham and Mary, 2019, doi:10.1137/18M1226312). A
    margin's error changes the slope by up to c1 times as much, which is left out where a loss doesn't state c1: such a
    run has no guarantee.

    Args:
        linear: Linear term, (node, feature, run).
        curvature: Quadratic weight q_i, one a node.
        point: Point at which the gradient was measured.
    """
    bound, bend = getattr(problem.loss, "G", None), getattr(problem.loss, "c1", None) or 0.0
    longest, data, size = problem.longest_norms, problem.node_weights, np.sqrt(dot(point, point))
    slope = np.minimum(np.inf if bound is None else bound, _slope_at_zero(problem) + bend * longest[:, None] * size)
    fullest = problem.once("entries of a row", lambda: _most_entries(problem))
    sums = ((8.0 + np.sqrt(problem.row_counts)) * data * longest)[:, None] * slope
    margins = (2.0 + np.sqrt(fullest)) * data * bend * longest**2
    terms: Array = np.sqrt(dot(linear, linear)) + (curvature + margins)[:, None] * size + sums
    return EPSILON * terms


def _most_entries(problem: Problem) -> Integers:
    """Return the largest number of entries that a row of each node has."""
    most: Integers = np.maximum.reduceat(np.diff(problem.rows.indptr), problem.node_start[:-1])
    return most


def _slope_at_zero(problem: Problem) -> float:
    margin = np.zeros((problem.outputs, 1) if is_multiclass(problem.loss) else 1)
    return float(np.linalg.norm(problem.loss.value_and_slope(margin)[1]))


def rounding_of_margins(problem: Problem, linear: Array, curvature: Array) -> Array:
    """Bound the error of small nodes' gradient norms, (node, run), which are measured by way of their margins.

    Margins follow from linear term and pulls, as −X(linear + Xᵀu)/q, a sum that may nearly cancel.

    Args:
        linear: Linear term, (node, feature, run).
        curvature: Quadratic weight q_i, one a node.
    """
    longest, data = problem.longest_norms, problem.node_weights
    bend = max(1.0, getattr(problem.loss, "c1", None) or 0.0)
    size = (data * longest)[:, None] + np.sqrt(dot(linear, linear))
    spread: Array = EPSILON * bend * (data * longest**2 / curvature)[:, None] * size
    return spread
