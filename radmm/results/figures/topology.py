"""Networks of many shapes and sizes: loss with and without noise, the bound, and which nodes set it."""

import json

import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from radmm.data.graphs import make_edges
from radmm.model.network import Network
from radmm.results.figures.curves import draw_files, half_range, last_iteration, mean_of_runs
from radmm.results.figures.style import TEXT_WIDTH, Look, log_scale, looks_of

SHARE = "share of nodes"
PANELS = [
    ("(a) Training loss without noise", False, "loss", "L(T), log scale"),
    ("(b) Training loss with noise", True, "loss", "L(T), log scale"),
    ("(c) Distance from the optimum without noise", False, "distance", r"$\max_i\,\|f_i - f^*\|$, log scale"),
    ("(d) Test error with noise", True, "error_rate", "test error"),
    ("(e) Privacy bound", True, "privacy_loss", "total bound P(T)"),
    ("(f) Who sets the bound: nodes of least degree", True, SHARE, "share of all nodes, log scale"),
]


def draw(table: pd.DataFrame) -> Figure:
    """One line for each shape, over the number of nodes."""
    ends = arrange(last_iteration(table))
    looks = looks_of(list(ends["shape"].unique()))
    figure, grid = plt.subplots(3, 2, figsize=(TEXT_WIDTH, 7.0), sharex=True, layout="constrained")
    for (title, private, metric, label), axes in zip(PANELS, grid.flat, strict=True):
        _draw_panel(axes, ends[(ends["private"] == private) & (ends["metric"] == metric)], looks)
        if label.endswith("log scale"):
            log_scale(axes, label)
        axes.set_title(title, loc="left")
        axes.set_ylabel(label)
    for axes in grid[-1]:
        axes.set_xlabel("nodes N")
    title = f"Points: {mean_of_runs(table)}. Bars: centred on the mean, as long as the runs' range."
    handles, labels = grid[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=4, title=title, title_fontsize="small")
    sns.despine(figure)
    return figure


def arrange(ends: pd.DataFrame) -> pd.DataFrame:
    """Each setting's shape and number of nodes and, as one more metric, the share of nodes that set the bound.

    With the same rows, penalty and α at all nodes a node's bound falls with its degree, so those of least degree set
    the maximum.
    """
    sections = ends["network"].unique()
    degrees = {text: Network.from_edges(make_edges(**json.loads(text))).degrees for text in sections}
    bounds = ends[ends["metric"] == "privacy_loss"]
    shares = bounds["network"].map(lambda text: (degrees[text] == degrees[text].min()).mean())
    ends = pd.concat([ends, bounds.assign(metric=SHARE, mean=shares, range=0.0)])
    return ends.assign(
        shape=ends["network"].map(lambda text: json.loads(text)["law"]),
        nodes=ends["network"].map(lambda text: len(degrees[text])),
        private=ends["noise"].notna(),
    )


def _draw_panel(axes: Axes, points: pd.DataFrame, looks: dict[str, Look]) -> None:
    for shape, part in points.groupby("shape", sort=False):
        line = part.sort_values("nodes")
        axes.errorbar(
            line["nodes"], line["mean"], yerr=half_range(line), label=shape, capsize=2, elinewidth=0.8,
            **looks[str(shape)].line(),
        )  # fmt: skip
    axes.set_xscale("log")
    ticks = sorted(points["nodes"].unique())
    axes.set_xticks(ticks, [f"{tick}" for tick in ticks])
    axes.set_xticks([], minor=True)


if __name__ == "__main__":
    draw_files(draw, __doc__)
