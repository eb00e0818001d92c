"""Effects over runs, and Student's intervals over runs or over pairs of a split and a graph."""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.special import stdtrit

from radmm.base.arrays import Array, Mask
from radmm.results.claims.decision import Kind
from radmm.results.claims.evidence import EvidenceError, Runs, check_pair

ROUNDING = 1e-9  # total bounds that differ by a smaller share are equal

Statistic = Callable[..., Array]  # over the last axis of its samples
Measure = Callable[[Runs], Array]  # one value a run


@dataclass(frozen=True)
class Sample:
    """Mean and standard deviation of an effect over independent units, which are all that its interval needs.

    Args:
        units: Number of units: runs, or pairs of a split and a graph.
        mean: The effect.
        deviation: Standard deviation from unit to unit.
    """

    units: int
    mean: float
    deviation: float

    def interval(self, level: float) -> tuple[float, float]:
        """Return Student's interval for the mean of independent units.

        Args:
            level: Probability that the interval covers the mean.
        """
        if self.deviation == 0.0:
            return self.mean, self.mean
        if self.units < 2:
            return -np.inf, np.inf
        quantile = float(stdtrit(self.units - 1, (1.0 + level) / 2.0))
        arm = quantile * self.deviation * sqrt(1.0 / self.units)
        return self.mean - arm, self.mean + arm


def sample_of(values: Array) -> Sample:
    """Return the sample of one value a unit."""
    return Sample(len(values), float(values.mean()), float(values.std(ddof=1)) if len(values) > 1 else 0.0)


@dataclass(frozen=True)
class Effect:
    """An effect over the runs of some settings on one split and graph.

    Args:
        value: The statistic over all complete runs.
        deviation: Standard deviation of its jackknife pseudo-values, one a run; zero if no chance is involved.
        runs: Number of runs that are complete in all settings.
        ended_early: Number of runs that were left out, as one of the settings has no value there.
    """

    value: float
    deviation: float
    runs: int
    ended_early: int = 0

    @property
    def sample(self) -> Sample:
        """The effect with runs as its units."""
        return Sample(self.runs, self.value, self.deviation)


def effect(statistic: Statistic, *samples: Array) -> Effect:
    """Return the effect of a statistic; its runs are left out one after the other (jackknife), in all samples at once.

    Args:
        samples: One value a run each, NaN where the run ended early.
    """
    common = min(len(sample) for sample in samples)
    table = np.stack([sample[:common] for sample in samples])
    complete = table[:, ~np.isnan(table).any(axis=0)]
    runs = complete.shape[1]
    value = float(statistic(*complete)) if runs else np.nan
    if not np.isfinite(value):
        raise EvidenceError(f"{runs} complete runs are too few, or too much alike, for a finite value")
    return Effect(value, _deviation(statistic, complete, value), runs, common - runs)


def _deviation(statistic: Statistic, complete: Array, value: float) -> float:
    runs = complete.shape[1]
    if runs < 3:
        return float("inf")
    others = np.flatnonzero(~np.eye(runs, dtype=bool)) % runs
    without = statistic(*complete.take(others.reshape(runs, runs - 1), axis=1))
    deviation = float(np.std(runs * value - (runs - 1) * without, ddof=1))
    return deviation if np.isfinite(deviation) else float("inf")


def exact(value: float, runs: int) -> Effect:
    """Return an effect that the runs' randomness has no part in."""
    return Effect(value, 0.0, runs)


def count(happens: Callable[[Runs], Mask], runs: Runs) -> Effect:
    """Count how often an event happens in all runs and iterations; a run that ended early counts as far as it went."""
    events = happens(runs)
    return exact(float(events.sum()), len(events))


def compare(statistic: Statistic, measure: Measure, *settings: Runs) -> Effect:
    """Return the effect of a statistic of one measure a run, with the runs of these settings paired by their number."""
    for other in settings[1:]:
        check_pair(settings[0], other)
    return effect(statistic, *(measure(runs) for runs in settings))


def mean(sample: Array) -> Array:
    means: Array = sample.mean(axis=-1)
    return means


def difference(left: Array, right: Array) -> Array:
    """Return the difference of the two means."""
    return mean(left - right)


def log_ratio(left: Array, right: Array) -> Array:
    """Return the logarithm of the ratio of the two means."""
    return _log(mean(left)) - _log(mean(right))


def log_spread_ratio(left: Array, right: Array) -> Array:
    """Return the logarithm of the ratio of the two standard deviations over the runs."""
    return _log(left.std(axis=-1)) - _log(right.std(axis=-1))


def relative_change(left: Array, right: Array) -> Array:
    """Return the difference of the two means as a share of the right one."""
    with np.errstate(divide="ignore", invalid="ignore"):  # by zero: what isn't finite is refused
        change: Array = mean(left) / mean(right) - 1.0
    return change


def over(reference: float) -> Statistic:
    """Return the statistic that takes the logarithm of the ratio of means, relative to a reference.

    Args:
        reference: Ratio at which the effect is zero.
    """
    return lambda left, right: log_ratio(left, right) - np.log(reference)


def change_of(statistic: Statistic) -> Statistic:
    """Return a difference of differences: the change of a statistic from one pair of settings to another."""

    def change(left: Array, right: Array, left_before: Array, right_before: Array) -> Array:
        return statistic(left, right) - statistic(left_before, right_before)

    return change


def _log(values: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):  # what isn't finite is refused
        logarithm: Array = np.log(values)
    return logarithm


def last(metric: str) -> Measure:
    """Return the measure that takes a metric at the last iteration."""
    return lambda runs: runs[metric][:, -1]


ACCURACY = {Kind.LOSS: last("loss"), Kind.ERROR: last("error_rate")}
# Losses are compared by their ratio, so that a margin is a share of the loss; error rates by their difference.
COMPARED: dict[Kind, Statistic] = {Kind.LOSS: log_ratio, Kind.ERROR: difference}


def bounds(runs: Runs) -> Array:
    """Return P(t), which is the same in all runs that got there."""
    stored = runs["privacy_loss"]
    reached: Array = stored[np.isfinite(stored).sum(axis=1).argmax()]
    if not np.isfinite(reached[-1]):
        raise EvidenceError(f"{runs.name} has no total bound at its last iteration")
    return reached


def bound_difference(left: Runs, right: Runs) -> Effect:
    """Return the difference of the total bounds P(T), as a share of the right one.

    Calibration makes them equal up to rounding.
    """
    ours, theirs = bounds(left)[-1], bounds(right)[-1]
    relative = float((ours - theirs) / theirs)
    return exact(0.0 if abs(relative) < ROUNDING else relative, len(left["privacy_loss"]))
