"""The running average of the released iterates: made of released values alone, so it costs no privacy.

Averaging reduces the noise. Early iterates are far from the optimum, so later ones get more weight: weights grow like
t^p (polynomial decay averaging; Shamir and Zhang, "Stochastic gradient descent for non-smooth optimization", 2013).
"""

import numpy as np

from radmm.base.arrays import Array, combine

POWER = 3.0  # p: iterates of the first half count for a sixteenth


def weight(iteration: int) -> float:
    """Return the weight w = (p + 1)/(t + p) of f(t) in its running average, which is 1 at t = 1, so f(0) doesn't count.

    Args:
        iteration: Iteration t, from 1.
    """
    return (POWER + 1.0) / (iteration + POWER)


def next_average(average: Array, primal: Array, iteration: int) -> Array:
    """Return the next running average, (1 − w) average + w f(t), of every node.

    Args:
        average: Running average of the iterates before t.
        primal: Iterate f(t), (node, feature, run) like the average.
        iteration: Iteration t; at 0 and 1 the average is f(t) itself.
    """
    if iteration <= 1:
        return primal
    share = weight(iteration)
    return combine((1.0 - share, average), (share, primal))


def averages_of(iterates: Array) -> Array:
    """Return the running averages of a sequence of iterates.

    Args:
        iterates: Iterates f(0) … f(T) along the second axis, as in `Result.primal`.
    """
    averages = np.array(iterates)
    for iteration in range(2, iterates.shape[1]):
        share = weight(iteration)
        averages[:, iteration] = (1.0 - share) * averages[:, iteration - 1] + share * iterates[:, iteration]
    return averages
