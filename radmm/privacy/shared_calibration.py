"""Calibration of one noise that meets a budget on each of several networks.

A study over many graphs compares like with like only if all of them have one noise.
"""

from collections.abc import Sequence

import numpy as np

from radmm.base.arrays import Array
from radmm.model.public_facts import PublicFacts
from radmm.privacy.calibration import Budget, BudgetError, Mechanism, accountant_for, calibrate_bound
from radmm.privacy.ledger import Ledger, ledger_of
from radmm.privacy.noise import Noise
from radmm.privacy.noise_search import LESS, MOST_NOISE, least_amounts, safe_scales
from radmm.privacy.query_log import QueryLog

MORE = 4.0  # factor from one amount of noise to the next, until one is enough
Planned = tuple[PublicFacts, QueryLog]  # of a network: what is public, and what a run asks of the oracle


def bound_together(runs: Sequence[Planned], kind: type[Noise], target: float) -> float:
    """Return the largest constant α whose published total bound is at most the target on every network.

    Args:
        runs: Public facts and queries of the run on each network.
        target: Total bound P(T) to meet.
    """
    return min(calibrate_bound(facts, query_log, kind, target) for facts, query_log in runs)


def calibrate_together(runs: Sequence[Planned], mechanism: Mechanism, budget: Budget) -> float:
    """Return a constant α or σ with which every network stays within the budget.

    The worst of them nearly spends it.

    Args:
        runs: Public facts and queries of the run on each network.
        mechanism: The noise, all but its scale.
    """
    accountant = accountant_for(budget)

    def ledgers(amount: Array) -> list[Ledger]:
        noise = mechanism.noise(float(safe_scales(mechanism.law, amount)[0]))
        return [ledger_of(query_log, facts, noise) for facts, query_log in runs]

    def spent(amount: Array) -> Array:
        first, *others = ledgers(amount)
        return np.array([accountant.epsilon(first.beside(*others), budget.delta)])

    unit = max(mechanism.kind.unit(facts) for facts, _ in runs)
    amount = np.array([unit / budget.epsilon])
    while spent(amount)[0] > budget.epsilon:
        amount = MORE * amount
        if amount[0] > MOST_NOISE * unit:
            raise BudgetError(
                f"total_epsilon = {budget.epsilon:g} can't be met by any noise on all {len(runs)} networks, by the "
                f"{accountant.name} accountant"
            )
    amount = least_amounts(spent, budget.epsilon, amount)
    # A network by itself may come out a hair above all of them together, for which one worst node stands.
    while max(accountant.epsilon(each, budget.delta) for each in ledgers(amount)) > budget.epsilon:
        amount = amount / LESS
    return float(safe_scales(mechanism.law, amount)[0])
