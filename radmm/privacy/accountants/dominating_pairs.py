"""Dominating pairs: for each release, discrete distributions that are at least as easy to distinguish.

A curve h that lies above every hockey stick H_γ of a release, made convex, is the hockey-stick curve of such a pair.
Its points are joined by straight lines in γ = e^ε, as in Doroshenko et al., "Connect the dots", 2022, which lie above
it.
"""

import numpy as np

from radmm.base.arrays import Array
from radmm.privacy.accountants.shift_law import GaussianShift, ShiftLaw, largest_loss, shift_law
from radmm.privacy.curves.pair_curves import Curve, convex_minorant
from radmm.privacy.events import PerturbedArgmin, Release
from radmm.privacy.noise_laws import Law

TANGENTS: Array = np.concatenate([[0.0], np.geomspace(1e-3, 4.0, 60)])


def loss_range(release: Release) -> float:
    """Return the largest loss of the grid for a release."""
    return float(np.log1p(release.jacobian) + largest_loss(release.law, release.shift_in_noise))


def release_curve(release: Release, step: float) -> Array:
    """Return h(e^ε) at ε = 0, step, 2 step, …, above every hockey stick of the release.

    The last is the mass at infinity.
    """
    law = shift_law(release.law, release.shift_in_noise, release.dimension)
    epsilon = _grid(loss_range(release), step)
    if not isinstance(release, PerturbedArgmin):
        return law.hockey_stick(epsilon)
    return _objective_curve(law, epsilon, float(np.log1p(release.jacobian)))


def _objective_curve(law: ShiftLaw, epsilon: Array, log_xi: float) -> Array:
    """Return min(T, min over r of e^(−r) E(l − t)₊ with t = ε − ln ξ + r − (e^r − 1)); T alone below ln ξ.

    The tangent of 1 − e^(−z) at z = r bounds the hockey stick by a convex function of l, of which the expectation can
    be bounded (see radmm.privacy.accountants.renyi); every r ≥ 0 is a bound, so the best of a few is one.
    """
    beyond = np.maximum(epsilon - log_xi, 0.0)
    threshold = beyond[:, None] + TANGENTS - np.expm1(TANGENTS)
    excess = law.excess(np.maximum(threshold, 0.0)) + np.maximum(-threshold, 0.0)  # E(l − t)₊ = E l − t for t < 0
    bound = (np.exp(-TANGENTS) * excess).min(axis=1)
    return np.minimum(np.where(epsilon < log_xi, 1.0, bound), law.variation)


def repair_range(release: Release) -> float:
    """Return the largest loss of the grid for the noise that covers the solver's tolerance."""
    return largest_loss(Law.GAUSSIAN, release.repair_mu)


def repair_curve(release: Release, step: float) -> Array:
    """Return the curve h of the noise that covers the solver's tolerance."""
    return GaussianShift(release.repair_mu).hockey_stick(_grid(repair_range(release), step))


def _grid(largest: float, step: float) -> Array:
    return np.arange(int(np.ceil(largest / step)) + 1, dtype=np.float64) * step


def dominating_pair(curve: Array, step: float) -> Curve:
    """Return the pair whose curve is h for γ ≥ 1 and, as neighbours are symmetric, 1 − γ + γ h(1/γ) below."""
    curve = np.minimum.accumulate(curve)
    size = len(curve) - 1
    epsilon = np.arange(-size, size + 1) * step
    mirrored = -np.expm1(epsilon[:size]) + np.exp(epsilon[:size]) * curve[:0:-1]
    hull = convex_minorant(np.exp(epsilon), np.concatenate([mirrored, curve]))
    return Curve(step, hull[size:], hull[size:])
