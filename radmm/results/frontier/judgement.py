"""What was chosen, judged on other splits and graphs: one row for each cell, method, relation and budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from radmm.results.claims.statistics import difference, estimate, mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

CELL = ["cell", "neighbours", "epsilon"]  # what methods are compared at


def judged(groups: Sequence[tuple[pd.DataFrame, Mapping[str, Any]]]) -> pd.DataFrame:
    """Mean test errors with intervals over the judgement seeds.

    Args:
        groups: Of each method and cell the measured rows, and what was chosen.
    """
    import pandas as pd

    rows = []
    for measured, about in groups:
        on = measured[measured["stage"] == "judgement"].set_index(["setting", "iteration", "seed"]).sort_index()
        for choice in about["chosen"]:
            column = "error_rate_average" if choice["averaged"] else "error_rate"
            errors: pd.Series[Any] = on.loc[(choice["setting"], choice["rounds"]), column]
            point = about["points"][choice["setting"]]
            rows.append(
                {"cell": about["cell"], "method": about["method"], **choice, **_summary(errors), "point": point}
            )
    return pd.DataFrame(rows)


def _summary(errors: pd.Series[Any]) -> dict[str, Any]:
    found = estimate(mean, errors.to_numpy(dtype=float))
    by_seed = dict(zip(errors.index.tolist(), errors.tolist(), strict=True))
    return {"n": found.runs, "error": found.value, "low": found.low, "high": found.high, "by_seed": by_seed}


def against_best(table: pd.DataFrame) -> pd.DataFrame:
    """The same with each method's difference from the best one of its cell and budget, in pairs of seeds.

    Args:
        table: As `judged` makes it, without what a method can't be compared with.
    """
    import pandas as pd

    parts = []
    for _, part in table.groupby(CELL, sort=False):
        place = int(part["error"].to_numpy().argmin())
        best: Mapping[int, float] = part["by_seed"].iloc[place]
        columns = np.array([_difference(own, best) for own in part["by_seed"]]).T
        told = dict(zip(("difference", "difference_low", "difference_high"), columns, strict=True))
        parts.append(part.assign(best=part["method"].iloc[place], **told))
    return pd.concat(parts, ignore_index=True)


def _difference(own: Mapping[int, float], best: Mapping[int, float]) -> tuple[float, float, float]:
    seeds = sorted(set(own) & set(best))
    left, right = (np.array([errors[seed] for seed in seeds]) for errors in (own, best))
    if np.array_equal(left, right):
        return 0.0, 0.0, 0.0
    found = estimate(difference, left, right)
    return found.value, found.low, found.high
