"""The centralised optimum f* = argmin Σ_i O(f, D_i), which a decentralised algorithm should reach."""

import numpy as np
import scipy
import scipy.sparse.linalg

from radmm.argmin.lbfgs import Evaluation, Precondition, minimise
from radmm.argmin.margins import RowMargins
from radmm.argmin.newton import newton
from radmm.argmin.preconditioner import from_hessian
from radmm.base.arrays import Array, dot
from radmm.base.errors import InputError
from radmm.model.problem import Problem
from radmm.model.public_facts import TOLERANCE

MANY = 1000  # features, beyond which the Hessian is not formed: that takes minutes
CLOSELY = 1e-3  # relative to the right-hand side: how well its inverse is applied then
NEARBY = 0.01  # of the gradient at zero: the Hessian there serves until the end, that at zero would not


def centralised_optimum(problem: Problem) -> Array:
    """Solve for f* as one node that has all rows, each with its weight C_i/B_i, to the tolerance of the argmins."""
    weight = np.repeat(problem.row_weights, problem.row_counts)
    ridge = np.array([problem.rho])
    margins, count = RowMargins(problem, together=True), np.array([problem.rows.shape[0]])
    columns, zero = problem.rows.tocsc(), np.zeros((1, problem.dimension, 1))

    def evaluate(point: Array) -> Evaluation:
        value, slope = problem.loss.value_and_slope(margins.of(point))
        gradient = margins.pull_back((weight * slope.T).T) + problem.rho * point
        terms = (weight @ value)[None], 0.5 * problem.rho * dot(point, point)
        return Evaluation.of(point, gradient, np.linalg.norm(gradient, axis=1), terms, count)

    def bends(point: Array) -> Array:
        bend: Array = weight * problem.loss.curvature(margins.of(point))[:, 0]
        return bend

    def hessian(point: Array) -> Array:
        weighted = bends(point)[columns.indices] * columns.data
        by_column = scipy.sparse.csc_array((weighted, columns.indices, columns.indptr), shape=columns.shape)
        summed: Array = (problem.rows.T @ by_column).toarray()[None]
        return summed

    def inverse_hessian(point: Array) -> Precondition:
        if problem.features > MANY:
            return _by_conjugate_gradients(problem, bends(point))
        summed = hessian(point) if point is not zero else problem.once("hessian at zero", lambda: hessian(zero))
        return from_hessian(summed, ridge, problem.outputs)

    end = evaluate(zero)
    nearby = NEARBY * end.residual[0, 0]
    end, _ = minimise(evaluate, end, inverse_hessian(zero), max(nearby, TOLERANCE))
    end, _ = minimise(evaluate, end, inverse_hessian(end.point), TOLERANCE)
    if end.residual[0, 0] > TOLERANCE:  # where the loss bends abruptly, or rounding stops a Hessian of another place
        end, _ = newton(evaluate, end, lambda vector, point: inverse_hessian(point)(vector, point), TOLERANCE)
    if end.residual[0, 0] > TOLERANCE:
        raise InputError(
            f"the centralised optimum reached gradient norm {end.residual[0, 0]:.1e}, not {TOLERANCE:g}: "
            "C and rho must not differ by so many orders of magnitude"
        )
    optimum: Array = end.point[0, :, 0]
    return optimum


def _by_conjugate_gradients(problem: Problem, bend: Array) -> Precondition:
    """Return a preconditioner that applies (Xᵀ bend X + ρ)⁻¹ by conjugate gradients, which needs no matrix."""
    rows, ridge, size = problem.rows, problem.rho, (problem.features, problem.features)
    hessian = scipy.sparse.linalg.LinearOperator(
        size, lambda v: rows.T @ (bend * (rows @ v.ravel())) + ridge * v.ravel()
    )

    def precondition(vector: Array, _point: Array) -> Array:
        columns = vector.reshape(problem.outputs, problem.features)
        mean = columns.mean(axis=0) * (problem.outputs > 1)  # which sees the ridge alone
        solved = [scipy.sparse.linalg.cg(hessian, column - mean, rtol=CLOSELY)[0] + mean / ridge for column in columns]
        whole: Array = np.concatenate(solved).reshape(vector.shape)
        return whole

    return precondition
