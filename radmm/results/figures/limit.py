"""The nodes' distance from the centralised optimum, and from one another."""

from __future__ import annotations

from typing import ClassVar

import seaborn as sns
from matplotlib.figure import Figure

from radmm.results.figures.convergence import DISTANCE, ODD, Drawing, arrange
from radmm.results.figures.curves import growth, mean_of_runs, of_metric
from radmm.results.figures.figure import FigureKind, Material
from radmm.results.figures.style import TEXT_WIDTH, log_scale, subplots


class Limit(FigureKind):
    """Distance of the nodes from one another and from the optimum: whether they agree, and on what."""

    name: ClassVar[str] = "limit"
    metrics: ClassVar[tuple[str, ...]] = ("distance", "consensus")

    def draw(self, material: Material) -> Figure:
        """Draw both distances over the odd iterations, side by side."""
        curves = arrange(material)
        drawing = Drawing(material, curves)
        odd = curves[curves["iteration"] % 2 == 1]
        figure, grid = subplots(1, 2, TEXT_WIDTH, 3.0)
        panels = [
            ("(a) Distance from the optimum", "distance", DISTANCE),
            ("(b) Distance of the nodes from their mean", "consensus", r"$\max_i\,\|f_i(t) - \bar f(t)\|$, log scale"),
        ]
        for axes, (title, metric, label) in zip(grid.flat, panels, strict=True):
            drawing.lines(axes, of_metric(odd, metric))
            log_scale(axes, label)
            axes.set_title(title, loc="left")
            axes.set_xlabel(ODD)
        drawing.explain(figure)
        sns.despine(figure)
        return figure

    def caption(self, material: Material) -> list[str]:
        """Return what lines are."""
        return [f"Lines: {mean_of_runs(material.table)}.", *growth(material)]
