"""Rényi accounting: divergences of every order add up over the releases and give ε for any δ.

One release, order a ≥ 2, with the Jacobian's factor ξ = 1 + x:

    e^((a−1) D_a) ≤ 1 + T [a(ξ^(a−1) − 1) + (a−1)(1 − ξ^(−a))] + E[ξ^(a−1) G_a(l) + ξ^(−a) G̃_a(l)].

A Rényi divergence is an integral of hockey sticks H_γ. Up to γ = ξ these are at most the total variation distance T,
and beyond, the Jacobian shifts γ by no more than ξ and the rest is the noise's own loss l. Each row that comes or goes
(a leg: a replacement has two) moves the gradient by a point of the hull of 0 and its `ways` vertices, at most c from 0.
At a sum of L such points the loss is at most the mean of L losses under shifts by L vertices, and the expectation of a
convex function of it at most `ways` times that under one shift by Lc (docs/proofs.md, section 7).
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar

import numpy as np

from radmm.base.arrays import Array
from radmm.privacy.accountants.accountant import Additive
from radmm.privacy.accountants.pure import ALL_FORMS, RELEASES
from radmm.privacy.accountants.shift_law import OVERFLOW, leg_variation, shift_law
from radmm.privacy.curves.removal_addition import PLAIN, Row
from radmm.privacy.curves.row_effects import row_of
from radmm.privacy.curves.total_epsilon import Spent
from radmm.privacy.events import Release
from radmm.privacy.noise_laws import Law
from radmm.privacy.relation import REPLACE_ONE, Neighbours, Relation

# Small ε needs large orders, up to about 2 ln(1/δ)/ε, and large ε orders that are as near to 1.
ORDERS: Array = np.concatenate(
    [
        1.0 + np.geomspace(1e-4, 0.03, 20),
        [1.05, 1.1, 1.2, 1.35, 1.5, 1.75],
        np.arange(2.0, 16.0, 0.25),
        np.geomspace(16.0, 1e5, 150),
    ]
)


class RenyiAccountant(Additive):
    """Rényi divergences: a closed form for Gaussian noise, one small quadrature for exponential-norm noise."""

    name: ClassVar[str] = "renyi"
    forms: ClassVar[tuple[str, ...]] = ALL_FORMS
    knows: ClassVar[tuple[type[Release], ...]] = RELEASES
    relations: ClassVar[tuple[Neighbours, ...]] = tuple(Neighbours)
    groups: ClassVar[bool] = True

    def refusal(self, release: Release) -> str | None:
        """Return None: a loss whose slope may change its sign gets the bound for both signs, so all are bounded."""
        return None

    def cost(self, release: Release) -> Array:
        """Return the release's divergence at every order."""
        return release_divergence(release, self.relation)

    def convert(self, total: Array, delta: float) -> Array:
        """Convert each row of divergences to ε at δ."""
        return converted(total, delta)


def converted(divergences: Array, delta: float) -> Array:
    """Return the least ε at δ that divergences of all orders imply.

    Canonne, Kamath and Steinke, "The discrete Gaussian for differential privacy", 2020, Proposition 12.
    `dp_accounting.rdp.compute_epsilon` is the same for one node at a time.

    Args:
        divergences: Divergences at each of ORDERS, along the last axis.
    """
    a = ORDERS
    epsilon = divergences + np.log1p(-1.0 / a) - np.log(delta * a) / (a - 1.0)
    smallest: Array = np.maximum(epsilon.min(axis=-1), 0.0)
    return smallest


def renyi_epsilon(spent: Sequence[Spent], delta: float, relation: Relation) -> float:
    """Return the total ε at δ of one node's releases, by their divergences.

    Args:
        spent: Releases of the node.
    """
    total = np.zeros_like(ORDERS)
    for each in spent:
        total += each.times * (row_divergence(each.row, relation) + normal_divergence(each.repair))
    return float(converted(total, delta))


def release_divergence(release: Release, relation: Relation = REPLACE_ONE) -> Array:
    """Bound D_a of one release from above, at each of ORDERS."""
    return row_divergence(row_of(release, relation), relation) + normal_divergence(release.repair_mu)


def normal_divergence(mu: float) -> Array:
    """Return D_a between normal noise and the same noise shifted, at each of ORDERS.

    Args:
        mu: Shift over standard deviation.
    """
    divergence: Array = ORDERS / 2.0 * mu**2
    return divergence


@lru_cache(maxsize=65536)
def row_divergence(row: Row, relation: Relation) -> Array:
    """Bound D_a of one release with an exact argmin from above, at each of ORDERS, in either order of the data sets."""
    if row.shift == 0.0:
        return np.zeros_like(ORDERS)
    shift, log_xi = relation.legs * row.shift, relation.rows * float(np.log1p(row.excess))
    if row.law == Law.GAUSSIAN and row.form == PLAIN and row.ways == 1 and not row.jacobian:
        return normal_divergence(shift)
    pure = log_xi + (shift if row.law == Law.EXPONENTIAL_NORM else np.inf)
    at_all: Array = np.minimum(_crude(row, shift, log_xi), _pure_divergence(pure))
    if shift > OVERFLOW:
        return at_all
    orders = ORDERS[ORDERS >= 2.0]
    law = shift_law(row.law, shift, row.dimension)
    with np.errstate(over="ignore"):  # of many rows' Jacobians, whose moments are then infinite
        moments = row.ways * law.moments(orders, float(np.exp(log_xi)))
    variation = min(1.0, relation.legs * row.ways * leg_variation(row.law, row.shift, row.dimension))
    fine = _divergence(moments, variation, log_xi, orders)
    at_all[ORDERS >= 2.0] = np.minimum(at_all[ORDERS >= 2.0], fine)
    low = np.minimum(at_all, at_all[ORDERS >= 2.0][0])  # divergences grow with the order
    return np.where(ORDERS < 2.0, low, at_all)


def _divergence(moments: Array, variation: float, log_xi: float, orders: Array) -> Array:
    with np.errstate(over="ignore"):
        jacobian = orders * np.expm1((orders - 1.0) * log_xi) - (orders - 1.0) * np.expm1(-orders * log_xi)
        divergence: Array = np.log1p(variation * jacobian + moments) / (orders - 1.0)
    return divergence


def _crude(row: Row, shift: float, log_xi: float) -> Array:
    """Return ln ξ + ln E e^((a−1) l)/(a−1), which holds at every order and never overflows.

    It is infinite but for normal noise, for which l is the positive part of a normal variable, so E e^((a−1) l) is at
    most 1 + e^(a(a−1)μ²/2).
    """
    if row.law != Law.GAUSSIAN:
        return np.full_like(ORDERS, np.inf)
    crude: Array = log_xi + np.log(2.0 * row.ways) / (ORDERS - 1.0) + normal_divergence(shift)
    return crude


def _pure_divergence(epsilon: float) -> Array:
    """Return the divergences of randomised response, which no mechanism with this pure bound exceeds at any order."""
    if np.isinf(epsilon):
        return np.full_like(ORDERS, np.inf)
    a = ORDERS
    both = np.logaddexp(a * epsilon, (1.0 - a) * epsilon)
    divergence: Array = (both - np.logaddexp(0.0, epsilon)) / (a - 1.0)
    return np.minimum(divergence, epsilon)
