"""Statistics over pairs of runs, with bootstrap intervals that are reproducible to the byte."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from math import sqrt

import numpy as np
from scipy.special import ndtr, stdtrit

from radmm.base.arrays import Array, Integers, Mask
from radmm.base.seeds import Purpose, generator
from radmm.results.claims.evidence import EvidenceError, Runs, check_pair

LEVEL = 0.95
RESAMPLES = 10_000
ROUNDING = 1e-9  # total bounds that differ by a smaller share are equal

Statistic = Callable[..., Array]  # over the last axis of its samples
Measure = Callable[[Runs], Array]  # one value a run


@dataclass(frozen=True)
class Estimate:
    """A statistic with its interval; pairs of runs of which one ended early are left out."""

    value: float
    low: float
    high: float
    runs: int
    ended_early: int = 0
    is_exact: bool = False  # no chance is involved, and the interval is a point

    def widened(self, level: float) -> "Estimate":
        """Return the estimate with an interval of another level.

        Its arms grow in proportion, as those of Student's interval do: so far out in the tails there are no resamples.
        """
        if self.is_exact:
            return self
        growth = float(stdtrit(self.runs - 1, (1 + level) / 2) / stdtrit(self.runs - 1, (1 + LEVEL) / 2))
        low, high = self.value - growth * (self.value - self.low), self.value + growth * (self.high - self.value)
        return replace(self, low=low, high=high)


def estimate(statistic: Statistic, *samples: Array) -> Estimate:
    """Estimate a statistic; runs that all samples have are resampled together.

    Args:
        statistic: Function of the samples.
        samples: One value a run each, NaN where the run ended early.
    """
    common = min(len(sample) for sample in samples)
    table = np.stack([sample[:common] for sample in samples])
    complete = table[:, ~np.isnan(table).any(axis=0)]
    runs = complete.shape[1]
    if runs < 2:
        raise EvidenceError(f"{runs} complete runs, and an interval takes two")
    value, resampled = float(statistic(*complete)), statistic(*complete.take(_resamples(runs), axis=1))
    if not (np.isfinite(value) and np.isfinite(resampled).all()):
        raise EvidenceError(f"{runs} runs are too few, or too much alike, for a finite interval")
    low, high = np.quantile(resampled, _levels(runs))
    return Estimate(value, float(low), float(high), runs, table.shape[1] - runs)


def exact(value: float, runs: int) -> Estimate:
    """Return an estimate without uncertainty, of a number that the runs' randomness has no part in."""
    return Estimate(value, value, value, runs, is_exact=True)


def count(happens: Callable[[Runs], Mask], runs: Runs) -> Estimate:
    """Count how often an event happens in all runs and iterations; a run that ended early counts as far as it went."""
    events = happens(runs)
    return exact(float(events.sum()), len(events))


def compare(statistic: Statistic, measure: Measure, *settings: Runs) -> Estimate:
    """Estimate a statistic of one measure a run, with the runs of these settings paired by their number."""
    for other in settings[1:]:
        check_pair(settings[0], other)
    return estimate(statistic, *(measure(runs) for runs in settings))


def mean(sample: Array) -> Array:
    means: Array = sample.mean(axis=-1)
    return means


def difference(left: Array, right: Array) -> Array:
    """Return the difference of the two means."""
    return mean(left - right)


def ratio(left: Array, right: Array) -> Array:
    """Return the ratio of the two means."""
    return _divide(mean(left), mean(right))


def spread_ratio(left: Array, right: Array) -> Array:
    """Return the ratio of the two standard deviations over the runs."""
    return _divide(left.std(axis=-1), right.std(axis=-1))


def log_ratio(left: Array, right: Array) -> Array:
    """Return the logarithm of the ratio of the two means, for comparing ratios with each other."""
    logarithm: Array = np.log(ratio(left, right))
    return logarithm


def change_of(statistic: Statistic) -> Statistic:
    """Return a difference of differences: the change of a statistic from one pair of settings to another."""

    def change(left: Array, right: Array, left_before: Array, right_before: Array) -> Array:
        return statistic(left, right) - statistic(left_before, right_before)

    return change


def _divide(numerator: Array, denominator: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):  # by zero: estimate refuses what isn't finite
        quotient: Array = np.divide(numerator, denominator)
    return quotient


def last(metric: str) -> Measure:
    """Return the measure that takes a metric at the last iteration."""
    return lambda runs: runs[metric][:, -1]


SCALES: dict[str, Statistic] = {"difference": difference, "ratio": log_ratio}
ACCURACY = {"loss": last("loss"), "test error": last("error_rate")}


def bounds(runs: Runs) -> Array:
    """Return P(t), which is the same in all runs that got there."""
    stored = runs["privacy_loss"]
    reached: Array = stored[np.isfinite(stored).sum(axis=1).argmax()]
    if not np.isfinite(reached[-1]):
        raise EvidenceError(f"{runs.name} has no total bound at its last iteration")
    return reached


def bound_difference(left: Runs, right: Runs) -> Estimate:
    """Return the difference of the total bounds P(T), as a share of the right one.

    Calibration makes them equal up to rounding.
    """
    ours, theirs = bounds(left)[-1], bounds(right)[-1]
    relative = float((ours - theirs) / theirs)
    return exact(0.0 if abs(relative) < ROUNDING else relative, len(left["privacy_loss"]))


@lru_cache
def _resamples(runs: int) -> Integers:
    """Return the resamples for a number of runs, so that no interval depends on which were made before it."""
    return generator(0, Purpose.BOOTSTRAP, runs).integers(runs, size=(RESAMPLES, runs))


def _levels(runs: int) -> tuple[float, float]:
    """Return the percentiles of the expanded percentile interval (Hesterberg, The American Statistician 69, 2015).

    With few runs plain percentiles are too narrow; these are wider by what makes the interval of a normal mean as wide
    as Student's.
    """
    student = stdtrit(runs - 1, (1 + LEVEL) / 2)
    tail = float(ndtr(-student * sqrt(runs / (runs - 1))))
    return tail, 1 - tail
