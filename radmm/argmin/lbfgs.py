"""L-BFGS for many smooth, strongly convex problems at once, with NumPy; kernel_solve.h is the compiled equivalent.

There is one problem for each (node, run); arrays are (node, feature, run).
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from radmm.base.arrays import Array, Integers, Mask, dot

MAX_PASSES = 300
MEMORY = 8
MAX_HALVINGS = 30
ARMIJO = 1e-4


@dataclass(frozen=True)
class Evaluation:
    """Value and gradient of every problem at a point, with the value's rounding error."""

    point: Array
    value: Array
    gradient: Array
    residual: Array  # the gradient's norm
    rounding: Array  # how far rounding may have moved the value
    data: Array  # the value's data term

    @classmethod
    def of(
        cls, point: Array, gradient: Array, residual: Array, terms: tuple[Array, ...], row_counts: Integers
    ) -> "Evaluation":
        """Make an evaluation whose value is the sum of the terms, of which the data term is the first.

        The value's rounding error scales with the terms, which cancel, and with the square root of the number of rows.
        """
        size = sum(np.abs(term) for term in terms)
        rounding = np.finfo(float).eps * (8.0 + 4.0 * np.sqrt(row_counts))[:, None] * size
        return cls(point, np.add.reduce(terms), gradient, residual, rounding, terms[0])


Evaluate = Callable[[Array], Evaluation]
Precondition = Callable[[Array, Array], Array]  # (vector, point) ↦ times the approximate inverse Hessian there


@dataclass
class History:
    """The last curvature pairs of L-BFGS, and the search direction that they give."""

    pairs: list[tuple[Array, Array, Array]] = field(default_factory=list)

    def add(self, step: Array, change: Array) -> None:
        """Remember a step and the change of the gradient along it, and forget the oldest pair."""
        product = dot(step, change)
        inverse = np.divide(1.0, product, out=np.zeros_like(product), where=product > 0)
        self.pairs = [*self.pairs, (step, change, inverse)][-MEMORY:]

    def direction(self, here: Evaluation, precondition: Precondition) -> Array:
        """Return the search direction by the two-loop recursion; a pair without positive curvature has weight zero."""
        vector, shares = -here.gradient, []
        for step, change, inverse in reversed(self.pairs):
            shares.append(inverse * dot(step, vector))
            vector -= shares[-1][:, None, :] * change
        vector = precondition(vector, here.point)
        for (step, change, inverse), share in zip(self.pairs, reversed(shares), strict=True):
            vector += (share - inverse * dot(change, vector))[:, None, :] * step
        return vector


def minimise(
    evaluate: Evaluate, here: Evaluation, precondition: Precondition, tolerance: float
) -> tuple[Evaluation, Integers]:
    """Minimise from an evaluated point until every gradient norm is at most the tolerance, or no step improves."""
    history = History()
    stuck = np.zeros(here.value.shape, dtype=bool)
    passes = np.zeros(here.value.shape, dtype=np.int64)
    while (active := ~(here.residual <= tolerance) & ~stuck & (passes < MAX_PASSES)).any():
        direction = np.where(active[:, None, :], history.direction(here, precondition), 0.0)
        there, rejected, taken = line_search(evaluate, here, direction)
        history.add(there.point - here.point, there.gradient - here.gradient)
        here, stuck, passes = there, stuck | rejected, passes + taken * active
    return here, passes


def line_search(evaluate: Evaluate, here: Evaluation, direction: Array) -> tuple[Evaluation, Mask, Integers]:
    """Halve each step until it is acceptable.

    Returns the new evaluation, a mask of the problems for which no step was acceptable and which stay, and the passes
    that each node needed, (node, 1).
    """
    slope = dot(here.gradient, direction)
    length = np.ones_like(slope)
    passes, searching = np.zeros((len(slope), 1), dtype=np.int64), np.ones((len(slope), 1), dtype=bool)
    for _ in range(MAX_HALVINGS):
        passes += searching
        there = evaluate(here.point + length[:, None, :] * direction)
        decreased = there.value <= here.value + ARMIJO * length * slope
        # Where the decrease drowns in rounding the slope decides (Hager and Zhang's approximate Armijo condition).
        flat = (there.value <= here.value + here.rounding) & (
            dot(there.gradient, direction) <= (2 * ARMIJO - 1) * slope
        )
        rejected = ~(decreased | flat | (slope == 0))
        searching = rejected.any(axis=1, keepdims=True)
        if not searching.any():
            return there, rejected, passes
        length = np.where(rejected, 0.5 * length, length)
    return evaluate(np.where(rejected[:, None, :], here.point, there.point)), rejected, passes + searching
