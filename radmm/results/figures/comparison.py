"""Private algorithms side by side, for each noise level: loss over the iterations, and test error with its cost."""

from __future__ import annotations

from itertools import count
from textwrap import fill
from typing import Any, ClassVar

import numpy as np
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec

from radmm.privacy.guarantee import rounded_up
from radmm.results.figures.captions import PRINTED_DELTA
from radmm.results.figures.comparison_panels import Panels
from radmm.results.figures.curve_styles import looks_of_curves
from radmm.results.figures.curves import bars, growth
from radmm.results.figures.figure import BOUND, FigureKind, Material
from radmm.results.figures.legend_entries import runs_entry, runs_sentence
from radmm.results.figures.style import (
    TEXT_WIDTH,
    WHOSE,
    handles_of,
    in_digits,
    legend_above,
    letter,
    log_scale,
    new_figure,
    over_iterations,
)
from radmm.study.figure_style import Style

BARS_OF_A_CURVE = 5
MOST_NAMES, NAME = 8, 10  # points that have numbers below them, and characters of a name there
BESIDE = 3  # panels in a row
HEIGHTS = {"loss": 2.2, "bound": 1.5, "error": 1.8}  # inches
LEGEND = 0.6
TITLES = {"error": "Test error"}  # of a part that has all levels in one panel
LETTERS = 20  # characters in an inch of a title
DIGITS = 3
EDGE = 0.7  # from the outer points to the ends of their axis, where they are 1 apart
TERMS = f"ε: total at δ = {in_digits(PRINTED_DELTA)}, one row replaced"


class Comparison(FigureKind):
    """Loss over iterations, and test errors with P(T) and ε: a curve a setting, a panel a level of noise."""

    name: ClassVar[str] = "comparison"
    metrics: ClassVar[tuple[str, ...]] = ("loss", "error_rate")  # over the iterations, and after the last one
    of_what: ClassVar[str] = ""

    def draw(self, material: Material) -> Figure:
        """Draw losses above and error rates below, one panel of each for a level of noise; a single level beside.

        The paper's style has the bounds P(t) between them where they differ.
        """
        panels = Panels.of(material)
        drawing = Drawing(panels, material.style, self.metrics)
        bounds = ["bound"] if material.style is Style.PAPER and panels.rows_of_costs() else []
        parts = ["loss", *bounds, "error"]
        figure, places = _places(parts, len(panels.levels), material.style)
        letters = map(letter, count())
        labels = {
            "loss": f"training loss{self.of_what}, log scale",
            "bound": "P(t)",
            "error": f"test error{self.of_what}",
        }
        for part in parts:
            first: Axes | None = None
            for place, levels in zip(places[part], drawing.split(part), strict=False):
                axes = figure.add_subplot(place, sharey=first if part == "error" else None)
                getattr(drawing, part)(axes, levels)
                title = panels.title(levels[0]) if len(levels) == 1 else TITLES[part]
                width = TEXT_WIDTH * place.get_position(figure).width
                axes.set_title(fill(f"({next(letters)}) {title}", int(LETTERS * width)).rstrip(), loc="left")
                axes.set_ylabel(labels[part] if place.colspan.start == 0 or len(panels.levels) == 1 else "")
                first = first or axes
        if material.style is Style.CLEAR and panels.has_epsilon:
            figure.supxlabel(TERMS, fontsize="small")
        several = runs_entry(material.table, band=material.style is Style.CLEAR)
        legend_above(figure, handles_of(figure.axes[: len(panels.levels)]) | several, "", columns=4)
        sns.despine(figure)
        return figure

    def caption(self, material: Material) -> list[str]:
        """Return what lines, bands, bounds and levels are."""
        panels = Panels.of(material)
        what = "bars" if material.style is Style.PAPER else "bands and bars"
        bounded = [WHOSE] if (panels.curves["metric"] == BOUND).any() else []
        return [*runs_sentence(material.table, material.style, what), *growth(material), *bounded, *panels.note]


class AverageComparison(Comparison):
    """Comparison for the nodes' running averages of their released iterates."""

    name: ClassVar[str] = "comparison-average"
    metrics: ClassVar[tuple[str, ...]] = ("loss_average", "error_rate_average")
    of_what: ClassVar[str] = ", averaged iterates"


def _places(parts: list[str], levels: int, style: Style) -> tuple[Figure, dict[str, list[Any]]]:
    """Return an empty figure, and the places of each part's panels; all parts beside each other for a single level."""
    if levels == 1:
        figure = new_figure(TEXT_WIDTH, HEIGHTS["loss"] + LEGEND)
        grid = figure.add_gridspec(1, len(parts), width_ratios=[1.4, *[1.0] * (len(parts) - 1)])
        return figure, {part: [grid[0, place]] for place, part in enumerate(parts)}
    columns = min(levels, BESIDE)
    lines = -(-levels // columns)
    counts = {part: 1 if part == "error" and style is Style.PAPER else lines for part in parts}
    heights = [HEIGHTS[part] for part in parts for _ in range(counts[part])]
    figure = new_figure(TEXT_WIDTH, sum(heights) + LEGEND)
    grid = figure.add_gridspec(len(heights), columns, height_ratios=heights)
    return figure, {
        part: _line(grid, sum(list(counts.values())[:at]), counts[part], part, style) for at, part in enumerate(parts)
    }


def _line(grid: GridSpec, first: int, lines: int, part: str, style: Style) -> list[Any]:
    if part == "error" and style is Style.PAPER:
        return [grid[first, :]]
    return [grid[first + row, column] for row in range(lines) for column in range(grid.ncols)]


class Drawing:
    """Panels of a comparison, in one style.

    Args:
        panels: Curves and levels.
        style: Style of the figure.
        metrics: Loss and error.
    """

    def __init__(self, panels: Panels, style: Style, metrics: tuple[str, ...]) -> None:
        self.panels, self.style = panels, style
        self.metrics = dict(zip(("loss", "error"), metrics, strict=True))
        self.looks = looks_of_curves(panels.curves, panels.material)

    def split(self, part: str) -> list[list[Any]]:
        """Return the levels of each panel: one, but that the paper has the errors of all in one panel."""
        levels = self.panels.levels
        return [levels] if part == "error" and self.style is Style.PAPER else [[level] for level in levels]

    def loss(self, axes: Axes, levels: list[Any]) -> None:
        """Draw losses from the first iteration on, as all start at the same points."""
        lines = self.panels.lines(self.metrics["loss"], levels[0])
        apart = max(1, max(len(line) for line in lines.values()) // BARS_OF_A_CURVE)
        for place, (name, line) in enumerate(lines.items()):
            curve = line[line["iteration"] > 0]
            every = (place * apart // len(lines), apart)
            look = self.looks[name].line() | {"markevery": every, "label": name}
            if self.style is Style.PAPER:
                reach: dict[str, Any] = {
                    "yerr": bars(curve, self.style),
                    "errorevery": every,
                    "capsize": 1.5,
                    "elinewidth": 0.7,
                }
                axes.errorbar(curve["iteration"], curve["mean"], **reach, **look)
                continue
            axes.plot(curve["iteration"], curve["mean"], **look)
            axes.fill_between(
                curve["iteration"], curve["min"], curve["max"], color=look["color"], alpha=0.15, linewidth=0
            )
        log_scale(axes, "")
        over_iterations(axes)

    def bound(self, axes: Axes, levels: list[Any]) -> None:
        """Draw bounds, later curves thinner, so that those below still show where bounds are the same."""
        lines = self.panels.lines(BOUND, levels[0])
        widths = np.linspace(2.2, 0.8, len(lines))
        for place, ((name, curve), width) in enumerate(zip(lines.items(), widths, strict=True)):
            every = (place, max(1, len(curve) // 4))
            look = self.looks[name].line() | {"linewidth": width}
            axes.plot(curve["iteration"], curve["mean"], markevery=every, **look)
        axes.set_ylim(bottom=0)
        over_iterations(axes)

    def error(self, axes: Axes, levels: list[Any]) -> None:
        """Draw errors after the last iteration, each above its P(T) and its ε; a line where there is no noise."""
        points, lines = self.panels.ends(self.metrics["error"], levels)
        names = list(points["curve"].unique())
        x = {name: place - (len(names) - 1) / 2 for place, name in enumerate(names)}
        apart = len(names) + 1
        for name, own in points.groupby("curve", sort=False):
            at = x[str(name)] + apart * own["at"].to_numpy()
            look = self.looks[str(name)].line() | {"linestyle": "", "marker": self.looks[str(name)].marker or "_"}
            axes.errorbar(at, own["mean"], yerr=bars(own, self.style), capsize=2, elinewidth=0.8, **look)
        for _, row in lines.iterrows():
            look = self.looks[row["curve"]].line()
            axes.axhline(row["mean"], color=look["color"], linestyle=look["linestyle"], linewidth=1)
        if len(levels) > 1:
            axes.set_xticks(apart * np.arange(len(levels)), [self.panels.title(level) for level in levels])
        else:
            self._costs(axes, levels[0], x)
        axes.grid(visible=False, axis="x")

    def _costs(self, axes: Axes, level: Any, x: dict[str, float]) -> None:
        """Write below each point what it costs, in rows that are named at the left of the first panel."""
        rows = self.panels.rows_of_costs()
        found = {row: self.panels.costs(row, level) for row in rows}
        called = _differing(list(x)) if len(x) > 1 else []
        short = bool(called) and max(map(len, called)) <= NAME
        named = zip(x, called if short else [""] * len(x), strict=True)
        texts = [
            "\n".join([*([tail] if short else []), *(_digits(found[row].get(name)) for row in rows)])
            for name, tail in named
        ]
        heads = "\n".join([*([""] if short else []), *rows])
        left, right = min(x.values()) - EDGE, max(x.values()) + EDGE
        axes.set_xlim(left, right)
        if len(x) > MOST_NAMES or not (rows or short):
            axes.set_xticks([])
            return
        head = [(left, heads)] if level == self.panels.levels[0] else []
        places, written = zip(*head, *zip(x.values(), texts, strict=True), strict=True)
        axes.set_xticks(places, written, fontsize="x-small")
        axes.tick_params(axis="x", length=0)


def _differing(names: list[str]) -> list[str]:
    """Return what differs of names: of curves of one algorithm the value of their parameter."""
    parts = [name.rpartition(", ") for name in names]
    return [tail for *_, tail in parts] if len({head for head, *_ in parts}) == 1 else names


def _digits(value: float | None) -> str:
    return "–" if value is None else rounded_up(value, DIGITS)
