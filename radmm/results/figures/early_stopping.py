"""What recycling itself buys: R-ADMM and MR-ADMM against ADMM stopped at T/2, at the same bound."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from radmm.results.figures.curves import draw_files, half_range, last_iteration, mean_of_runs, of_metric
from radmm.results.figures.style import LOOKS, TEXT_WIDTH, log_scale

ALPHA, GAMMA, LENGTH = "noise.alpha", "algorithm.gamma", "iterations"
HALVED = "stopped at T/2"  # in the labels of what stops early
ROWS = {
    "constant η": ["R-ADMM", "ADMM, stopped at T/2"],
    "growing η": ["MR-ADMM", "ADMM, growing η, stopped at T/2"],
}
METRICS = {"loss": "L(T), log scale", "error_rate": "test error, log scale"}


def draw(table: pd.DataFrame) -> Figure:
    """A row for each penalty and metric, a column for each T; α along the axis."""
    ends = tune(last_iteration(table))
    lengths = sorted(ends["T"].unique())
    present = {penalty for penalty, labels in ROWS.items() if set(labels) <= set(ends["label"])}
    rows = [(metric, penalty) for metric in METRICS for penalty in ROWS if penalty in present]
    figure, grid = plt.subplots(
        len(rows), len(lengths), figsize=(TEXT_WIDTH, 1.6 * len(rows) + 0.8), sharex=True, sharey="row",
        layout="constrained", squeeze=False,
    )  # fmt: skip
    for (metric, penalty), line in zip(rows, grid, strict=True):
        for length, axes in zip(lengths, line, strict=True):
            _draw_panel(axes, ends[(ends["metric"] == metric) & (ends["T"] == length)], ROWS[penalty])
            axes.set_title(f"T = {length:g}, {penalty}", loc="left")
            log_scale(axes, METRICS[metric] if axes is line[0] else "")
            axes.set_xlabel("α" if axes in grid[-1] else "")
    _explain(figure, table)
    sns.despine(figure)
    return figure


def tune(ends: pd.DataFrame) -> pd.DataFrame:
    """With T the iterations that have the bound in common, and of each label's γ the one of least mean loss."""
    length = np.where(ends["label"].str.endswith(HALVED), 2, 1) * ends[LENGTH]
    ends = ends.assign(T=length)
    losses = of_metric(ends, "loss")
    best = losses.loc[losses.groupby(["label", "T", ALPHA])["mean"].idxmin(), "setting"]
    return ends[ends["setting"].isin(best)]


def _draw_panel(axes: Axes, ends: pd.DataFrame, labels: list[str]) -> None:
    for place, label in enumerate(labels):
        points = ends[ends["label"] == label].sort_values(ALPHA)
        shifted = points[ALPHA] * (1 + 0.08 * (place - 0.5))  # so that bars don't cover each other
        axes.errorbar(
            shifted, points["mean"], yerr=half_range(points), capsize=2, elinewidth=0.8, **LOOKS[label].line()
        )
    axes.set_xscale("log")
    ticks = sorted(ends[ALPHA].unique())
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.set_xticks([], minor=True)


def _explain(figure: Figure, table: pd.DataFrame) -> None:
    labels = [label for pair in ROWS.values() for label in pair]
    handles = [Line2D([], [], label=label, **LOOKS[label].line()) for label in labels]
    title = (
        f"Points: {mean_of_runs(table)}. Bars: centred on the mean, as long as the runs' range.\n"
        "In each panel both have the same bound at each α; γ is the best of the grid for each point."
    )
    figure.legend(handles=handles, loc="outside upper center", ncols=2, title=title, title_fontsize="small")


if __name__ == "__main__":
    draw_files(draw, __doc__)
