"""Draw the rooms of the package from its import graph into docs/figures/rooms.svg; never edited by hand.

An arrow goes from a room to one that it imports. Arrows that follow from others are left out: whoever imports `privacy`
may import all that `privacy` stands on.
"""

import importlib
from itertools import combinations, permutations
from pathlib import Path

import grimp
import matplotlib as mpl
import networkx as nx
from matplotlib.axes import Axes
from matplotlib.figure import Figure

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs" / "figures" / "rooms.svg"
WIDTH, HEIGHT = 0.95, 0.64  # of a box, half of it and all of it
COLUMNS = (-3.3, -2.2, -1.1, 0.0, 1.1, 2.2, 3.3)  # where boxes may stand
Place = tuple[float, float]


def imports() -> "nx.DiGraph[str]":
    """Which room imports which, by the import graph; modules of the package itself are rooms too."""
    modules = grimp.build_graph("radmm")
    rooms: nx.DiGraph[str] = nx.DiGraph()
    for module in sorted(modules.modules):
        for imported in sorted(modules.find_modules_directly_imported_by(module)):
            pair = [name.split(".")[1] if "." in name else None for name in (module, imported)]
            if None not in pair and pair[0] != pair[1]:
                rooms.add_edge(*pair)
    return rooms


def places(rooms: "nx.DiGraph[str]") -> dict[str, Place]:
    """Every room just above all that it imports, and beside others so that few arrows pass behind a box."""
    height: dict[str, int] = {}
    for room in reversed(list(nx.lexicographical_topological_sort(rooms))):
        height[room] = 1 + max((height[below] for below in rooms.successors(room)), default=-1)
    for room in rooms:
        if not rooms.out_degree(room):  # imports nothing: just below the first that imports it
            height[room] = min(height[above] for above in rooms.predecessors(room)) - 1
    rows = [sorted(room for room in rooms if height[room] == row) for row in sorted(set(height.values()))]
    at = {room: (COLUMNS[2 * place], float(height[room])) for row in rows for place, room in enumerate(row)}
    for _ in range(4):  # row by row, to the best place while the others stay
        for row in rows:
            tried = [
                at | {room: (x, float(height[room])) for room, x in zip(row, columns, strict=True)}
                for columns in permutations(COLUMNS, len(row))
                if all(abs(one - other) > 2 * WIDTH for one, other in combinations(columns, 2))
            ]
            at = min(tried, key=lambda at: _crossings(rooms, at))
    return at


def _crossings(rooms: "nx.DiGraph[str]", at: dict[str, Place]) -> float:
    """How often an arrow passes behind a box, and then how far arrows go sideways."""
    behind = 0
    for above, below in rooms.edges:
        (x, y), (end, low) = at[above], at[below]
        for place, row in at.values():
            if low < row < y:
                nearest = [x + (end - x) * (y - level) / (y - low) for level in (row - HEIGHT / 2, row + HEIGHT / 2)]
                behind += min(nearest) < place + WIDTH and max(nearest) > place - WIDTH
    return 100.0 * behind + sum(abs(at[above][0] - at[below][0]) for above, below in rooms.edges)


def purpose(room: str) -> str:
    """The first line of its docstring, up to the colon."""
    if room == "__main__":
        return "the command line"
    text = (importlib.import_module(f"radmm.{room}").__doc__ or "").split("\n")[0]
    return text.split(":")[0].rstrip(".").split(";")[0]


def draw() -> Figure:
    """Rooms above those that they import."""
    rooms = nx.transitive_reduction(imports())
    at = places(rooms)
    figure = Figure(figsize=(10.8, 8.5))
    axes = figure.subplots()
    for room, (x, y) in at.items():
        _box(axes, room, x, y)
    for above, below in sorted(rooms.edges):
        _arrow(axes, f"{above} -> {below}", at[above], at[below])
    axes.set_xlim(-4.32, 4.32)
    axes.set_ylim(-0.5, max(y for _, y in at.values()) + 0.5)
    axes.set_axis_off()
    figure.subplots_adjust(0, 0, 1, 1)
    return figure


def _box(axes: Axes, room: str, x: float, y: float) -> None:
    is_module = not (ROOT / "radmm" / room).is_dir()
    box = mpl.patches.FancyBboxPatch(
        (x - WIDTH, y - HEIGHT / 2),
        2 * WIDTH,
        HEIGHT,
        boxstyle="round,pad=0,rounding_size=0.08",
        facecolor="white" if is_module else "#e8eef7",
        edgecolor="#44546a",
        linestyle="--" if is_module else "-",
    )
    box.set_gid(f"room {room}")
    axes.add_patch(box)
    axes.text(x, y + 0.16, room, ha="center", va="center", weight="bold", size=10)
    lines = _wrapped(purpose(room), 38)
    axes.text(x, y - 0.1, "\n".join(lines), ha="center", va="center", size=6.5)


def _wrapped(text: str, width: int) -> list[str]:
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _arrow(axes: Axes, name: str, above: tuple[float, float], below: tuple[float, float]) -> None:
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
    arrow.set_gid(f"imports {name}")
    axes.add_patch(arrow)


def main() -> None:
    mpl.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "rooms", "font.family": "sans-serif"}
    draw().savefig(PICTURE, metadata={"Date": None})


if __name__ == "__main__":
    main()
