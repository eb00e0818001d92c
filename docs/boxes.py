"""Pictures of boxes and arrows, each box above those that it stands on; `rooms.py` and `pipeline.py` draw by this."""

import textwrap
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, permutations
from pathlib import Path
from typing import NamedTuple

import matplotlib as mpl
import networkx as nx
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

WIDTH, HEIGHT = 0.95, 0.64  # of a box, half of it and all of it
MARGIN = 0.07
COLUMNS = (-3.3, -2.2, -1.1, 0.0, 1.1, 2.2, 3.3)  # where boxes may stand
TRIES = 6  # from different beginnings
Place = tuple[float, float]


class Box(NamedTuple):
    """Content of a box.

    Args:
        text: Text below the name.
        dashed: Whether the border is dashed.
    """

    text: str
    dashed: bool = False


def places(graph: "nx.DiGraph[str]") -> dict[str, Place]:
    """Return the place of every box: just above all that it stands on, and where few arrows pass behind a box."""
    height: dict[str, int] = {}
    for name in reversed(list(nx.lexicographical_topological_sort(graph))):
        height[name] = 1 + max((height[below] for below in graph.successors(name)), default=-1)
    for name in graph:
        if not graph.out_degree(name):  # it stands on nothing: just below the first that stands on it
            height[name] = min(height[above] for above in graph.predecessors(name)) - 1
    rows = [sorted(name for name in graph if height[name] == row) for row in sorted(set(height.values()))]
    source = np.random.default_rng(0)
    found = (
        _settled(graph, {name: (x, y) for y, row in enumerate(rows) for name, x in _any(row, source)}, rows)
        for _ in range(TRIES)
    )
    return min(found, key=lambda at: _ugliness(graph, at))


def _any(row: list[str], source: np.random.Generator) -> Iterator[tuple[str, float]]:
    """Return the boxes of a row at random columns that leave room for all of them."""
    columns = _columns(len(row))
    return zip(row, columns[source.integers(len(columns))], strict=True)


@cache
def _columns(number: int) -> list[tuple[float, ...]]:
    """Return all ways to put so many boxes beside each other."""
    chosen = permutations(COLUMNS, number)
    return [each for each in chosen if all(abs(one - other) > 2 * WIDTH for one, other in combinations(each, 2))]


def _settled(graph: "nx.DiGraph[str]", at: dict[str, Place], rows: list[list[str]]) -> dict[str, Place]:
    """Move the boxes row by row to their best places while the others stay, a few times over."""
    for _ in range(4):
        for y, row in enumerate(rows):
            tried = (at | {name: (x, y) for name, x in zip(row, each, strict=True)} for each in _columns(len(row)))
            at = min(tried, key=lambda at: _ugliness(graph, at))
    return at


def _ugliness(graph: "nx.DiGraph[str]", at: dict[str, Place]) -> float:
    """Return a penalty for arrows that pass behind a box, then for arrows that cross, and then for their width."""
    behind = crossed = 0
    lines = [(*at[above], *at[below]) for above, below in graph.edges]
    for x, y, end, low in lines:
        for place, row in at.values():
            if low < row < y:
                nearest = [x + (end - x) * (y - level) / (y - low) for level in (row - HEIGHT / 2, row + HEIGHT / 2)]
                behind += min(nearest) < place + WIDTH and max(nearest) > place - WIDTH
    for (x, y, end, low), (x2, y2, end2, low2) in combinations(lines, 2):
        top, bottom = min(y, y2), max(low, low2)
        if top > bottom:  # they pass the same heights
            first, second = (
                x + (end - x) * (y - level) / (y - low) - x2 - (end2 - x2) * (y2 - level) / (y2 - low2)
                for level in (top, bottom)
            )
            crossed += first * second < 0
    return 100.0 * behind + 10.0 * crossed + sum(abs(x - end) for x, _, end, _ in lines)


def draw(graph: "nx.DiGraph[str]", about: Callable[[str], Box], word: str, upwards: bool) -> Figure:
    """Draw a graph as boxes and arrows, without arrows that follow from others.

    Args:
        graph: Graph in which an edge goes from a box to one that it stands on.
        about: Function that returns the content of a box, given its name.
        word: Meaning of an arrow, for its name in the file.
        upwards: Whether arrows point from what a box stands on to the box, from top to bottom.
    """
    graph = nx.transitive_reduction(graph)
    at = places(graph)
    top = max(y for _, y in at.values())
    if upwards:
        at = {name: (x, top - y) for name, (x, y) in at.items()}
    left, right = (extreme(x for x, _ in at.values()) for extreme in (min, max))
    left, right = left - WIDTH - MARGIN, right + WIDTH + MARGIN
    figure = Figure(figsize=(1.25 * (right - left), 1.06 * (top + 1)))
    axes = figure.subplots()
    for name, (x, y) in at.items():
        _box(axes, name, about(name), x, y)
    for above, below in sorted(graph.edges):
        start, end = (below, above) if upwards else (above, below)
        _arrow(axes, f"{word} {start} -> {end}", at[start], at[end])
    axes.set_xlim(left, right)
    axes.set_ylim(-0.5, top + 0.5)
    axes.set_axis_off()
    figure.subplots_adjust(0, 0, 1, 1)
    return figure


def _box(axes: Axes, name: str, about: Box, x: float, y: float) -> None:
    box = mpl.patches.FancyBboxPatch(
        (x - WIDTH, y - HEIGHT / 2),
        2 * WIDTH,
        HEIGHT,
        boxstyle="round,pad=0,rounding_size=0.08",
        facecolor="white" if about.dashed else "#e8eef7",
        edgecolor="#44546a",
        linestyle="--" if about.dashed else "-",
    )
    box.set_gid(f"box {name}")
    axes.add_patch(box)
    axes.text(x, y + 0.16, name, ha="center", va="center", weight="bold", size=10)
    axes.text(x, y - 0.1, textwrap.fill(about.text, 38, break_on_hyphens=False), ha="center", va="center", size=6.5)


def _arrow(axes: Axes, name: str, above: Place, below: Place) -> None:
    arrow = mpl.patches.FancyArrowPatch(
        (above[0], above[1] - HEIGHT / 2),
        (below[0], below[1] + HEIGHT / 2),
        arrowstyle="-|>",
        mutation_scale=11,
        color="#44546a",
        linewidth=0.9,
        shrinkA=0,
        shrinkB=0,
        zorder=0.5,
    )
    arrow.set_gid(name)
    axes.add_patch(arrow)


def save(figure: Figure, picture: Path) -> None:
    """Write a figure as SVG: the same bytes for the same graph, readable on light and dark pages."""
    mpl.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": picture.stem, "font.family": "sans-serif"}
    figure.savefig(picture, metadata={"Date": None}, facecolor="white")
