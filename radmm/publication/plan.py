"""The plan of a release: every answer's grid, sensitivity and noise in whole steps, fixed before any row is read."""

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from radmm.base.arrays import Array, Integers
from radmm.base.errors import InputError
from radmm.model.losses.loss import LOGISTIC
from radmm.model.public_facts import PublicFacts
from radmm.privacy.noise import Noise
from radmm.privacy.query_log import QueryLog
from radmm.privacy.relation import Relation
from radmm.publication.certificate import LONGEST
from radmm.publication.gradient_grid import FINENESS, MOST_ENTRIES, MOST_ROWS, GradientGrid
from radmm.publication.zcdp import epsilon_of, total_rho

RESIDUAL = 1e-3  # τ over a: the certified gradient costs at most 0.2 % of the sensitivity
MOST_OF_A_PERSON = 10_000  # rows, for which rounding is still little beside what they move (docs/proofs.md)
LEAST, MOST = 1e-60, 1e60  # of C_i/B_i and λ: squares of what is then compared neither vanish nor overflow
MOST_NOISE = 2**50  # σ in steps of a grid: far below what 64 bits cut off


@dataclass(frozen=True, eq=False)
class ArgminGrid:
    """What an argmin must meet before it is rounded, (data-touching step, node) each.

    Args:
        curvature: Strong convexity λ of the subproblem.
        tolerance: Norm τ of the gradient that is certified.
    """

    curvature: Array
    tolerance: Array


@dataclass(frozen=True, eq=False)
class Plan:
    """Every answer's grid, sensitivity and noise, (data-touching step, node) each.

    A node answers `unit` times the sum of a vector of whole numbers and discrete Gaussian noise of `scale`; replacing
    a person's rows moves that vector by at most `sensitivity`.

    Args:
        grid: Grid of the rows' gradients, or the certificates of argmins.
        relation: Neighbouring relation of the sensitivities.
        unit: Length of a step of the grid in the released value.
        sensitivity: Sensitivities Δ in steps of the grid.
        scale: Noise σ in steps of the grid.
    """

    grid: "GradientGrid | ArgminGrid"
    relation: Relation
    unit: Array
    sensitivity: Integers
    scale: Integers

    def rho(self, node: int) -> Decimal:
        """Return what a node spends in all, ρ = Σ Δ²/2σ², rounded up."""
        return total_rho(zip(self.sensitivity[:, node].tolist(), self.scale[:, node].tolist(), strict=True))

    @property
    def worst(self) -> tuple[Decimal, int]:
        """Return the largest ρ of a node, and that node: a person's rows cost most if all are there."""
        alike: dict[bytes, int] = {}
        for node in range(self.scale.shape[1]):
            alike.setdefault(self.scale[:, node].tobytes() + self.sensitivity[:, node].tobytes(), node)
        return max(((self.rho(node), node) for node in alike.values()), key=lambda spent: spent[0])

    def epsilon(self, delta: float) -> float:
        """Return the total ε of the worst node, rounded up.

        Args:
            delta: δ, above 0 and below 1.
        """
        return epsilon_of(self.worst[0], delta)


def plan_gradients(facts: PublicFacts, query_log: QueryLog, noise: Noise, relation: Relation) -> Plan:
    """Return the plan of a run whose gradients are released.

    Args:
        noise: Gaussian gradient noise; its σ is rounded up to whole steps of the grid.
    """
    if facts.row_counts.max() > MOST_ROWS:
        raise InputError(f"a node has {facts.row_counts.max()} rows: must have at most {MOST_ROWS} in a release")
    if facts.G is None:
        raise InputError("loss: must state a bound on its slope in a release")
    grid = GradientGrid.of(facts.dimension, facts.G)
    shape = len(query_log.queries), facts.nodes
    unit = np.broadcast_to(grid.step * facts.row_weights, shape)
    sensitivity = np.full(shape, relation.legs * grid.radius, dtype=np.int64)
    return Plan(grid, relation, unit, sensitivity, scales_in_steps(noise, unit))


def plan_argmins(facts: PublicFacts, query_log: QueryLog, noise: Noise, relation: Relation) -> Plan:
    """Return the plan of a run whose argmins are released.

    Replacing a row of norm r moves the argmin by at most 2Gra/λ, a = C_i/B_i, and a point with a gradient of norm at
    most τ is within τ/λ of it; rounding to a grid moves a coordinate by half a step. Steps are powers of 2, so that
    rounding is exact, and sensitivities are computed in fractions.

    Args:
        noise: Gaussian output noise; its σ is rounded up to whole steps of the grid.
    """
    if facts.form != LOGISTIC or facts.G != 1.0 or facts.dimension > MOST_ENTRIES:
        raise InputError(
            f"loss: must be logistic, with at most {MOST_ENTRIES} features, where argmins are released, as rounding is "
            "bounded for these alone"
        )
    if relation.rows > MOST_OF_A_PERSON:
        raise InputError(f"rows = {relation.rows}: must be at most {MOST_OF_A_PERSON} where argmins are released")
    curvature = facts.strong_convexity(query_log.weights)
    for name, each in (("C_i/B_i", facts.row_weights), ("λ", curvature)):
        outside = each[~((each >= LEAST) & (each <= MOST))]
        if outside.size:
            raise InputError(f"{name} = {outside[0]:g}: must be from {LEAST:g} to {MOST:g} where argmins are released")
    tolerance = np.broadcast_to(RESIDUAL * facts.row_weights, curvature.shape)
    sensitivity, unit = np.zeros(curvature.shape, dtype=np.int64), np.zeros(curvature.shape)
    for place in np.ndindex(curvature.shape):
        weight, convexity, residual = (
            Fraction(float(each)) for each in (facts.row_weights[place[1]], curvature[place], tolerance[place])
        )
        moved = (relation.legs * weight * Fraction(LONGEST) + 2 * residual) / convexity
        exponent = math.floor(math.log2(float(moved) / (FINENESS * math.sqrt(facts.dimension))))
        unit[place] = 2.0**exponent
        sensitivity[place] = math.ceil(moved / Fraction(2) ** exponent) + square_root_above(facts.dimension)
    return Plan(ArgminGrid(curvature, tolerance), relation, unit, sensitivity, scales_in_steps(noise, unit))


def scales_in_steps(noise: Noise, unit: Array) -> NDArray[np.int64]:
    """Return σ in whole steps of the grid, rounded up, (data-touching step, node).

    Args:
        unit: Length of a step of the grid in the released value, (data-touching step, node).
    """
    scales = np.array([noise.scales(step, unit.shape[1]) for step in range(1, len(unit) + 1)]).reshape(unit.shape)
    steps = np.ceil(scales / unit)
    if not (steps <= MOST_NOISE).all():
        worst = float(scales[~(steps <= MOST_NOISE)].max())
        raise InputError(f"sigma = {worst:g}: must be at most {float(unit.min()) * MOST_NOISE:g} in this release")
    return np.maximum(1, steps).astype(np.int64)


def square_root_above(number: int) -> int:
    """Return the least whole number whose square is at least the given one.

    Args:
        number: A positive whole number.
    """
    return math.isqrt(number - 1) + 1
