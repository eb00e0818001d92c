"""Which candidate, how many rounds, and last iterate or average: chosen for each budget, on selection seeds alone.

All of it is read off the same runs: a run of fifty rounds also tells what ten of them give and what these spend.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from radmm.base.arrays import Array


class TunedBudget(NamedTuple):
    """A total to be met.

    Args:
        neighbours: Which data sets are neighbours.
        epsilon: ε.
    """

    neighbours: str
    epsilon: float


class Reading(NamedTuple):
    """One way to read a candidate's runs.

    Args:
        setting: The candidate's id.
        place: Of the number of rounds, among those that are read.
        averaged: Whether of the average of iterates.
    """

    setting: str
    place: int
    averaged: bool


@dataclass(frozen=True)
class Scores:
    """What the runs so far say.

    Args:
        errors: By candidate, (seed, rounds, last or average): the mean test error of the runs of a seed.
        spent: By neighbours and candidate, ε after each number of rounds.
    """

    errors: Mapping[str, Array]
    spent: Mapping[str, Mapping[str, Array]]

    def best(self, setting: str, budget: TunedBudget, averages: bool) -> tuple[float, Reading] | None:
        """The candidate's smallest mean error among what the budget allows; None if it allows nothing.

        Args:
            setting: The candidate's id.
            budget: To be met.
            averages: Whether averages may be chosen.
        """
        mean = self.errors[setting].mean(axis=0)[:, : 2 if averages else 1]
        allowed = self.spent[budget.neighbours][setting] <= budget.epsilon
        mean = np.where(allowed[:, None] & np.isfinite(mean), mean, np.inf)
        place, averaged = np.unravel_index(int(mean.argmin()), mean.shape)
        error = float(mean[place, averaged])
        return None if np.isinf(error) else (error, Reading(setting, int(place), bool(averaged)))

    def ranked(self, budget: TunedBudget, averages: bool) -> list[tuple[float, Reading]]:
        """The candidates that can meet the budget, each at its best, from the best on.

        Args:
            budget: To be met.
            averages: Whether averages may be chosen.
        """
        found = (self.best(setting, budget, averages) for setting in self.errors)
        return sorted(each for each in found if each is not None)


def survivors(scores: Scores, budgets: Iterable[TunedBudget], averages: bool, keep: int) -> set[str]:
    """The candidates that are among the best of some budget.

    Args:
        scores: So far.
        budgets: All of them.
        averages: Whether averages may be chosen.
        keep: How many each budget keeps.
    """
    return {reading.setting for budget in budgets for _, reading in scores.ranked(budget, averages)[:keep]}


def choose(scores: Scores, budgets: Iterable[TunedBudget], averages: bool) -> dict[TunedBudget, tuple[float, Reading]]:
    """For each budget that some candidate meets the best reading, with its error on the selection seeds.

    Args:
        scores: Of the candidates that are left.
        budgets: All of them.
        averages: Whether averages may be chosen.
    """
    ranked = {budget: scores.ranked(budget, averages) for budget in budgets}
    return {budget: found[0] for budget, found in ranked.items() if found}
