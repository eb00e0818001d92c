"""Budget, noise, iterations: any two give the third, always on the safe side.

Every accountant's ε falls as the noise grows and rises with the iterations, so both searches are for the edge of a
monotone condition. What is returned meets the budget by the accountant's own bound.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from radmm.algorithms.families import Algorithm
from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.model.facts import PublicFacts
from radmm.model.schedules import Schedule
from radmm.privacy.accountants.accountant import Accountant
from radmm.privacy.accountants.all import ACCOUNTANTS
from radmm.privacy.guarantee import CALIBRATION_DIGITS
from radmm.privacy.ledger import Ledger
from radmm.privacy.noise import GAUSSIAN, Noise
from radmm.privacy.record import ledger_of

MOST_NOISE, LEAST_NOISE = 1e9, 1e-9  # of 1/α or σ, in units of the largest sensitivity of a gradient
WIDEN = math.log(8.0)  # how a bracket grows
LONGEST = 4096  # iterations


class Budget(NamedTuple):
    """A total (ε, δ) over all iterations, and by whose bound; δ = 0 is for the pure accountants."""

    epsilon: float
    delta: float = 0.0
    accountant: str = "renyi"


@dataclass(frozen=True)
class Mechanism:
    """What is perturbed and how, all but the noise's scale."""

    kind: type[Noise]
    law: str
    repair: Schedule | None = None

    def noise(self, scale: float | Array) -> Noise:
        """With this σ or α, one number or one a node."""
        value = scale if isinstance(scale, float) else tuple(float(each) for each in scale)
        return self.kind(**{"sigma" if self.law == GAUSSIAN else "alpha": value}, repair=self.repair)


def calibrate_noise(
    facts: PublicFacts,
    algorithm: Algorithm,
    mechanism: Mechanism,
    iterations: int,
    dimension: int,
    budget: Budget,
    per_node: bool = False,
) -> float | list[float]:
    """The least noise with which the network stays within the budget: a constant α or σ, cut to ten digits.

    Per node, each spends the whole budget by itself, although degrees or rows differ: those that need less noise get
    less.
    """
    accountant = accountant_for(budget)

    def spent(amount: Array) -> Array:
        """By node if it is to be calibrated per node, else by the whole network."""
        scales = _safe_scales(mechanism.law, amount)
        noise = mechanism.noise(scales if per_node else float(scales[0]))
        ledger = ledger_of(facts, algorithm, noise, iterations, dimension)
        if per_node:
            return accountant.epsilon_of_nodes(ledger, budget.delta)
        return np.array([accountant.epsilon(ledger, budget.delta)])

    unit = float(facts.gradient_sensitivity().max())
    least = spent(np.full(facts.nodes if per_node else 1, MOST_NOISE * unit))
    if np.any(least > budget.epsilon):
        node = f" at node {int(least.argmax())}" if per_node else ""
        raise InputError(
            f"total_epsilon = {budget.epsilon:g} can't be met by any noise{node}: however much there is, "
            f"{least.max():.6g} is spent by the {accountant.name} accountant"
        )
    scales = _safe_scales(mechanism.law, _least_amounts(spent, budget.epsilon, unit, len(least)))
    return [float(scale) for scale in scales] if per_node else float(scales[0])


def _least_amounts(spent: Callable[[Array], Array], target: float, unit: float, count: int) -> Array:
    """The smallest amounts that each spend at most the target, from above, to a relative 1e-10.

    A bracketed secant in logarithms, in which ε is nearly linear; each round keeps a hundredth of the bracket at least.
    """

    def excess(log_amount: Array) -> Array:
        with np.errstate(divide="ignore"):
            difference: Array = np.log(spent(np.exp(log_amount)) / target)
        return difference

    high = np.full(count, math.log(unit))
    above = excess(high)
    while np.any(above > 0):  # ends, as the most noise is known to be enough
        high = np.where(above > 0, high + WIDEN, high)
        above = excess(high)
    low = high - WIDEN
    below = excess(low)
    while np.any((below <= 0) & (low > math.log(LEAST_NOISE * unit))):
        enough = below <= 0
        high, above = np.where(enough, low, high), np.where(enough, below, above)
        low = np.where(enough, low - WIDEN, low)
        below = excess(low)
    while np.any(high - low > 1e-10):
        width, slope = high - low, below - above
        usable = np.isfinite(slope) & (slope > 0)
        share = np.where(usable, -above / np.where(usable, slope, 1.0), 0.5)
        point = high - width * np.clip(share, 0.01, 0.99)
        value = excess(point)
        enough = value <= 0
        high, above = np.where(enough, point, high), np.where(enough, value, above)
        low, below = np.where(enough, low, point), np.where(enough, below, value)
    amounts: Array = np.exp(high)
    return amounts


def _safe_scales(law: str, amounts: Array) -> Array:
    """α cut down, or σ rounded up, to ten digits: one canonical form on every machine."""
    scale, rounded = (amounts, np.ceil) if law == GAUSSIAN else (1.0 / amounts, np.floor)
    unit = 10.0 ** (np.floor(np.log10(scale)) - CALIBRATION_DIGITS + 1)
    return np.array([float(f"{value:.{CALIBRATION_DIGITS}g}") for value in rounded(scale / unit) * unit])


def longest_run(facts: PublicFacts, algorithm: Algorithm, noise: Noise, dimension: int, budget: Budget) -> int:
    """The largest number of iterations that stays within the budget; an even one where even iterations are free."""
    accountant = accountant_for(budget)

    def ledger(iterations: int) -> Ledger:
        return ledger_of(facts, algorithm, noise, iterations, dimension)

    if accountant.epsilon(ledger(1), budget.delta) > budget.epsilon:
        raise InputError(
            f"total_epsilon = {budget.epsilon:g} can't be met: one iteration with this noise spends "
            f"{accountant.epsilon(ledger(1), budget.delta):.6g} by the {accountant.name} accountant"
        )
    tried = 2
    while accountant.epsilon(ledger(tried), budget.delta) <= budget.epsilon:
        if tried >= LONGEST:
            raise InputError(f"total_epsilon = {budget.epsilon:g} lasts for more than {LONGEST} iterations")
        tried *= 2
    within = np.flatnonzero(accountant.trace(ledger(tried), budget.delta) <= budget.epsilon)
    return int(within.max())


def accountant_for(budget: Budget) -> Accountant:
    """The accountant that is asked for, after a look at the budget."""
    if budget.accountant not in ACCOUNTANTS:
        raise InputError(f"accountant = {budget.accountant!r}: must be one of {', '.join(ACCOUNTANTS)}")
    accountant = ACCOUNTANTS[budget.accountant]
    if not (math.isfinite(budget.epsilon) and budget.epsilon > 0):
        raise InputError(f"total_epsilon = {budget.epsilon:g}: must be a positive number")
    if accountant.pure and budget.delta != 0.0:
        raise InputError(
            f"delta = {budget.delta:g}: must be left out, as the {accountant.name} accountant's ε needs none"
        )
    if not accountant.pure and not 0.0 < budget.delta < 1.0:
        raise InputError(f"delta = {budget.delta:g}: must be above 0 and below 1")
    return accountant
