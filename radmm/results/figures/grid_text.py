"""Texts of a grid's figure: labels of axes, and what its points, bands and budgets are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from radmm.metrics.metric import METRICS
from radmm.results.epsilon_terms import Terms, terms_by_metric
from radmm.results.figures.curves import SYMBOLS
from radmm.results.figures.figure import Material
from radmm.results.figures.grid_rows import ITERATION, LABEL
from radmm.study.budgets import budget_of
from radmm.study.noise_budget import NoiseBudget, noise_from_json

if TYPE_CHECKING:
    from radmm.results.figures.grid import Grid

EPSILON = "noise.total_epsilon"
INTERVALS = {"range": "least to largest", "confidence": "95 % interval of the mean"}
AXES = {
    LABEL: "",
    ITERATION: "iteration t",
    EPSILON: "total ε asked for",
    "noise.total_bound": "total bound P(T) asked for",
    "network.nodes": "nodes N",
    "problem.rho": "regulariser's weight ρ",
    "iterations": "iterations T",
}


def axis_label(path: str) -> str:
    """Return the label of a parameter's axis.

    Args:
        path: Dotted name of the parameter.
    """
    return AXES.get(path, SYMBOLS.get(path, path))


def metric_label(grid: Grid) -> str:
    """Return the label of the metric's axis, with the terms of an ε."""
    known = terms_by_metric()
    if grid.y in known:
        return f"total ε ({known[grid.y]})"
    named = METRICS[grid.y]().axis_label
    return named if grid.iteration is None else f"{named} at t = {grid.iteration}"


def explanation(grid: Grid, material: Material, rows: pd.DataFrame) -> list[str]:
    """Return what points and bands are, and the terms of budgets, in sentences."""
    runs = int(rows["n"].max())
    each = f"mean of {runs} runs" if runs > 1 else "one run"
    when = "" if grid.iteration is not None or grid.x == ITERATION else ", after the last iteration"
    what = {"line": "Lines: mean", "heatmap": "Cells: mean", "box": "Boxes: median and quartiles"}[grid.form]
    over = f"{what} over {_over(grid, rows)}, each the {each}{when}." if grid.averaged else ""
    said = over.replace("the one", "one") or f"{what.split(':')[0]}: {each}{when}."
    bands = [f"Bands: {INTERVALS[grid.interval]}."] if has_bands(grid, rows) else []
    return [said, *bands, *_budgets(grid, material)]


def has_bands(grid: Grid, rows: pd.DataFrame) -> bool:
    """Return whether lines have bands: where something is averaged, or there are several runs."""
    return grid.form == "line" and (bool(grid.averaged) or int(rows["n"].max()) > 1)


def _over(grid: Grid, rows: pd.DataFrame) -> str:
    """Return how many values are averaged, of which parameters."""
    count = len(rows[[f"over {path}" for path in grid.averaged]].drop_duplicates())
    return f"{count} values of {' and '.join(grid.averaged)}"


def _budgets(grid: Grid, material: Material) -> list[str]:
    """Return the terms on which a total ε was asked for, where the figure shows it."""
    if EPSILON not in grid.shown.values():
        return []
    asked = [noise_from_json(section) for section in material.asked.values()]
    budgets = [budget_of(each) for each in asked if isinstance(each, NoiseBudget) and each.total_epsilon is not None]
    said = dict.fromkeys(str(Terms(each.accountant, each.delta, each.relation)) for each in budgets)
    return [f"Total ε asked for, over all iterations: {'; '.join(said)}."] if said else []
