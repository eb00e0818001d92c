"""Private algorithms side by side: loss over the iterations, privacy bounds, and test errors, for each α."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from radmm.results.figures.curves import at, axes_of, half_range, last_iteration, mean_of_runs, name_curves, of_metric
from radmm.results.figures.figure import FigureKind, Material
from radmm.results.figures.looks import Look, looks_of_curves
from radmm.results.figures.style import (
    BARS,
    TEXT_WIDTH,
    WHOSE,
    despine,
    handles_of,
    legend_above,
    log_scale,
    new_figure,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

AXIS = "noise.alpha"  # the grid's axis that makes the panels
ITERATIONS_BETWEEN_BARS = 7
BOUNDS_BESIDE = 4  # panels of bounds in a row


class Comparison(FigureKind):
    """Takes any settings: a curve for each, and a panel for each α of a grid."""

    name: ClassVar[str] = "comparison"
    metrics: ClassVar[tuple[str, ...]] = ("loss", "error_rate")  # over the iterations, and after the last one
    of_what: ClassVar[str] = ""

    def draw(self, material: Material) -> Figure:
        """As the paper lays it out: a wide loss panel for each α, the bounds where they differ, the error rates below.

        Args:
            material: An experiment's.
        """
        curves, panels = arrange(material.table)
        looks = looks_of_curves(curves, material.parameters)
        bounds = bounds_differ(curves)
        columns = min(len(panels), BOUNDS_BESIDE)
        heights = [1.5] * len(panels) + [1.25] * (bounds * -(-len(panels) // columns)) + [1.4]
        figure = new_figure(TEXT_WIDTH, sum(heights) + 1.4)
        grid = figure.add_gridspec(len(heights), columns, height_ratios=heights)
        letters = iter("abcdefghijklmnopqrstuvwxyz" * 9)
        for row, panel in enumerate(panels):
            axes = figure.add_subplot(grid[row, :])
            later = curves[curves["iteration"] > 0]  # all start at the same points
            _draw_losses(axes, later, self.metrics[0], panel, looks)
            axes.set_title(f"({next(letters)}) Average training loss{self.of_what}{_at(panel)}", loc="left")
            axes.set_xlabel("iteration t" if row == len(panels) - 1 else "")
        for place, panel in enumerate(panels if bounds else []):
            row, column = divmod(place, columns)
            axes = figure.add_subplot(grid[len(panels) + row, column])
            _draw_bounds(axes, curves, panel, looks)
            axes.set_title(f"({next(letters)}) Privacy bound{_at(panel)}", loc="left")
            axes.set_ylabel("total bound P(t)" if column == 0 else "")
        axes = figure.add_subplot(grid[-1, :])
        _draw_errors(axes, of_metric(curves, self.metrics[1]), panels, looks)
        axes.set_title(f"({next(letters)}) Test error{self.of_what} after the last iteration", loc="left")
        title = f"Lines and points: {mean_of_runs(material.table)}. {BARS}" + (f"\n{WHOSE}" if bounds else "")
        legend_above(figure, handles_of(figure.axes[: len(panels)]), title, columns=4)
        return despine(figure)


class AverageComparison(Comparison):
    """The same of the nodes' averages of their released iterates."""

    name: ClassVar[str] = "comparison-average"
    metrics: ClassVar[tuple[str, ...]] = ("loss_average", "error_rate_average")
    of_what: ClassVar[str] = " of averaged iterates"


def arrange(table: pd.DataFrame) -> tuple[pd.DataFrame, list[Any]]:
    """Each setting's panel (its α, if that is a grid) and curve; panels stand in the order of the config.

    Args:
        table: An experiment's.
    """
    curves = table.assign(curve=name_curves(table, [AXIS]), panel=table[AXIS] if AXIS in axes_of(table) else np.nan)
    return curves, list(curves["panel"].dropna().unique()) or [None]


def bounds_differ(curves: pd.DataFrame) -> bool:
    """Whether there is something to see: in a panel, not all curves have the same bound.

    Args:
        curves: As they are arranged.
    """
    bounds = of_metric(curves, "privacy_loss")
    spread = bounds.groupby(["panel", "iteration"], dropna=False)["mean"].agg(np.ptp)
    return bool((spread > 1e-9).any())


def _at(panel: Any) -> str:
    return "" if panel is None else f", {at(AXIS, panel)}"


def _in_panel(curves: pd.DataFrame, metric: str, panel: Any) -> dict[str, pd.DataFrame]:
    """Each curve's statistics over the iterations; a setting without α belongs to every panel."""
    chosen = curves[(curves["metric"] == metric) & (curves["panel"].isna() | (curves["panel"] == panel))]
    return {str(name): part.sort_values("iteration") for name, part in chosen.groupby("curve", sort=False)}


def _draw_losses(axes: Axes, curves: pd.DataFrame, metric: str, panel: Any, looks: dict[str, Look]) -> None:
    for offset, (name, curve) in enumerate(_in_panel(curves, metric, panel).items()):
        axes.errorbar(
            curve["iteration"],
            curve["mean"],
            yerr=half_range(curve),
            errorevery=(offset % ITERATIONS_BETWEEN_BARS, ITERATIONS_BETWEEN_BARS),
            markevery=(offset % ITERATIONS_BETWEEN_BARS, ITERATIONS_BETWEEN_BARS),
            label=name,
            capsize=2,
            elinewidth=0.8,
            **looks[name].line(),
        )
    log_scale(axes, "L(t), log scale")


def _draw_bounds(axes: Axes, curves: pd.DataFrame, panel: Any, looks: dict[str, Look]) -> None:
    for offset, (name, curve) in enumerate(_in_panel(curves, "privacy_loss", panel).items()):
        axes.plot(curve["iteration"], curve["mean"], markevery=(offset, 12), **looks[name].line())
    axes.set_xlabel("iteration t")
    axes.set_ylim(bottom=0)


def _draw_errors(axes: Axes, curves: pd.DataFrame, panels: list[Any], looks: dict[str, Look]) -> None:
    last = last_iteration(curves)
    beside = last if panels == [None] else last[last["panel"].notna()]
    names = list(beside["curve"].unique())
    for place, name in enumerate(names):
        points = beside[beside["curve"] == name]
        x = [panels.index(panel) if panel in panels else 0 for panel in points["panel"]]
        shift = (place - (len(names) - 1) / 2) * 0.8 / len(names)
        style = looks[name].line() | {"linestyle": ""}
        axes.errorbar(np.array(x) + shift, points["mean"], yerr=half_range(points), capsize=2, **style)
    for _, row in last.drop(beside.index).iterrows():
        axes.axhline(row["mean"], color=looks[row["curve"]].color, linestyle=looks[row["curve"]].dashes, linewidth=1)
    axes.set_xticks(np.arange(len(panels)), [_at(panel).removeprefix(", ") for panel in panels])
    axes.set_ylabel("error rate")
    axes.grid(visible=False, axis="x")
