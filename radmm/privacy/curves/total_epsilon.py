"""Total (ε, δ) of many releases, for a row or a group of rows, replaced or zeroed."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from radmm.privacy.curves.composition import MOST, composed_epsilon, reversed_all, round_off, summed_epsilon
from radmm.privacy.curves.pair_curves import Curve, grouped, replaced, zeroed
from radmm.privacy.curves.plain_shift import shift_curve
from radmm.privacy.curves.removal_addition import PLAIN, Row, curves
from radmm.privacy.curves.row_effects import coarser_rows
from radmm.privacy.noise_laws import Law
from radmm.privacy.relation import Neighbours, Relation

LARGEST = 300.0  # loss of one release: beyond, e^ε leaves the range of numbers, and curves give no bound
POINTS = 1000  # of the grid of losses, to the end of the longest curve of one row


@dataclass(frozen=True)
class Spent:
    """One kind of release, and the number of times it is made.

    Args:
        row: Effect of one row on it.
        times: Number of such releases.
        repair: 2τ/(λ0 σ_o) of the normal noise that covers the solver's tolerance, or 0.
    """

    row: Row
    times: int = 1
    repair: float = 0.0


def curves_epsilon(spent: Sequence[Spent], delta: float, relation: Relation, share: int = 5) -> float:
    """Bound the total ε at δ from above by the releases' curves; infinite if they give no bound.

    Args:
        spent: All releases of one node.
        share: Largest number of curves for releases that differ in curvature alone; 0 uses the cap of Theorem B.
    """
    if all(each.row.shift == 0.0 and not each.repair for each in spent):
        return 0.0
    if all(_is_gaussian(each) for each in spent):
        return gaussian_epsilon(math.sqrt(sum(each.times * _square(each, relation) for each in spent)), delta)
    if any(_power(each.row, relation.legs) * each.row.farthest > LARGEST or each.repair > 1.0 for each in spent):
        return math.inf
    coarser = coarser_rows([each.row for each in spent], share)
    found = _by_curves(spent, coarser, delta, relation)
    if any(row != kept and kept.form != PLAIN for row, kept in coarser.items()):  # the own cap may be lower
        found = min(found, _by_curves(spent, coarser_rows(coarser, 0), delta, relation))
    return found


def _by_curves(spent: Sequence[Spent], coarser: Mapping[Row, Row], delta: float, relation: Relation) -> float:
    """Bound ε with a curve for each row, composed as a whole, or one by one where δ is below the transforms' error."""
    composed = _composed(spent, coarser, relation)
    both = [composed] if relation.neighbours == Neighbours.REPLACE else [composed, reversed_all(composed)]
    compose = composed_epsilon if delta >= _least_delta(composed, relation) else summed_epsilon
    return max(compose(order, delta) for order in both)


def _least_delta(composed: Sequence[tuple[Curve, int]], relation: Relation) -> float:
    """Return ten times what the transforms may lose, which doesn't depend on the amount of noise.

    So a δ is above it whatever the noise is, or never: otherwise a total might come and go as noise grows and curves of
    other lengths are composed.
    """
    count = sum(times for _, times in composed)
    return 10.0 * round_off(min(MOST, 2 * (POINTS + 2) * relation.legs * count), count)


def _is_gaussian(each: Spent) -> bool:
    """Return whether the release only shifts normal noise, by a length known in advance."""
    row = each.row
    plain = row.form == PLAIN and row.ways == 1 and not row.jacobian
    return row.shift == 0.0 or (row.law == Law.GAUSSIAN and plain)


def _square(each: Spent, relation: Relation) -> float:
    return (relation.legs * each.row.shift) ** 2 + each.repair**2


def gaussian_epsilon(mu: float, delta: float) -> float:
    """Return the ε at δ of normal noise shifted by μ standard deviations, to a relative 1e-12 and from above.

    Shifts of many releases make one, as long as the root of the sum of their squares: they are what Gaussian
    differential privacy composes exactly (Dong, Roth and Su, "Gaussian differential privacy", 2022, Corollary 3.3).

    Args:
        mu: Shift μ in standard deviations.
    """

    def enough(epsilon: float) -> bool:
        return float(shift_curve(Law.GAUSSIAN, mu, 1, np.array([epsilon]))[0]) <= delta

    if enough(0.0):
        return 0.0
    low, high = 0.0, mu * mu / 2.0 + mu
    while not enough(high):
        low, high = high, 2.0 * high
    while high - low > 1e-12 * high:
        middle = (low + high) / 2.0
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def total_pure_epsilon(spent: Sequence[Spent], relation: Relation) -> float:
    """Return the total ε with δ = 0, infinite with normal noise.

    Args:
        spent: All releases of one node.
    """
    total = 0.0
    for each in spent:
        leg = each.row.shift if relation.neighbours == Neighbours.REPLACE else 0.0
        normal = each.row.law == Law.GAUSSIAN and each.row.shift > 0.0
        total += math.inf if normal or each.repair else each.times * relation.rows * (each.row.largest + leg)
    return total


def _power(row: Row, legs: int) -> int:
    """Return how much farther a curve of so many changes reaches.

    Plain shifts of normal noise add up inside a square.
    """
    return legs**2 if row.law == Law.GAUSSIAN and row.form == PLAIN else legs


def _composed(spent: Sequence[Spent], coarser: Mapping[Row, Row], relation: Relation) -> list[tuple[Curve, int]]:
    """Return each curve, all on one grid of losses, with the number of times it is released."""
    counts: Counter[Row] = Counter()
    repairs: Counter[Row] = Counter()
    for each in spent:
        if each.row.shift > 0.0:
            counts[coarser[each.row]] += each.times
        if each.repair:  # two solvers near one argmin, whatever has changed: no legs
            repairs[Row(Law.GAUSSIAN, each.repair)] += each.times
    legs = relation.legs
    ends = [(float(curves(row).epsilon[-1]), legs * times) for row, times in counts.items()]
    ends += [(float(curves(row).epsilon[-1]), times) for row, times in repairs.items()]
    longest = max(end for end, _ in (ends if not counts else ends[: len(counts)]))
    step = max(longest / POINTS, 2.2 * sum(end * times for end, times in ends) / MOST)
    made = [(_curve(row, relation, step), times) for row, times in counts.items()]
    return made + [(zeroed(curves(row), step), times) for row, times in repairs.items()]


def _curve(row: Row, relation: Relation, step: float) -> Curve:
    """Return the curve of one release and all changed rows."""
    if row.form == PLAIN and row.ways == 1 and not row.jacobian:  # the shifts add up to one
        return zeroed(curves(replace(row, shift=row.shift * relation.legs)), step)
    single = zeroed(curves(row), step)
    return grouped(replaced(single) if relation.neighbours == Neighbours.REPLACE else single, relation.rows)
