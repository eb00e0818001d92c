"""Noise for a release with a budget: the least σ, in whole steps of the grid, whose total stays within (ε, δ)."""

import math
from collections.abc import Callable

from radmm.base.errors import InputError
from radmm.privacy.noise import Noise
from radmm.publication.plan import Plan
from radmm.publication.zcdp import epsilon_of
from radmm.study.noise_budget import NoiseBudget

HALVINGS = 60  # of the bracket's logarithm
SMALLEST, LARGEST = 1e-25, 1e25  # σ within which is searched


def meet_budget(request: NoiseBudget, delta: float, plan: Callable[[Noise], Plan], nodes: int) -> Noise:
    """Return the noise that is asked for, with the least σ whose total ε is at most that of the budget.

    Args:
        request: Budget with a total ε.
        plan: Function that returns the plan of a run with a noise.
    """
    target = request.total_epsilon
    if target is None:
        raise InputError("noise.total_bound: must be total_epsilon with delta in a release, which is accounted so")
    if not request.each_node:
        return request.at_scale(_least(lambda sigma: plan(request.at_scale(sigma)).epsilon(delta), target))

    def spent_by(node: int) -> Callable[[float], float]:
        return lambda sigma: epsilon_of(plan(request.at_scale(sigma)).rho(node), delta)

    return request.at_scale([_least(spent_by(node), target) for node in range(nodes)])


def _least(spent: Callable[[float], float], target: float) -> float:
    """Return the least σ that spends at most the target; what is returned was itself seen to."""
    high = 1.0
    while spent(high) > target:
        high *= 8.0
        if high > LARGEST:
            raise InputError(
                f"noise.total_epsilon = {target:g}: must be larger, as no noise that a release can draw meets it"
            )
    low = high
    while low > SMALLEST and spent(low) <= target:
        high, low = low, low / 8.0
    for _ in range(HALVINGS):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if spent(middle) <= target else (middle, high)
    return high
