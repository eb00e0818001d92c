"""Figure of a replication: paired differences at equal budgets, and recycling against stopping over η."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import SubplotSpec
from matplotlib.lines import Line2D

from radmm.results.figures.curve_styles import shades
from radmm.results.figures.legend_entries import bar_entry
from radmm.results.figures.palette import BLUE, PURPLE
from radmm.results.figures.style import TEXT_WIDTH, legend_above, letter, log_ticks, new_figure
from radmm.results.frontier.replicated_page import EQUAL, METRIC, named
from radmm.results.frontier.replication import BOUND, EPSILON, NOISELESS, PUBLISHED, TUNED

LINE, ALONG, LEGEND = 0.2, 2.2, 0.5  # inches: a line of a panel, a panel over η, and the legend
TITLE = 0.55  # inches of a panel's title and axis
COLORS = {BOUND: PURPLE, EPSILON: BLUE, NOISELESS: "#000000"}
MARKERS = "os^D"
POINTS = 100.0  # percentage points
FAR = 4.0  # times as far as half of the pairs reach: pairs that reach farther have panels of their own
DIFFERENCE = "difference in test error, percentage points"
Pair = tuple[str, str]


def draw(differences: pd.DataFrame, along: pd.DataFrame) -> Figure:
    """Draw paired differences above and, if methods were judged at every η, differences over η below.

    Above are rows for each cell and a column for each axis of privacy; below, a panel for each cell.

    Args:
        differences: Differences of pairs of methods, tuned and as published.
        along: Differences of methods that were judged at every η.
    """
    shown = differences[(differences["metric"] == METRIC) & (differences["axis"] != NOISELESS)]
    over = along[along["metric"] == METRIC]
    cells, groups = list(shown["cell"].unique()), near_and_far(shown)
    budgets = int(shown.groupby("axis")["budget"].nunique().max())
    lines = [(cell, pairs) for cell in cells for pairs in groups]
    heights = [TITLE + LINE * len(pairs) * (budgets + 1) for _, pairs in lines]
    below = [] if over.empty else [ALONG]
    figure = new_figure(TEXT_WIDTH, sum(heights) + sum(below) + LEGEND)
    whole = figure.add_gridspec(1 + len(below), 1, height_ratios=[sum(heights), *below])
    letters = map(letter, count())
    columns = [axis for axis in EQUAL if axis in set(shown["axis"])]
    grid = whole[0].subgridspec(len(lines), len(columns), height_ratios=heights)
    scales: dict[int, Axes] = {}  # the first panel of each group, whose axis the others share
    for row, (cell, pairs) in enumerate(lines):
        for column, axis in enumerate(columns):
            axes = figure.add_subplot(grid[row, column], sharex=scales.get(row % len(groups)))
            scales.setdefault(row % len(groups), axes)
            part = shown[(shown["cell"] == cell) & (shown["axis"] == axis)]
            _pairs(axes, part, pairs, names=column == 0)
            axes.set_title(f"({next(letters)}) {cell}, {_equal(part, axis)}", loc="left")
            if row >= len(lines) - len(groups):
                axes.set_xlabel(DIFFERENCE)
    if below:
        _draw_below(figure, whole[1], over, letters)
    legend_above(figure, _handles(shown) | bar_entry("95 % interval"), "", columns=3)
    sns.despine(figure)
    return figure


def near_and_far(shown: pd.DataFrame) -> list[list[Pair]]:
    """Return the pairs in groups of about the same scale: most, and those whose intervals reach much farther.

    Args:
        shown: Differences that are drawn.
    """
    farthest: dict[Pair, float] = {}
    for row in shown.to_dict("records"):
        pair = row["left"], row["right"]
        farthest[pair] = max(farthest.get(pair, 0.0), abs(row["low"]), abs(row["high"]))
    limit = FAR * float(np.median(list(farthest.values())))
    near = [pair for pair, value in farthest.items() if value <= limit]
    return [near, *([far] if (far := [pair for pair in farthest if pair not in near]) else [])]


def _equal(part: pd.DataFrame, axis: str) -> str:
    budgets = part["budget"].unique()
    return named(axis, budgets[0]) if len(budgets) == 1 else EQUAL[axis]


def _pairs(axes: Axes, part: pd.DataFrame, pairs: list[Pair], names: bool) -> None:
    """Draw the differences of pairs, below each other; left of zero the first of a pair is better."""
    axes.axvline(0.0, color="0.4", linewidth=0.8)
    budgets = list(part["budget"].unique())
    step = 1.0 / (len(budgets) * 2 + 1)
    places = {pair: place for place, pair in enumerate(pairs)}
    for row in part[part["kind"].isin([TUNED, PUBLISHED])].to_dict("records"):
        pair = row["left"], row["right"]
        if pair in places:
            place = budgets.index(row["budget"])
            height = places[pair] + (place * 2 + (row["kind"] == PUBLISHED) - len(budgets) + 0.5) * step
            shade = shades(COLORS[row["axis"]], len(budgets))[place] if len(budgets) > 1 else COLORS[row["axis"]]
            _point(axes, row, height, shade, MARKERS[place % len(MARKERS)])
    axes.set_yticks(range(len(pairs)), [f"{left}\n− {right}" for left, right in pairs] if names else [])
    axes.set_ylim(len(pairs) - 0.45, -0.55)
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")


def _point(axes: Axes, row: Mapping[Any, Any], height: float, color: str, marker: str) -> None:
    reach = POINTS * np.array([[row["difference"] - row["low"]], [row["high"] - row["difference"]]])
    axes.errorbar(
        POINTS * row["difference"], height, xerr=reach, color=color, marker=marker,
        markerfacecolor=color if row["kind"] == TUNED else "white", linestyle="", capsize=1.5, elinewidth=0.8,
    )  # fmt: skip


def _handles(shown: pd.DataFrame) -> dict[str, Line2D]:
    """Return what fills mean, and markers where an axis has several budgets."""
    fills = {TUNED: "0.35", PUBLISHED: "white"}
    kinds = {
        kind: Line2D([], [], color="0.35", marker="o", markerfacecolor=fill, linestyle="")
        for kind, fill in fills.items()
        if (shown["kind"] == kind).any()
    }
    budgets = {axis: list(part["budget"].unique()) for axis, part in shown.groupby("axis", sort=False)}
    several = {
        named(str(axis), budget): Line2D([], [], color="0.35", marker=MARKERS[place % len(MARKERS)], linestyle="")
        for axis, listed in budgets.items()
        for place, budget in enumerate(listed)
        if len(listed) > 1
    }
    return kinds | several


def _draw_below(figure: Figure, place: SubplotSpec, over: pd.DataFrame, letters: Iterator[str]) -> None:
    beside, cells = None, list(over["cell"].unique())
    grid = place.subgridspec(1, len(cells))  # one for all, or they would overlap
    for column, cell in enumerate(cells):
        beside = figure.add_subplot(grid[0, column], sharey=beside)
        _over(beside, over[over["cell"] == cell])
        beside.set_title(f"({next(letters)}) {cell}: {' − '.join(_of(over))}", loc="left")
        beside.set_ylabel("percentage points" if column == 0 else "")
        if column == 0:
            beside.legend(fontsize="x-small", loc="best")


def _over(axes: Axes, part: pd.DataFrame) -> None:
    axes.axhline(0.0, color="0.4", linewidth=0.8)
    budgets = list(dict.fromkeys(zip(part["axis"], part["budget"], strict=True)))
    for place, (axis, budget) in enumerate(budgets):
        curve = part[(part["axis"] == axis) & (part["budget"] == budget)].sort_values("penalty")
        among = [each for each in budgets if each[0] == axis].index((axis, budget))
        alike = [each for each in budgets if each[0] == axis]
        color = shades(COLORS[axis], len(alike))[among] if len(alike) > 1 else COLORS[axis]
        reach = POINTS * np.array([curve["difference"] - curve["low"], curve["high"] - curve["difference"]])
        shifted = curve["penalty"] * (1 + 0.05 * (place - (len(budgets) - 1) / 2))
        dashes = (0, (6, 2)) if axis == NOISELESS else "-"
        axes.errorbar(
            shifted, POINTS * curve["difference"], reach, color=color, marker=MARKERS[among], linestyle=dashes,
            markerfacecolor=color, capsize=1.5, elinewidth=0.8, label=f"{named(axis, budget)}",
        )  # fmt: skip
    log_ticks(axes, part["penalty"])
    axes.set_xlabel("η, the same for both")


def _of(along: pd.DataFrame) -> list[str]:
    return [along["left"].iloc[0], along["right"].iloc[0]]
