"""L-BFGS for many smooth, strongly convex problems at once, with NumPy. kernel_solve.h is the same, compiled.

One problem for each (node, run); arrays are (node, feature, run).
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from radmm.arrays import Array, Integers, Mask, dot
from radmm.preconditioner import Preconditioner

MAX_PASSES = 300
MEMORY = 8
MAX_HALVINGS = 30
ARMIJO = 1e-4


@dataclass(frozen=True)
class Evaluation:
    """Every problem's value and gradient at a point."""

    point: Array
    value: Array
    gradient: Array
    rounding: Array  # how far rounding may have moved the value
    data: Array  # the value's data term

    @classmethod
    def of(
        cls, point: Array, data: Array, gradient: Array, linear: Array, curvature: Array, row_counts: Integers
    ) -> "Evaluation":
        """Data term and its gradient, to which linear·f + ½ curvature‖f‖² is added.

        The value's rounding error scales with its terms, which cancel, and with the root of how many rows are added.
        """
        pull, ridge = dot(linear, point), 0.5 * dot(point, curvature * point)
        rounding = np.finfo(float).eps * (8.0 + 4.0 * np.sqrt(row_counts))[:, None] * (data + np.abs(pull) + ridge)
        return cls(point, data + pull + ridge, gradient + linear + curvature * point, rounding, data)

    @cached_property
    def residual(self) -> Array:
        norm: Array = np.linalg.norm(self.gradient, axis=1)
        return norm


Evaluate = Callable[[Array], Evaluation]


@dataclass
class History:
    """The last curvature pairs, and the direction they give."""

    pairs: list[tuple[Array, Array, Array]] = field(default_factory=list)

    def add(self, step: Array, change: Array) -> None:
        product = dot(step, change)
        inverse = np.divide(1.0, product, out=np.zeros_like(product), where=product > 0)
        self.pairs = [*self.pairs, (step, change, inverse)][-MEMORY:]

    def direction(self, gradient: Array, precondition: Preconditioner) -> Array:
        """The two-loop recursion; a pair without positive curvature has weight zero."""
        vector, shares = -gradient, []
        for step, change, inverse in reversed(self.pairs):
            shares.append(inverse * dot(step, vector))
            vector -= shares[-1][:, None, :] * change
        vector = precondition(vector)
        for (step, change, inverse), share in zip(self.pairs, reversed(shares), strict=True):
            vector += (share - inverse * dot(change, vector))[:, None, :] * step
        return vector


def minimise(
    evaluate: Evaluate, here: Evaluation, precondition: Preconditioner, tolerance: float
) -> tuple[Evaluation, Integers]:
    """From a point that is evaluated already, until every gradient norm is at most the tolerance or can't get there."""
    history = History()
    stuck = np.zeros(here.value.shape, dtype=bool)
    passes = np.zeros(here.value.shape, dtype=np.int64)
    while passes.max() < MAX_PASSES:
        active = ~(here.residual <= tolerance) & ~stuck
        if not active.any():
            break
        direction = np.where(active[:, None, :], history.direction(here.gradient, precondition), 0.0)
        there, rejected, taken = _line_search(evaluate, here, direction)
        history.add(there.point - here.point, there.gradient - here.gradient)
        here, stuck, passes = there, stuck | rejected, passes + taken * active
    return here, passes


def _line_search(evaluate: Evaluate, here: Evaluation, direction: Array) -> tuple[Evaluation, Mask, int]:
    """Halve each step until it is acceptable; those for which it never is stay, and are told."""
    slope = dot(here.gradient, direction)
    length = np.ones_like(slope)
    for halvings in range(MAX_HALVINGS):
        there = evaluate(here.point + length[:, None, :] * direction)
        decreased = there.value <= here.value + ARMIJO * length * slope
        # Where the decrease drowns in rounding the slope decides (Hager and Zhang's approximate Armijo condition).
        flat = (there.value <= here.value + here.rounding) & (
            dot(there.gradient, direction) <= (2 * ARMIJO - 1) * slope
        )
        rejected = ~(decreased | flat | (slope == 0))
        if not rejected.any():
            return there, rejected, halvings + 1
        length = np.where(rejected, 0.5 * length, length)
    return evaluate(np.where(rejected[:, None, :], here.point, there.point)), rejected, MAX_HALVINGS + 1
