"""Any one metric over the iterations, a curve for each setting: also those of plug-ins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import seaborn as sns
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from radmm.metrics.metric import METRICS
from radmm.results.figures.curves import mean_of_runs, name_curves, of_metric
from radmm.results.figures.figure import FigureKind, Material
from radmm.results.figures.style import TEXT_WIDTH, legend_above, over_iterations, subplots


@dataclass(frozen=True, kw_only=True)
class MetricOverIterations(FigureKind):
    """One metric of your choice over the iterations: a line and a band, from least to largest, for each setting.

    Args:
        y: Metric to draw: any column of a trace.
    """

    y: str = "loss"
    name: ClassVar[str] = "metric"

    @property
    def metrics(self) -> tuple[str, ...]:  # type: ignore[override]
        """The metric that is asked for, without which there is nothing to draw."""
        return (self.y,)

    def draw(self, material: Material) -> Figure:
        """Draw the means over the runs as lines, and their ranges as bands.

        Args:
            material: Table and parameters of an experiment.
        """
        rows = of_metric(material.table, self.y)
        figure, grid = subplots(1, 1, TEXT_WIDTH, 3.6)
        axes = grid[0, 0]
        names = name_curves(rows, [])
        handles: dict[str, Line2D] = {}
        palette = sns.color_palette(n_colors=names.nunique())
        for (name, curve), color in zip(rows.groupby(names, sort=False), palette, strict=True):
            chosen = material.colors.get(str(curve["label"].iloc[0]), color)
            (handles[str(name)],) = axes.plot(curve["iteration"], curve["mean"], color=chosen)
            axes.fill_between(curve["iteration"], curve["min"], curve["max"], color=chosen, alpha=0.2, linewidth=0)
        axes.set_ylabel(METRICS[self.y]().axis_label)
        over_iterations(axes)
        legend_above(figure, handles, f"Lines: {mean_of_runs(material.table)}; bands: least to largest.", columns=4)
        sns.despine(figure)
        return figure
