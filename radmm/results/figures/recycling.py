"""Figure of what recycling buys: R-ADMM against ADMM with T iterations and against ADMM that stops at T/2."""

from __future__ import annotations

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from radmm.results.figures.palette import COLORS
from radmm.results.figures.style import TEXT_WIDTH, handles_of, legend_above, letter, subplots
from radmm.results.frontier.recycling import POINTS, RIVALS, against_rivals
from radmm.results.frontier.replicated_page import EQUAL
from radmm.results.frontier.replication import PUBLISHED, TUNED

HEIGHT, LEGEND = 1.0, 0.7  # inches of a row of panels, and of the legend
KINDS = {TUNED: ("o", -0.12), PUBLISHED: ("s", 0.12)}  # marker and shift


def draw(differences: pd.DataFrame, margin: float) -> Figure:
    """Draw a row of panels for each cell, and a column for each axis of privacy; left of zero recycling is better.

    Args:
        differences: Table of a replication, in which R-ADMM is compared with both rivals.
        margin: Smallest difference of test error that matters.
    """
    shown = against_rivals(differences)
    cells, axes_of = list(shown["cell"].unique()), [axis for axis in EQUAL if axis in set(shown["axis"])]
    figure, panels = subplots(
        len(cells), len(axes_of), TEXT_WIDTH, HEIGHT * len(cells) + LEGEND, sharex=True, sharey=True
    )
    for row, cell in enumerate(cells):
        for column, axis in enumerate(axes_of):
            axes = panels[row][column]
            _rivals(axes, shown[(shown["cell"] == cell) & (shown["axis"] == axis)], POINTS * margin)
            axes.set_title(f"({letter(row * len(axes_of) + column)}) {cell}, {EQUAL[axis]}", loc="left")
            if row == len(cells) - 1:
                axes.set_xlabel("test error of R-ADMM less the other's, percentage points")
    legend_above(figure, handles_of(figure.axes), "Means over pairs of a split and a graph, with 95 % intervals", 3)
    sns.despine(figure)
    return figure


def _rivals(axes: Axes, part: pd.DataFrame, margin: float) -> None:
    axes.axvspan(-margin, margin, color="0.92", zorder=0, label="smaller than the margin")
    axes.axvline(0.0, color="0.5", linewidth=0.6)
    for place, (kind, (marker, shift)) in enumerate(KINDS.items()):
        own = part[part["kind"] == kind].set_index("right").reindex(list(RIVALS)).dropna(subset=["difference"])
        heights = [list(RIVALS).index(name) + shift for name in own.index]
        arms = [POINTS * (own["difference"] - own["low"]), POINTS * (own["high"] - own["difference"])]
        axes.errorbar(
            POINTS * own["difference"], heights, xerr=arms, fmt=marker, color=COLORS[place], label=kind, capsize=2
        )
    axes.set_yticks(range(len(RIVALS)), [f"less {words}" for words in RIVALS.values()])
    axes.set_ylim(len(RIVALS) - 0.5, -0.5)
