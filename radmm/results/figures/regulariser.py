"""Test error against the regulariser's weight ρ, over several splits of the data."""

import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from radmm.results.figures.curves import draw_files, last_iteration, of_metric
from radmm.results.figures.style import COLUMN_WIDTH

RHO, SPLIT = "problem.rho", "split.seed"
PAPERS_CHOICE = 0.22


def draw(table: pd.DataFrame) -> Figure:
    """Mean and range over the splits, each split a thin line: whether their minima agree is the question."""
    errors = by_split(table)
    figure, axes = plt.subplots(figsize=(COLUMN_WIDTH, 2.9), layout="constrained")
    axes.plot(errors.index, errors, color="0.8", linewidth=0.6, zorder=1)
    axes.plot([], [], color="0.8", linewidth=0.6, label="one split")
    mean, half = errors.mean(axis=1), (errors.max(axis=1) - errors.min(axis=1)) / 2
    bars = f"mean of {errors.shape[1]} splits; bar: their range"
    axes.errorbar(errors.index, mean, yerr=half, color="black", marker="o", capsize=2, elinewidth=0.8, label=bars)
    best = float(errors.index[int(mean.argmin())])
    axes.plot(
        best, mean.min(), "s", color="red", markerfacecolor="none", markersize=8, label=f"least mean, ρ = {best:g}"
    )
    axes.axvline(PAPERS_CHOICE, color="green", linestyle=(0, (6, 2)), linewidth=1, label="the paper's ρ = 0.22")
    axes.set_xscale("log")
    axes.set_xlabel("ρ")
    axes.set_ylabel("test error")
    axes.legend(loc="upper left", fontsize="small", frameon=True, edgecolor="none", framealpha=1.0)
    sns.despine(figure)
    return figure


def by_split(table: pd.DataFrame) -> pd.DataFrame:
    """The last iteration's error rate: a row for each ρ, a column for each split."""
    last = last_iteration(of_metric(table, "error_rate"))
    return last.pivot_table(index=RHO, columns=SPLIT, values="mean")


if __name__ == "__main__":
    draw_files(draw, __doc__)
