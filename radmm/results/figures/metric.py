"""Any one metric over the iterations or over another metric, a curve for each setting: also those of plug-ins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from radmm.metrics.metric import METRICS
from radmm.results.figures.curves import name_curves, of_metric
from radmm.results.figures.figure import FigureKind, Material
from radmm.results.figures.grid_rows import ITERATION
from radmm.results.figures.legend_entries import Handle, runs_entry, runs_sentence
from radmm.results.figures.style import TEXT_WIDTH, legend_above, over_iterations, subplots
from radmm.study.figure_style import Style


@dataclass(frozen=True, kw_only=True)
class MetricOverIterations(FigureKind):
    """One metric of your choice over the iterations: a line and a band, from least to largest, for each setting.

    Args:
        y: Metric to draw: any column of a trace.
        x: `iteration`, or a metric along the horizontal axis, on a logarithmic scale, like `messages` or `floats_sent`.
    """

    y: str = "loss"
    x: str = ITERATION
    name: ClassVar[str] = "metric"

    @property
    def metrics(self) -> tuple[str, ...]:  # type: ignore[override]
        """The metrics that are asked for, without which there is nothing to draw."""
        return (self.y,) if self.x == ITERATION else (self.y, self.x)

    def draw(self, material: Material) -> Figure:
        """Draw the means over the runs as lines, and their ranges as bands."""
        rows = self._placed(material.table)
        figure, grid = subplots(1, 1, TEXT_WIDTH, 3.6)
        axes = grid[0, 0]
        names = name_curves(rows, [])
        handles: dict[str, Handle] = {}
        palette = sns.color_palette(n_colors=names.nunique())
        for (name, curve), color in zip(rows.groupby(names, sort=False), palette, strict=True):
            chosen = material.colors.get(str(curve["label"].iloc[0]), color)
            (handles[str(name)],) = axes.plot(curve["place"], curve["mean"], color=chosen)
            axes.fill_between(curve["place"], curve["min"], curve["max"], color=chosen, alpha=0.2, linewidth=0)
        axes.set_ylabel(METRICS[self.y]().axis_label)
        if self.x == ITERATION:
            over_iterations(axes)
        else:
            axes.set_xscale("log")
            axes.set_xlabel(METRICS[self.x]().axis_label)
        legend_above(figure, handles | runs_entry(material.table, band=True), "", columns=3)
        sns.despine(figure)
        return figure

    def caption(self, material: Material) -> list[str]:
        """Return what lines and bands are."""
        return runs_sentence(material.table, Style.CLEAR, "bands")

    def _placed(self, table: pd.DataFrame) -> pd.DataFrame:
        """Return the metric's rows with their places on the horizontal axis; what has none there is left out."""
        rows = of_metric(table, self.y)
        if self.x == ITERATION:
            return rows.assign(place=rows[ITERATION])
        at = ["setting", ITERATION]
        along = of_metric(table, self.x).groupby(at)["mean"].first().rename("place")
        placed = rows.join(along, on=at)
        return placed[placed["place"] > 0]
