"""Estimates from samples, with confidence limits that hold for every sample size."""

from typing import NamedTuple

import numpy as np
from scipy.special import betaincinv, ndtri, rel_entr

from radmm.base.arrays import Array, Integers

ERROR = 1e-6  # probability with which a limit may be wrong, each way
BISECTIONS = 60


class BoundedEstimate(NamedTuple):
    """An unbiased estimate with its lower and upper confidence limits; arrays where several are estimated."""

    value: Array
    low: Array
    high: Array


def hockey_stick(losses: Array, epsilon: Array, error: float = ERROR) -> BoundedEstimate:
    """Estimate δ(ε) = E(1 − e^(ε−L))₊ of the losses' law."""
    sticks = [np.abs(np.expm1(np.minimum(each - losses, 0.0))).mean() for each in epsilon]
    return mean_in_unit_interval(np.array(sticks), len(losses), error)


def mean_in_unit_interval(mean: Array, count: int, error: float = ERROR) -> BoundedEstimate:
    """Return confidence limits for the expectation of independent values in [0, 1], given their mean.

    By Hoeffding's inequality in its sharp form the chance that such a mean is beyond m, on the far side from the
    expectation p, is at most exp(−count · KL(m‖p)).
    """
    budget = np.log(1.0 / error) / count

    def limit(inside: Array, outside: Array) -> Array:
        for _ in range(BISECTIONS):
            middle = (inside + outside) / 2.0
            possible = rel_entr(mean, middle) + rel_entr(1.0 - mean, 1.0 - middle) <= budget
            inside, outside = np.where(possible, middle, inside), np.where(possible, outside, middle)
        return outside

    return BoundedEstimate(mean, limit(mean, np.zeros_like(mean)), limit(mean, np.ones_like(mean)))


def normalisation(losses: Array) -> BoundedEstimate:
    """Estimate E e^(−L), which is 1 for the true losses of two laws of one support.

    Limits are by the central limit theorem.
    """
    ratio = np.exp(-losses)
    reach = -ndtri(ERROR) * ratio.std() / np.sqrt(len(ratio))
    return BoundedEstimate(ratio.mean(), ratio.mean() - reach, ratio.mean() + reach)


def clopper_pearson(hits: Integers, trials: int, error: float = ERROR) -> BoundedEstimate:
    """Estimate a probability from the number of hits, with Clopper–Pearson limits."""
    misses = trials - hits
    low = np.where(hits > 0, betaincinv(np.maximum(hits, 1), misses + 1.0, error), 0.0)
    high = np.where(misses > 0, betaincinv(hits + 1.0, np.maximum(misses, 1), 1.0 - error), 1.0)
    return BoundedEstimate(hits / trials, low, high)
