"""Hockey-stick curves of ordered pairs (P, Q) of data sets on a grid of losses, for replacements and groups of rows."""

import ctypes
from dataclasses import dataclass

import numpy as np

from radmm.base.arrays import Array
from radmm.privacy.curves.compiled import doubles, hull, library
from radmm.privacy.curves.removal_addition import CurvePair


@dataclass(frozen=True)
class Curve:
    """Upper bounds on the hockey sticks of an ordered pair, at γ = e^(j·step), j = 0, 1, …, convex in γ.

    For γ < 1 the hockey stick of (P, Q) follows from that of (Q, P), so two halves are a whole curve.

    Args:
        step: Step of the grid of losses.
        forward: H_γ(P ‖ Q).
        backward: H_γ(Q ‖ P).
    """

    step: float
    forward: Array
    backward: Array

    def reversed(self) -> "Curve":
        """Curve of the same pair in the other order, Q against P."""
        return Curve(self.step, self.backward, self.forward)


def zeroed(pair: CurvePair, step: float) -> Curve:
    """Return the curve of the row present (P) against zeroed (Q); its `reversed` is the other order."""
    size = int(np.ceil(pair.epsilon[-1] / step)) + 1
    gammas = np.exp(step * np.arange(size + 1))
    halves = [np.interp(gammas, np.exp(pair.epsilon), each) for each in (pair.removal, pair.addition)]
    return convex(step, *halves)


def convex(step: float, forward: Array, backward: Array) -> Curve:
    """Return the lower convex hull of upper points of both halves, below which the true curve, being convex, lies.

    Args:
        forward: Upper points of H_γ(P ‖ Q).
        backward: Upper points of H_γ(Q ‖ P), as many.
    """
    size = max(len(forward), len(backward))
    halves = [np.pad(np.clip(each, 0.0, 1.0), (0, size - len(each)), "edge") for each in (forward, backward)]
    middle = min(halves[0][0], halves[1][0])  # the total variation distance, either way
    gammas = np.exp(step * np.arange(size))
    for half in halves:
        half[0] = middle
    ahead = convex_minorant(gammas, np.minimum.accumulate(halves[0]))
    if forward is backward:
        return Curve(step, ahead, ahead)
    return Curve(step, ahead, convex_minorant(gammas, np.minimum.accumulate(halves[1])))


def chained(first: Curve, second: Curve) -> Curve:
    """Return the curve of (P, Q) from those of (P, M) and (M, Q).

    H_γ(P‖Q) ≤ H_γ₁(P‖M) + γ₁ H_(γ/γ₁)(M‖Q), with the best γ₁ of the grid.

    Args:
        first: Curve of (P, M).
        second: Curve of (M, Q), on the same grid.
    """
    if first.step != second.step:
        raise ValueError("both curves must be on one grid")
    forward = _min_plus(first, second)
    backward = _min_plus(second.reversed(), first.reversed())
    return convex(first.step, forward, backward)


def replaced(curve: Curve) -> Curve:
    """Return the curve of replacing a row: one removed, another added.

    Args:
        curve: Curve of the row present against zeroed.
    """
    half = _min_plus(curve, curve.reversed())  # of both orders: a replacement read backwards is a replacement
    return convex(curve.step, half, half)


def grouped(curve: Curve, rows: int) -> Curve:
    """Return the curve of changing several rows, one after the other.

    Args:
        curve: Curve of one row's change.
    """
    total = curve
    for _ in range(rows - 1):
        total = chained(total, curve)
    return total


def _min_plus(first: Curve, second: Curve) -> Array:
    """Return the minimum over γ₁ = e^(i·step) of first(γ₁) + γ₁ second(e^(j·step)/γ₁), j ≥ 0.

    It goes up to the sum of the two ranges. Beyond its range a half is at most its last value. Below γ = 1 a curve is
    1 − γ + γ times the other half at 1/γ.
    """
    step, size = first.step, len(first.forward) + len(second.forward) - 1
    ahead = np.pad(second.forward, (0, size + len(first.backward)), "edge")
    behind = second.backward
    gammas = np.exp(step * np.arange(size + len(behind)))
    best = np.full(size, np.inf)
    program = library()
    if program is not None:
        sizes = (size, len(first.forward), len(first.backward), len(behind))
        fallen = -np.expm1(-step * np.arange(len(first.backward)))
        arrays = doubles(first.forward, first.backward, ahead, behind, gammas, fallen, best)
        program.radmm_min_plus(*map(ctypes.c_long, sizes), *arrays)
        return best
    for i, value in enumerate(first.forward):
        np.minimum(best[i:], value + gammas[i] * ahead[: size - i], out=best[i:])  # 0 ≤ i ≤ j
        low = max(0, i - len(behind) + 1)
        more = value + (gammas[i] - gammas[low:i]) + gammas[low:i] * behind[i - low : 0 : -1]  # i > j
        np.minimum(best[low:i], more, out=best[low:i])
    for i, value in enumerate(first.backward[1:], start=1):  # γ₁ < 1
        less = -np.expm1(-step * i) + (value + ahead[i : i + size]) / gammas[i]
        np.minimum(best, less, out=best)
    return best


def convex_minorant(places: Array, heights: Array) -> Array:
    """Return the lower convex hull of points with ascending places, at these places, by Andrew's monotone chain.

    Args:
        places: Abscissae of the points, ascending.
        heights: Ordinates of the points.
    """
    program = library()
    chain = _chain(places.tolist(), heights.tolist()) if program is None else hull(program, places, heights)
    return np.interp(places, places[chain], heights[chain])


def _chain(x: list[float], y: list[float]) -> list[int]:
    chain: list[int] = []
    for new in range(len(x)):
        while len(chain) >= 2:
            before, last = chain[-2], chain[-1]
            if (y[last] - y[before]) * (x[new] - x[before]) < (y[new] - y[before]) * (x[last] - x[before]):
                break
            chain.pop()
        chain.append(new)
    return chain
