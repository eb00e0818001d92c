"""Newton's method for argmins that L-BFGS left unsolved because the loss's curvature jumps.

Between the jumps such an objective is quadratic, so a step ends at the argmin once it is known which rows bend there.
The objective is strongly convex, so every step descends, and the line search converges from anywhere.
"""

from dataclasses import replace

import numpy as np

from radmm.argmin.engine import NumpyEngine, Solution
from radmm.argmin.lbfgs import Evaluate, Evaluation, Precondition, line_search
from radmm.argmin.preconditioner import from_hessian
from radmm.argmin.small_nodes import are_small, node_blocks
from radmm.base.arrays import Array, Integers, Mask, per_node

MAX_STEPS = 100


def newton(
    evaluate: Evaluate, here: Evaluation, precondition: Precondition, tolerance: float | Array
) -> tuple[Evaluation, Integers]:
    """Minimise as `lbfgs.minimise` does, with the exact inverse Hessian at each point instead of a memory."""
    passes = np.zeros(here.value.shape, dtype=np.int64)
    stuck: Mask = np.zeros(here.value.shape, dtype=bool)
    for _ in range(MAX_STEPS):
        active = (here.residual > tolerance) & ~stuck
        if not active.any():
            break
        direction = np.where(active[:, None, :], precondition(-here.gradient, here.point), 0.0)
        here, rejected, taken = line_search(evaluate, here, direction)
        stuck, passes = stuck | rejected, passes + taken * active
    return here, passes


def finish_by_newton(
    engine: NumpyEngine, found: Solution, linear: Array, curvature: Array, tolerance: Array
) -> Solution:
    """Return the solution with every subproblem that missed its tolerance solved by Newton's method.

    Each such node and run becomes a node with a Hessian of its own; all are solved together.

    Args:
        engine: Engine of the nodes that were solved.
        found: Solution as L-BFGS left it.
        linear: Linear term, (node, feature, run).
        curvature: Quadratic weight q_i, one a node.
        tolerance: Gradient norm to reach, (node, run).
    """
    node, run = np.nonzero(np.isfinite(found.residual) & (found.residual > tolerance))
    if not len(node):
        return found
    part = engine.restricted(node)
    evaluate = part.objective(linear[node, :, run][..., None], curvature[node])[0]

    def solve(vector: Array, point: Array) -> Array:
        return _times_inverse_hessian(part, curvature[node], vector, point)

    end, taken = newton(evaluate, evaluate(found.point[node, :, run][..., None]), solve, tolerance[node, run][:, None])
    weight = part.problem.row_weights[:, None]
    values = {name: value.copy() for name, value in vars(found).items()}
    values["point"][node, :, run] = end.point[..., 0]
    values["loss"][node, run] = (end.data / weight)[:, 0]
    values["residual"][node, run] = end.residual[:, 0]
    values["passes"][node, run] += 1 + taken[:, 0]
    slopes = (end.gradient - linear[node, :, run][..., None] - per_node(curvature[node]) * end.point)[..., 0] / weight
    values["slope"][node, :, run] = _pulls(part, end.point) if are_small(engine.problem).all() else slopes
    return replace(found, **values)


def _times_inverse_hessian(engine: NumpyEngine, ridge: Array, vector: Array, point: Array) -> Array:
    """Return (q + Xᵀ V² X)⁻¹ v; of small nodes as (v − XᵀV (q + V X Xᵀ V)⁻¹ V X v)/q, with as many unknowns as rows.

    With more than two classes, where a row's curvature is a matrix, it is an approximation by the mean eigenvalue.
    """
    problem = engine.problem
    bend = np.repeat(problem.row_weights, problem.row_counts) * engine.curvatures(point)
    if problem.outputs > 1:
        return from_hessian(engine.hessians(bend), ridge, problem.outputs)(vector, point)
    if not are_small(problem).all():
        hessian = engine.hessians(bend)
        return np.asarray(np.linalg.solve(hessian + per_node(ridge) * np.eye(problem.features), vector), np.float64)
    rows = node_blocks(problem, problem.rows.toarray() * np.sqrt(bend)[:, None])
    across = np.swapaxes(rows, 1, 2)
    inner = np.linalg.solve(rows @ across + per_node(ridge) * np.eye(rows.shape[1]), rows @ vector)
    outside: Array = (vector - across @ inner) / per_node(ridge)
    return outside


def _pulls(engine: NumpyEngine, point: Array) -> Array:
    """Return (C_i/B_i) L' of each row, (node, row), from which a small node's next solve begins."""
    slope = engine.problem.loss.value_and_slope(engine.margins.of(point))[1][:, 0]
    return engine.problem.row_weights[:, None] * node_blocks(engine.problem, slope)
