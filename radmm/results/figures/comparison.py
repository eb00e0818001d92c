"""Private algorithms side by side: loss over the iterations, privacy bounds, and test errors, for each noise level."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from textwrap import fill
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from radmm.base.arrays import Array
from radmm.privacy.guarantee import rounded_up
from radmm.results.figures.curve_styles import Look, looks_of_curves
from radmm.results.figures.curves import bars, growth, last_iteration, of_metric, said_of_runs
from radmm.results.figures.figure import BOUND, FigureKind, Material
from radmm.results.figures.panels import Panels
from radmm.results.figures.style import (
    TEXT_WIDTH,
    WHOSE,
    handles_of,
    legend_above,
    letter,
    log_scale,
    new_figure,
    over_iterations,
)
from radmm.study.figure_style import Style

BARS_OF_A_CURVE = 5
MOST_POINTS = 40  # whose ε can be read beside each other
ABOVE = 0.35  # of the errors' axis, for what is printed above the points
MOST_NAMES, NAME_WIDTH = 8, 20  # curves that are named below their points, and characters in a line
BESIDE = 3  # panels in a row
LOSS, BOUNDS, ERRORS, LEGEND = 2.4, 1.5, 1.7, 1.0  # inches that each takes


class Comparison(FigureKind):
    """Loss over iterations, privacy bounds and test errors: a curve a setting, a panel a level of noise."""

    name: ClassVar[str] = "comparison"
    metrics: ClassVar[tuple[str, ...]] = ("loss", "error_rate")  # over the iterations, and after the last one
    of_what: ClassVar[str] = ""

    def draw(self, material: Material) -> Figure:
        """Draw losses above, one panel for each level of noise, and bounds and error rates below.

        Args:
            material: Table and parameters of an experiment.
        """
        panels = Panels.of(material)
        looks = looks_of_curves(panels.curves, material)
        bounded = bool((panels.curves["metric"] == BOUND).any())
        columns = min(len(panels.levels), BESIDE)
        lines = -(-len(panels.levels) // columns)
        heights = [LOSS] * lines + [BOUNDS] * (lines * bounded) + [ERRORS]
        figure = new_figure(TEXT_WIDTH, sum(heights) + LEGEND)
        grid = figure.add_gridspec(len(heights), columns, height_ratios=heights)
        letters = map(letter, count())

        def fill_line(first: int, what: str, label: str, draw: Callable[[Axes, Any], None]) -> None:
            for place, level in enumerate(panels.levels):
                axes = figure.add_subplot(grid[first + place // columns, place % columns])
                draw(axes, level)
                axes.set_title(", ".join(filter(None, [f"({next(letters)}) {what}", panels.title(level)])), loc="left")
                axes.set_ylabel(label if place % columns == 0 else "")
                over_iterations(axes, "iteration t" if place + columns >= len(panels.levels) else "")

        loss, error = self.metrics
        label = f"training loss{self.of_what}, log scale"
        fill_line(0, "Loss", label, lambda axes, level: _losses(axes, panels.lines(loss, level), looks, material.style))
        if bounded:
            fill_line(lines, "Bound", "P(t)", lambda axes, level: _bounds(axes, panels.lines(BOUND, level), looks))
        axes = figure.add_subplot(grid[-1, :])
        _errors(axes, panels, of_metric(panels.curves, error), looks, material.style)
        axes.set_title(f"({next(letters)}) Test error{self.of_what} after the last iteration, with its ε", loc="left")
        title = said_of_runs("Lines and points", material.table, material.style) + growth(material)
        title += "".join(f"\n{line}" for line in (WHOSE if bounded else "", panels.note) if line)
        legend_above(figure, handles_of(figure.axes[: len(panels.levels)]), title, columns=4)
        sns.despine(figure)
        return figure


class AverageComparison(Comparison):
    """Comparison for the nodes' running averages of their released iterates."""

    name: ClassVar[str] = "comparison-average"
    metrics: ClassVar[tuple[str, ...]] = ("loss_average", "error_rate_average")
    of_what: ClassVar[str] = " of averaged iterates"


def _losses(axes: Axes, lines: dict[str, pd.DataFrame], looks: dict[str, Look], style: Style) -> None:
    """Draw losses from the first iteration on, as all start at the same points, with bars side by side."""
    longest = max(len(line) for line in lines.values())
    apart = max(1, longest // BARS_OF_A_CURVE)
    for place, (name, line) in enumerate(lines.items()):
        curve = line[line["iteration"] > 0]
        every = (place * apart // len(lines), apart)
        axes.errorbar(
            curve["iteration"],
            curve["mean"],
            yerr=bars(curve, style),
            errorevery=every,
            markevery=every,
            label=name,
            capsize=1.5,
            elinewidth=0.7,
            **looks[name].line(),
        )
    log_scale(axes, "")


def _bounds(axes: Axes, lines: dict[str, pd.DataFrame], looks: dict[str, Look]) -> None:
    """Draw bounds, later curves thinner, so that those below still show where bounds are the same."""
    widths = np.linspace(2.2, 0.8, len(lines))
    for place, ((name, curve), width) in enumerate(zip(lines.items(), widths, strict=True)):
        every = (place, max(1, len(curve) // 4))
        axes.plot(curve["iteration"], curve["mean"], markevery=every, **looks[name].line() | {"linewidth": width})
    axes.set_ylim(bottom=0)


def _print_epsilons(axes: Axes, panels: Panels, points: pd.DataFrame, x: Array) -> None:
    """Print a curve's total ε above each of its points, at which algorithms with the same P(T) differ."""
    for place, (_, point) in zip(x, points.iterrows(), strict=True):
        level = None if panels.levels == [None] else point["panel"]
        epsilon = panels.epsilons(level).get(point["curve"])
        if epsilon is not None:
            beside: dict[str, Any] = {"xytext": (0, 3), "textcoords": "offset points", "rotation": 90, "fontsize": 5}
            text = f"ε = {rounded_up(epsilon)}"
            axes.annotate(text, (place, point["max"]), ha="center", va="bottom", **beside)


def _errors(axes: Axes, panels: Panels, curves: pd.DataFrame, looks: dict[str, Look], style: Style) -> None:
    last, levels = last_iteration(curves), panels.levels
    beside = last if levels == [None] else last[last["panel"].notna()]
    names = list(beside["curve"].unique())
    shifts = (np.arange(len(names)) - (len(names) - 1) / 2) * 0.8 / max(1, len(names))
    for name, shift in zip(names, shifts, strict=True):
        points = beside[beside["curve"] == name]
        x = [levels.index(level) if level in levels else 0 for level in points["panel"]]
        line = looks[name].line() | {"linestyle": "", "marker": looks[name].marker or "_"}
        axes.errorbar(np.array(x) + shift, points["mean"], yerr=bars(points, style), capsize=2, **line)
        if len(beside) <= MOST_POINTS:
            _print_epsilons(axes, panels, points, np.array(x) + shift)
    for _, row in last.drop(beside.index).iterrows():
        axes.axhline(row["mean"], color=looks[row["curve"]].color, linestyle=looks[row["curve"]].dashes, linewidth=1)
    told = [panels.description(level) for level in levels]
    if told == [""] and len(names) <= MOST_NAMES:  # a single level that has nothing to be said of it
        axes.set_xticks(shifts, [fill(name, NAME_WIDTH) for name in names])
    else:
        axes.set_xticks(range(len(levels)), told)
    axes.set_xlim(-0.5, len(levels) - 0.5)
    low, high = axes.get_ylim()
    axes.set_ylim(low, high + ABOVE * (high - low))
    axes.set_ylabel("test error")
    axes.grid(visible=False, axis="x")
