"""Selection of candidate, rounds, and last iterate or average for each budget, on selection seeds alone.

All of it is read off the same runs: a run of fifty rounds also shows what ten of them give and spend.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from radmm.base.arrays import Array


class TunedBudget(NamedTuple):
    """A total ε to be met by a tuned method.

    Args:
        neighbours: Neighbouring relation.
        epsilon: Total ε.
    """

    neighbours: str
    epsilon: float


class Reading(NamedTuple):
    """One way to read a candidate's runs.

    Args:
        setting: Id of the candidate.
        place: Index of the number of rounds, among those that are read.
        averaged: Whether the average of iterates is read, not the last one.
    """

    setting: str
    place: int
    averaged: bool


@dataclass(frozen=True)
class Scores:
    """Errors and totals of the runs so far.

    Args:
        errors: Mean test error of the runs of a seed, (seed, rounds, last or average), by candidate.
        spent: ε after each number of rounds, by neighbours and candidate.
    """

    errors: Mapping[str, Array]
    spent: Mapping[str, Mapping[str, Array]]

    def best(self, setting: str, budget: TunedBudget, averages: bool) -> tuple[float, Reading] | None:
        """Return the candidate's smallest mean error within the budget, or None if the budget allows no rounds.

        Args:
            setting: Id of the candidate.
            budget: Budget to meet.
            averages: Whether averages may be chosen.
        """
        mean = self.errors[setting].mean(axis=0)[:, : 2 if averages else 1]
        allowed = self.spent[budget.neighbours][setting] <= budget.epsilon
        mean = np.where(allowed[:, None] & np.isfinite(mean), mean, np.inf)
        place, averaged = np.unravel_index(int(mean.argmin()), mean.shape)
        error = float(mean[place, averaged])
        return None if np.isinf(error) else (error, Reading(setting, int(place), bool(averaged)))

    def ranked(self, budget: TunedBudget, averages: bool) -> list[tuple[float, Reading]]:
        """Return the candidates that can meet the budget, each at its best, in ascending order of error.

        Args:
            budget: Budget to meet.
            averages: Whether averages may be chosen.
        """
        found = (self.best(setting, budget, averages) for setting in self.errors)
        return sorted(each for each in found if each is not None)


def survivors(scores: Scores, budgets: Iterable[TunedBudget], averages: bool, keep: int) -> set[str]:
    """Return the candidates that are among the best for some budget.

    Args:
        scores: Scores so far.
        budgets: All budgets.
        averages: Whether averages may be chosen.
        keep: Number of candidates that each budget keeps.
    """
    return {reading.setting for budget in budgets for _, reading in scores.ranked(budget, averages)[:keep]}


def choose(scores: Scores, budgets: Iterable[TunedBudget], averages: bool) -> dict[TunedBudget, tuple[float, Reading]]:
    """Return the best reading for each budget that some candidate meets, with its error on the selection seeds.

    Args:
        scores: Scores of the candidates that are left.
        budgets: All budgets.
        averages: Whether averages may be chosen.
    """
    ranked = {budget: scores.ranked(budget, averages) for budget in budgets}
    return {budget: found[0] for budget, found in ranked.items() if found}
