"""The primal solver: all nodes' and all runs' subproblems together.

Each is min_f (C/B_i) Σ L(y f·x) + linear·f + ½ q_i‖f‖², smooth and q_i-strongly convex. They are solved by L-BFGS whose
initial matrix is the inverse of one Hessian per node (curvature averaged over the runs), which is refreshed at growing
distances because the solutions move ever less. Arrays are (node, feature, run).
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from radmm.arrays import Array, Mask, per_node
from radmm.problem import Problem

TOLERANCE = 1e-8  # on the gradient's Euclidean norm, for each node and run
MAX_PASSES = 300
MEMORY = 8
MAX_HALVINGS = 30
ARMIJO = 1e-4
REFRESH_GROWTH = 1.5


@dataclass(frozen=True)
class Solution:
    """The minimisers and the gradient norms reached, (node, run); a run that missed the tolerance shows it there."""

    point: Array
    residual: Array
    passes: int


@dataclass(frozen=True)
class Evaluation:
    """Every subproblem's value and gradient at a point; magnitude is the size of the value's terms, which cancel."""

    point: Array
    value: Array
    gradient: Array
    magnitude: Array

    @cached_property
    def residual(self) -> Array:
        norm: Array = np.linalg.norm(self.gradient, axis=1)
        return norm


@dataclass
class Subproblems:
    """Objective and gradient of every node's and run's subproblem."""

    problem: Problem
    linear: Array
    curvature: Array  # q_i, shaped for broadcasting
    passes: int = 0

    def evaluate(self, point: Array) -> Evaluation:
        self.passes += 1
        data, gradient = self.problem.data_value_and_gradient(point)
        pull = _dot(self.linear, point)
        ridge = 0.5 * _dot(point, self.curvature * point)
        gradient += self.linear + self.curvature * point
        return Evaluation(point, data + pull + ridge, gradient, data + np.abs(pull) + ridge)


@dataclass
class History:
    """The last curvature pairs, and the L-BFGS direction they give."""

    pairs: list[tuple[Array, Array, Array]] = field(default_factory=list)

    def add(self, step: Array, change: Array) -> None:
        product = _dot(step, change)
        inverse = np.divide(1.0, product, out=np.zeros_like(product), where=product > 0)
        self.pairs = [*self.pairs, (step, change, inverse)][-MEMORY:]

    def direction(self, gradient: Array, inverse_hessian: Array) -> Array:
        """The two-loop recursion; a pair without positive curvature has weight zero."""
        vector, weights = gradient.copy(), []
        for step, change, inverse in reversed(self.pairs):
            weights.append(inverse * _dot(step, vector))
            vector -= weights[-1][:, None, :] * change
        vector = inverse_hessian @ vector
        for (step, change, inverse), weight in zip(self.pairs, reversed(weights), strict=True):
            vector += (weight - inverse * _dot(change, vector))[:, None, :] * step
        return -vector


class PrimalSolver:
    """Solves one data-touching step after another; keeps the nodes' Hessians between them."""

    def __init__(self, problem: Problem, tolerance: float = TOLERANCE) -> None:
        self.problem, self.tolerance = problem, tolerance
        self._hessian: Array | None = None
        self._solved, self._next_refresh = 0, 1

    def minimise(self, linear: Array, curvature: Array, start: Array) -> Solution:
        """curvature is q_i, one a node; start is where the search begins."""
        task = Subproblems(self.problem, linear, per_node(curvature))
        inverse_hessian = self._inverse_hessian(start, curvature)
        history = History()
        here = task.evaluate(start)
        stuck = np.zeros(here.value.shape, dtype=bool)
        while task.passes < MAX_PASSES:
            active = ~(here.residual <= self.tolerance) & ~stuck
            if not active.any():
                break
            direction = np.where(active[:, None, :], history.direction(here.gradient, inverse_hessian), 0.0)
            there, rejected = _line_search(task, here, direction)
            history.add(there.point - here.point, there.gradient - here.gradient)
            here, stuck = there, stuck | rejected
        return Solution(here.point, here.residual, task.passes)

    def _inverse_hessian(self, point: Array, curvature: Array) -> Array:
        self._solved += 1
        if self._hessian is None or self._solved >= self._next_refresh:
            self._hessian = self.problem.data_hessian(point)
            self._next_refresh = max(self._solved + 1, int(REFRESH_GROWTH * self._solved))
        shifted = self._hessian + per_node(curvature) * np.eye(self.problem.dimension)
        return np.linalg.inv(shifted).astype(np.float64, copy=False)


def _line_search(task: Subproblems, here: Evaluation, direction: Array) -> tuple[Evaluation, Mask]:
    """Halve each node's and run's step until it is acceptable; those for which it never is stay, and are told."""
    slope = _dot(here.gradient, direction)
    slack = 8.0 * np.finfo(float).eps * here.magnitude  # the value's rounding error scales with its terms
    length = np.ones_like(slope)
    for _ in range(MAX_HALVINGS):
        there = task.evaluate(here.point + length[:, None, :] * direction)
        decreased = there.value <= here.value + ARMIJO * length * slope
        # Where the decrease drowns in rounding the slope decides (Hager and Zhang's approximate Armijo condition).
        flat = (there.value <= here.value + slack) & (_dot(there.gradient, direction) <= (2 * ARMIJO - 1) * slope)
        rejected = ~(decreased | flat | (slope == 0))
        if not rejected.any():
            return there, rejected
        length = np.where(rejected, 0.5 * length, length)
    return task.evaluate(np.where(rejected[:, None, :], here.point, there.point)), rejected


def _dot(left: Array, right: Array) -> Array:
    """The inner products over the features, (node, run)."""
    product: Array = np.einsum("ndr,ndr->nr", left, right)
    return product
