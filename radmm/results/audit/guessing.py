"""What a number of right guesses proves: the one-run bound of Steinke, Nasr and Jagielski (2023).

Each of m canaries is in the data by a fair coin of its own. Whoever sees what one run releases guesses the coins of r
canaries, r fixed beforehand, and abstains on the others. If the run is (ε, δ)-differentially private, the number of
right guesses exceeds v no more often than `p_value` says. docs/proofs.md has the statement and why it holds.
"""

from functools import lru_cache

import numpy as np
from scipy.optimize import brentq
from scipy.special import betainc, expit, log_ndtr, ndtr, ndtri

from radmm.base.arrays import Array, Integers

ERROR = 0.05  # probability with which an ε that is shown may be too large
LARGEST = 50.0  # ε up to which guesses can show something
SHARES = np.linspace(0.02, 1.0, 50)  # shares of the canaries that may be guessed


def p_value(canaries: int, guesses: int, right: int, epsilon: float, delta: float) -> float:
    """Return a bound on the probability of so many right guesses or more, if a run is (ε, δ)-private.

    Args:
        canaries: Number m of canaries.
        guesses: Number r of guesses; others are abstained from.
        right: Number v of right guesses.
        epsilon: Claimed ε.
        delta: Claimed δ.
    """
    least = right - np.arange(right + 1)  # v, v − 1, …, 0
    tail = _at_least(least, guesses, float(expit(epsilon)))
    # Guesses that δ makes right are at most 2mδ in expectation; the best use of them lifts some number at a time to v.
    lifted = (tail[1:] - tail[0]) / np.arange(1, right + 1)
    return min(float(tail[0]) + 2.0 * canaries * delta * float(lifted.max(initial=0.0)), 1.0)


def _at_least(least: Integers, trials: int, probability: float) -> Array:
    """Return the probabilities that a binomial variable is at least each number."""
    positive = np.maximum(least, 1)
    return np.where(least > 0, betainc(positive, trials - positive + 1, probability), 1.0)


def epsilon_refuted(canaries: int, guesses: int, right: int, delta: float, error: float = ERROR) -> float:
    """Return the largest ε that so many right guesses refute: the run isn't (ε, δ)-private for any smaller one.

    Args:
        canaries: Number m of canaries.
        guesses: Number r of guesses.
        right: Number v of right guesses.
        delta: Claimed δ.
        error: Probability with which the answer may be too large.
    """

    def doubt(epsilon: float) -> float:
        return p_value(canaries, guesses, right, epsilon, delta) - error

    if doubt(0.0) >= 0.0:
        return 0.0
    return float(brentq(doubt, 0.0, LARGEST)) if doubt(LARGEST) >= 0.0 else LARGEST


def gaussian_shift(epsilon: float, delta: float) -> float:
    """Return the distance μ of two unit normal laws that are (ε, δ)-indistinguishable, and no closer.

    Args:
        delta: δ, above 0.
    """

    def excess(mu: float) -> float:
        return float(ndtr(mu / 2 - epsilon / mu) - np.exp(epsilon + log_ndtr(-mu / 2 - epsilon / mu))) - delta

    return float(brentq(excess, 1e-9, 2.0 * (LARGEST + epsilon)))


def ideal_right(canaries: int, guesses: int, mu: float) -> float:
    """Return the expected number of right guesses from ideal scores: N(0, 1) of canaries left out, N(μ, 1) of others.

    Half of the guesses are the highest scores, guessed to be in the data, and half the lowest.

    Args:
        canaries: Number m of canaries.
        guesses: Number r of guesses.
        mu: Distance μ of the two laws.
    """
    share = guesses / (2.0 * canaries)
    threshold = brentq(lambda at: (ndtr(-at) + ndtr(mu - at)) / 2 - share, ndtri(1e-12), mu - ndtri(1e-12))
    return guesses * float(ndtr(mu - threshold)) / (2.0 * share)


@lru_cache(maxsize=64)
def best_guesses(canaries: int, mu: float, delta: float, error: float = ERROR) -> tuple[int, float]:
    """Return how many guesses show most, from ideal scores, and the ε that they can be expected to show.

    With the μ of a claim that is true, that ε is the most that an audit can be expected to show.

    Args:
        canaries: Number m of canaries.
        mu: Distance μ of the two laws of a score.
        delta: δ, above 0.
        error: Probability with which what is shown may be too large.
    """
    tried = np.unique(2 * np.ceil(canaries * SHARES / 2).astype(np.int64).clip(1, canaries // 2))
    shown = {
        guesses: epsilon_refuted(canaries, guesses, int(ideal_right(canaries, guesses, mu)), delta, error)
        for guesses in tried.tolist()
    }
    best = max(shown, key=lambda guesses: shown[guesses])
    return best, shown[best]
