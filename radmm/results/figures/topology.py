"""Networks of many shapes and sizes: convergence without noise, and error and bound with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from radmm.data.topology import make_edges
from radmm.model.network import Network
from radmm.results.figures.curve_styles import Look, in_colors, palette
from radmm.results.figures.curves import axes_of, bars, last_iteration, name_curves, of_metric, typeset
from radmm.results.figures.figure import BOUND, FigureKind, Material
from radmm.results.figures.legend_entries import runs_entry, runs_sentence
from radmm.results.figures.setting_parameters import alike, is_private, network_text, nodes_are_equal
from radmm.results.figures.style import (
    TEXT_WIDTH,
    WHOSE,
    handles_of,
    legend_above,
    log_scale,
    log_ticks,
    subplots,
)
from radmm.study.figure_style import Style

WIDTHS = (3.4, 0.9)  # points, of the first and the last line: of those that coincide, all show
PANELS = [
    ("Training loss without noise", False, "loss", "training loss, log scale"),
    ("Distance from the optimum without noise", False, "distance", r"$\max_i\,\|f_i(T) - f^*\|$, log scale"),
    ("Test error with noise", True, "error_rate", "test error"),
    ("Privacy bound", True, "privacy_loss", "P(T)"),
]


class TopologyFigure(FigureKind):
    """Loss and bound against the number of nodes, a line for each shape of network."""

    name: ClassVar[str] = "topology"
    metrics: ClassVar[tuple[str, ...]] = ("loss",)

    def draw(self, material: Material) -> Figure:
        """Draw one line for each shape, over the number of nodes, in a panel for each metric that there is."""
        ends = arrange(material)
        looks = in_colors(palette(ends["curve"].unique(), material.style), ends, material.colors)
        parts = [of_metric(ends[ends["private"] == private], metric) for _, private, metric, _ in PANELS]
        drawn = [(*panel, part) for panel, part in zip(PANELS, parts, strict=True) if len(part)]
        rows = -(-len(drawn) // 2)
        figure, grid = subplots(rows, 2, TEXT_WIDTH, 1.0 + 2.0 * rows, sharex=True)
        for letter, (title, _, _, label, part), axes in zip("abcd", drawn, grid.flat, strict=False):
            _draw_panel(axes, part, looks, material.style)
            if label.endswith("log scale"):
                log_scale(axes, label)
            axes.set_title(f"({letter}) {title}", loc="left")
            axes.set_ylabel(label)
        for axes in grid.flat[len(drawn) :]:
            axes.set_axis_off()
        for axes in grid[-1]:
            axes.set_xlabel("nodes N")
        legend_above(figure, handles_of(grid.flat) | runs_entry(material.table), "", columns=4)
        sns.despine(figure)
        return figure

    def caption(self, material: Material) -> list[str]:
        """Return what bars are, and who determines the bound."""
        said = runs_sentence(material.table, material.style, "bars")
        bounded = material.table["metric"] == BOUND
        settings = material.table.loc[bounded, "setting"].unique()
        equal = len(settings) and all(nodes_are_equal(material.parameters[name]) for name in settings)
        who = ["Nodes differ in their degree only, so those of least degree determine the bound."] if equal else []
        return [*said, *([WHOSE] if bounded.any() else []), *who]


def arrange(material: Material) -> pd.DataFrame:
    """Return the settings' last iterations, each with its curve and number of nodes."""
    ends = last_iteration(material.table)
    sections = {alike(own["network"]): own["network"] for own in material.parameters.values()}
    nodes = {key: Network.from_edges(make_edges(section)).nodes for key, section in sections.items()}
    return ends.assign(
        nodes=material.tell(ends, lambda own: nodes[alike(own["network"])]),
        private=material.tell(ends, is_private),
        curve=_curves(material, ends, _shapes(sections, nodes)),
    )


def _shapes(sections: Mapping[str, Mapping[str, Any]], nodes: Mapping[str, int]) -> dict[str, str]:
    """Return each network's law, with its other parameters where one law has several networks of one size."""
    sizes = [(section["law"], nodes[key]) for key, section in sections.items()]
    return {
        key: str(section["law"]) if sizes.count((section["law"], nodes[key])) == 1 else network_text(section)
        for key, section in sections.items()
    }


def _curves(material: Material, ends: pd.DataFrame, shapes: Mapping[str, str]) -> pd.Series[str]:
    """Return each row's shape, with its label where settings differ in more than network, C and having noise."""
    shape = material.tell(ends, lambda own: typeset(shapes[alike(own["network"])]))
    settings = material.parameters.values()
    others = {alike(own, "network", "noise", "problem.C") for own in settings}
    noises = {alike(own["noise"]) for own in settings if is_private(own)}
    if len(others) == 1 and len(noises) <= 1:
        return shape
    shown = [axis for axis in axes_of(ends) if axis.split(".")[0] == "network"]
    return shape + ", " + name_curves(ends, shown)


def _draw_panel(axes: Axes, points: pd.DataFrame, looks: dict[str, Look], style: Style) -> None:
    widths = dict(zip(looks, np.linspace(*WIDTHS, len(looks)), strict=True))
    for name, part in points.groupby("curve", sort=False):
        line = part.sort_values("nodes")
        axes.errorbar(
            line["nodes"], line["mean"], yerr=bars(line, style), label=name, capsize=2, elinewidth=0.8,
            **looks[str(name)].line() | {"linewidth": widths[str(name)]},
        )  # fmt: skip
    log_ticks(axes, points["nodes"])
