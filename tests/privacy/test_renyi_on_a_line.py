"""Rényi divergences of every relation against exact densities on a line, with slopes of one sign and of both.

The noise u that gives an argmin without the rows is u + c Σ s(u) with them, s the slope of each row about some place.
"""

import numpy as np
import pytest
from scipy.special import expit

from radmm.privacy.accountants.renyi import ORDERS, row_divergence
from radmm.privacy.curves.removal_addition import PLAIN, Row
from radmm.privacy.noise_laws import Law
from radmm.privacy.relation import Neighbours, Relation

PLACES = (-2.0, 0.0, 1.0, 40.0)  # of the bend, in curvatures: the last one is a plain shift
CHECKED = np.flatnonzero(np.isin(ORDERS, (1.5, 2.0, 4.0, 8.0)))


def slope(form, u, place, curvature):
    """The slope as a share of the largest, and its derivative: logistic between 0 and 1, or a sine between ±1."""
    if form == "logistic":
        share = expit(u / curvature + place)
        return share, share * (1 - share) / curvature
    angle = np.clip(u / curvature + place, -np.pi / 2, np.pi / 2)
    return np.sin(angle), np.cos(angle) / curvature


def log_density(law, u, moves, shift):
    """Of u, when rows with these slopes are there."""
    moved = u + shift * sum((each for each, _ in moves), np.zeros_like(u))
    steep = shift * sum((each for _, each in moves), np.zeros_like(u))
    fall = moved**2 / 2 + np.log(2 * np.pi) / 2 if law == Law.GAUSSIAN else np.abs(moved) + np.log(2)
    return np.log1p(steep) - fall


def divergence(p, q, u, order):
    exponent = order * p + (1 - order) * q
    return np.log(np.trapezoid(np.exp(exponent), u)) / (order - 1)


@pytest.mark.parametrize("law", list(Law))
@pytest.mark.parametrize("form", ["logistic", "both signs"])
@pytest.mark.parametrize("relation", [Relation(each, rows) for each in Neighbours for rows in (1, 2)], ids=str)
@pytest.mark.parametrize(("shift", "curvature"), [(0.2, 0.05), (0.5, 1.0)])
def test_no_pair_of_data_sets_is_above_the_divergence(law, form, relation, shift, curvature):
    if form == "logistic":
        row = Row(law, shift, curvature, 1, form)
    else:
        row = Row(law, shift, np.inf, 1, PLAIN, 2, shift / curvature)
    bound = row_divergence(row, relation)
    u = np.unique(np.concatenate([np.linspace(-45, 45, 60_001), np.linspace(-60, 60, 60_001) * curvature]))
    reached = 0.0
    for place in PLACES:
        rows = [slope(form, u, place, curvature)] * relation.rows
        if relation.neighbours == Neighbours.REPLACE:
            opposite = [(-share[::-1], steep[::-1]) for share, steep in rows]  # the opposite rows, bent elsewhere
            other = opposite
        else:
            other = []
        P, Q = (log_density(law, u, each, shift) for each in (rows, other))
        assert np.trapezoid(np.exp(P), u) == pytest.approx(1, abs=1e-4)
        for index in CHECKED:
            found = max(divergence(P, Q, u, ORDERS[index]), divergence(Q, P, u, ORDERS[index]))
            assert found <= bound[index] * (1 + 1e-3) + 1e-6
            reached = max(reached, found / bound[index])
    assert reached > (0.3 if form == "logistic" else 0.1)


@pytest.mark.parametrize("order", [2.0, 4.0, 8.0])
def test_shifts_in_two_ways_are_not_above_the_divergence(order):
    """Normal noise, moved to the side on which it loses most: its loss μ|Z| + μ²/2 is above that of one way."""
    mu, z = 0.1, np.linspace(-12, 12, 40_001)
    loss = mu * np.abs(z) + mu**2 / 2
    rising = np.exp((order - 1) * loss) - order + (order - 1) * np.exp(-loss)
    falling = (order - 1) - order * np.exp(-loss) + np.exp(-order * loss)
    moment = np.trapezoid((rising + falling) * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi), z)
    found = np.log1p(moment) / (order - 1)
    one, two = (
        row_divergence(Row(Law.GAUSSIAN, mu, np.inf, 1, PLAIN, ways, 1e-12), Relation(Neighbours.ZERO_OUT))
        for ways in (1, 2)
    )
    (place,) = np.flatnonzero(order == ORDERS)
    assert one[place] < found <= two[place]
