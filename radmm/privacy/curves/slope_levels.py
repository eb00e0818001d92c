"""Levels of a row's slope, and how fast it can change: all that a curve needs to know of a loss.

Along a row's direction the slope s = −ℓ'/G, as a share of the largest G, never falls, and rises at most at the rate
κ(s)/λ: κ(s) = s(1 − s) for the logistic loss, 1 for losses of which only the largest curvature is known. The time z
with dz = ds/κ(s) turns that into a bound of 1/λ on dz/du.
"""

from dataclasses import dataclass

import numpy as np

from radmm.base.arrays import Array
from radmm.model.losses.loss import BOUNDED, LOGISTIC

FORMS = (LOGISTIC, BOUNDED)
END = 9.0  # logit at which the end levels of the logistic loss begin
LARGEST_RATE = {LOGISTIC: 0.25, BOUNDED: 1.0}
DURATION = {LOGISTIC: 2.0 * END, BOUNDED: 1.0}  # the time from the lowest level to the highest


def rate(form: str, share: Array) -> Array:
    """Return the rate κ(s) at which the slope may rise.

    Args:
        form: Form of the loss: logistic or bounded.
        share: Slopes as shares of the largest.
    """
    return share * (1.0 - share) if form == LOGISTIC else np.ones_like(share)


@dataclass(frozen=True)
class Levels:
    """A partition of the slopes into levels, with k = 1 + (c/λ) κ, the Jacobian at the fastest rise.

    Args:
        low: Smallest slope of each level.
        high: Largest slope of each level.
        gain: Mean of k − 1 over the level's time; 0 in end levels.
        least: Smallest k; 0 in end levels, whose mean is not what is paid there.
        most: Largest k.
        spread: Mean of (k − its mean)₊; in end levels the whole rise, in units of one level's time.
        time: Least time h to cross a level, times λ.
    """

    low: Array
    high: Array
    gain: Array
    least: Array
    most: Array
    spread: Array
    time: float


def levels(form: str, shift: float, curvature: float, time: float) -> Levels:
    """Partition the slopes into levels of about this height in time.

    Args:
        form: Form of the loss: logistic or bounded.
        shift: Largest shift c of the noise by the row.
        curvature: Strong convexity λ.
        time: Height h of a level.
    """
    factor = shift / curvature
    return _logistic(factor, time) if form == LOGISTIC else _bounded(factor, time)


def _bounded(factor: float, time: float) -> Levels:
    number = max(2, int(np.ceil(1.0 / time)))
    edges = np.arange(number + 1) / number
    gain = np.full(number, factor)
    return Levels(edges[:-1], edges[1:], gain, 1.0 + gain, 1.0 + gain, np.zeros(number), 1.0 / number)


def _logistic(factor: float, time: float) -> Levels:
    half = int(np.ceil(END / time))
    logits: Array = time * np.arange(-half, half + 1, dtype=np.float64)  # one is 0, so that κ is monotone on each level
    inner = 1.0 / (1.0 + np.exp(-logits))
    edges = np.concatenate([[0.0], inner, [1.0]])
    at_edges = rate(LOGISTIC, edges)
    most = 1.0 + factor * np.maximum(at_edges[:-1], at_edges[1:])
    least = 1.0 + factor * np.minimum(at_edges[:-1], at_edges[1:])
    least[[0, -1]] = 0.0
    mean = np.diff(inner) / time
    gain = factor * np.concatenate([[0.0], mean, [0.0]])
    ends = inner[0] / time  # e dz ≤ c f ρ ds there, however long the time
    spread = factor * np.concatenate([[ends], _spread(logits, inner, mean, time), [ends]])
    return Levels(edges[:-1], edges[1:], gain, least, most, spread * (1.0 + 1e-12), time)


def _spread(logits: Array, edges: Array, mean: Array, time: float) -> Array:
    """Return (1/h) ∫ (κ − mean)₊ dz on each level.

    On a level κ is monotone, so it is above its mean on one side of one place.
    """
    below = logits[:-1] < 0.0
    cross = (1.0 - np.sqrt(np.maximum(1.0 - 4.0 * mean, 0.0))) / 2.0  # κ(s) = mean, s ≤ 1/2
    near = np.where(below, edges[1:], 1.0 - edges[:-1])  # by symmetry every level is one below 1/2
    near_logit = np.where(below, logits[1:], -logits[:-1])
    length = near_logit - np.log(cross / (1.0 - cross))
    excess = (near - cross) - mean * length
    spread: Array = np.maximum(excess / time, 0.0) + 1e-15
    return spread
