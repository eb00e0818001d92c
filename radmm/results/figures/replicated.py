"""Figure of a replication: paired differences at equal budgets, and recycling against stopping over η."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from textwrap import wrap
from typing import Any

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from radmm.results.figures.curve_styles import shades
from radmm.results.figures.style import (
    TEXT_WIDTH,
    handles_of,
    legend_above,
    letter,
    log_ticks,
    new_figure,
)
from radmm.results.frontier.replicated_page import EQUAL, METRIC, named
from radmm.results.frontier.replication import BOUND, EPSILON, NOISELESS, PUBLISHED, TUNED
from radmm.results.frontier.threats import threat_sentences

LINE, ALONG, LEGEND = 0.17, 2.2, 1.3  # inches: a line of a panel, a panel over η, and the legend
COLORS = {BOUND: "#D55E00", EPSILON: "#0072B2", NOISELESS: "#000000"}
MARKERS = "os^D"
POINTS = 100.0  # percentage points
LETTERS = 125  # in a line of the legend's title


def draw(
    differences: pd.DataFrame, along: pd.DataFrame, study: Mapping[str, Any], threats: Mapping[str, str]
) -> Figure:
    """Draw paired differences above and, if methods were judged at every η, differences over η below.

    Above are a row for each cell and a column for each axis of privacy; below, a panel for each cell.

    Args:
        differences: Differences of pairs of methods, tuned and as published.
        along: Differences of methods that were judged at every η.
        study: The study's metadata.
        threats: Attackers against whom a method's ε holds, by method, where these are not all.
    """
    shown = differences[(differences["metric"] == METRIC) & (differences["axis"] != NOISELESS)]
    over = along[along["metric"] == METRIC]
    cells, axes_of = list(shown["cell"].unique()), [axis for axis in EQUAL if axis in set(shown["axis"])]
    budgets = int(shown.groupby("axis")["budget"].nunique().max())
    pairs = list(dict.fromkeys(zip(shown["left"], shown["right"], strict=True)))
    height = LINE * (len(pairs) * (budgets + 0.6) + 1)
    heights = [len(cells) * (height + 0.5), *([] if over.empty else [ALONG])]
    figure = new_figure(TEXT_WIDTH, sum(heights) + LEGEND)
    whole = figure.add_gridspec(len(heights), 1, height_ratios=heights)
    above = whole[0].subgridspec(len(cells), len(axes_of), wspace=0.05)
    letters, first = map(letter, count()), None
    for place, cell in enumerate(cells):
        for column, axis in enumerate(axes_of):
            first = figure.add_subplot(above[place, column], sharex=first)
            _pairs(first, shown[(shown["cell"] == cell) & (shown["axis"] == axis)], pairs, names=column == 0)
            first.set_title(f"({next(letters)}) {cell}, {EQUAL[axis]}", loc="left")
            if place == len(cells) - 1:
                first.set_xlabel("difference in test error, percentage points")
    beside, over_cells = None, list(over["cell"].unique())
    below = whole[-1].subgridspec(1, max(1, len(over_cells)))  # one for all, or they would overlap
    for column, cell in enumerate(over_cells):
        beside = figure.add_subplot(below[0, column], sharey=beside)
        _over(beside, over[over["cell"] == cell])
        beside.set_title(f"({next(letters)}) {cell}: {' − '.join(_of(over))}", loc="left")
        beside.set_ylabel("percentage points" if column == 0 else "")
    legend_above(figure, handles_of(figure.axes), _explanation(study, threats), columns=3)
    sns.despine(figure)
    return figure


def _pairs(axes: Axes, part: pd.DataFrame, pairs: list[tuple[str, str]], names: bool) -> None:
    """Draw the differences of all pairs, below each other; left of zero the first of a pair is better."""
    axes.axvline(0.0, color="0.4", linewidth=0.8)
    budgets = list(part["budget"].unique())
    step = 1.0 / (len(budgets) * 2 + 1)
    for at, (left, right) in enumerate(pairs):
        for place, budget in enumerate(budgets):
            for kind in (TUNED, PUBLISHED):
                found = part[
                    (part["left"] == left)
                    & (part["right"] == right)
                    & (part["budget"] == budget)
                    & (part["kind"] == kind)
                ]
                height = at + (place * 2 + (kind == PUBLISHED) - len(budgets) + 0.5) * step
                _point(axes, found, height, kind, place)
    axes.set_yticks(range(len(pairs)), [f"{left}\n− {right}" for left, right in pairs] if names else [])
    axes.set_ylim(len(pairs) - 0.45, -0.55)
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")


def _point(axes: Axes, found: pd.DataFrame, height: float, kind: str, place: int) -> None:
    for _, row in found.iterrows():
        color = shades(COLORS[row["axis"]], 2)[place % 2]
        reach = POINTS * np.array([[row["difference"] - row["low"]], [row["high"] - row["difference"]]])
        fill, label = color if kind == TUNED else "white", f"{named(row['axis'], row['budget'])}, {kind}"
        axes.errorbar(
            POINTS * row["difference"], height, xerr=reach, color=color, marker=MARKERS[place % len(MARKERS)],
            markerfacecolor=fill, linestyle="", capsize=1.5, elinewidth=0.8, label=label,
        )  # fmt: skip


def _over(axes: Axes, part: pd.DataFrame) -> None:
    axes.axhline(0.0, color="0.4", linewidth=0.8)
    budgets = list(dict.fromkeys(zip(part["axis"], part["budget"], strict=True)))
    for place, (axis, budget) in enumerate(budgets):
        curve = part[(part["axis"] == axis) & (part["budget"] == budget)].sort_values("penalty")
        among = [each for each in budgets if each[0] == axis].index((axis, budget))
        color = shades(COLORS[axis], 2)[among] if axis != NOISELESS else COLORS[axis]
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


def _explanation(study: Mapping[str, Any], threats: Mapping[str, str]) -> str:
    against = [line for sentence in threat_sentences(threats) for line in wrap(sentence, LETTERS)]
    return "\n".join([_what_is_shown(study), *against])


def _what_is_shown(study: Mapping[str, Any]) -> str:
    return (
        f"Means over {len(study['judgement'])} splits with graphs and noise of their own, in pairs; bars: 95 % "
        "intervals. Below zero the first is better.\n"
        f"η was tuned on {len(study['selection'])} other splits and graphs; on private data that would cost budget, "
        "which is not counted.\nReplacing one row. P(T): the published bound, exponential-norm noise. ε: total at "
        "δ = 1e-5 by the shift accountant, Gaussian noise."
    )
