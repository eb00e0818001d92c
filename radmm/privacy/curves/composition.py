"""Composition of curves to (ε, δ) of many releases: dominating pairs of discrete laws, by Fourier transforms.

A convex curve is the hockey-stick curve of a discrete pair with masses where its slope jumps; products of such pairs
dominate adaptive compositions (Zhu, Dong and Wang, 2022).
"""

import math
from collections.abc import Sequence

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft
from scipy.special import logsumexp

from radmm.base.arrays import Array
from radmm.privacy.curves.pair_curves import Curve

ROUND_OFF = 1e-10  # charged to δ for round-off, or what the transforms' length asks for if that is more
MOST = 2**23  # bins of a composition
LONG = 2**19  # bins, beyond which only those are kept that losses are likely to be in
UNSEEN = 1e-13  # at most the mass of losses above those, which is charged as infinite; below those it wraps to the top
TILTS: Array = np.linspace(1.0, 15.0, 29)  # of Chernoff's bound, over the root of the mean square


def masses(curve: Curve) -> tuple[Array, float]:
    """Return P's masses at losses j·step, j = −n … n, and at infinity; Q's are e^(−loss) times as large."""
    gammas = np.exp(curve.step * np.arange(len(curve.forward)))
    lengths = gammas[:-1] * np.expm1(curve.step)
    slopes = [np.append(np.diff(half) / lengths, 0.0) for half in (curve.forward, curve.backward)]  # they end flat
    # Q's masses at losses above 0, and P's at losses below 0, as the pair is reversed there.
    upper, lower = (np.maximum(np.diff(half), 0.0) for half in slopes)
    middle = max(1.0 - float(curve.forward[0]) + float(slopes[0][0] + slopes[1][0]), 0.0)
    return np.concatenate([lower[::-1], [middle], upper * gammas[1:]]), float(curve.forward[-1])


def composed_epsilon(curves: Sequence[tuple[Curve, int]], delta: float) -> float:
    """Return the least ε ≥ 0 with H_(e^ε) ≤ δ for the composition of all releases, on one grid; may be infinite.

    Args:
        curves: Curves, each with the number of times that it is released.
        delta: δ, above ROUND_OFF.
    """
    losses, mass, infinite = compose(curves)
    total = float(mass.sum())  # more than 1 where masses of the smallest shifts were rounded up, and with it round-off
    if not math.isfinite(total):
        return math.inf
    lost = max(total, 1.0) * round_off(len(losses), _transformed(curves, mass))
    return epsilon_on_grid(losses, mass, delta - infinite - lost)


def _transformed(curves: Sequence[tuple[Curve, int]], composed: Array) -> float:
    """Return how much is transformed, in factors of 2-norm ½: at least the number of factors, more where masses lie in
    few bins.
    """
    factors = sum(count * float(np.linalg.norm(masses(curve)[0])) for curve, count in curves)
    return max(
        float(sum(count for _, count in curves)),
        2.0 * (factors + float(np.linalg.norm(composed / max(composed.sum(), 1.0)))),
    )


def summed_epsilon(curves: Sequence[tuple[Curve, int]], delta: float) -> float:
    """Return Σ ε of all releases, each at an equal share of δ: basic composition, which needs no transform.

    Args:
        curves: Curves, each with the number of times that it is released.
    """
    share = delta / sum(count for _, count in curves)
    total = 0.0
    for curve, count in curves:
        enough = np.flatnonzero(curve.forward <= share)
        total += count * (curve.step * float(enough[0]) if len(enough) else math.inf)
    return total


def reversed_all(curves: Sequence[tuple[Curve, int]]) -> list[tuple[Curve, int]]:
    """Return the same releases with the two data sets exchanged.

    Args:
        curves: Curves, each with the number of times that it is released.
    """
    return [(curve.reversed(), count) for curve, count in curves]


def round_off(bins: int, count: float) -> float:
    """Bound the mass that the transforms may lose: 8 log₂ 2n units in the last place of a factor's 2-norm, so √n more
    in the sum (docs/proofs.md, section 5).

    Args:
        bins: Number n of bins of the composition.
        count: Number of its factors of 2-norm ½.
    """
    return max(ROUND_OFF, 4.0 * 2.0**-53 * math.log2(2 * bins) * count * math.sqrt(bins))


def compose(curves: Sequence[tuple[Curve, int]]) -> tuple[Array, Array, float]:
    """Return losses, their masses, and the mass at infinity of the composition.

    Args:
        curves: Curves, each with the number of times that it is released.
    """
    step = curves[0][0].step
    if any(curve.step != step for curve, _ in curves):
        raise ValueError("all curves must be on one grid")
    reach = sum((len(curve.forward) - 1) * count for curve, count in curves)
    if 2 * reach + 1 > MOST:
        raise ValueError(f"a composition of {2 * reach + 1} bins: the step must be larger")
    pairs = [(*masses(curve), count) for curve, count in curves]
    first, last = (-reach, reach) if 2 * reach < LONG else _likely(pairs, reach)
    size = next_fast_len(last - first + 1, real=True)
    transform = np.ones(size // 2 + 1, dtype=np.complex128)
    finite = 1.0
    for mass, infinite, count in pairs:
        transform *= rfft(mass, size) ** count
        finite *= (1.0 - infinite) ** count
    total = np.maximum(irfft(transform, size), 0.0)
    kept: Array = total[np.arange(first + reach, last + reach + 1) % size]
    losses: Array = step * np.arange(first, last + 1, dtype=np.float64)
    return losses, kept, 1.0 - finite + (UNSEEN if last < reach else 0.0)


def _likely(pairs: Sequence[tuple[Array, float, int]], reach: int) -> tuple[int, int]:
    """Return the first and the last bin of a sum of losses: beyond either of them its mass is at most UNSEEN.

    By Chernoff's bound, Pr(S ≥ s) ≤ e^(−ts) E e^(tS), at the best of some t > 0, and the same for −S.
    """
    with np.errstate(divide="ignore"):
        logs = [np.log(mass) for mass, _, _ in pairs]  # as weights, the smallest masses would overflow what they divide
    places = [(np.arange(len(mass)) - len(mass) // 2, mass, count) for mass, _, count in pairs]
    spread = max(sum(count * float(mass @ place**2) for place, mass, count in places) ** 0.5, 1.0)
    ends = []
    for sign in (-1.0, 1.0):
        tilted = [
            count * logsumexp(sign * np.outer(TILTS / spread, at) + log_mass, axis=1)
            for (at, _, count), log_mass in zip(places, logs, strict=True)
        ]
        ends.append(int(np.ceil(np.min((sum(tilted) - math.log(UNSEEN)) / TILTS) * spread)))
    first, last = max(min(-ends[0], 0), -reach), min(max(ends[1], 0), reach)
    longest = max(len(mass) for mass, _, _ in pairs)  # of which the transforms must see all
    last = max(last, first + longest - 1)
    return (first, last) if last <= reach else (-reach, reach)


def epsilon_on_grid(losses: Array, mass: Array, delta: float) -> float:
    """Return the ε ≥ 0 at which Σ mass (1 − e^(ε − loss))₊ is δ, from above; infinite if there is none.

    Args:
        losses: Losses, ascending and equally spaced.
        mass: Mass of each loss.
    """
    if delta <= 0.0:
        return math.inf
    above = np.cumsum(mass[::-1])[::-1]
    weighted = np.cumsum((mass * np.exp(-np.clip(losses, -700.0, None)))[::-1])[::-1]
    zero = int(np.searchsorted(losses, 0.0))
    sticks = above[zero:] - np.exp(np.minimum(losses[zero:], 700.0)) * weighted[zero:]  # at ε = each loss from 0 on
    if sticks[0] <= delta:
        return 0.0
    place = zero + int(np.argmax(sticks <= delta)) if (sticks <= delta).any() else len(losses) - 1
    # Between two losses δ(ε) = above − e^ε weighted, with the sums over losses from the upper one on. That is δ at a
    # place between them, unless rounding hides it: then the upper one is a bound.
    gap = above[place] - delta
    with np.errstate(divide="ignore", over="ignore"):  # of losses above 700, whose e^(−loss) vanishes
        return float(min(np.log(gap / weighted[place]), losses[place])) if gap > 0.0 else float(losses[place])
