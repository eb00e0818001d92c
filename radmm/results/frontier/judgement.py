"""Judgement of chosen settings on other splits and graphs: one row for each cell, method, relation and budget.

What was chosen on other splits of the same data, and on other data sets, is judged on the same seeds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from radmm.results.claims.statistics import sample_of

SAME, OTHER = "other splits", "other data sets"  # on which a choice was made
CELL = ["data_set", "chosen_on", "cell", "neighbours", "epsilon"]  # what methods are compared at
SENT = ("messages", "floats_sent")  # what all nodes send until the run stops
LEVEL = 0.95


def judged(groups: Sequence[tuple[pd.DataFrame, Mapping[str, Any]]], chosen_on: str = SAME) -> pd.DataFrame:
    """Return mean test errors with intervals over the judgement seeds, the worst node's mean error, and messages.

    Args:
        groups: Measured rows and choices of each method and cell.
        chosen_on: What the choices were made on.
    """
    rows = []
    for measured, about in groups:
        on = measured[measured["stage"] == "judgement"].set_index(["setting", "iteration", "seed"]).sort_index()
        for choice in about["chosen"]:
            of_average = "_average" if choice["averaged"] else ""
            runs = on.loc[(choice["setting"], choice["rounds"])]
            means = runs[[f"error_rate_worst{of_average}", *SENT]].mean().tolist()
            told = dict(zip(("worst", *SENT), means, strict=True))
            point = about["points"][choice["setting"]]
            at = {"data_set": about["data_set"], "chosen_on": chosen_on, "cell": about["cell"]}
            errors = summary(runs[f"error_rate{of_average}"])
            found = {**at, "method": about["method"], **choice, **errors, **told, "point": point}
            secrets = any((each["noise"] or {}).get("cancelling") for each in about["candidates"].values())
            rows.append({**found, "secrets": secrets, "edge": edges(point, list(about["points"].values()))})
    return pd.DataFrame(rows, columns=None if rows else [*CELL, "method", "error", "secrets", "spent"])


def edges(point: Mapping[str, Any], grid: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the axes on which a choice is the least or the largest that was tried: beyond it there may be better ones.

    What was tried is what candidates have that agree with the choice on all other axes. Axes in step with the budget
    have a window of values for each budget.

    Args:
        point: Grid point of the choice.
        grid: Grid points of all candidates.
    """
    found = {}
    for axis, value in point.items():
        alike = [other for other in grid if all(other.get(each) == point[each] for each in point if each != axis)]
        tried = sorted({other[axis] for other in alike if isinstance(other.get(axis), int | float)})
        if len(tried) > 1 and value in (tried[0], tried[-1]):
            found[axis] = "least" if value == tried[0] else "largest"
    return found


def summary(errors: pd.Series[Any]) -> dict[str, Any]:
    """Return the mean error over seeds, with its interval."""
    found = sample_of(errors.to_numpy(dtype=float))
    low, high = found.interval(LEVEL)
    by_seed = dict(zip(errors.index.tolist(), errors.tolist(), strict=True))
    return {"n": found.units, "error": found.mean, "low": low, "high": high, "by_seed": by_seed}


def against_best(table: pd.DataFrame) -> pd.DataFrame:
    """Add each method's difference from the best one of its cell, budget and threat model, in pairs of seeds.

    The intervals of a cell, budget and threat model hold together (Bonferroni).

    Args:
        table: Table that `judged` made, without methods that can't be compared.
    """
    parts = []
    for _, part in table.groupby([*CELL, "secrets"], sort=False):
        place = int(part["error"].to_numpy().argmin())
        best: Mapping[int, float] = part["by_seed"].iloc[place]
        level = 1.0 - (1.0 - LEVEL) / max(1, len(part) - 1)
        columns = np.array([_difference(own, best, level) for own in part["by_seed"]]).T
        told = dict(zip(("difference", "difference_low", "difference_high"), columns, strict=True))
        parts.append(part.assign(best=part["method"].iloc[place], **told))
    return pd.concat(parts, ignore_index=True)


def _difference(own: Mapping[int, float], best: Mapping[int, float], level: float) -> tuple[float, float, float]:
    seeds = sorted(set(own) & set(best))
    found = sample_of(np.array([own[seed] - best[seed] for seed in seeds]))
    return found.mean, *found.interval(level)
