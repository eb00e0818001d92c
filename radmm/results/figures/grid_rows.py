"""Rows of a grid's figure: a metric with the parameters that the figure names, and means over what it averages."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from radmm.results.figures.curves import axes_of, last_iteration, of_metric
from radmm.results.figures.figure import Material
from radmm.results.figures.setting_parameters import value_at

if TYPE_CHECKING:
    from radmm.results.figures.grid import Grid

FACETS = ("facet_row", "facet_column")
LABEL, ITERATION = "label", "iteration"
CONFIDENCE = 0.95


def plain_value(value: Any) -> Any:
    """Return a parameter's value as a number, a text or None; a section or a list is written as JSON.

    Args:
        value: Value of a setting's parameter.
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping | list | tuple):
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return None if value is None or value != value else value


def number_of(value: Any) -> float | None:
    """Return a value as a number; None if it is none.

    Args:
        value: What `plain_value` returned.
    """
    return float(value) if isinstance(value, int | float) else None


def drawn_rows(grid: Grid, material: Material) -> pd.DataFrame:
    """Return the rows of a grid's figure, with columns for what it shows and averages."""
    averaged = {f"over {path}": path for path in grid.averaged}
    rows = in_all_panels(rows_of(material, grid.y, grid.iteration, grid.shown | averaged), facets_of(grid))
    return rows.assign(color=None) if grid.color is None else rows


def facets_of(grid: Grid) -> list[str]:
    """Return the facets that a grid's figure has."""
    return [facet for facet in FACETS if facet in grid.shown]


def rows_of(material: Material, metric: str, iteration: int | None, paths: Mapping[str, str]) -> pd.DataFrame:
    """Return a metric's rows at one iteration, or at all if a path is `iteration`, with a column for each parameter.

    Args:
        iteration: Which iteration; None for each setting's last.
        paths: Parameter of each column, by the column's name.
    """
    rows = of_metric(material.table, metric)
    if ITERATION not in paths.values():
        rows = last_iteration(rows) if iteration is None else rows[rows["iteration"] == iteration]
    return rows.assign(**{name: _column(material, rows, path) for name, path in paths.items()})


def _column(material: Material, rows: pd.DataFrame, path: str) -> pd.Series[Any]:
    """Return each row's value: that on the axis of its grid or, where its label has no such axis, its setting's."""
    if path in (LABEL, ITERATION):
        return rows[path]
    written = {name: _with_budget(own, material.asked.get(name)) for name, own in material.parameters.items()}
    found = rows["setting"].map({name: plain_value(value_at(own, path)) for name, own in written.items()})
    if path in axes_of(material.table):
        found = rows[path].astype(object).where(rows[path].notna(), found)
    values = [plain_value(value) for value in found]
    if any(isinstance(value, str) for value in values):  # in a file, a column has one type
        values = [value if value is None or isinstance(value, str) else f"{value:g}" for value in values]
    return pd.Series(values, rows.index, dtype=object)


def _with_budget(parameters: Mapping[str, Any], asked: Mapping[str, Any] | None) -> Mapping[str, Any]:
    return parameters if asked is None else {**parameters, "noise": {**parameters["noise"], **asked}}


def in_all_panels(rows: pd.DataFrame, facets: Sequence[str]) -> pd.DataFrame:
    """Return the rows, those without a value of a facet, such as settings without noise, once for each of its values.

    Args:
        rows: Rows with a column for each facet.
        facets: Names of these columns.
    """
    for facet in facets:
        there, lacking = rows[rows[facet].notna()], rows[rows[facet].isna()]
        rows = pd.concat([there, *(lacking.assign(**{facet: value}) for value in there[facet].unique())])
    return rows


def summary(rows: pd.DataFrame, by: Sequence[str], averaged: bool, interval: str) -> pd.DataFrame:
    """Return mean, and ends of the interval (`low`, `high`), of each point of the figure.

    Args:
        rows: Rows with a mean over runs.
        by: Columns that make a point.
        averaged: Whether several rows are a point, whose means are then averaged; else each row is one.
        interval: `range` or `confidence`.
    """
    if averaged:
        means = rows.groupby(list(by), dropna=False, sort=False)["mean"]
        found = means.agg(["count", "mean", "min", "max", "std"]).reset_index().rename(columns={"count": "n"})
    else:
        found = rows[[*by, "n", "mean", "min", "max", "std"]]
    if interval == "range":
        return found.assign(low=found["min"], high=found["max"])
    with np.errstate(invalid="ignore"):
        reach = stdtrit(found["n"] - 1.0, (1 + CONFIDENCE) / 2) * found["std"] / np.sqrt(found["n"])
    return found.assign(low=found["mean"] - reach, high=found["mean"] + reach)


def in_order_of(values: pd.Series[Any]) -> list[Any]:
    """Return the values, numbers from the least up and texts as they come; None, which stands for none, is left out.

    Args:
        values: Column of a parameter.
    """
    found = list(dict.fromkeys(value for value in values if value is not None and value == value))
    return sorted(found) if all(isinstance(value, int | float) for value in found) else found
