"""The two laws of noise, and how they are drawn.

With α the density is ∝ exp(−α‖ε‖₂): a norm from Gamma(d, 1/α) and, independently, a uniform direction. With σ the noise
is normal, N(0, σ²I), which has no price in pure differential privacy.
"""

from enum import StrEnum

import numpy as np

from radmm.base.arrays import Array, Integers
from radmm.base.seeds import Purpose, generator


class Law(StrEnum):
    """Of the noise: its scale is α for the first, σ for the second."""

    EXPONENTIAL_NORM = "exponential-norm"
    GAUSSIAN = "gaussian"


def draw_noise(alpha: Array, dimension: int, runs: Integers, seed: int, step: int) -> Array:
    """(node, feature, run): one exponential-norm ε for every node and run at one data-touching step.

    Args:
        alpha: α_i, one a node.
        dimension: The number of features.
        runs: The numbers of the runs, each of which has a stream of its own.
        seed: The user's.
        step: k, from 1 on.
    """
    direction, norm = np.empty((len(runs), len(alpha), dimension)), np.empty((len(runs), len(alpha)))
    for place, run in enumerate(runs):  # a stream each: no two runs may share noise
        generator(seed, Purpose.NOISE_DIRECTION, run, step).standard_normal(out=direction[place])
        norm[place] = generator(seed, Purpose.NOISE_NORM, run, step).gamma(dimension, size=len(alpha))
    norm /= alpha * np.sqrt(np.einsum("rnd,rnd->rn", direction, direction))
    direction *= norm[:, :, None]
    return np.ascontiguousarray(direction.transpose(1, 2, 0))


def draw_gaussian(
    sigma: Array,
    dimension: int,
    runs: Integers,
    seed: int,
    step: int,
    purpose: Purpose = Purpose.NOISE_DIRECTION,
) -> Array:
    """(node, feature, run): the same with ε ~ N(0, σ_i²I).

    Args:
        sigma: σ_i, one a node.
        dimension: The number of features.
        runs: The numbers of the runs.
        seed: The user's.
        step: k, from 1 on.
        purpose: Which stream.
    """
    noise = np.empty((len(sigma), dimension, len(runs)))
    for column, run in enumerate(runs):
        normal = generator(seed, purpose, run, step).standard_normal((len(sigma), dimension))
        np.multiply(normal, sigma[:, None], out=noise[:, :, column])
    return noise
