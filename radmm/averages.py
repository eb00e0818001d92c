"""The average of the released iterates so far: made of released values alone, so it costs no privacy.

Averages of noisy iterates have less noise. Those of the beginning are far from the optimum, so later ones count more:
weights grow like t^p (polynomial decay averaging; Shamir and Zhang, "Stochastic gradient descent for non-smooth
optimization", 2013).
"""

import numpy as np

from radmm.base.arrays import Array, combine

POWER = 3.0  # p: iterates of the first half count for a sixteenth


def weight(iteration: int) -> float:
    """w of f(t) in its average with all before: (p + 1)/(t + p), which is 1 at t = 1, so f(0) doesn't count.

    Args:
        iteration: t, from 1 on.
    """
    return (POWER + 1.0) / (iteration + POWER)


def next_average(average: Array, primal: Array, iteration: int) -> Array:
    """(1 − w) average + w f(t), for every node by itself.

    Args:
        average: Of the iterates before.
        primal: f(t), of the same shape: (node, feature, run).
        iteration: t; at 0 and 1 the average is f(t) itself.
    """
    if iteration <= 1:
        return primal
    share = weight(iteration)
    return combine((1.0 - share, average), (share, primal))


def averages_of(iterates: Array) -> Array:
    """The averages of all prefixes.

    Args:
        iterates: f(0) … f(T) along the second axis, as `Result.primal` has them.
    """
    averages = np.array(iterates)
    for iteration in range(2, iterates.shape[1]):
        share = weight(iteration)
        averages[:, iteration] = (1.0 - share) * averages[:, iteration - 1] + share * iterates[:, iteration]
    return averages
