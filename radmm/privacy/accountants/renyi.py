"""Rényi accounting: divergences of every order add up over the releases and give ε for any δ.

One release, order a ≥ 2, with the Jacobian's factor ξ = 1 + x:

    e^((a−1) D_a) ≤ 1 + T [a(ξ^(a−1) − 1) + (a−1)(1 − ξ^(−a))] + E[ξ^(a−1) G_a(l) + ξ^(−a) G̃_a(l)].

A Rényi divergence is an integral of hockey sticks H_γ. Up to γ = ξ these are at most the total variation distance T,
and beyond, the Jacobian shifts γ by no more than ξ and the rest is the noise's own loss l. Neighbouring gradients
differ by a point of a parallelogram with sides at most s/2 (the slope of a monotone loss has one sign): at its corners
the loss is at most the mean of two losses under shifts by s, and a convex function's expectation at most that under
one.
"""

from functools import lru_cache
from typing import ClassVar

import numpy as np

from radmm.base.arrays import Array
from radmm.privacy.accountants.accountant import Additive
from radmm.privacy.accountants.pure import RELEASES, separate_epsilon
from radmm.privacy.accountants.shift_law import shift_law
from radmm.privacy.events import PerturbedArgmin, Release
from radmm.privacy.laws import Law

# Small ε needs large orders, up to about 2 ln(1/δ)/ε; those below 2 serve only large pure bounds.
ORDERS: Array = np.concatenate(
    [[1.05, 1.1, 1.2, 1.35, 1.5, 1.75], np.arange(2.0, 16.0, 0.25), np.geomspace(16.0, 1e5, 150)]
)


class RenyiAccountant(Additive):
    """The default: a closed form for Gaussian noise, one small quadrature for exponential-norm noise."""

    name: ClassVar[str] = "renyi"
    knows: ClassVar[tuple[type[Release], ...]] = RELEASES

    def refusal(self, release: Release) -> str | None:
        return needs_monotone(release)

    def cost(self, release: Release) -> Array:
        return release_divergence(release)

    def convert(self, total: Array, delta: float) -> Array:
        """Canonne, Kamath and Steinke, "The discrete Gaussian for differential privacy", 2020, Proposition 12.

        `dp_accounting.rdp.compute_epsilon` is the same for one node at a time, in plain Python, after an import of more
        than a second; here all nodes are converted at once.
        """
        a = ORDERS
        epsilon = total + np.log1p(-1.0 / a) - np.log(delta * a) / (a - 1.0)
        smallest: Array = np.maximum(epsilon.min(axis=1), 0.0)
        return smallest


def needs_monotone(release: Release) -> str | None:
    """The Jacobian's bound takes any loss, the parallelogram only a monotone one."""
    if not isinstance(release, PerturbedArgmin) or release.monotone:
        return None
    return "noise for a loss whose slope may change its sign, or doesn't say that it can't (`monotone`)"


@lru_cache(maxsize=65536)
def release_divergence(release: Release) -> Array:
    """D_a of one release at each order, from above."""
    return _argmin_divergence(release) + ORDERS / 2.0 * release.repair_mu**2


def _argmin_divergence(release: Release) -> Array:
    if not isinstance(release, PerturbedArgmin) and release.law == Law.GAUSSIAN:
        return ORDERS / 2.0 * release.shift_in_noise**2
    law = shift_law(release.law, release.shift_in_noise, release.dimension)
    xi = 1.0 + release.jacobian
    divergence = np.empty_like(ORDERS)
    orders = ORDERS[ORDERS >= 2.0]
    divergence[ORDERS >= 2.0] = _divergence(law.moments(orders, xi), law.variation, xi, orders)
    divergence[ORDERS < 2.0] = divergence[ORDERS >= 2.0][0]  # it grows with the order
    return np.minimum(divergence, _pure_divergence(separate_epsilon(release)))


def _divergence(moments: Array, variation: float, xi: float, orders: Array) -> Array:
    growth = np.log(xi)
    with np.errstate(over="ignore"):
        jacobian = orders * np.expm1((orders - 1.0) * growth) - (orders - 1.0) * np.expm1(-orders * growth)
        divergence: Array = np.log1p(variation * jacobian + moments) / (orders - 1.0)
    return divergence


def _pure_divergence(epsilon: float) -> Array:
    """Of randomised response, which no mechanism with this pure bound exceeds at any order."""
    if np.isinf(epsilon):
        return np.full_like(ORDERS, np.inf)
    a = ORDERS
    both = np.logaddexp(a * epsilon, (1.0 - a) * epsilon)
    divergence: Array = (both - np.logaddexp(0.0, epsilon)) / (a - 1.0)
    return np.minimum(divergence, epsilon)
