"""ε a second time and from below, with nothing of radmm.privacy.curves: other quadratures, other paths, other sums.

Three limits, for one row whose slope along its direction is a nondecreasing s(u) with s' ≤ s(1 − s)/λ, at noise of
scale 1 (docs/proofs.md, section 1):

* `pairs_epsilon`: of two laws that there are, s(u) = 1/(1 + e^(−(u−a)/λ)) for the best a. No accountant can be below.
* `members_epsilon`: with at each loss the best a for it. `shift` can't be below unless its program is wrong, and is
  hardly above if its program is sharp: it bounds all slopes that there are, at each loss by itself.
* `caps_epsilon`: with the Jacobian at its largest wherever it hurts: `shift` can't be above.

A member's law is cut into cells of u, which whoever sees the release can do as well, so its hockey sticks are lower
limits by themselves. Curves are joined by chords on a grid so fine that it doesn't matter (`test_independent`).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.interpolate import CubicHermiteSpline
from scipy.special import expit, kve, ndtr

FALL = 30.0  # of the log-density: nothing beyond is looked at
CELLS = 2000
MEMBERS = 160
NODES = 20  # of the quadrature over radii


@dataclass(frozen=True)
class Setting:
    """One release, made K times: shift c and curvature λ in units of the noise."""

    law: str  # gaussian or exponential-norm
    shift: float
    curvature: float
    dimension: int
    times: int
    delta: float = 1e-5

    @property
    def excess(self):
        return self.shift / self.curvature / 4

    @property
    def largest(self):
        """A loss that one leg hardly exceeds, or never."""
        jacobian = np.log1p(self.excess)
        return jacobian + (self.shift if self.law != "gaussian" else 7 * self.shift + self.shift**2 / 2)

    @property
    def noises(self):
        """Laws of the noise along the row, each with its probability."""
        if self.law == "gaussian":
            return [(Noise(None), 1.0)]
        if self.dimension == 1:
            return [(Noise(0.0), 1.0)]
        return [(Noise(radius), mass) for radius, mass in radii(self.dimension) if mass > 1e-9]


class Noise:
    """Along one direction, given the norm r of the rest: normal (None), Laplace (0), or ∝ exp(−√(r² + u²))."""

    def __init__(self, radius):
        self.radius = radius
        self.reach = self.at(FALL)

    def at(self, fall):
        """Where the log-density has fallen by so much."""
        return np.sqrt(2 * fall) if self.radius is None else np.sqrt(fall**2 + 2 * fall * self.radius)

    @cached_property
    def _table(self):
        """∫ r cosh t e^(−r cosh t) dt over t = asinh(u/r): no bend is sharp there, and Simpson's rule sees it well."""
        end = np.arcsinh((self.reach + 1) / self.radius)
        t = np.linspace(-end, end, 8001)
        density = self._in_t(t)
        pieces = (t[1] - t[0]) / 6 * (density[:-1] + 4 * self._in_t((t[:-1] + t[1:]) / 2) + density[1:])
        below = np.concatenate([[0.0], np.cumsum(pieces)])
        return CubicHermiteSpline(t, below / below[-1], density / below[-1]), end

    def _in_t(self, t):
        return np.cosh(t) * np.exp(-2 * self.radius * np.sinh(t / 2) ** 2)

    def cdf(self, u):
        if self.radius is None:
            return ndtr(u)
        if self.radius == 0:
            return np.where(u < 0, np.exp(np.minimum(u, 0)) / 2, 1 - np.exp(-np.maximum(u, 0)) / 2)
        spline, end = self._table
        return spline(np.clip(np.arcsinh(u / self.radius), -end, end))


def radii(dimension):
    """Of exponential-norm noise across a direction, r^(d−1) K₁(r), by Gauss and Hermite in r's normal scores."""
    least, most = np.log(dimension) - max(60 / dimension, 3), np.log(dimension + 12 * np.sqrt(dimension) + 40)
    log = np.linspace(least, most, 40001)
    radius = np.exp(log)
    density = dimension * log + np.log(kve(1, radius)) - radius
    density = np.exp(density - density.max())
    below = np.concatenate([[0.0], np.cumsum((density[1:] + density[:-1]) / 2)])
    scores, weights = np.polynomial.hermite.hermgauss(NODES)
    places = np.interp(ndtr(np.sqrt(2) * scores), below / below[-1], radius)
    return list(zip(places.tolist(), (weights / weights.sum()).tolist(), strict=True))


def masses(noise, shift, curvature, present=None, absent=None):
    """(P, Q) in cells of u: P's slope is at a half at `present`, Q's, of a row opposite, at `absent` (None: no row)."""
    steep = curvature * np.linspace(-12, 12, 401)
    evenly = (noise.reach + 2 * shift) * np.linspace(-1, 1, CELLS)
    near = [place + steep for place in (present, absent) if place is not None and np.isfinite(place)]
    u = np.unique(np.concatenate([evenly, -shift * np.linspace(-1, 2, 200), *near]))
    moved = [u, u]
    if present is not None:
        moved[0] = u + shift * expit((u - present) / curvature)
    if absent is not None:
        moved[1] = u - shift * expit((absent - u) / curvature)
    return [np.diff(noise.cdf(each)) for each in moved]


def places(noise):
    """Where a slope may be at a half: −∞ is a row whose slope is always the largest."""
    falls = np.linspace(0, 1, MEMBERS) ** 2
    return np.concatenate([[-np.inf], -noise.at(24 * falls), noise.at(2 * falls[1 :: MEMBERS // 16])])


def sticks(P, Q, gammas):
    """H_γ(P ‖ Q), by the likelihood ratio's order."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(Q > 0, P / Q, np.where(P > 0, np.inf, 0.0))
    order = np.argsort(-ratio)
    P, Q = (np.concatenate([[0.0], np.cumsum(each[order])]) for each in (P, Q))
    above = np.searchsorted(-ratio[order], -gammas)
    return P[above] - gammas * Q[above]


def legs(setting, losses, capped=False):
    """Removal and addition at γ = e^loss ≥ 1."""
    gammas = np.exp(losses)
    removal, addition = np.zeros_like(losses), np.zeros_like(losses)
    for noise, mass in setting.noises:
        law = (noise, setting.shift, setting.curvature)
        addition += mass * sticks(*masses(*law, -np.inf)[::-1], gammas)
        if capped:
            far = np.maximum(gammas / (1 + setting.excess), 1)
            removal += mass * sticks(*masses(*law, -np.inf), far)
        else:
            found = [sticks(*masses(*law, place), gammas) for place in places(noise)]
            removal += mass * np.max(found, axis=0)
    return removal, addition


def both_sides(losses, forward, backward):
    """A curve at γ from e^(−end) to e^end: below 1 it is 1 − γ + γ times the other order's at 1/γ."""
    small = np.exp(-losses[:0:-1])
    return np.concatenate([1 - small + small * backward[:0:-1], forward])


def replaced(losses, removal, addition):
    """The least of removal(γ₁) + γ₁ addition(γ/γ₁), at γ = e^loss ≥ 1 as far as both reach."""
    first, second = both_sides(losses, removal, addition), both_sides(losses, addition, removal)
    end, step = len(losses) - 1, losses[1]
    best = np.full(2 * end + 1, np.inf)
    for place in range(-end, end + 1):
        from_, to = max(0, place - end), min(2 * end, place + end) + 1
        value = first[place + end] + np.exp(place * step) * second[from_ - place + end : to - place + end]
        best[from_:to] = np.minimum(best[from_:to], value)
    return step * np.arange(2 * end + 1), best


def curve_epsilon(setting, losses, forward, backward):
    """Of the product of K pairs whose hockey sticks are the curve's chords: masses are where its slope jumps."""
    gammas = np.exp(np.concatenate([-losses[:0:-1], losses]))
    slopes = np.diff(both_sides(losses, forward, backward)) / np.diff(gammas)
    Q = np.maximum(np.diff(np.concatenate([[-1.0], slopes, [0.0]])), 0)
    return composed(gammas * Q, -losses[-1], losses[1], setting.times, setting.delta, 1 - (gammas * Q).sum())


def members_epsilon(setting, zero_out, capped=False, points=1500):
    """See above; with `capped`, `caps_epsilon`."""
    losses = np.linspace(0, setting.largest, points)
    removal, addition = legs(setting, losses, capped)
    if zero_out:
        orders = [(removal, addition), (addition, removal)]
        return max(curve_epsilon(setting, losses, *order) for order in orders)
    far, curve = replaced(losses, removal, addition)
    return curve_epsilon(setting, far, curve, curve)


def caps_epsilon(setting, zero_out):
    return members_epsilon(setting, zero_out, capped=True)


def pairs_epsilon(setting, zero_out):
    """Either order, K times, and losses rounded down; a replacement's second row has the slope 1 or its mirror image.

    A replacement is a limit: two rows nearly opposite, and f far out across them, so that d ≥ 2.
    """
    scale = np.mean([noise.at(0.5) for noise, _ in setting.noises])
    ladder = -scale * np.concatenate([[np.inf], np.linspace(-0.5, 1.5, 21), np.linspace(1.7, 5, 12)])
    tried = [(place, absent) for place in ladder for absent in ([None] if zero_out else [np.inf, -place])]
    return pair_epsilon(setting, *max(tried, key=lambda pair: pair_epsilon(setting, *pair, fine=30)), fine=300)


def pair_epsilon(setting, present, absent, fine):
    """Losses are rounded down to so many steps in a standard deviation of all K of them, which costs 1/(2·fine)."""
    parts = [(mass, masses(noise, setting.shift, setting.curvature, present, absent)) for noise, mass in setting.noises]
    laws = [np.concatenate([mass * pair[which] for mass, pair in parts]) for which in (0, 1)]
    return max(_ordered_epsilon(setting, *order, fine) for order in (laws, laws[::-1]))


def _ordered_epsilon(setting, P, Q, fine):
    """The least likely losses are rounded down further: the lowest away, the highest to lower ones."""
    seen = (P > 1e-15) & (Q > 1e-15)
    P, loss = P[seen], np.log(P[seen] / Q[seen])
    order = np.argsort(loss)
    P, loss = P[order], loss[order]
    below = np.cumsum(P)
    low, high = loss[np.searchsorted(below, [1e-9, below[-1] - 1e-9 / setting.times])]
    P, loss = P[loss >= low], np.minimum(loss[loss >= low], high)
    deviation = np.sqrt(P @ (loss - P @ loss) ** 2)
    step = deviation / np.sqrt(setting.times) / fine
    place = np.floor(loss / step).astype(int)
    mass = np.bincount(place - place.min(), P)
    return composed(mass, step * place.min(), step, setting.times, setting.delta, 0.0)


def composed(mass, first, step, times, delta, infinite):
    """The ε at which the K-fold convolution's hockey stick is δ; losses are first + step·i."""
    size = (len(mass) - 1) * times + 1
    length = 1 << (size - 1).bit_length()
    total = np.maximum(np.fft.irfft(np.fft.rfft(mass, length) ** times, length)[:size], 0)
    losses = times * first + step * np.arange(size)
    delta -= 1 - (1 - max(infinite, 0.0)) ** times
    low, high = 0.0, losses[-1]
    for _ in range(60):
        middle = (low + high) / 2
        beyond = losses > middle
        over = (total[beyond] * -np.expm1(middle - losses[beyond])).sum() > delta
        low, high = (middle, high) if over else (low, middle)
    return low
