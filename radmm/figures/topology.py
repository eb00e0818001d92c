"""Networks of many shapes and sizes: loss with and without noise, the bound, and which nodes set it."""

import json

import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from radmm.figures.curves import draw_files, half_range, last_iteration, mean_of_runs
from radmm.figures.style import TEXT_WIDTH, Look, log_scale, looks_of
from radmm.graphs import make_edges
from radmm.network import Network


def draw(table: pd.DataFrame) -> Figure:
    """One line for each shape, over the number of nodes."""
    ends = arrange(last_iteration(table))
    looks = looks_of(list(ends["shape"].unique()))
    private = ends[ends["private"]]
    figure, grid = plt.subplots(2, 2, figsize=(TEXT_WIDTH, 5.2), sharex=True, layout="constrained")
    losses = private[private["metric"] == "loss"]
    panels = [
        ("(a) Training loss without noise", ends[~ends["private"] & (ends["metric"] == "loss")], "L(T), log scale"),
        ("(b) Training loss with noise", losses, "L(T), log scale"),
        ("(c) Privacy bound", private[private["metric"] == "privacy_loss"], "total bound P(T)"),
        ("(d) Who sets the bound", losses.assign(mean=losses["least_degree"], range=0.0), "least degree, log scale"),
    ]
    for (title, points, label), axes in zip(panels, grid.flat, strict=True):
        _draw_panel(axes, points, looks)
        axes.set_title(title, loc="left")
        if "log scale" in label:
            log_scale(axes, label)
        axes.set_ylabel(label)
    _annotate_shares(grid[1, 1], losses)
    for axes in grid[1]:
        axes.set_xlabel("nodes N")
    title = f"Points: {mean_of_runs(table)}. Bars: centred on the mean, as long as the runs' range."
    handles, labels = grid[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=4, title=title, title_fontsize="small")
    sns.despine(figure)
    return figure


def arrange(ends: pd.DataFrame) -> pd.DataFrame:
    """Each setting's shape, number of nodes, least degree, and the share of nodes that have it.

    With the same rows, penalty and α at all nodes a node's bound falls with its degree, so those of least degree set
    the maximum.
    """
    sections = ends["network"].unique()
    degrees = {text: Network.from_edges(make_edges(**json.loads(text))).degrees for text in sections}
    return ends.assign(
        shape=ends["network"].map(lambda text: json.loads(text)["law"]),
        nodes=ends["network"].map(lambda text: len(degrees[text])),
        least_degree=ends["network"].map(lambda text: degrees[text].min()),
        share=ends["network"].map(lambda text: (degrees[text] == degrees[text].min()).mean()),
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


def _annotate_shares(axes: Axes, losses: pd.DataFrame) -> None:
    """Beside each point, how many of the nodes have that degree."""
    for (nodes, degree), part in losses.groupby(["nodes", "least_degree"]):
        shares = sorted({f"{share:.0%}" for share in part["share"]})
        axes.annotate(
            ", ".join(shares), (float(nodes), float(degree)), xytext=(3, 3), textcoords="offset points", fontsize=5  # type: ignore[arg-type]
        )  # fmt: skip


if __name__ == "__main__":
    draw_files(draw, __doc__)
