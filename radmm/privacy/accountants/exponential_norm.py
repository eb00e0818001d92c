"""Tables of the privacy loss of exponential-norm noise.

With G = α‖b‖ ~ Gamma(d, 1), u the cosine between noise and shift, and κ = αs, the loss exceeds t ≥ 0 exactly where
u > t/κ − (κ² − t²)/(2κG): a one-dimensional integral over G of the tail of u, which is a beta distribution's.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import betainc, gammainc, gammaincc, gammainccinv, gammaincinv, gammaln

from radmm.base.arrays import Array

BINS = 256
NODES, WEIGHTS = np.polynomial.legendre.leggauss(48)  # of the quadrature over G
OUTSIDE = 1e-30  # probability of G that each end of the quadrature leaves out; charged in full
SPREAD = 13.0  # standard deviations of the cosine that the fine part of the grid spans
QUADRATURE = 1e-6  # relative error charged for both quadratures; the tests find a hundredth of it


class ExcessTable(NamedTuple):
    """Upper bounds on the integrals of the survival function of l over the bins between the edges."""

    edges: Array  # 0 … κ
    bins: Array  # ∫ Pr(l > t) dt over each bin
    excess: Array  # E(l − t)₊ at the edges
    faded: Array  # E(e^(−t) − e^(−l))₊ at the edges

    def mean_of_convex(self, values: Array) -> Array:
        """Bound E ψ(l) from above by chords of a convex increasing ψ with ψ(0) = 0, given at the edges (last axis)."""
        mean: Array = np.diff(values) @ (self.bins / np.diff(self.edges))
        return mean


def excess_table(dimension: int, kappa: float) -> ExcessTable:
    """Return the table of E(l − t)₊ at points up to the largest loss κ, which chords between them bound from above."""
    fine = min(1.0, SPREAD / np.sqrt(dimension) + kappa / dimension)
    # Near κ the survival function goes like (κ − t)^((d−1)/2): in few dimensions the bins shrink towards κ.
    power = 2.0 if dimension <= 8 else 1.0
    rest = 1.0 - np.linspace(0.0, 1.0, 2 * BINS + 1)
    points = fine * kappa * (1.0 - rest**power)
    tail = survival(points, dimension, kappa)
    slope = fine * kappa * power * rest ** (power - 1.0)
    bins, faded = (_simpson(values * slope) for values in (tail, tail * np.exp(-points)))
    edges = points[::2]
    if fine < 1.0:  # one last bin, in which the survival function is at most what it is at its beginning
        edges = np.append(edges, kappa)
        bins = np.append(bins, (1.0 - fine) * kappa * tail[-1])
        faded = np.append(faded, bins[-1] * np.exp(-points[-1]))
    return ExcessTable(edges, bins, _from_the_end(bins), _from_the_end(faded))


def _simpson(values: Array) -> Array:
    """Integrate over each bin of the unit interval by Simpson's rule, given the values at its ends and middle."""
    parts: Array = (values[:-1:2] + 4.0 * values[1::2] + values[2::2]) / (6.0 * BINS)
    return parts * (1.0 + QUADRATURE)


def _from_the_end(parts: Array) -> Array:
    return np.append(np.cumsum(parts[::-1])[::-1], 0.0)


def survival(threshold: Array, dimension: int, kappa: float) -> Array:
    """Return Pr(l > t) for 0 ≤ t ≤ κ."""
    if dimension == 1:  # the noise points along the shift, where l = κ, or against it, where l = (κ − 2G)₊
        return 0.5 - 0.5 * np.expm1(-np.maximum(kappa - threshold, 0.0) / 2.0)
    everywhere = np.maximum(kappa - threshold, 0.0) / 2.0  # up to this G every direction loses more than t
    low = np.maximum(everywhere, gammaincinv(dimension, OUTSIDE))
    high = np.maximum(gammainccinv(dimension, OUTSIDE), low)
    # In y² = G − everywhere the integrand is smooth, also at G = everywhere where cosines begin to lose less.
    begin, end = np.sqrt(low - everywhere)[:, None], np.sqrt(high - everywhere)[:, None]
    y = begin + (end - begin) * (NODES + 1.0) / 2.0
    norm = everywhere[:, None] + y * y
    density = np.exp((dimension - 1.0) * np.log(norm) - norm - gammaln(dimension)) * 2.0 * y
    cosine = (threshold / kappa)[:, None] - (kappa**2 - threshold**2)[:, None] / (2.0 * kappa * norm)
    inner = (density * _cosine_tail(cosine, dimension)) @ WEIGHTS * (end - begin)[:, 0] / 2.0
    outside = np.where(gammaincc(dimension, low) > OUTSIDE, 2.0, 1.0) * OUTSIDE
    tail: Array = np.minimum(inner + gammainc(dimension, everywhere) + outside, 1.0)
    return np.where(threshold < kappa, tail, 0.0)


def _cosine_tail(cosine: Array, dimension: int) -> Array:
    """Return Pr(u > cosine) for a uniform direction."""
    half = 0.5 * betainc((dimension - 1.0) / 2.0, 0.5, np.clip(1.0 - cosine**2, 0.0, 1.0))  # Pr(u > |cosine|)
    tail: Array = np.where(cosine > 0.0, half, 1.0 - half)
    return tail


def peak_total_variation(dimension: int, kappa: float) -> float:
    """Return 2 Pr(|b₁| ≤ s/4), from above: s times the density of one coordinate b₁ at zero, where it is largest."""
    if dimension == 1:
        return kappa / 2.0
    cosine_density = np.exp(gammaln(dimension / 2.0) - gammaln((dimension - 1.0) / 2.0)) / np.sqrt(np.pi)
    return float(kappa / (dimension - 1.0) * cosine_density)
