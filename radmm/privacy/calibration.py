"""Calibration: the least noise with which a run stays within a privacy budget.

Every scale that is returned was itself accounted for and meets the budget (`noise_search` says how it is found).
"""

import math
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.model.public_facts import PublicFacts
from radmm.model.schedules.geometric import Geometric
from radmm.model.schedules.schedule import ScheduleLike
from radmm.privacy.accountants.accountant import ACCOUNTANTS, Accountant
from radmm.privacy.accountants.pure import PaperAccountant, published_price
from radmm.privacy.guarantee import rounded_up
from radmm.privacy.ledger import ledger_of
from radmm.privacy.noise import Noise
from radmm.privacy.noise_laws import Law
from radmm.privacy.noise_search import CALIBRATION_DIGITS, MOST_NOISE, least_amounts, nearest_amounts, safe_scales
from radmm.privacy.query_log import QueryLog
from radmm.privacy.relation import REPLACE_ONE, Relation

LEAST_EPSILON, LARGEST_EPSILON = 1e-12, 1e6  # that may be asked for: beyond, there is nothing to be told apart


class BudgetError(InputError):
    """No noise can meet the budget."""


class Budget(NamedTuple):
    """A total (ε, δ) over all iterations, with its accountant and neighbouring relation.

    δ = 0 is for pure accountants.
    """

    epsilon: float
    delta: float = 0.0
    accountant: str = "shift"
    relation: Relation = REPLACE_ONE


@dataclass(frozen=True)
class Mechanism:
    """Everything about a noise but its scale: its kind, law and schedule."""

    kind: type[Noise]
    law: Law
    repair: ScheduleLike | None = None
    cancelling: float = 0.0
    colluders: int = 0
    growth: float = 1.0  # of α, or of 1/σ, from one data-touching step to the next: above 1, later ones spend more

    def noise(self, scale: float | Array) -> Noise:
        """Return the noise with this σ or α, one number or one a node."""
        value = scale if isinstance(scale, float) else tuple(float(each) for each in scale)
        schedule = value if self.growth == 1.0 else Geometric(value, self.ratio)
        given: dict[str, Any] = {"sigma" if self.law == Law.GAUSSIAN else "alpha": schedule}
        return self.kind(**given, repair=self.repair, cancelling=self.cancelling, colluders=self.colluders)

    @property
    def ratio(self) -> float:
        """Ratio of the geometric schedule of σ or α."""
        return 1.0 / self.growth if self.law == Law.GAUSSIAN else self.growth


def calibrate_bound(facts: PublicFacts, query_log: QueryLog, kind: type[Noise], target: float) -> float:
    """Return the largest constant α whose published total bound is at most the target, rounded down to ten digits.

    Args:
        target: Total bound P(T) to meet.
    """
    fixed, slope = _published(facts, query_log, kind)
    check_bound(facts, query_log, kind, target)
    alpha = safe_scales(Law.EXPONENTIAL_NORM, np.array([1.0 / float(((target - fixed) / slope).min())]))[0]
    paper = PaperAccountant()
    while paper.epsilon(ledger_of(query_log, facts, kind(float(alpha)))) > target:  # rounding: to the safe side
        unit = 10.0 ** (math.floor(math.log10(alpha)) - CALIBRATION_DIGITS + 1)
        alpha = float(f"{alpha - unit:.{CALIBRATION_DIGITS}g}")
    return float(alpha)


def check_bound(facts: PublicFacts, query_log: QueryLog, kind: type[Noise], target: float) -> None:
    """Refuse a total bound that no noise can meet, as the part that doesn't depend on the noise exceeds it already.

    Args:
        target: Total bound P(T) to meet.
    """
    fixed, _ = _published(facts, query_log, kind)
    worst = int(fixed.argmax())
    if fixed[worst] >= target:
        raise BudgetError(
            f"total_bound = {target:g} can't be met by any noise: the Jacobian term alone is "
            f"{rounded_up(fixed[worst], 6)} at node {worst} over {len(query_log.queries)} data-touching iterations"
        )


def _published(facts: PublicFacts, query_log: QueryLog, kind: type[Noise]) -> tuple[Array, Array]:
    """Return each node's P(T) in two parts, of which the second is multiplied by α."""
    ledger = ledger_of(query_log, facts, kind(1.0))
    reason = PaperAccountant().refuses(ledger)
    if reason:
        raise InputError(f"total_bound: {reason}")
    prices = np.array([published_price(release) for release in ledger.releases]).reshape(-1, 2)
    fixed, slope = (prices[:, part][ledger.which].sum(axis=0) for part in range(2))
    return fixed, slope


def calibrate_noise(
    facts: PublicFacts, query_log: QueryLog, mechanism: Mechanism, budget: Budget, per_node: bool = False
) -> float | list[float]:
    """Return the least noise with which the network stays within the budget: a constant α or σ, to ten digits.

    Per node, each spends the whole budget by itself, although degrees or rows differ: those that need less noise get
    less.

    Args:
        mechanism: The noise, all but its scale.
        per_node: Whether every node gets a scale of its own.
    """
    accountant = accountant_for(budget)
    if per_node and mechanism.cancelling:
        raise InputError("each_node = True: must be left out with cancelling noise, which hides neighbours together")

    def spent_by(accountant: Accountant, amount: Array) -> Array:
        """Return the ε spent by each node if calibrated per node, else by the whole network."""
        scales = safe_scales(mechanism.law, amount)
        noise = mechanism.noise(scales if per_node else float(scales[0]))
        ledger = ledger_of(query_log, facts, noise)
        if per_node:
            return accountant.epsilon_of_nodes(ledger, budget.delta)
        return np.array([accountant.epsilon(ledger, budget.delta)])

    spent = partial(spent_by, accountant.quick() or accountant)
    unit = mechanism.kind.unit(facts)
    most = np.full(facts.nodes if per_node else 1, MOST_NOISE * unit)
    least = spent(most)
    if np.any(least > budget.epsilon):
        node = f" at node {int(least.argmax())}" if per_node else ""
        raise BudgetError(
            f"total_epsilon = {budget.epsilon:g} can't be met by any noise{node}: however much there is, "
            f"{rounded_up(least.max(), 6)} is spent by the {accountant.name} accountant"
        )
    amounts = nearest_amounts(spent, budget.epsilon, unit, most)
    amounts = least_amounts(partial(spent_by, accountant), budget.epsilon, amounts)
    scales = safe_scales(mechanism.law, amounts)
    return [float(scale) for scale in scales] if per_node else float(scales[0])


def accountant_for(budget: Budget) -> Accountant:
    """Validate a budget and return its accountant."""
    accountant = ACCOUNTANTS[budget.accountant](budget.relation)
    if not (math.isfinite(budget.epsilon) and budget.epsilon > 0):
        raise InputError(f"total_epsilon = {budget.epsilon:g}: must be a positive number")
    if not LEAST_EPSILON <= budget.epsilon <= LARGEST_EPSILON:
        within = f"must be from {LEAST_EPSILON:g} to {LARGEST_EPSILON:g}"
        raise InputError(f"total_epsilon = {budget.epsilon:g}: {within}")
    if accountant.pure and budget.delta != 0.0:
        raise InputError(
            f"delta = {budget.delta:g}: must be left out, as the {accountant.name} accountant's ε needs none"
        )
    if not accountant.pure and not 0.0 < budget.delta < 1.0:
        raise InputError(f"delta = {budget.delta:g}: must be above 0 and below 1")
    return accountant
