"""Figure of a tuned study: the best method of each cell and ε, and what it costs not to trust a curator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from radmm.privacy.guarantee import rounded_up
from radmm.results.figures.style import TEXT_WIDTH, in_digits, letter, subplots
from radmm.results.frontier.answers import MODELS, answer, in_points, over_data_sets, under
from radmm.results.frontier.judgement import OTHER

SHOWN = "replace"
ROW, HEAD = 0.5, 1.2  # inches of height: of a cell, and of all that stands around them
MOST_POINTS = 5.0  # above the curator, from which on the colour is the same
COLOURS = "viridis_r"


def draw(table: pd.DataFrame, study: Mapping[str, Any]) -> Figure:
    """Draw a heat map for each threat model, for replacing one row; the table has the other relation, too.

    Args:
        table: Judged and priced methods.
    """
    chosen_on = OTHER if (table["chosen_on"] == OTHER).any() else table["chosen_on"].iloc[0]
    own = over_data_sets(table[(table["neighbours"] == SHOWN) & (table["chosen_on"] == chosen_on)])
    cells, budgets = list(own["cell"].unique()), sorted(study["epsilon"])
    models = [secrets for secrets in MODELS if secrets in set(own["secrets"])]
    figure, axes = subplots(len(models), 1, TEXT_WIDTH, HEAD + ROW * len(cells) * len(models))
    for place, secrets in enumerate(models):
        axis = axes[place, 0]
        _panel(axis, under(own, secrets), cells, budgets)
        axis.set_xlabel(f"total ε at δ = {in_digits(study['delta'])}, one row replaced")
        axis.set_title(f"({letter(place)}) {MODELS[secrets]}", loc="left")
    return figure


def _panel(axes: Axes, table: pd.DataFrame, cells: list[str], budgets: list[float]) -> None:
    points = np.full((len(cells), len(budgets)), np.nan)
    texts = np.full(points.shape, "–", dtype=object)
    for _, part in table.groupby(["cell", "epsilon"]):
        best, _ = answer(part)
        place = cells.index(best["cell"]), budgets.index(best["epsilon"])
        points[place] = 100.0 * best["above"]
        price = "" if np.isnan(points[place]) else f" ({in_points(best['above'])})"
        texts[place] = best["method"].replace(", ", ",\n") + f"\n{best['error']:.3f}{price}"
    sns.heatmap(
        pd.DataFrame(points, cells, [rounded_up(each) for each in budgets]),
        vmin=0.0,
        vmax=MOST_POINTS,
        cmap=COLOURS,
        annot=texts,
        fmt="",
        annot_kws={"fontsize": "x-small"},
        cbar_kws={"label": "points above the curator"},
        linewidths=1.0,
        ax=axes,
    )
    for row, column in zip(*np.nonzero(np.isnan(points)), strict=True):  # which a heat map leaves blank
        axes.text(column + 0.5, row + 0.5, texts[row, column], ha="center", va="center", fontsize="x-small")
    axes.tick_params(axis="y", rotation=0)
    axes.tick_params(length=0)
