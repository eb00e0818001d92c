"""Accountants of pure differential privacy: the paper's theorem, a tighter one, and its optimal composition."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from scipy.special import gammaln

from radmm.base.arrays import Array, Integers
from radmm.model.losses.loss import BOUNDED, LOGISTIC, SOFTMAX
from radmm.privacy.accountants.accountant import Accountant, Additive
from radmm.privacy.curves.largest_losses import removal_loss
from radmm.privacy.curves.slope_levels import LARGEST_RATE
from radmm.privacy.events import (
    NoisyArgmin,
    NoisyGradient,
    NoisyMoments,
    PerturbedArgmin,
    PerturbedPenaltyArgmin,
    Release,
)
from radmm.privacy.ledger import Ledger
from radmm.privacy.noise_laws import Law
from radmm.privacy.relation import Neighbours, Relation

PRECISION = 1e-13  # relative, of ε
ROUNDING = 1e-12  # of δ, charged for round-off in a sum of at most some ten thousand masses
ALL_FORMS = (LOGISTIC, BOUNDED, SOFTMAX)  # any loss, as both terms are bounded one by one where nothing more is known
ARGMINS: tuple[type[Release], ...] = (PerturbedArgmin, PerturbedPenaltyArgmin, NoisyArgmin)
RELEASES: tuple[type[Release], ...] = (*ARGMINS, NoisyGradient, NoisyMoments)


def _no_pure_bound(release: Release) -> str | None:
    if release.law == Law.GAUSSIAN:
        return "noise: it has no bound in pure differential privacy"
    if release.repair_mu:
        return "noise with a repair: the repair's Gaussian noise has no bound in pure differential privacy"
    return None


class _Sum(Additive):
    """Base class of accountants with one pure ε a release, which adds up over releases and over rows."""

    pure: ClassVar[bool] = True
    groups: ClassVar[bool] = True
    knows: ClassVar[tuple[type[Release], ...]] = RELEASES

    def refusal(self, release: Release) -> str | None:
        return _no_pure_bound(release)

    def convert(self, total: Array, delta: float) -> Array:
        return total[:, 0]


class PaperAccountant(_Sum):
    """The published bounds: the paper's P(t), and M-ADMM's for penalty noise."""

    name: ClassVar[str] = "paper"
    knows: ClassVar[tuple[type[Release], ...]] = ARGMINS  # nothing was published about gradients

    def cost(self, release: Release) -> Array:
        price = published_price(release)
        return np.array([self.relation.rows * (price.fixed + price.slope * release.scale)])

    def _candidates(self, ledger: Ledger) -> Integers:
        return ledger.node_classes[0]  # M-ADMM's bound forgoes a part of the curvature, so it orders nodes differently


class Price(NamedTuple):
    """The cost of one release to a record of the node: at most fixed + slope·α."""

    fixed: float
    slope: float


def published_price(release: Release) -> Price:
    """Return the cost of a release by the theorem that was published for its kind.

    Objective noise has the paper's (2C/B_i)(1.4 c1/(ρ/N + 2η_iV_i) + α_i), penalty noise M-ADMM's
    (C/(η_iV_iB_i))(1.4 c1 + α_i), which forgoes the ρ/N in the curvature, and output noise α_i times all that its noise
    must hide, the solver's tolerance included.

    Args:
        release: A release with exponential-norm noise.
    """
    if isinstance(release, PerturbedPenaltyArgmin):
        slope = release.C * release.G / (release.penalty_curvature / 2.0 * release.rows)
        return Price(1.4 * (release.c1 / release.G) * slope, slope)
    if isinstance(release, PerturbedArgmin):
        return Price(release.sensitivity / release.G * 1.4 * release.c1 / release.curvature, release.sensitivity)
    return Price(0.0, release.shift)


class PureAccountant(_Sum):
    """Tighter pure bound: the density ratios of noise and Jacobians at the slope at which their product is largest.

    Where that slope is not known they are bounded one by one: ln(1 + x) + αs. The Hessians of neighbouring data sets
    have all but one row in common. By the matrix determinant lemma each determinant is the common one times something
    between 1 and 1 + x, so no condition on x is needed. The softmax of q classes has an x of its own (docs/proofs.md,
    section 7).
    """

    name: ClassVar[str] = "pure"
    forms: ClassVar[tuple[str, ...]] = ALL_FORMS
    relations: ClassVar[tuple[Neighbours, ...]] = (Neighbours.REPLACE, Neighbours.ZERO_OUT)

    def cost(self, release: Release) -> Array:
        return np.array([pure_epsilon(release, self.relation)])


def pure_epsilon(release: Release, relation: Relation) -> float:
    """Return the ε of one release in pure differential privacy; infinite for Gaussian noise.

    Args:
        release: A release whose argmin is exact.
    """
    if release.law == Law.GAUSSIAN:
        return math.inf
    if not isinstance(release, PerturbedArgmin):
        changed = relation.legs * release.leg_sensitivity(relation)
        return (changed + release.solver_shift) * release.entering_scale  # the latter once, however many rows change
    leg = release.shift_in_noise / 2.0
    removal = leg + math.log1p(release.jacobian)
    if release.monotone:
        slowness = release.G * LARGEST_RATE[release.form] / release.c1
        removal = min(removal, removal_loss(release.form, leg, release.curvature * release.entering_scale * slowness))
    replacing = relation.neighbours == Neighbours.REPLACE
    return relation.rows * (removal + (leg if replacing else 0.0))


class OptimalPureAccountant(Accountant):
    """Optimal composition of pure bounds: the best (ε, δ) that the releases' pure bounds alone imply.

    A mechanism with a pure bound ε0 is never easier to tell apart than randomised response with the odds e^ε0: the
    losses of K of them are exactly what composition can cost (Kairouz, Oh and Viswanath, "The composition theorem for
    differential privacy", 2015; Murtagh and Vadhan, "The complexity of computing the optimal composition of
    differential privacy", 2016). Equal bounds have the closed form; bounds that differ are rounded up to a lattice.
    """

    name: ClassVar[str] = "optimal-pure"
    forms: ClassVar[tuple[str, ...]] = ALL_FORMS
    knows: ClassVar[tuple[type[Release], ...]] = ARGMINS
    relations: ClassVar[tuple[Neighbours, ...]] = (Neighbours.REPLACE, Neighbours.ZERO_OUT)
    groups: ClassVar[bool] = True
    LATTICE = 20_000  # points between 0 and the sum of the bounds

    def refusal(self, release: Release) -> str | None:
        return _no_pure_bound(release)

    def _spent(self, ledger: Ledger, steps: Sequence[int], nodes: Integers, delta: float) -> Array:
        bound = np.array([pure_epsilon(release, self.relation) for release in ledger.releases])
        return np.array([[self._compose(bound[ledger.which[:k, node]], delta) for node in nodes] for k in steps])

    def _compose(self, bounds: Array, delta: float) -> float:
        if not len(bounds):
            return 0.0
        if not np.isfinite(bounds).all():
            return math.inf
        if bounds.min() == bounds.max():
            losses, log_mass = _binomial(float(bounds[0]), len(bounds))
        else:
            losses, log_mass = self._lattice(bounds)
        return smallest_epsilon(losses, log_mass, delta)

    def _lattice(self, bounds: Array) -> tuple[Array, Array]:
        """Return the losses and masses of the composition, with every bound rounded up to a multiple of one step."""
        step = float(bounds.sum()) / self.LATTICE
        units = np.ceil(bounds / step).astype(int)
        mass = np.ones(1)
        for unit, count in Counter(units.tolist()).items():
            losses, log_mass = _binomial(unit * step, count)
            spread = np.zeros(2 * unit * count + 1)
            spread[:: 2 * unit] = np.exp(log_mass)
            mass = _convolve_sparse(mass, spread, 2 * unit)
        losses = step * (np.arange(len(mass)) - units.sum())
        with np.errstate(divide="ignore"):
            return losses, np.log(mass)


def _binomial(bound: float, count: int) -> tuple[Array, Array]:
    """Return the losses of so many randomised responses, and the logarithms of their probabilities."""
    lies = np.arange(count, -1.0, -1.0)
    ways = gammaln(count + 1.0) - gammaln(lies + 1.0) - gammaln(count - lies + 1.0)
    log_mass = ways - lies * np.logaddexp(0.0, bound) - (count - lies) * np.logaddexp(0.0, -bound)
    return bound * (count - 2.0 * lies), log_mass


def _convolve_sparse(mass: Array, spread: Array, every: int) -> Array:
    """Convolve with an array that is nonzero at every so-many-th entry only, without cancellation."""
    result = np.zeros(len(mass) + len(spread) - 1)
    for place in range(0, len(spread), every):
        result[place : place + len(mass)] += spread[place] * mass
    return result


def smallest_epsilon(losses: Array, log_mass: Array, delta: float) -> float:
    """Return the least ε ≥ 0 at which δ(ε) = Σ mass (1 − e^(ε − loss))₊ is at most the given δ, rounded up.

    Bisection never ends at an ε at which more was seen to be spent, whatever NaN arises on the way.

    Args:
        losses: Privacy losses, ascending.
        log_mass: Logarithm of the probability of each loss.
    """
    if not np.isfinite(losses).all() or np.isnan(log_mass).any():
        return math.inf
    with np.errstate(over="ignore"):
        share = np.exp(log_mass - math.log(delta))  # of δ, so that the smallest δ makes no number vanish

    def enough(epsilon: float) -> bool:
        first = int(np.searchsorted(losses, epsilon, side="right"))
        with np.errstate(invalid="ignore"):
            return bool(share[first:] @ -np.expm1(epsilon - losses[first:]) <= 1.0 - ROUNDING)

    low, high = 0.0, max(float(losses[-1]), 0.0)  # beyond the largest loss nothing is spent
    if enough(low):
        return low
    while high - low > PRECISION * high and low < (middle := (low + high) / 2.0):
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
