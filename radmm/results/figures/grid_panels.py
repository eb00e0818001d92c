"""Panels of a grid's figure, drawn by seaborn: lines with bands, heat maps, boxes."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from itertools import product
from textwrap import fill
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib import MatplotlibDeprecationWarning
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from radmm.results.figures.curve_styles import Look
from radmm.results.figures.curves import at, typeset
from radmm.results.figures.figure import Material
from radmm.results.figures.grid_rows import (
    FACETS,
    ITERATION,
    LABEL,
    drawn_rows,
    facets_of,
    in_order_of,
    number_of,
    summary,
)
from radmm.results.figures.grid_styles import RAMP, box_colors, looks_of_values
from radmm.results.figures.grid_text import INTERVALS, axis_label, has_bands, metric_label
from radmm.results.figures.legend_entries import band_entry
from radmm.results.figures.style import (
    TEXT_WIDTH,
    in_digits,
    legend_above,
    letter,
    log_across,
    log_scale,
    log_ticks,
    over_iterations,
    ticks_at,
)

if TYPE_CHECKING:
    from radmm.results.figures.grid import Grid

SPAN_OF_LOGS = 8  # largest over least value, from which on an axis is logarithmic by itself
HEIGHTS = {1: 3.0, 2: 2.2}  # inches of a panel's height, by rows of panels; else the least
LEAST_HEIGHT = 1.6
CELL = 0.2  # inches of a heat map's cell in height
LETTERS = 13  # characters in an inch of a panel's title
TICKS = 3  # values in an inch of an axis that can be written beside each other
DIGITS_WIDTH = 0.27  # inches that a number in a cell needs


def draw_grid(grid: Grid, material: Material) -> Figure:
    """Draw a metric over a grid of settings."""
    rows = drawn_rows(grid, material)
    points = summary(rows, ["x", "color", *facets_of(grid)], bool(grid.averaged), grid.interval)
    panels = Panels(grid, rows, points, looks_of_values(grid.color, rows, material))
    drawing = {"line": panels.lines, "heatmap": panels.heatmap, "box": panels.boxes}[grid.form]
    figure = panels.draw(drawing)
    bands = band_entry(f"mean, {INTERVALS[grid.interval]}") if has_bands(grid, rows) else {}
    legend_above(figure, panels.handles() | bands, "", columns=4)
    return figure


class Panels:
    """Panels of a figure, all with the same axes and looks.

    Args:
        grid: The figure's options.
        rows: One row for each setting and panel.
        points: One row for each point of the figure, with mean and interval.
        looks: Look of each value of `color`.
    """

    def __init__(self, grid: Grid, rows: pd.DataFrame, points: pd.DataFrame, looks: Mapping[Any, Look]) -> None:
        self.grid, self.rows, self.points, self.looks = grid, rows, points, looks
        self.along = in_order_of(points["x"])
        self.scale = Normalize(points["mean"].min(), points["mean"].max())
        self.orders = {facet: in_order_of(points[facet]) for facet in FACETS if facet in grid.shown}

    @property
    def numeric(self) -> bool:
        """Whether x is a number for all settings that have it."""
        return all(number_of(value) is not None for value in self.along)

    @property
    def log(self) -> list[str]:
        """Axes with a logarithmic scale."""
        if self.grid.log is not None:
            return list(self.grid.log)
        wide = self.numeric and self.along[0] > 0 and self.along[-1] >= SPAN_OF_LOGS * self.along[0]
        return ["x"] if wide and self.grid.x != ITERATION else []

    def draw(self, panel: Callable[..., None]) -> Figure:
        """Draw every panel and return the figure.

        Args:
            panel: Draws the points of one panel.
        """
        data = self.rows if self.grid.form == "box" else self.points
        row, column = (facet if facet in self.orders else None for facet in FACETS)
        facets = sns.FacetGrid(
            data, row=row, col=column, row_order=self.orders.get("facet_row"), col_order=self.orders.get("facet_column")
        )
        figure: Figure = facets.figure
        lines, columns = facets.axes.shape
        self.width = TEXT_WIDTH / columns
        height = max(HEIGHTS.get(lines, LEAST_HEIGHT), 0.6 + CELL * len(self.looks) * (self.grid.form == "heatmap"))
        figure.set(figwidth=TEXT_WIDTH, figheight=1.1 + height * lines)
        facets.map_dataframe(panel)
        figure.set_layout_engine("constrained")
        for axes, title in zip(facets.axes.flat, self._titles(), strict=True):
            axes.set_title("")
            axes.set_title(title, loc="left")
        if self.grid.form == "heatmap":
            label = metric_label(self.grid)
            figure.colorbar(ScalarMappable(self.scale, RAMP), ax=facets.axes, label=label, aspect=30, pad=0.01)
        facets.set_axis_labels(self._label("x"), self._label("y"))
        return figure

    def lines(self, data: pd.DataFrame, **_: Any) -> None:
        """Draw a line with a band for each colour; a setting without x is a horizontal line.

        Args:
            data: Points of one panel.
        """
        axes = plt.gca()
        for value, part in data.groupby("color", sort=False, dropna=False):
            look = self.looks[_key(value)]
            there = part[part["x"].notna()].sort_values("x", key=lambda x: x.map(self.along.index))
            for mean in part.loc[part["x"].isna(), "mean"]:
                axes.axhline(mean, color=look.color, linestyle=look.dashes, linewidth=1.0)
            if len(there):
                x = there["x"].astype(float if self.numeric else str)
                every = max(1, len(there) // 8)
                line = look.line() | {"markeredgecolor": look.color}
                sns.lineplot(x=x, y=there["mean"], ax=axes, estimator=None, markevery=every, **line)
                axes.fill_between(x, there["low"], there["high"], color=look.color, alpha=0.15, linewidth=0)
        if "y" in self.log:
            log_scale(axes, "")
        if self.grid.x == ITERATION:
            over_iterations(axes)
        elif self.numeric and len(self.along) <= TICKS * self.width:
            (log_ticks if "x" in self.log else ticks_at)(axes, self.along)
        elif "x" in self.log:
            log_across(axes, self.along)

    def heatmap(self, data: pd.DataFrame, **_: Any) -> None:
        """Draw a cell for each x and colour; numbers are written into cells that are wide enough.

        Args:
            data: Points of one panel.
        """
        axes = plt.gca()
        columns = [*self.along, *([None] if self.points["x"].isna().any() else [])]
        values = list(self.looks)
        values = values[::-1] if all(number_of(value) is not None for value in values) else values
        means = {
            (_key(x), _key(color)): mean for x, color, mean in data[["x", "color", "mean"]].itertuples(index=False)
        }
        cells = np.array([[means.get((x, value), np.nan) for x in columns] for value in values], dtype=float)
        written = (self.width - 0.6) / len(columns) >= DIGITS_WIDTH
        sns.heatmap(
            cells, ax=axes, cmap=RAMP, norm=self.scale, cbar=False, annot=written, fmt=".3g", linewidths=0.3,
            annot_kws={"fontsize": 5.5}, xticklabels=[_tick(x) for x in columns],
            yticklabels=[_tick(value) for value in values],
        )  # fmt: skip
        axes.grid(visible=False)
        axes.set_facecolor("0.85")
        axes.tick_params("y", rotation=0)

    def boxes(self, data: pd.DataFrame, **_: Any) -> None:
        """Draw a box for each x and colour, of the means of the settings that `over` names.

        Args:
            data: Rows of one panel.
        """
        columns = [*self.along, *([None] if self.rows["x"].isna().any() else [])]
        order, names = [_tick(x) for x in columns], {value: str(place) for place, value in enumerate(self.looks)}
        shown = data.assign(
            x=data["x"].map(lambda x: _tick(_key(x))), color=[names[_key(each)] for each in data["color"]]
        )
        with warnings.catch_warnings():  # seaborn 0.13.2 says `vert`, of which Matplotlib 3.11 warns
            warnings.filterwarnings("ignore", "vert: bool", MatplotlibDeprecationWarning)
            sns.boxplot(
                shown, x="x", y="mean", hue="color", order=order, hue_order=list(names.values()), legend=False,
                palette=box_colors(self.looks), ax=plt.gca(), linewidth=0.8, fliersize=1.5,
                width=0.75, fill=False, gap=0.15,
            )  # fmt: skip
        if "y" in self.log:
            log_scale(plt.gca(), "")

    def handles(self) -> dict[str, Any]:
        """Return the legend's handles; a heat map's rows are named beside them."""
        if self.grid.color is None or self.grid.form == "heatmap":
            return {}
        named = {_name(self.grid.color, value): look for value, look in self.looks.items()}
        if self.grid.form == "box":
            return {
                name: Patch(fill=False, edgecolor=color)
                for name, color in zip(named, box_colors(self.looks), strict=True)
            }
        return {name: Line2D([], [], **look.line()) for name, look in named.items()}

    def _titles(self) -> list[str]:
        """Return the panels' titles along rows, their parts below each other in all of them if one is too long."""
        if not self.orders:
            return [""]
        parts = product(
            *([_name(self.grid.shown[facet], each) for each in order] for facet, order in self.orders.items())
        )
        every = [(f"({letter(place)})", texts) for place, texts in enumerate(parts)]
        beside = [f"{mark} {', '.join(texts)}" for mark, texts in every]
        longest = int(LETTERS * self.width)
        if all(len(title) <= longest for title in beside):
            return beside
        return [f"{mark} " + "\n".join(fill(text, longest) for text in texts) for mark, texts in every]

    def _label(self, direction: str) -> str:
        scale = ", log scale" if direction in self.log and self.grid.form != "heatmap" else ""
        if direction == "x":
            return axis_label(self.grid.x) + ("" if self.grid.form == "box" else scale)
        return axis_label(str(self.grid.color)) if self.grid.form == "heatmap" else metric_label(self.grid) + scale


def _key(value: Any) -> Any:
    """Return None for what pandas has in its place."""
    return None if value is None or value != value else value


def _name(path: str, value: Any) -> str:
    return typeset(str(value) if path == LABEL else at(path, value))


def _tick(value: Any) -> str:
    return "none" if value is None else in_digits(value) if isinstance(value, int | float) else typeset(str(value))
