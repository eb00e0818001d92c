"""The privacy loss of shifted noise, the one quantity that every (ε, δ) bound of a release is made of.

Take noise b whose density falls with its norm, and a shift of length s along some axis. The positive part l of the
log-density ratio of b and b + s is the loss of the worst outcome pair, up to the Jacobian of the argmin. Each bound
needs of l, from above, only what `ShiftLaw` lists.
"""

from abc import ABC, abstractmethod
from functools import lru_cache

import numpy as np
from scipy.special import erf, log_ndtr, ndtr

from radmm.base.arrays import Array
from radmm.privacy.accountants.exponential_norm import ExcessTable, excess_table, peak_total_variation
from radmm.privacy.noise_laws import Law

OVERFLOW = 600.0  # largest exponent, with room for factors
ROUNDING = 1e-13  # of sums of terms of order one that nearly cancel


class ShiftLaw(ABC):
    """Upper bounds on expectations of l, the positive part of the privacy loss of a shift."""

    largest: float  # l never exceeds it, but for what `hockey_stick` and `excess` still have there
    variation: float  # at least the total variation distance that one replaced row can cause (two shifts by s/2)

    def moments(self, orders: Array, jacobian: float) -> Array:
        """Return the moments of the loss that bound Rényi divergences, or infinity where they would overflow."""
        found = np.full_like(orders, np.inf)
        small = self._exponents(orders) + (orders - 1.0) * np.log(jacobian) <= OVERFLOW
        found[small] = self._moments(orders[small], jacobian)
        return found

    @abstractmethod
    def _exponents(self, orders: Array) -> Array:
        """Return the exponent of a moment's largest term, without the Jacobian."""

    @abstractmethod
    def _moments(self, orders: Array, jacobian: float) -> Array:
        """Return E[ξ^(a−1) G_a(l) + ξ^(−a) G̃_a(l)] for a ≥ 2, jacobian ξ ≥ 1.

        G_a(l) = e^((a−1)l) − a + (a−1)e^(−l) and G̃_a(l) = (a−1) − a e^(−l) + e^(−al) are a(a−1) times the integrals
        of y^(a−2) and of y^(−a−1) against (1 − y e^(−l))₊ over y ≥ 1: Rényi divergences are such integrals of hockey
        sticks.
        """

    @abstractmethod
    def excess(self, threshold: Array) -> Array:
        """Return E(l − t)₊ for t ≥ 0."""

    @abstractmethod
    def hockey_stick(self, epsilon: Array) -> Array:
        """Return E(1 − e^(ε−l))₊ for ε ≥ 0: the δ of the shift itself."""


class GaussianShift(ShiftLaw):
    """Loss of N(0, σ²I) shifted by s = μσ, in closed form: l = (μZ + μ²/2)₊."""

    REACH = 9.0  # standard deviations; beyond, l has probability 1e-19, which is kept as mass at infinity

    def __init__(self, mu: float) -> None:
        self.mu = mu
        self.largest = largest_loss(Law.GAUSSIAN, mu)
        self.variation = 2.0 * leg_variation(Law.GAUSSIAN, mu / 2.0, 1)

    def _exponents(self, orders: Array) -> Array:
        exponents: Array = orders * (orders - 1.0) * self.mu**2 / 2.0
        return exponents

    def _moments(self, orders: Array, jacobian: float) -> Array:
        a, mu = orders, self.mu
        ahead, behind = float(ndtr(mu / 2.0)), float(ndtr(-mu / 2.0))
        tilt, far = self._exponents(a), (a - 0.5) * mu
        up, down = jacobian ** (a - 1.0), jacobian ** (-a)
        rising = np.exp(tilt + log_ndtr(far)) - a * ahead + (a - 1.0) * behind
        falling = (a - 1.0) * ahead - a * behind + np.exp(tilt + log_ndtr(-far))
        total: Array = up * rising + down * falling + ROUNDING * a * up
        return total

    def excess(self, threshold: Array) -> Array:
        z = threshold / self.mu - self.mu / 2.0
        density = np.exp(-z * z / 2.0) / np.sqrt(2.0 * np.pi)
        beyond: Array = self.mu * np.maximum(density - z * ndtr(-z), 0.0)
        excess: Array = beyond + ROUNDING * self.mu * density
        return excess

    def hockey_stick(self, epsilon: Array) -> Array:
        inside, outside = self.mu / 2.0 - epsilon / self.mu, -self.mu / 2.0 - epsilon / self.mu
        stick: Array = ndtr(inside) - np.exp(epsilon + log_ndtr(outside))
        above: Array = np.maximum(stick, 0.0) + ROUNDING * ndtr(inside)
        return above


class ExponentialShift(ShiftLaw):
    """Loss of noise with density ∝ exp(−α‖b‖) in d dimensions, shifted by s = κ/α.

    It is at most κ, and rarely near it if d is large.
    """

    def __init__(self, kappa: float, dimension: int) -> None:
        self.table: ExcessTable = excess_table(dimension, kappa)
        self.largest = kappa
        self.variation = min(1.0, 2.0 * leg_variation(Law.EXPONENTIAL_NORM, kappa / 2.0, dimension))

    def _exponents(self, orders: Array) -> Array:
        exponents: Array = (orders - 1.0) * self.largest
        return exponents

    def _moments(self, orders: Array, jacobian: float) -> Array:
        a, loss = orders[:, None], self.table.edges
        rising = np.expm1((a - 1.0) * loss) + (a - 1.0) * np.expm1(-loss)
        falling = np.expm1(-a * loss) - a * np.expm1(-loss)
        return self.table.mean_of_convex(jacobian ** (a - 1.0) * rising + jacobian ** (-a) * falling)

    def excess(self, threshold: Array) -> Array:
        # Convex: chords lie above.
        excess: Array = np.interp(threshold, self.table.edges, self.table.excess)
        return excess

    def hockey_stick(self, epsilon: Array) -> Array:
        # Convex in e^ε.
        factor = np.exp(self.table.edges)
        stick: Array = np.interp(np.exp(epsilon), factor, factor * self.table.faded)
        return stick


def largest_loss(law: str, shift: float) -> float:
    """Return the largest privacy loss of a shift, up to a negligible probability, without making its law."""
    return GaussianShift.REACH * shift + shift**2 / 2.0 if law == Law.GAUSSIAN else shift


def leg_variation(law: str, shift: float, dimension: int) -> float:
    """Bound from above the total variation distance that adding or removing one row can cause: Pr(|b₁| ≤ s/2).

    Args:
        shift: Largest shift s that the row causes, in units of the noise.
    """
    if law == Law.GAUSSIAN:
        return float(erf(shift / (2.0 * np.sqrt(2.0)))) * (1.0 + ROUNDING)
    return peak_total_variation(dimension, 2.0 * shift) / 2.0


@lru_cache(maxsize=4096)
def shift_law(law: str, shift: float, dimension: int) -> ShiftLaw:
    """Return the law of l for a shift in units of the noise: κ = αs (exponential-norm) or μ = s/σ (Gaussian)."""
    return GaussianShift(shift) if law == Law.GAUSSIAN else ExponentialShift(shift, dimension)
