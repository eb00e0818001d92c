"""The two laws of noise, and how they are drawn.

With α the density is ∝ exp(−α‖ε‖₂): a norm from Gamma(d, 1/α) and, independently, a uniform direction. With σ the noise
is normal, N(0, σ²I), which has no finite ε in pure differential privacy.
"""

from enum import StrEnum

import numpy as np

from radmm.base.arrays import Array, Integers
from radmm.base.seeds import Purpose, generator


class Law(StrEnum):
    """Law of the noise, whose scale is α for exponential-norm and σ for Gaussian noise."""

    EXPONENTIAL_NORM = "exponential-norm"
    GAUSSIAN = "gaussian"


def in_noise(law: Law, scale: float, value: float) -> float:
    """Convert to units of the noise: scales are σ of normal noise, but α, one over a length, of exponential-norm noise.

    Args:
        law: gaussian or exponential-norm.
        scale: σ or α of the noise.
        value: A length, or a curvature.
    """
    return value / scale if law == Law.GAUSSIAN else value * scale


def draw_noise(alpha: Array, dimension: int, runs: Integers, seed: int, step: int) -> Array:
    """Draw exponential-norm noise for every node and run at one data-touching step, (node, feature, run).

    Args:
        alpha: α_i, one a node.
        runs: Numbers of the runs, each of which has a stream of its own.
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
    """Draw Gaussian noise N(0, σ_i²I) for every node and run at one data-touching step, (node, feature, run).

    Args:
        sigma: σ_i, one a node.
        runs: Numbers of the runs, each of which has a stream of its own.
    """
    noise = np.empty((len(sigma), dimension, len(runs)))
    for column, run in enumerate(runs):
        normal = generator(seed, purpose, run, step).standard_normal((len(sigma), dimension))
        np.multiply(normal, sigma[:, None], out=noise[:, :, column])
    return noise
