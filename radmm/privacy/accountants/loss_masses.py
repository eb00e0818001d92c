"""Privacy losses on a grid, with the mass of each: how pairs of distributions are composed.

The arithmetic is that of Google's `dp_accounting` (its dense, pessimistic distributions), to which the tests compare;
importing it, with all of SciPy's signal processing and statistics, takes longer than most of the totals themselves.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.fft import fft, ifft, irfft, next_fast_len, rfft

from radmm.base.arrays import Array

TILTS: Array = np.concatenate([np.arange(-20.0, 0.0), np.arange(1.0, 21.0)])  # of Chernoff's bound, over the grid


@dataclass(frozen=True, eq=False)
class LossMasses:
    """The loss of one or many releases: mass at the losses (lowest + j)·step, and at infinity.

    Args:
        step: Of the grid.
        lowest: The first loss, in steps.
        mass: From there on.
        infinite: The mass at infinity.
    """

    step: float
    lowest: int
    mass: Array
    infinite: float

    @classmethod
    def of_curve(cls, sticks: Array, step: float) -> "LossMasses":
        """Of the pair whose hockey sticks are straight in e^ε between the points of a grid.

        Doroshenko et al., "Connect the dots", 2022, Algorithm 1.

        Args:
            sticks: At ε = −n·step … n·step, not increasing.
            step: Of the grid.
        """
        lowest = -(len(sticks) // 2)
        if len(sticks) == 1:
            return cls(step, lowest, 1.0 - sticks, float(sticks[0]))
        sticks = np.minimum.accumulate(sticks)
        falls, growth = np.diff(sticks), math.expm1(step)
        first, last = 1.0 - sticks[0] + falls[0] / growth, falls[-1] / math.expm1(-step)
        inner = (falls[1:] - falls[:-1] * math.exp(step)) / growth
        mass: Array = np.maximum(np.concatenate([[first], inner, [last]]), 0.0)
        return cls(step, lowest, mass, float(sticks[-1]))

    def then(self, other: "LossMasses", cut: float) -> "LossMasses":
        """One release after the other.

        Args:
            other: On the same grid.
            cut: At most the mass that is moved: half of it from the lowest losses to the next, half to infinity.
        """
        if self.step != other.step:
            raise ValueError("both must be on one grid")
        length = len(self.mass) + len(other.mass) - 1
        size = next_fast_len(length, real=True)
        mass = irfft(rfft(self.mass, size) * rfft(other.mass, size), size)[:length]
        first = _negligible(mass, cut / 2.0)
        end = max(length - _negligible(mass[::-1], cut / 2.0), first + 1)
        kept = mass[first:end].copy()
        kept[0] += mass[:first].sum()
        infinite = self.infinite + other.infinite - self.infinite * other.infinite + mass[end:].sum()
        return LossMasses(self.step, self.lowest + other.lowest + first, kept, float(infinite))

    def repeated(self, count: int, cut: float) -> "LossMasses":
        """So many equal releases.

        Args:
            count: At least 1, for which nothing has to be transformed.
            cut: At most the mass of losses that are left out, which is charged as infinite.
        """
        if count == 1:
            return self
        first, last = self._likely(count, cut)
        size = next_fast_len(max(last - first + 1, len(self.mass)))
        composed = np.real(ifft(fft(self.mass, size) ** count))
        mass = np.roll(composed, -first)[: last - first + 1]
        infinite = cut - math.expm1(count * math.log1p(-self.infinite))
        return LossMasses(self.step, self.lowest * count + first, mass, infinite)

    def _likely(self, count: int, cut: float) -> tuple[int, int]:
        """The places, from the lowest possible sum on, beyond which sums of losses have a mass of at most the cut."""
        tilts = TILTS / len(self.mass)
        log_means = np.log(np.exp(np.outer(tilts, np.arange(len(self.mass)))) @ self.mass)
        bounds = (count * log_means + math.log(2.0 / cut)) / tilts
        first = math.floor(bounds[tilts < 0.0].max())
        last = math.ceil(bounds[tilts > 0.0].min())
        return max(first, 0), min(last, (len(self.mass) - 1) * count)

    def epsilon(self, delta: float) -> float:
        """The least ε ≥ 0 at which the hockey stick is at most δ; infinite if there is none.

        Args:
            delta: δ.
        """
        if self.infinite > delta:
            return math.inf
        # From the largest loss down to 0; between two of them δ(ε) = above − e^ε weighted, with the sums from there up.
        losses = self.step * np.arange(self.lowest + len(self.mass) - 1.0, max(self.lowest, 0) - 1.0, -1.0)
        mass = self.mass[::-1][: len(losses)]
        above = np.cumsum(np.concatenate([[self.infinite], mass]))
        weighted = np.cumsum(np.concatenate([[0.0], mass * np.exp(-losses)]))
        vanished = (above[1:] >= delta) & (weighted[1:] == 0.0)  # losses so large that e^(−loss) is no number
        if vanished.any():
            return float(losses[np.argmax(vanished)])
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.log((above - delta) / weighted)
        reached = (above[:-1] > delta) & (weighted[:-1] > 0.0) & (found[:-1] >= losses)
        place = int(np.argmax(reached)) if reached.any() else len(losses)
        return float(found[place]) if above[place] > weighted[place] + delta else 0.0


def _negligible(mass: Array, most: float) -> int:
    """How many of the first entries have a sum of at most so much, however far one goes."""
    beyond = np.cumsum(mass) > most
    return int(np.argmax(beyond)) if beyond.any() else len(mass)
