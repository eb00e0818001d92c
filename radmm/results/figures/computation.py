"""What R-ADMM and ADMM cost to compute for the same number of iterations: passes over the data, and seconds."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from radmm.jobs.steps.command import run
from radmm.results.figures.curves import at, mean_of_runs, of_metric, provenance_of
from radmm.results.figures.style import LOOKS, TEXT_WIDTH, save, use_style

NODES = "network.nodes"
PRIVATE = ", private"


def draw(table: pd.DataFrame, timings: pd.DataFrame) -> Figure:
    """Total passes and passes an argmin over the iterations, and the seconds of all runs together."""
    passes = of_metric(table, "passes")
    sizes = sorted(passes[NODES].unique())
    figure, grid = plt.subplots(3, len(sizes), figsize=(TEXT_WIDTH, 6.0), layout="constrained", squeeze=False)
    for nodes, (total, each, seconds) in zip(sizes, grid.T, strict=True):
        curves = passes[passes[NODES] == nodes]
        _draw_passes(total, curves, cumulative=True)
        total.set_title(f"Passes over the data so far, {at(NODES, nodes)}", loc="left")
        _draw_passes(each, curves[curves["mean"] > 0], cumulative=False)
        each.set_title("Passes of each argmin: its inner iterations", loc="left")
        each.set_xlabel("iteration t")
        _draw_seconds(seconds, timings[timings[NODES] == nodes])
        seconds.set_title("CPU seconds of all runs together", loc="left")
    handles, labels = grid[0, 0].get_legend_handles_labels()
    repeats = timings.groupby("setting")["repeat"].nunique().max()
    title = (
        f"Lines: {mean_of_runs(table)}. Bars: least of {repeats} interleaved repeats, each a dot; ratio R-ADMM / ADMM."
    )
    figure.legend(handles, labels, loc="outside upper center", ncols=4, title=title, title_fontsize="small")
    sns.despine(figure)
    return figure


def _draw_passes(axes: Axes, curves: pd.DataFrame, cumulative: bool) -> None:
    for label, curve in curves.groupby("label", sort=False):
        look = LOOKS[str(label).removesuffix(PRIVATE)]
        values = curve["mean"].cumsum() if cumulative else curve["mean"]
        dashes = (0, (4, 1.5)) if str(label).endswith(PRIVATE) else "-"
        axes.plot(curve["iteration"], values, label=label, markevery=10, **look.line() | {"linestyle": dashes})
    axes.set_ylim(bottom=0)


def _draw_seconds(axes: Axes, timings: pd.DataFrame) -> None:
    labels = list(timings["label"].unique())
    least = timings.groupby("label", sort=False)["seconds"].min()
    for place, label in enumerate(labels):
        look, hatch = LOOKS[label.removesuffix(PRIVATE)], "//" if label.endswith(PRIVATE) else ""
        axes.bar(place, least[label], color="none", edgecolor=look.color, hatch=hatch, width=0.6)
        seconds = timings.loc[timings["label"] == label, "seconds"]
        axes.plot(np.full(len(seconds), place), seconds, ".", color="0.5", markersize=3)
        if label.startswith("R-"):
            ratio = least[label] / least[label.removeprefix("R-")]
            middle = (place, least[label] / 2)
            axes.annotate(f"{ratio:.2f}", middle, ha="center", va="center", backgroundcolor="white")
    axes.set_xticks(range(len(labels)), [label.replace(PRIVATE, ",\nprivate") for label in labels])
    axes.margins(y=0.25)
    axes.grid(visible=False, axis="x")


def figure(table: Path, timings: Path, pdf: Path, png: Path) -> None:
    use_style()
    save(draw(pd.read_parquet(table), pd.read_parquet(timings)), pdf, png, provenance_of(table))


if __name__ == "__main__":
    run(figure, __doc__, table=Path, timings=Path, pdf=Path, png=Path)
