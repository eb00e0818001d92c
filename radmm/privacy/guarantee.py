"""The total privacy bound of a run in pure differential privacy, what it requires, and noise calibrated to it.

Neighbouring data sets differ by replacing one row at one node. A bound is a total over all iterations up to t, and the
maximum over the nodes: the row may be anywhere.
"""

import math

import numpy as np

from radmm.algorithms.families import Algorithm
from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.model.facts import PublicFacts
from radmm.model.problem import NORM_SLACK, LongestRow
from radmm.privacy.noise import GAUSSIAN, Noise

CALIBRATION_DIGITS = 10  # calibrated α is cut to this many digits: one canonical form on every machine


def total_bound(facts: PublicFacts, algorithm: Algorithm, noise: Noise, iterations: int) -> Array:
    """The paper's P(t) for t = 0 … iterations: max_i Σ_{k ≤ K(t)} of what step k costs node i."""
    if noise.law == GAUSSIAN:
        raise InputError(f"sigma = {noise.sigma}: Gaussian noise has no bound in pure differential privacy")
    fixed, slope = _step_costs(facts, algorithm, noise, iterations)
    alpha = [noise.scales(k, facts.nodes) for k in range(1, len(fixed) + 1)]
    totals = np.vstack([np.zeros(facts.nodes), np.cumsum(fixed + slope * alpha, axis=0)])
    data_steps = [algorithm.data_steps(t) for t in range(iterations + 1)]
    bound: Array = totals[data_steps].max(axis=1)
    return bound


def calibrate(facts: PublicFacts, algorithm: Algorithm, noise: type[Noise], iterations: int, target: float) -> float:
    """The largest constant α whose total bound after all iterations is at most the target, cut to ten digits."""
    fixed, slope = (cost.sum(axis=0) for cost in _step_costs(facts, algorithm, noise(1.0), iterations))
    worst = int(fixed.argmax())
    if fixed[worst] >= target:
        raise InputError(
            f"total_bound = {target:g} can't be met by any noise: the Jacobian term alone is "
            f"{fixed[worst]:g} at node {worst} over {algorithm.data_steps(iterations)} data-touching iterations"
        )
    exact = float(((target - fixed) / slope).min())
    unit = 10.0 ** (math.floor(math.log10(exact)) - CALIBRATION_DIGITS + 1)
    alpha = float(f"{math.floor(exact / unit) * unit:.{CALIBRATION_DIGITS}g}")
    while total_bound(facts, algorithm, noise(alpha), iterations)[-1] > target:  # rounding: to the safe side
        alpha = float(f"{alpha - unit:.{CALIBRATION_DIGITS}g}")
    return alpha


def _step_costs(facts: PublicFacts, algorithm: Algorithm, noise: Noise, iterations: int) -> tuple[Array, Array]:
    steps = algorithm.data_steps(iterations)
    penalty = np.array([algorithm.penalties(k, facts.nodes) for k in range(1, steps + 1)]).reshape(steps, facts.nodes)
    return noise.cost(facts, penalty)


def check_pair(algorithm: Algorithm, noise: Noise | None) -> None:
    """Refuse an algorithm with a noise it can't take."""
    if noise is not None and noise.only_for not in (None, algorithm.name):
        raise InputError(f"{noise.name} noise is defined for {noise.only_for} only, not for {algorithm.name}")


def check_guarantee(facts: PublicFacts, algorithm: Algorithm, noise: Noise) -> None:
    """The privacy theorem's condition 2c1 < (B_i/C)(ρ/N + 2η_i(1)V_i) at every node.

    It is about objective perturbation in pure differential privacy, so Gaussian noise does without.
    """
    noise.scales(1, facts.nodes)  # one for each node
    if not noise.perturbs_objective or noise.law == GAUSSIAN:
        return
    right = facts.row_counts / facts.C * facts.strong_convexity(algorithm.penalties(1, facts.nodes))
    node = int(right.argmin())
    if not 2 * facts.c1 < right[node]:
        raise InputError(
            f"the privacy bound needs 2 c1 < (B_i/C)(rho/N + 2 eta_i(1) V_i), but at node {node} "
            f"the left side is {2 * facts.c1:g} and the right side {right[node]:g}: raise the penalty or lower C"
        )


def check_row_norms(longest: LongestRow) -> None:
    """The bounds hold for rows of norm at most 1."""
    if longest.norm > 1.0 + NORM_SLACK:
        raise InputError(
            f"features of row {longest.row}, at node {longest.node}, have norm {longest.norm:g}: "
            "a privacy bound needs every row's norm to be at most 1"
        )
