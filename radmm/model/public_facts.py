"""Public facts about a problem on a network: all that privacy bounds may depend on."""

from dataclasses import dataclass

import numpy as np

from radmm.base.arrays import Array, Integers
from radmm.base.errors import InputError
from radmm.base.inputs import as_number
from radmm.model.losses.loss import BOUNDED, Loss
from radmm.model.problem import Problem
from radmm.model.weighting import Weighting, node_weights

TOLERANCE = 1e-8  # at which argmins are solved unless asked otherwise: the gradient's norm, for each node and run
LOOSEST = 1e-4  # beyond which an iterate is no argmin any more: the even step takes the last gradient to be zero


@dataclass(frozen=True)
class PublicFacts:
    """Public facts: the objective's constants, the loss's stated bounds, and each node's rows B_i and degree V_i.

    No field has a default: a fact that nobody stated would be one that nobody proved.

    Args:
        C: Weight of the data term, on average over the nodes.
        rho: Weight ρ of the regulariser.
        G: Bound on the loss's slope, None if it states none.
        c1: Bound on the loss's curvature, None if it states none.
        monotone: Whether the loss's slope keeps its sign, None if it doesn't say.
        form: How the loss's curvature depends on its slope: logistic, softmax, or merely bounded by c1.
        classes: Number of classes, used only for the form softmax.
        row_counts: Number of rows B_i, one a node.
        node_weights: Weight C_i of the data term, one a node.
        degrees: Number of neighbours V_i, one a node.
        dimension: Number of entries of f: the features, times the classes if f has a column for each.
        tolerance: Gradient norm τ at which the solver stops, which reads it from here.
    """

    C: float
    rho: float
    G: float | None
    c1: float | None
    monotone: bool | None
    form: str
    classes: int
    row_counts: Integers
    node_weights: Array
    degrees: Array
    dimension: int
    tolerance: float

    @classmethod
    def of(
        cls,
        loss: Loss,
        C: float,  # noqa: N803 (the paper's name)
        rho: float,
        row_counts: Integers,
        degrees: Array,
        dimension: int,
        weighting: Weighting,
        tolerance: float = TOLERANCE,
    ) -> "PublicFacts":
        """Make the facts of a loss, a partition and a network; they are made nowhere else.

        Args:
            loss: Any loss; bounds that it doesn't state stay unknown.
            tolerance: Gradient norm at which the solver stops.
        """
        stated = (getattr(loss, name, None) for name in ("G", "c1", "monotone"))
        G, c1, monotone = stated  # noqa: N806
        form, classes = getattr(loss, "form", BOUNDED), max(2, getattr(loss, "outputs", 1))
        weights = node_weights(C, row_counts, weighting)
        tolerance = checked_tolerance(tolerance)
        return cls(C, rho, G, c1, monotone, form, classes, row_counts, weights, degrees, dimension, tolerance)

    @classmethod
    def of_problem(cls, problem: Problem, degrees: Array, tolerance: float = TOLERANCE) -> "PublicFacts":
        """Make the facts of a problem that is already built.

        Args:
            problem: Problem, of which nothing private is read.
            tolerance: Gradient norm at which the solver stops.
        """
        stated = problem.loss, problem.C, problem.rho, problem.row_counts, degrees, problem.dimension
        return cls.of(*stated, problem.weighting, tolerance)

    @property
    def nodes(self) -> int:
        """Number of nodes N."""
        return len(self.degrees)

    @property
    def row_weights(self) -> Array:
        """Weight C_i/B_i of each row, one a node."""
        weights: Array = self.node_weights / self.row_counts
        return weights

    def strong_convexity(self, weight: Array) -> Array:
        """Return λ0 = ρ/N + w_i, the strong convexity of each node's subproblem.

        Args:
            weight: w_i of the quadratic ½ w_i‖f‖² that an algorithm adds, (…, node); in ADMM it is 2η_iV_i.
        """
        return self.rho / self.nodes + weight

    def largest_curvature(self) -> float:
        """Return the largest curvature of any node's objective for rows of norm at most 1, max C_i c1 + ρ/N.

        It is infinite if c1 is unknown.
        """
        bend = np.inf if self.c1 is None else self.c1
        return float(self.node_weights.max() * bend + self.rho / self.nodes)

    def gradient_sensitivity(self) -> Array:
        """Return the sensitivity of O's gradient to replacing a row of norm at most 1, 2GC_i/B_i; ∞ if G is unknown."""
        bound = np.inf if self.G is None else self.G
        return 2.0 * self.row_weights * bound


def checked_tolerance(tolerance: float) -> float:
    """Return a valid tolerance, or raise an InputError.

    Args:
        tolerance: Gradient norm at which argmins are to end.
    """
    number = as_number("tolerance", tolerance)
    if not 0.0 < number <= LOOSEST:
        raise InputError(
            f"tolerance = {number:g}: must be above 0 and at most {LOOSEST:g}, "
            "as steps take the gradient at an argmin to be zero"
        )
    return number
