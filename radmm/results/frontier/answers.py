"""The answers of a tuned study: the best method of each cell and budget, and how far it is from a trusted curator.

Threat models are not mixed. Without secrets between nodes, only methods whose ε holds against everybody count. If
neighbours keep the draws that they share, all methods count, as the others' ε holds then, too.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from radmm.results.frontier.judgement import CELL, summary

AVERAGED = ("curator", "above", "worst", "messages", "floats_sent")  # over data sets, besides the error
HALF_A_POINT = 0.005  # difference of test errors: methods closer than that are alike in practice
MEAN = "mean"  # in place of a data set's name
MODELS = {
    False: "No secrets between nodes",
    True: "Neighbours that keep the draws they share",
}


class Answer(NamedTuple):
    """Method to use in a cell at a budget.

    Args:
        best: Row of the method of least error.
        alike: Other methods within half a point of it.
    """

    best: Any
    alike: list[str]


def priced(table: pd.DataFrame, references: pd.DataFrame) -> pd.DataFrame:
    """Add the trusted curator's error, and how far each method is above it; NaN where no curator meets the budget.

    Args:
        table: Judged methods.
        references: Judged references, those without privacy among them, which spend nothing.
    """
    at = [name for name in CELL if name != "cell"]
    curators = references[references["spent"] > 0]
    least = curators.groupby(at)["error"].min().rename("curator")
    found = table.merge(least, "left", left_on=at, right_index=True)
    return found.assign(above=found["error"] - found["curator"])


def over_data_sets(table: pd.DataFrame) -> pd.DataFrame:
    """Return means over the data sets, of methods that are on all of them; intervals are over the seeds' means.

    Args:
        table: Judged methods or references; what it has of `AVERAGED` is averaged, too.
    """
    names = table["data_set"].nunique()
    rows = []
    keys = [*(name for name in CELL if name != "data_set"), "method"]
    for at, part in table.groupby(keys, sort=False):
        if len(part) == names:
            by_seed = pd.DataFrame(list(part["by_seed"])).mean()
            means = {name: part[name].mean(skipna=False) for name in AVERAGED if name in part}  # of all or none
            kept = {name: part[name].iloc[0] for name in ("secrets", "spent")}
            rows.append({**dict(zip(keys, at, strict=True)), **kept, **summary(by_seed), **means})
    return pd.DataFrame(rows, columns=None if rows else [*keys, "error", "secrets", "spent"])


def under(table: pd.DataFrame, secrets: bool) -> pd.DataFrame:
    """Return the methods whose ε holds under a threat model.

    Args:
        table: Judged methods.
        secrets: Whether neighbours keep the draws that they share.
    """
    return table if secrets else table[~table["secrets"].astype(bool)]


def answer(part: pd.DataFrame) -> Answer:
    """Return the best method, and those within half a point of it.

    Args:
        part: Rows of one cell, relation and budget, under one threat model.
    """
    errors = part["error"].to_numpy()
    best = part.iloc[int(errors.argmin())]
    alike = (errors <= errors.min() + HALF_A_POINT) & (np.arange(len(part)) != int(errors.argmin()))
    return Answer(best, part["method"][alike].tolist())


def in_points(above: float) -> str:
    """Format a difference of errors in points (hundredths), like +0.3; never as −0.0.

    Args:
        above: Difference of two test errors.
    """
    return f"{round(100.0 * above, 1) + 0.0:+.1f}"


def all_answers(table: pd.DataFrame) -> pd.DataFrame:
    """Return what to use under each threat model, in each cell and at each budget: of each data set, and of their mean.

    Args:
        table: Judged and priced methods.
    """
    several = table["data_set"].nunique() > 1
    means = over_data_sets(table).assign(data_set=MEAN) if several else table.iloc[:0]
    rows = []
    for secrets, title in MODELS.items():
        kept = under(pd.concat([means, table], ignore_index=True), secrets)
        for at, part in kept.groupby(CELL, sort=False):
            best, alike = answer(part)
            told = {name: best[name] for name in ("method", "error", "low", "high", *AVERAGED)}
            rows.append({"threat_model": title, **dict(zip(CELL, at, strict=True)), **told, "or": "; ".join(alike)})
    return pd.DataFrame(rows)
