"""Choices made on other data sets alone: nothing of them depends on the rows that they are then used on.

A choice carries over as hyper-parameters, rounds, and whether averages are read. The noise doesn't: it is the least on
the grid that meets the budget on the data set at hand, which public numbers determine; noise that asks for the budget
itself meets it exactly.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from radmm.results.frontier.selection import TunedBudget

Measured = tuple[pd.DataFrame, Mapping[str, Any]]  # rows of a group's file, and its metadata
SCALES = ("noise.sigma", "noise.alpha", "noise.total_epsilon", "noise.neighbours")  # axes that a budget determines
WAY = ["way", "rounds", "averaged"]  # what carries over from one data set to another


def readings(group: Measured) -> pd.DataFrame:
    """Return each way to read a group's runs, with its mean test error over all seeds, and the setting it is read from.

    Args:
        group: Measured rows and metadata of one method, cell and data set.
    """
    measured, about = group
    columns = ["error_rate", "error_rate_average"][: 2 if about["averages"] else 1]
    long = measured.melt(["setting", "iteration"], columns, "column", "error")
    found = long.groupby(["setting", "iteration", "column"])["error"].agg(["mean", "count"]).reset_index()
    found = found[found["count"] == measured["seed"].nunique()]
    points = {setting: _way(point) for setting, point in about["points"].items()}
    return pd.DataFrame(
        {
            "setting": found["setting"],
            "way": found["setting"].map(points),
            "rounds": found["iteration"],
            "averaged": found["column"] == "error_rate_average",
            "error": found["mean"],
        }
    )


def _way(point: Mapping[str, Any]) -> str:
    return json.dumps({axis: value for axis, value in point.items() if axis not in SCALES}, sort_keys=True)


def within(group: Measured, read: pd.DataFrame, budget: TunedBudget) -> pd.DataFrame:
    """Return for each way the reading with the least noise that meets a budget, and its regret.

    The regret is how much larger the error is than that of the group's best reading within the budget.

    Args:
        group: Measured rows and metadata of one method, cell and data set.
        read: What `readings` returned for it.
    """
    _, about = group
    spent = about["spent"][budget.neighbours]
    place = {rounds: index for index, rounds in enumerate(about["rounds"])}
    totals = np.array(
        [spent[setting][place[rounds]] for setting, rounds in zip(read["setting"], read["rounds"], strict=True)]
    )
    met = read.assign(spent=totals)[totals <= budget.epsilon].sort_values("spent")
    least_noise = met.groupby(WAY).tail(1).set_index(WAY)
    return least_noise.assign(regret=least_noise["error"] - least_noise["error"].min())


def best_way(tables: Iterable[pd.DataFrame], possible: pd.Index[Any]) -> tuple[Any, float] | None:
    """Return the way of least mean regret over data sets, and its mean error; None if no way is possible on all.

    Args:
        tables: What `within` returned for each data set that is looked at.
        possible: Ways that the data set at hand allows.
    """
    listed = list(tables)
    common = [way for way in possible if all(way in table.index for table in listed)]
    if not common:
        return None
    regret = np.mean([table.loc[common, "regret"].to_numpy() for table in listed], axis=0)
    way = common[int(regret.argmin())]
    return way, float(np.mean([table.loc[way, "error"] for table in listed]))


def chosen_elsewhere(groups: Sequence[Measured], budgets: Sequence[TunedBudget]) -> Iterator[Measured]:
    """Yield the groups with choices made on the other data sets, for methods and cells that have several.

    Args:
        groups: Measured rows and metadata of every group of a study.
    """
    alike: dict[tuple[str, str], list[Measured]] = defaultdict(list)
    for group in groups:
        alike[group[1]["cell"], group[1]["method"]].append(group)
    for family in alike.values():
        if len(family) > 1:
            read = [readings(group) for group in family]
            tables = {budget: [within(*each, budget) for each in zip(family, read, strict=True)] for budget in budgets}
            for place, (measured, about) in enumerate(family):
                yield measured, {**about, "chosen": list(_choices(tables, place))}


def _choices(tables: Mapping[TunedBudget, Sequence[pd.DataFrame]], place: int) -> Iterator[dict[str, Any]]:
    """Yield the choice of each budget for the data set at a place, made on all others."""
    for budget, by_data_set in tables.items():
        own = by_data_set[place]
        found = best_way([table for other, table in enumerate(by_data_set) if other != place], own.index)
        if found is not None:
            way, error = found
            _, rounds, averaged = way
            yield {
                **budget._asdict(),
                "setting": str(own.loc[way, "setting"]),
                "rounds": int(rounds),
                "averaged": bool(averaged),
                "spent": float(own.loc[way, "spent"]),
                "selection_error": error,
            }
