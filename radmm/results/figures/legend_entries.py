"""Entries of legends, and sentences of captions, that say what a line or a point is the mean of, and what its band or
bar shows: once in each figure."""

from __future__ import annotations

import pandas as pd
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from radmm.results.figures.curves import mean_of_runs, of_metric
from radmm.study.figure_style import Style

GREY = "0.35"
Handle = Line2D | tuple[Patch, Line2D]
REACH_IN_WORDS = {
    Style.CLEAR: "from the least run to the largest",
    Style.PAPER: "as far as the runs' range, centred on the mean",
}


def band_entry(text: str) -> dict[str, Handle]:
    """Return the entry of a line within its band.

    Args:
        text: What both are.
    """
    return {text: (Patch(facecolor=GREY, alpha=0.25, linewidth=0), Line2D([], [], color=GREY))}


def bar_entry(text: str) -> dict[str, Handle]:
    """Return the entry of a bar.

    Args:
        text: What it is.
    """
    return {text: Line2D([], [], color=GREY, marker="|", markersize=9, markeredgewidth=1.0, linestyle="")}


def runs_entry(table: pd.DataFrame, band: bool = False) -> dict[str, Handle]:
    """Return the entry of the bars or bands that show the range of the runs; none where there is a single run.

    Args:
        band: Whether bands are drawn, with bars of the same meaning elsewhere in the figure.
    """
    if not of_metric(table, "loss")["n"].max() > 1:
        return {}
    text = mean_of_runs(table).replace("mean", "mean and range")
    return band_entry(text) if band else bar_entry(text)


def runs_sentence(table: pd.DataFrame, style: Style, what: str) -> list[str]:
    """Return the caption's sentence on runs.

    Args:
        what: What shows the range: bars or bands.
    """
    mean = mean_of_runs(table)
    if not of_metric(table, "loss")["n"].max() > 1:
        return ["There is one run."]
    return [f"Each value is the {mean}; {what} reach {REACH_IN_WORDS[style]}."]
