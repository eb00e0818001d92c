"""The marginal of the noise along one row's direction, given the rest, in units of its scale (α = 1 or σ = 1).

Given the part b_⊥ of the noise across the row, of norm r, the part along the row has a density ∝ ν(√(r² + u²)): normal
for normal noise, whatever r is, and hyperbolic, ∝ exp(−√(r² + u²)), for exponential-norm noise. Both are even and
log-concave. Hyperbolic laws of larger r are those of smaller r with more independent noise on top (Lemma 4 of
docs/proofs.md), so every hockey stick of one release falls as r grows: a cell of radii is represented by its smallest.
They are convex in I₁(r)/K₁(r), too, so that both ends of a cell may share its probability (Lemma 4').
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from scipy.special import gammaln, ive, kve, ndtr, ndtri

from radmm.base.arrays import Array

TAIL = 32.0  # how far the log-density falls before the rest, below 1e-13, is charged as it is
ROUNDING = 1e-13  # relative, of quadratures that are exact but for round-off
FEW = 60  # dimensions up to which radii differ so much, and their cells are so short, that chords are worth while
TAIL_SCORES = (3.6, 4.2, 4.9, 5.8, 7.3)  # normal scores of the outer radii; below the last one are 1.4e-13


gauss_rule = lru_cache(np.polynomial.legendre.leggauss)  # nodes and weights on [−1, 1], which take a while to find


@dataclass(frozen=True)
class NoiseMarginal:
    """Law of the noise u along a row: standard normal if the radius is negative, else hyperbolic.

    Args:
        radius: Norm r of the noise across the row, or −1 for normal noise.
    """

    radius: float

    @property
    def gaussian(self) -> bool:
        """Whether the noise is Gaussian, of which a negative radius is the sign."""
        return self.radius < 0.0

    def fall(self, u: Array) -> Array:
        """Return ln f(0) − ln f(u), without cancellation."""
        if self.radius == 0.0:
            return np.abs(u)
        square = u * u
        fall: Array = square / 2.0 if self.gaussian else square / (np.sqrt(self.radius**2 + square) + self.radius)
        return fall

    def density(self, u: Array) -> Array:
        """Return the density f(u) of the noise along the shift."""
        density: Array = np.exp(-self.fall(u)) * self.peak
        return density

    @property
    def peak(self) -> float:
        """Density f(0), from ∫ exp(−√(r² + u²)) du = 2 r K₁(r)."""
        if self.gaussian:
            return float(1.0 / np.sqrt(2.0 * np.pi))
        return float(0.5 / (self.radius * kve(1, self.radius))) if self.radius else 0.5

    @property
    def reach(self) -> float:
        """The u at which the log-density has fallen by TAIL."""
        return float(np.sqrt(2.0 * TAIL if self.gaussian else TAIL**2 + 2.0 * TAIL * self.radius))

    def beyond(self, u: Array) -> Array:
        """Bound the probability of (u, ∞), u > 0, from above: the log-density is concave, so below its tangent at u."""
        steepness = u if self.gaussian else u / np.hypot(self.radius, u)
        tail: Array = self.density(u) / steepness
        return tail

    def bend(self, length: float, shift: float) -> float:
        """Bound how far f(u + v)/f(u), v ≤ shift, may lie above its chords of a given length, relative to its value.

        The ratio is convex in u for normal noise. For hyperbolic noise the second derivative of its logarithm is at
        least −0.86 v/r², as 3y(1 + y²)^(−5/2) ≤ 0.86.
        """
        if self.gaussian:
            return 0.0
        return 0.86 * shift * length**2 / (8.0 * self.radius**2) if self.radius else np.inf


def cell_masses(law: NoiseMarginal, edges: Array) -> tuple[Array, Array, Array]:
    """Return, for cells with an edge at 0, the largest density and upper bounds on its integrals against the two hats.

    Args:
        law: Law of u.
        edges: Edges of the cells, ascending and equally spaced.
    """
    left, right = edges[:-1], edges[1:]
    length = float(edges[1] - edges[0])
    nearest = np.where(left >= 0.0, left, np.where(right <= 0.0, right, 0.0))
    largest = law.density(nearest)
    nodes, weights = gauss_rule(8)
    share = (nodes + 1.0) / 2.0
    density = law.density(left[:, None] + length * share) * weights * (length / 2.0 * (1.0 + ROUNDING))
    first, second = density @ (1.0 - share), density @ share
    if not law.gaussian and law.radius < 10.0 * length:  # too sharp a bend at 0 for eight nodes
        sharp = np.abs(nearest) < 5.0 * length
        first, second = (np.where(sharp, largest * length / 2.0, each) for each in (first, second))
    return largest, first, second


@lru_cache(maxsize=64)
def radii(dimension: int, number: int, chords: bool = False) -> tuple[Array, Array]:
    """Return radii that represent cells, ascending from 0, and the cells' probabilities under r^(d−1) K₁(r).

    With cells as dense as the root of the probability density the rule that takes each cell's smallest radius
    over-estimates least.

    Args:
        dimension: Dimension d of the noise; at 1 nothing is across the row.
        number: Number of cells, about.
        chords: Whether a cell's probability is shared by its two ends, as chords over I₁/K₁ ask for; else its smallest
            radius has all of it. Cells much longer than 1, as in many dimensions, gain little by it.
    """
    if dimension == 1:
        return np.zeros(1), np.ones(1)
    inner = np.sqrt(2.0) * ndtri(np.arange(1, number) / number)
    outer = np.array([score for score in TAIL_SCORES if score > -inner[0]])
    scores = np.concatenate([-outer[::-1], inner, outer[:1]])
    fine, below = _radius_law(dimension)
    keep = np.concatenate([[True], np.diff(below) > 0.0])
    edges = np.concatenate([[0.0], np.interp(ndtr(scores), below[keep], fine[keep])])
    edges = np.unique(edges)
    mass = np.array([_radius_mass(dimension, low, high) for low, high in pairwise(edges)])
    mass = np.append(mass, max(1.0 - mass.sum(), 0.0)) + 1e-16
    if chords:
        far = np.array([_radius_mass(dimension, low, high, far=True) for low, high in pairwise(edges)])
        moved = far * (1.0 - 10.0 * ROUNDING)  # to the larger radius, which is the cheaper one
        mass -= np.append(moved, 0.0) - np.append(0.0, moved)
    return edges, mass * (1.0 + ROUNDING)


def _far_share(radius: Array, low: float, high: float) -> Array:
    """Return the position of I₁/K₁ between its values at the two ends, as a share."""

    def relative(place: Array) -> Array:
        ratio: Array = ive(1, place) / kve(1, place) * kve(1, high) / ive(1, high) * np.exp(2.0 * (place - high))
        return ratio

    least = relative(np.array(low)) if low > 0.0 else np.zeros(())
    share: Array = (relative(radius) - least) / (1.0 - least)
    return share


def _log_radius_density(dimension: int, radius: Array) -> Array:
    d = dimension
    constant = (d - 2.0) * np.log(2.0) + gammaln((d + 1.0) / 2.0) + gammaln((d - 1.0) / 2.0)
    density: Array = (d - 1.0) * np.log(radius) + np.log(kve(1, radius)) - radius - constant
    return density


def _radius_law(dimension: int) -> tuple[Array, Array]:
    """Return radii and the probabilities of smaller ones, accurate enough to place cells."""
    top = dimension + 12.0 * np.sqrt(dimension) + 40.0
    # Below `low` nothing is left that matters; in many dimensions the law is narrow, and a shorter table is finer.
    low = np.log(top) - 2.0 if dimension > 60 else np.log(dimension) - max(60.0 / dimension, 3.0)
    logs = np.linspace(low, np.log(top), 20001)
    radius = np.exp(logs)
    mass = np.exp(_log_radius_density(dimension, radius)) * radius  # of steps that are equal in logarithms
    return radius, np.cumsum(mass) / mass.sum()


def _radius_mass(dimension: int, low: float, high: float, far: bool = False) -> float:
    """Return the probability of a cell, or the part of it that belongs to its far end.

    From 0 it is taken in geometric pieces, as the density need not be smooth there.
    """
    nodes, weights = gauss_rule(20)
    cuts = [low, high] if low > 0.0 else [0.0, *(high * 2.0 ** np.arange(-60.0, 1.0)).tolist()]
    total = 0.0
    for left, right in pairwise(cuts):
        pieces = max(1, int((right - left) / 1.0))
        width = (right - left) / pieces
        places = left + width * (np.arange(pieces)[:, None] + (nodes + 1.0) / 2.0)
        density = np.exp(_log_radius_density(dimension, places))
        if far:
            density *= _far_share(places, low, high)
        total += float((density @ weights).sum() * width / 2.0)
    return total
