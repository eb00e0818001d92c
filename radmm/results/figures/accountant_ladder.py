"""The ladder: the total ε of the same run by every accountant, from the paper's to the least possible."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from radmm.accounting import TERMS
from radmm.results.figures.files import save
from radmm.results.figures.palette import ACCOUNTANTS
from radmm.results.figures.style import TEXT_WIDTH, legend_above, log_scale, log_ticks, subplots, use_style

PURE = ("paper", "pure")  # accountants whose ε is at δ = 0
FLOOR = "plain shift"
ALPHAS = (0.5, 1.0, 2.0)
WORKED = "N = 5, B = 8000, C = 1750, ρ = 0.22, η = 1, d = 105, δ = 1e-5 unless named; one row replaced or zeroed."
FILLED: dict[int, Literal["none", "full"]] = {25: "none", 50: "full"}  # markers, by the number of releases


def draw(table: pd.DataFrame) -> Figure:
    """Draw the accountants' totals at the left, and their growth with the number of releases at the right.

    Args:
        table: Table that `radmm.results.accountant_ladder` made.
    """
    figure, grid = subplots(1, 2, TEXT_WIDTH, 3.2, width_ratios=[1.15, 1], sharey=False)
    _steps(grid[0, 0], table[table["alpha"].isin(ALPHAS) & table["K"].isin(FILLED)])
    _growth(grid[0, 1], table[table["alpha"] == 1.0])
    handles = {
        f"K = {count} releases": Line2D([], [], color="0.3", marker="o", linewidth=0.5, fillstyle=fill)
        for count, fill in FILLED.items()
    }
    legend_above(figure, handles, "", 2)
    sns.despine(figure)
    return figure


def _steps(axes: Axes, table: pd.DataFrame) -> None:
    """Draw a row for each accountant, with its name in the colour that it has in both panels."""
    for place, (name, swatch) in enumerate(ACCOUNTANTS.items()):
        for count, fill in FILLED.items():
            shown = table[(table["accountant"] == name) & (table["K"] == count)]
            height = place - (0.12 if count == min(FILLED) else -0.12)
            line: dict[str, Any] = {
                "color": swatch.color,
                "marker": swatch.marker,
                "fillstyle": fill,
                "linewidth": 0.5,
                "markersize": 5,
            }
            axes.plot(shown["epsilon"], [height] * len(shown), **line)
    texts = [f"{swatch.title}, δ = 0" if name in PURE else swatch.title for name, swatch in ACCOUNTANTS.items()]
    axes.set_yticks(range(len(texts)), texts)
    for label, swatch in zip(axes.get_yticklabels(), ACCOUNTANTS.values(), strict=True):
        label.set_color(swatch.color)
    axes.set_ylim(len(texts) - 0.5, -1.0)
    _name_alphas(axes, table)
    log_ticks(axes, [0.2, 0.5, 1, 2, 5, 10, 20, 50])
    axes.set_xlabel("total ε at δ = 1e-5 or as named, log scale")
    axes.set_title("(a) The same noise by every accountant", loc="left")


def _name_alphas(axes: Axes, table: pd.DataFrame) -> None:
    """Write α above the points of the first accountant."""
    first = table[(table["accountant"] == next(iter(ACCOUNTANTS))) & (table["K"] == min(FILLED))]
    for alpha, epsilon in zip(first["alpha"], first["epsilon"], strict=True):
        text = f"α = {alpha:g}" if alpha == min(ALPHAS) else f"{alpha:g}"
        beside: dict[str, Any] = {"xytext": (0, 5), "textcoords": "offset points", "fontsize": "x-small"}
        axes.annotate(text, (epsilon, -0.12), ha="center", color="0.3", **beside)


def _growth(axes: Axes, table: pd.DataFrame) -> None:
    sns.lineplot(
        table,
        x="K",
        y="epsilon",
        hue="accountant",
        style="accountant",
        palette={name: swatch.color for name, swatch in ACCOUNTANTS.items()},
        markers={name: swatch.marker for name, swatch in ACCOUNTANTS.items()},
        dashes={name: (4, 2) if name == FLOOR else "" for name in ACCOUNTANTS},  # the shift accountant's is beneath it
        fillstyle="none",
        markeredgecolor=None,
        estimator=None,
        legend=False,
        ax=axes,
    )
    log_scale(axes, "total ε, log scale")
    log_ticks(axes, [1, 10, 100, 1000])
    axes.set_xlabel("releases K, log scale")
    axes.set_title("(b) Growth with K, α = 1", loc="left")


def figure(table: pd.DataFrame, pdf: Path, png: Path, provenance: dict[str, list[str]]) -> None:
    """Draw the ladder into both files.

    Args:
        table: Table that `radmm.results.accountant_ladder` made.
        provenance: Digest of the code that made it.
    """
    use_style()
    save(draw(table), pdf, png, provenance, [WORKED, TERMS])
