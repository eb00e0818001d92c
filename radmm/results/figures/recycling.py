"""Figure of what recycling buys: R-ADMM against ADMM with T iterations and against ADMM that stops at T/2."""

from __future__ import annotations

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from radmm.results.claims.recycling import RIVALS
from radmm.results.figures.legend_entries import bar_entry
from radmm.results.figures.palette import COLORS
from radmm.results.figures.style import TEXT_WIDTH, handles_of, legend_above, letter, subplots

ROW, LEGEND = 0.3, 1.3  # inches
APART = 0.2  # rows between data sets
MARKERS = "os^Dv"


def draw(table: pd.DataFrame, margin: float) -> Figure:
    """Draw a panel for each rival and a row for each case; left of zero recycling is better.

    Args:
        table: Differences in test error, in points, with `rival`, `case`, `evidence`, and ends of their intervals.
        margin: Smallest difference that matters, in points.
    """
    cases, evidence = (list(table[name].unique()) for name in ("case", "evidence"))
    heights = _heights(table)
    figure, panels = subplots(1, len(RIVALS), TEXT_WIDTH, ROW * len(cases) + LEGEND, sharex=True, sharey=True)
    for place, (rival, words) in enumerate(RIVALS.items()):
        axes: Axes = panels[0][place]
        axes.axvspan(-margin, margin, color="0.92", zorder=0, label="too small to matter")
        axes.axvline(0.0, color="0.5", linewidth=0.6)
        for number, name in enumerate(evidence):
            own = table[(table["rival"] == rival) & (table["evidence"] == name)]
            _points(axes, own, [heights[case, name] for case in own["case"]], name, number)
        axes.set_title(f"({letter(place)}) R-ADMM − {words}", loc="left")
        axes.set_xlabel("← better    test error (points)    worse →")
        axes.grid(False, axis="y")
    panels[0][0].set_yticks(range(len(cases)), cases)
    panels[0][0].set_ylim(len(cases) - 0.5, -0.5)
    legend_above(figure, handles_of(figure.axes) | bar_entry("mean and its interval"), "", 4)
    sns.despine(figure)
    return figure


def _heights(table: pd.DataFrame) -> dict[tuple[str, str], float]:
    """Return where a case's evidence is drawn: around the case's row, each data set a little below the one before."""
    shown = table[["case", "evidence"]].drop_duplicates()
    found = {}
    for row, (case, part) in enumerate(shown.groupby("case", sort=False)):
        for place, name in enumerate(part["evidence"]):
            found[str(case), name] = row + APART * (place - (len(part) - 1) / 2)
    return found


def _points(axes: Axes, own: pd.DataFrame, heights: list[float], name: str, number: int) -> None:
    arms = [own["difference"] - own["low"], own["high"] - own["difference"]]
    color, marker = COLORS[number % len(COLORS)], MARKERS[number % len(MARKERS)]
    axes.errorbar(
        own["difference"],
        heights,
        xerr=arms,
        fmt=marker,
        color=color,
        label=name,
        capsize=2,
        markersize=3.5,
        linewidth=1,
    )
