"""Selection of candidate, rounds, and last iterate or average for each budget, on selection seeds alone.

All of it is read off the same runs: a run of fifty rounds also shows what ten of them give and spend.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from radmm.base.arrays import Array
from radmm.privacy.accountants.shift import ShiftAccountant
from radmm.privacy.ledger import Ledger
from radmm.privacy.relation import Neighbours, Relation
from radmm.study.tuned_groups import Group


class TunedBudget(NamedTuple):
    """A total ε to be met by a tuned method.

    Args:
        neighbours: Neighbouring relation.
        epsilon: Total ε.
    """

    neighbours: str
    epsilon: float


def budgets_of(study: Mapping[str, Any]) -> list[TunedBudget]:
    """Return all budgets of a study: each ε for both relations.

    Args:
        study: What the config says of the study.
    """
    return [TunedBudget(neighbours, epsilon) for neighbours in Neighbours for epsilon in study["epsilon"]]


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
            averages: Whether averages may be chosen.
        """
        found = (self.best(setting, budget, averages) for setting in self.errors)
        return sorted(each for each in found if each is not None)


def survivors(scores: Scores, budgets: Iterable[TunedBudget], averages: bool, keep: int) -> set[str]:
    """Return the candidates that are among the best for some budget.

    Args:
        averages: Whether averages may be chosen.
        keep: Number of candidates that each budget keeps.
    """
    return {reading.setting for budget in budgets for _, reading in scores.ranked(budget, averages)[:keep]}


def choose(scores: Scores, budgets: Iterable[TunedBudget], averages: bool) -> dict[TunedBudget, tuple[float, Reading]]:
    """Return the best reading for each budget that some candidate meets, with its error on the selection seeds.

    Args:
        scores: Scores of the candidates that are left.
        averages: Whether averages may be chosen.
    """
    ranked = {budget: scores.ranked(budget, averages) for budget in budgets}
    return {budget: found[0] for budget, found in ranked.items() if found}


def halve(
    errors: Mapping[str, Array],
    spent: Mapping[str, Mapping[str, Array]],
    budgets: Sequence[TunedBudget],
    averages: bool,
    keep: Sequence[int],
) -> Scores:
    """Return the scores on all seeds of those candidates that are left after each seed but the last halved them.

    Args:
        errors: Mean test errors on the selection seeds, (seed, rounds, last or average), by candidate.
        spent: ε after each number of rounds, by neighbours and candidate.
        averages: Whether averages may be chosen.
        keep: Number of candidates that each budget keeps after each seed but the last.
    """
    left = [name for name in errors if any(spent[each.neighbours][name].min() <= each.epsilon for each in budgets)]
    for seeds, number in enumerate(keep, start=1):
        kept = survivors(Scores({name: errors[name][:seeds] for name in left}, spent), budgets, averages, number)
        left = [name for name in left if name in kept]
    return Scores({name: errors[name] for name in left}, spent)


def spent_after(ledger: Ledger | None, rounds: Sequence[int], delta: float, neighbours: Neighbours) -> Array:
    """Return the total ε after each number of rounds; infinite where a run is not as long.

    All of it is public, so it may be known before anything is chosen.

    Args:
        ledger: Ledger of a candidate on the networks of all seeds, of which the worst counts; None without noise.
    """
    if ledger is None:
        return np.zeros(len(rounds))
    accountant = ShiftAccountant(Relation(neighbours))
    longest = ledger.iterations
    return np.array([accountant.epsilon(ledger, delta, each) if each <= longest else np.inf for each in rounds])


def choices_within_totals(
    group: Group, study: Mapping[str, Any], errors: Mapping[str, Array], ledgers: Mapping[str, Ledger | None]
) -> dict[str, Any]:
    """Return, as a file keeps it, what is chosen for each budget, and the candidates' grid points.

    Args:
        group: Candidates of a method in a cell.
        study: What the config says of the group's study.
        errors: Mean test errors on the selection seeds, (seed, rounds, last or average), by candidate.
        ledgers: Ledger on the networks of all seeds, by candidate; None without noise.
    """
    budgets = budgets_of(study)
    spent: dict[str, dict[str, Array]] = {
        neighbours: {
            name: spent_after(ledger, group.rounds, study["delta"], neighbours) for name, ledger in ledgers.items()
        }
        for neighbours in Neighbours
    }
    scores = halve(errors, spent, budgets, group.averages, study["keep"])
    chosen = [
        {
            **budget._asdict(),
            "setting": reading.setting,
            "rounds": group.rounds[reading.place],
            "averaged": reading.averaged,
            "spent": float(spent[budget.neighbours][reading.setting][reading.place]),
            "selection_error": error,
        }
        for budget, (error, reading) in choose(scores, budgets, group.averages).items()
    ]
    return {
        "points": {candidate.id: candidate.grid_point for candidate in group.candidates},
        "spent": {each: {name: values.tolist() for name, values in spent[each].items()} for each in spent},
        "averages": group.averages,
        "chosen": chosen,
    }
