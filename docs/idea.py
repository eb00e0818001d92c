"""Draw the paper's idea into docs/figures/idea.svg: who sees what, and which steps spend privacy.

Its colours are of middle brightness on a transparent ground, so that it suits light and dark pages.
"""

from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Ellipse, FancyArrowPatch, Polygon, Rectangle

from radmm.results.figures.palette import ALGORITHMS

PICTURE = Path(__file__).parent / "figures" / "idea.svg"
TEXT, DATA, ATTACKER = "#768390", "#3B8EDB", "#E5534B"
ADMM, RECYCLED = TEXT, ALGORITHMS["r-admm"].color  # ADMM's black would be lost on a dark page
NODES, STEPS = 5, 8
LINKS = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (1, 4)]
REUSE = "↻"


def draw() -> Figure:
    """Draw nodes, messages and attacker at the left, and the privacy that each step spends at the right."""
    figure = Figure(figsize=(8.4, 3.7))
    left, right = figure.add_gridspec(
        1, 2, width_ratios=[1, 1.35], left=0.0, right=0.995, bottom=0.1, top=0.9, wspace=0.17
    )
    _network(figure.add_subplot(left))
    above, below = right.subgridspec(2, 1, hspace=0.75)
    every = np.arange(1, STEPS + 1)
    _steps(figure.add_subplot(above), every, ADMM, "ADMM", "every step reads the data")
    _steps(figure.add_subplot(below), -(-every // 2), RECYCLED, "Recycled ADMM", "even steps reuse old messages")
    return figure


def _network(axes: Axes) -> None:
    axes.set(xlim=(-1.9, 2.0), ylim=(-1.75, 1.75), aspect="equal")
    axes.set_axis_off()
    turns = np.pi / 2 + 2 * np.pi * np.arange(NODES) / NODES
    places = np.column_stack([np.cos(turns) - 0.55, np.sin(turns) * 1.05 + 0.15])
    for one, other in LINKS:
        link = FancyArrowPatch(places[one], places[other], arrowstyle="<|-|>", mutation_scale=9, shrinkA=15, shrinkB=15)
        axes.add_patch(link)
        link.set(color=TEXT, linewidth=1.2)
        _envelope(axes, *(places[one] + places[other]) / 2)
    for x, y in places:
        axes.add_patch(Circle((x, y), 0.27, facecolor="none", edgecolor=DATA, linewidth=1.6))
        _database(axes, x, y, 0.13)
    eye = np.array([1.4, 0.95])
    for (one, other), bend in {(4, 0): 0.0, (3, 4): 0.45}.items():
        start, end = (places[one] + places[other]) / 2 + (0.13, 0.0), eye - (0.3, 0.0 if bend == 0 else 0.1)
        look = FancyArrowPatch(start, end, arrowstyle="-", connectionstyle=f"arc3,rad={bend}", shrinkA=0, shrinkB=0)
        look.set(color=ATTACKER, linestyle=":", linewidth=1.4)
        axes.add_patch(look)
    _eye(axes, *eye)
    _write(axes, eye[0] - 0.1, eye[1] + 0.62, "attacker reads\nevery message", ATTACKER)
    _write(axes, -0.55, -1.3, "each node keeps its data", DATA)
    _write(axes, -0.55, -1.57, "and sends noisy solutions", TEXT)


def _envelope(axes: Axes, x: float, y: float) -> None:
    wide, high = 0.13, 0.085
    cover = Rectangle((x - wide, y - high), 2 * wide, 2 * high, facecolor="#FFF3D6", edgecolor="#B08800", zorder=3)
    axes.add_patch(cover)
    flap = [(x - wide, y + high), (x, y - 0.01), (x + wide, y + high)]
    axes.add_patch(Polygon(flap, closed=False, fill=False, edgecolor="#B08800", zorder=4))


def _database(axes: Axes, x: float, y: float, wide: float) -> None:
    high = 0.75 * wide
    axes.add_patch(Rectangle((x - wide, y - high), 2 * wide, 2 * high, color=DATA, linewidth=0))
    axes.add_patch(Ellipse((x, y - high), 2 * wide, 0.8 * wide, color=DATA, linewidth=0))
    axes.add_patch(Ellipse((x, y + high), 2 * wide, 0.8 * wide, facecolor="#CFE5FA", edgecolor=DATA, linewidth=1.0))


def _eye(axes: Axes, x: float, y: float) -> None:
    across = np.linspace(-0.3, 0.3, 40)
    lid = 0.17 * np.cos(across / 0.3 * np.pi / 2)
    outline = [*zip(x + across, y + lid, strict=True), *zip(x + across[::-1], y - lid[::-1], strict=True)]
    axes.add_patch(Polygon(outline, facecolor="white", edgecolor=ATTACKER, linewidth=1.6))
    axes.add_patch(Circle((x, y), 0.1, color=ATTACKER))


def _write(axes: Axes, x: float, y: float, text: str, color: str) -> None:
    axes.text(x, y, text, ha="center", va="top", color=color, fontsize=9.5, weight="bold", linespacing=1.15)


def _steps(axes: Axes, spent: "np.ndarray", color: str, name: str, what: str) -> None:
    """Draw the privacy spent after each step: what the step itself spends is solid, a step that is free is marked."""
    steps = np.arange(1, STEPS + 1)
    own = np.diff(spent, prepend=0)
    axes.bar(steps, own, 0.72, spent - own, color=color, label="spent at this step")
    axes.bar(steps, spent - own, 0.72, color=color, alpha=0.3, label="spent before")
    for step, total, new in zip(steps, spent, own, strict=True):
        if not new:
            axes.text(step, total + 0.25, f"{REUSE} free", ha="center", va="bottom", color=color, fontsize=8.5)
    if spent[-1] == STEPS:  # the other panel's shades mean the same
        axes.legend(loc="upper left", frameon=False, fontsize=8.5, labelcolor=TEXT, borderaxespad=0.1)
    else:
        axes.axhline(STEPS, color=ADMM, linestyle="--", linewidth=1.2)
        axes.text(0.6, STEPS - 0.35, "ADMM after as many steps", va="top", color=ADMM, fontsize=8.5)
    axes.set(xlim=(0.4, STEPS + 0.6), ylim=(0, STEPS + 0.3), xticks=steps, yticks=[])
    axes.tick_params(axis="x", length=0, labelsize=8.5, labelcolor=TEXT)
    axes.set_xlabel("step", color=TEXT, fontsize=9, labelpad=1)
    axes.set_ylabel("privacy spent,\nsame noise", color=TEXT, fontsize=9)
    axes.set_facecolor("none")
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["bottom", "left"]].set_color(TEXT)
    axes.set_title(f"{name}: {what}", loc="left", color=color, fontsize=10.5, weight="bold", pad=8)


if __name__ == "__main__":
    mpl.rcParams |= {"svg.fonttype": "path", "svg.hashsalt": PICTURE.stem, "font.family": "DejaVu Sans"}
    draw().savefig(PICTURE, metadata={"Date": None}, transparent=True)
