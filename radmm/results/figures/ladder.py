"""The ladder: the total ε of one and the same run by every accountant, from the paper's to the least there can be."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from radmm.accounting import TERMS
from radmm.results.figures.files import save
from radmm.results.figures.looks import Look
from radmm.results.figures.style import TEXT_WIDTH, handles_of, legend_above, subplots, use_style

LOOKS = {
    "paper": Look("#009E73", "o"),
    "pure": Look("black", "s"),
    "optimal-pure": Look("#E69F00", "D"),
    "renyi": Look("#D55E00", "^"),
    "pld": Look("#0072B2", "v"),
    "shift": Look("#CC79A7", "P"),
    "plain shift": Look("0.5", "", (0, (4, 2))),
    "shift, zero-out": Look("#56B4E9", "X"),
}
TEXTS = {"plain shift": "floor: the plain shift", "paper": "paper, δ = 0", "pure": "pure, δ = 0"}
FILLED = {25: "none", 50: None}  # face of a marker, by the number of releases


def draw(table: pd.DataFrame) -> Figure:
    """Steps down the ladder at the left; at the right, how totals grow with the number of releases.

    Args:
        table: As `radmm.results.ladder` makes it.
    """
    figure, grid = subplots(1, 2, TEXT_WIDTH, 3.9, width_ratios=[1.15, 1])
    _steps(grid[0, 0], table)
    _growth(grid[0, 1], table[table["alpha"] == 1.0])
    title = (
        "N = 5, B = 8000, C = 1750, ρ = 0.22, η = 1, d = 105, δ = 1e-5 unless named. "
        "Replacing one row, or zeroing one out.\n"
        "In exact arithmetic, taking each argmin as exact. "
        "(a) from right to left α = 2, 1, 0.5; open: K = 25 releases, filled: K = 50."
    )
    legend_above(figure, handles_of([grid[0, 1]]), title, 4)
    sns.despine(figure)
    return figure


def _steps(axes: Axes, table: pd.DataFrame) -> None:
    names = list(LOOKS)
    for place, name in enumerate(names):
        look, rows = LOOKS[name], table[table["accountant"] == name]
        for count, face in FILLED.items():
            shown = rows[(rows["K"] == count) & rows["alpha"].isin((0.5, 1.0, 2.0))]
            axes.plot(
                shown["epsilon"], [-place - (0.12 if count == 50 else -0.12)] * len(shown), marker=look.marker or "|",
                linestyle="-", linewidth=0.5, color=look.color, markerfacecolor=face or look.color, markersize=5,
            )  # fmt: skip
    axes.set_yticks([-place for place in range(len(names))], [TEXTS.get(name, name) for name in names])
    axes.set_xscale("log")
    axes.set_xticks([0.2, 0.5, 1, 2, 5, 10, 20, 50], ["0.2", "0.5", "1", "2", "5", "10", "20", "50"])
    axes.minorticks_off()
    axes.set_xlabel("total ε")
    axes.set_title("(a) What the same noise is worth", loc="left")


def _growth(axes: Axes, table: pd.DataFrame) -> None:
    for name, look in LOOKS.items():
        curve = table[table["accountant"] == name].sort_values("K")
        axes.plot(curve["K"], curve["epsilon"], label=TEXTS.get(name, name), **look.line())
    axes.set(xscale="log", yscale="log", xlabel="releases K", ylabel="total ε")
    axes.set_xticks([1, 10, 100, 1000], ["1", "10", "100", "1000"])
    axes.set_yticks([0.1, 1, 10, 100], ["0.1", "1", "10", "100"])
    axes.minorticks_off()
    axes.set_title("(b) α = 1", loc="left")


def figure(table: pd.DataFrame, pdf: Path, png: Path, provenance: dict[str, list[str]]) -> None:
    """Draw both files.

    Args:
        table: As `radmm.results.ladder` makes it.
        pdf: To be written.
        png: To be written.
        provenance: Of which code it was made.
    """
    use_style()
    save(draw(table), pdf, png, provenance, [TERMS])
