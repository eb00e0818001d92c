"""The centralised optimum f* = argmin Σ_i O(f, D_i): what a decentralised algorithm should reach."""

import numpy as np
from scipy import sparse

from radmm.arrays import Array, dot
from radmm.errors import InputError
from radmm.lbfgs import Evaluation, minimise
from radmm.preconditioner import from_hessian
from radmm.problem import Problem
from radmm.public import TOLERANCE


def centralised_optimum(problem: Problem) -> Array:
    """One node that has all rows, each with the weight C/B_i of its own; solved to the tolerance of the argmins."""
    rows, count = problem.rows, np.array([problem.rows.shape[0]])
    weight = np.repeat(problem.C / problem.row_counts, problem.row_counts)
    start, ridge = np.zeros((1, problem.dimension, 1)), np.array([problem.rho])

    def evaluate(point: Array) -> Evaluation:
        value, slope = problem.loss.value_and_slope(rows @ point[0])
        gradient = (rows.T @ (weight[:, None] * slope))[None] + problem.rho * point
        terms = (weight @ value)[None], 0.5 * problem.rho * dot(point, point)
        return Evaluation.of(point, gradient, np.linalg.norm(gradient, axis=1), terms, count)

    flat = weight * problem.loss.curvature(np.zeros(len(weight)))
    hessian = (rows.T @ (sparse.diags_array(flat) @ rows)).toarray()
    end, _ = minimise(evaluate, evaluate(start), from_hessian(hessian[None], ridge), TOLERANCE)
    if end.residual[0, 0] > TOLERANCE:
        raise InputError(
            f"the centralised optimum reached gradient norm {end.residual[0, 0]:.1e}, not {TOLERANCE:g}: "
            "C and rho must not differ by so many orders of magnitude"
        )
    optimum: Array = end.point[0, :, 0]
    return optimum
