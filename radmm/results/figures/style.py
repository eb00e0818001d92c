"""Style of all figures: sizes, fonts, axes and legends."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import matplotlib as mpl
import seaborn as sns
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, Locator, MaxNLocator, NullLocator

from radmm.results.figures.palette import COLORS

TEXT_WIDTH = 7.16  # inches: both columns of the journal
COLUMN_WIDTH = 3.5
MOST_ENTRIES = 60  # entries of a legend that is still read
LINE, LINE_HEIGHT = 130, 0.16  # about how many characters fit into a line of a legend, and inches
PIECE = 10  # characters, about as wide as a piece of a curve and the room beside it
FACTORS = [(1,), (1, 2, 5), (1, 2, 3, 4, 6, 8)]  # factors of powers of ten at which ticks may be
FEWEST_TICKS, MOST_TICKS = 4, 9
SHORT_AXIS = 2  # largest over least value, below which a logarithmic axis is all but linear
LEAST_WRITTEN, MOST_WRITTEN = 1e-4, 1e5  # numbers beyond are written as powers of ten
USUAL_LINES = 5  # lines of a legend for which figures have room
OURS: dict[str, Any] = {  # what differs from seaborn's theme
    "axes.grid": True,
    "grid.color": "0.9",
    "grid.linewidth": 0.5,
    "legend.frameon": False,
    "legend.handlelength": 2.8,  # so that dashes are told apart
    "lines.linewidth": 1.0,
    "lines.markersize": 3.5,
    "pdf.fonttype": 42,  # TrueType, which journals ask for: text stays text
    "ps.fonttype": 42,
    "savefig.dpi": 200,
    "svg.fonttype": "none",  # text stays text, and the file small
    "svg.hashsalt": "radmm",  # ids that are the same in every run
}
WHOSE = "P(t) is the published bound on the total privacy loss after t iterations, for replacing one row."


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure with constrained layout.

    Args:
        width: Width in inches.
        height: Height in inches.
    """
    figure = Figure(figsize=(width, height), layout="constrained")  # pyplot would keep it until told to close it
    FigureCanvasAgg(figure)
    return figure


def subplots(rows: int, columns: int, width: float, height: float, **options: Any) -> tuple[Figure, Any]:
    """Return a figure with constrained layout, and its (rows, columns) array of axes.

    Args:
        rows: Number of rows of axes.
        columns: Number of columns of axes.
        width: Width in inches.
        height: Height in inches.
        options: Further options of a figure's `subplots`.
    """
    figure = new_figure(width, height)
    return figure, figure.subplots(rows, columns, squeeze=False, **options)


def letter(place: int) -> str:
    """Return a panel's letter: a to z, then aa, ab and so on.

    Args:
        place: Number of the panel, from 0.
    """
    return (letter(place // 26 - 1) if place >= 26 else "") + "abcdefghijklmnopqrstuvwxyz"[place % 26]


def handles_of(axes: Iterable[Axes]) -> dict[str, Artist]:
    """Return the legend's handles by text, each once.

    Args:
        axes: Axes in which curves were drawn with labels.
    """
    drawn = [zip(*each.get_legend_handles_labels(), strict=True) for each in axes]
    return {label: handle for pairs in drawn for handle, label in pairs}


def legend_above(figure: Figure, handles: Mapping[str, Any], title: str, columns: int) -> None:
    """Draw the legend of the whole figure, with a line or two that say what is drawn.

    Args:
        figure: Figure without a legend as yet.
        handles: Handles by text.
        title: Lines above the legend.
        columns: Largest number of columns; fewer where texts are long.
    """
    shown = dict(list(handles.items())[:MOST_ENTRIES])
    title += f"\nThe legend leaves out {len(handles) - len(shown)} curves." if len(shown) < len(handles) else ""
    fits = LINE * figure.get_figwidth() / TEXT_WIDTH
    while columns > 1 and _characters(list(shown), columns) > fits:
        columns -= 1
    more = -(-len(shown) // columns) - USUAL_LINES
    figure.set_figheight(figure.get_figheight() + LINE_HEIGHT * max(0, more))
    options: dict[str, Any] = {"loc": "outside upper center", "ncols": columns, "title_fontsize": "small"}
    figure.legend(list(shown.values()), list(shown), title=title, **options)


def _characters(texts: list[str], columns: int) -> int:
    """Estimate a legend's width: Matplotlib fills column by column, and each entry has a piece of its curve."""
    long, more = divmod(len(texts), columns)
    starts = [column * long + min(column, more) for column in range(columns + 1)]
    parts = [texts[first:last] for first, last in pairwise(starts) if first < last]
    return sum(PIECE + max(map(len, part)) for part in parts)


def log_scale(axes: Axes, label: str) -> None:
    """Make a logarithmic vertical axis for losses and distances, with readable numbers.

    Args:
        axes: Axes in which the curves are drawn already.
    """
    axes.set_yscale("log")
    _round_numbers(axes.yaxis, *axes.get_ylim())
    axes.set_ylabel(label)


def _round_numbers(axis: Axis, low: float, high: float) -> None:
    """Set ticks at powers of ten, at 1, 2, 5 or closer, whichever are enough; at even steps where the axis is short."""
    powers = [10.0**power for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]
    choices = [[factor * power for power in powers for factor in factors] for factors in FACTORS]
    seen = [[tick for tick in ticks if low <= tick <= high] for ticks in choices]
    enough = next((ticks for ticks in seen if len(ticks) >= FEWEST_TICKS), None)
    even: Locator = MaxNLocator(7, steps=[1, 2, 5, 10])
    axis.set_major_locator(FixedLocator(_thin(enough)) if enough and high > SHORT_AXIS * low else even)
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: in_digits(value)))


def _thin(ticks: list[float]) -> list[float]:
    """Return every other, or every third and so on, of too many ticks."""
    return ticks[:: -(-len(ticks) // MOST_TICKS)]


def in_digits(value: float) -> str:
    """Format a number for an axis: 0.05, 2000, and powers of ten beyond that."""
    if value == 0 or LEAST_WRITTEN <= abs(value) < MOST_WRITTEN:
        return f"{value:.10g}"
    factor, power = f"{value:e}".split("e")
    times = "" if float(factor) == 1 else rf"{float(factor):g}\cdot "
    return rf"${times}10^{{{int(power)}}}$"


def log_across(axes: Axes, values: Sequence[float]) -> None:
    """Make a logarithmic horizontal axis that has all values in view, and a single one in its middle.

    Args:
        values: Values drawn there, all positive.
    """
    axes.set_xscale("log")
    low, high = min(values), max(values)
    if low == high:  # from which Matplotlib makes no range
        axes.set_xlim(low / 2, high * 2)
    _round_numbers(axes.xaxis, *axes.get_xlim())


def log_ticks(axes: Axes, ticks: Iterable[float]) -> None:
    """Make a logarithmic horizontal axis that names exactly the values that were run."""
    values = sorted(set(ticks))
    log_across(axes, values)
    ticks_at(axes, values)
    axes.set_xticks([], minor=True)


def ticks_at(axes: Axes, ticks: Iterable[float]) -> None:
    """Name exactly the values that were run on a horizontal axis."""
    values = sorted(set(ticks))
    axes.set_xticks(values, [in_digits(value) for value in values])


def over_iterations(axes: Axes, label: str = "iteration t") -> None:
    """Make a horizontal axis of iterations, with whole numbers.

    Args:
        label: Label of the axis; empty where panels below share it.
    """
    axes.xaxis.set_major_locator(MaxNLocator(7, steps=[1, 2, 5, 10], integer=True))
    axes.set_xlabel(label)


def use_style() -> None:
    """Set seaborn's theme for papers and radmm's own settings; no window is ever opened."""
    mpl.use("agg")
    sns.set_theme(context="paper", style="ticks", palette=COLORS, font_scale=0.85, rc=OURS)
