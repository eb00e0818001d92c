"""What it costs to choose the best of several private runs on the data themselves.

Each run draws its hyper-parameters at random, the number of runs is random as well, and the run of best score is
released. The score belongs to the release: a test error that is read without noise is no private score, and then no
theorem below applies.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Gt, Lt
from scipy.optimize import brentq

from radmm.base.arrays import Array
from radmm.privacy.accountants.renyi import ORDERS, converted, normal_divergence

LEAST_MU, MOST_MU = 1e-4, 20.0  # shift over standard deviation of one run, between which `mu_of_each_run` searches


@dataclass(frozen=True)
class NumberOfRuns:
    """Truncated negative binomial law of the number of runs, at least 1.

    Papernot and Steinke, "Hyperparameter tuning with Rényi differential privacy", ICLR 2022, Definition 1. Shape 1 is
    the geometric law of Liu and Talwar, "Private selection from private candidates", STOC 2019.

    Args:
        shape: η, above −1; the smaller it is, the more the number varies, and the less its mean costs.
        gamma: γ, between 0 and 1; the number grows as it falls.
    """

    shape: Annotated[float, Gt(-1)]
    gamma: Annotated[float, Gt(0), Lt(1)]

    @classmethod
    def of_mean(cls, mean: float, shape: float = 0.0) -> "NumberOfRuns":
        """Return the law of a shape that has a mean.

        Args:
            mean: Mean number of runs, above 1.
        """
        exponent = brentq(lambda log: cls(shape, float(np.exp(log))).mean - mean, -60.0, -1e-9)
        return cls(shape, float(np.exp(exponent)))

    @property
    def mean(self) -> float:
        """Mean number of runs."""
        if self.shape == 0.0:
            return float((1.0 / self.gamma - 1.0) / -np.log(self.gamma))
        return float(self.shape * (1.0 - self.gamma) / (self.gamma * -np.expm1(self.shape * np.log(self.gamma))))


def selection_divergence(divergence: Array, number: NumberOfRuns) -> Array:
    """Bound D_a of the best of a random number of runs, at each of ORDERS.

    Papernot and Steinke (2022), Theorem 2: D_a + (1 + η) min_b [(1 − 1/b) D_b + log(1/γ)/b] + log E[K] / (a − 1).

    Args:
        divergence: Bound on D_a of one run and its score, whatever the hyper-parameters, at each of ORDERS.
    """
    again = ((1.0 - 1.0 / ORDERS) * divergence - np.log(number.gamma) / ORDERS).min()
    bound: Array = divergence + (1.0 + number.shape) * again + np.log(number.mean) / (ORDERS - 1.0)
    return bound


def selection_epsilon(mu: float, number: NumberOfRuns, delta: float) -> float:
    """Return the total ε at δ of the best of a random number of runs, each as private as one Gaussian release.

    Args:
        mu: Shift over standard deviation of a run and its score: the root of the sum of squares over all its releases.
    """
    return float(converted(selection_divergence(normal_divergence(mu), number), delta))


def mu_of_each_run(epsilon: float, number: NumberOfRuns, delta: float) -> float:
    """Return the largest μ that each run and its score may have for the selection to spend a total ε."""

    def excess(log_mu: float) -> float:
        return selection_epsilon(float(np.exp(log_mu)), number, delta) - epsilon

    low, high = np.log(LEAST_MU), np.log(MOST_MU)
    found = float(brentq(excess, low, high, xtol=1e-6))
    return float(np.exp(found - 2e-6))  # on the safe side
