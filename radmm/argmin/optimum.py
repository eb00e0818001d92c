"""The centralised optimum f* = argmin Σ_i O(f, D_i): what a decentralised algorithm should reach."""

import numpy as np
import scipy

from radmm.argmin.lbfgs import Evaluation, minimise
from radmm.argmin.margins import Margins
from radmm.argmin.newton import newton
from radmm.argmin.preconditioner import Preconditioner, from_hessian
from radmm.base.arrays import Array, dot
from radmm.base.errors import InputError
from radmm.model.facts import TOLERANCE
from radmm.model.problem import Problem

NEARBY = 0.01  # of the gradient at zero: the Hessian there serves until the end, that at zero would not


def centralised_optimum(problem: Problem) -> Array:
    """One node that has all rows, each with the weight C_i/B_i of its own; solved to the tolerance of the argmins."""
    weight = np.repeat(problem.row_weights, problem.row_counts)
    ridge = np.array([problem.rho])
    margins, count = Margins(problem, together=True), np.array([problem.rows.shape[0]])
    columns, zero = problem.rows.tocsc(), np.zeros((1, problem.dimension, 1))

    def evaluate(point: Array) -> Evaluation:
        value, slope = problem.loss.value_and_slope(margins.of(point))
        gradient = margins.pull_back((weight * slope.T).T) + problem.rho * point
        terms = (weight @ value)[None], 0.5 * problem.rho * dot(point, point)
        return Evaluation.of(point, gradient, np.linalg.norm(gradient, axis=1), terms, count)

    def hessian(point: Array) -> Array:
        curvature = weight * problem.loss.curvature(margins.of(point))[:, 0]
        weighted = curvature[columns.indices] * columns.data
        by_column = scipy.sparse.csc_array((weighted, columns.indices, columns.indptr), shape=columns.shape)
        summed: Array = (problem.rows.T @ by_column).toarray()[None]
        return summed

    def inverse_hessian(point: Array) -> Preconditioner:
        return from_hessian(hessian(point), ridge, problem.outputs)

    end = evaluate(zero)
    nearby = NEARBY * end.residual[0, 0]
    first = from_hessian(problem.once("hessian at zero", lambda: hessian(zero)), ridge, problem.outputs)
    end, _ = minimise(evaluate, end, first, max(nearby, TOLERANCE))
    end, _ = minimise(evaluate, end, inverse_hessian(end.point), TOLERANCE)
    if getattr(problem.loss, "bends_abruptly", False):
        end, _ = newton(evaluate, end, lambda vector, point: inverse_hessian(point)(vector, point), TOLERANCE)
    if end.residual[0, 0] > TOLERANCE:
        raise InputError(
            f"the centralised optimum reached gradient norm {end.residual[0, 0]:.1e}, not {TOLERANCE:g}: "
            "C and rho must not differ by so many orders of magnitude"
        )
    optimum: Array = end.point[0, :, 0]
    return optimum
