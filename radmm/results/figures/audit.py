"""The audit's sampled (ε, δ) curves against each accountant's, for a few telling cases."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from radmm.base.store import checked, read_metadata
from radmm.privacy.guarantee import ASSUMED, rounded_up
from radmm.privacy.relation import Neighbours
from radmm.results.figures.curve_styles import Look
from radmm.results.figures.files import save
from radmm.results.figures.palette import ACCOUNTANTS
from radmm.results.figures.style import TEXT_WIDTH, handles_of, legend_above, subplots, use_style

AUDITED = ("pld", "shift", "renyi", "optimal-pure", "pure", "paper")  # accountants, as the legend lists them
SHIFT = "shift"
AT_ZERO = (0, (6, 2))  # dashes of a bound that holds at δ = 0
TIGHT = ("shift", "pld", "renyi")  # the horizontal axis is made for these
COLUMNS = 3
LEAST_DELTA = 4e-6  # just below the smallest δ that the accountants were asked for
LARGEST_DELTA = 3.0  # with room above the curves for what is beyond the axis
ROOM = 1.35  # beyond their last point


def draw(table: pd.DataFrame) -> Figure:
    """Draw a panel for each telling case."""
    shown = table[table["panel"].fillna("") != ""]
    names = list(shown["panel"].unique())
    rows = -(-len(names) // COLUMNS)
    figure, grid = subplots(rows, COLUMNS, TEXT_WIDTH, 2.15 * rows + 0.75, sharey=True)
    for axes, letter, name in zip(grid.flat, "abcdefghi", names, strict=False):
        _panel(axes, shown[shown["panel"] == name])
        axes.set_title(f"({letter}) {title_of(shown[shown['panel'] == name], name)}", loc="left", fontsize="small")
    for axes in grid[-1]:
        axes.set_xlabel("ε, total of all K releases")
    for axes in grid[:, 0]:
        axes.set_ylabel("δ")
    legend_above(figure, handles_of(grid.flat), "", columns=4)
    sns.despine(figure)
    return figure


def title_of(panel: pd.DataFrame, name: str) -> str:
    """Return the panel's name, and below it how much of the default accountant's bound the worst case found reaches.

    Args:
        panel: Rows of the audit's table for the panel.
    """
    closest = panel.loc[panel["accountant"] == SHIFT, "tightness"].max()
    found = f"\nworst case found / bound = {closest:.2f}" if closest == closest else ""
    return f"{name}{found}"


def caption(table: pd.DataFrame) -> list[str]:
    """Return what is drawn, in sentences."""
    samples = int(table.loc[table["panel"].fillna("") != "", "samples"].iloc[0])
    return [
        f"Samples are exact losses of {samples:,} transcripts, the worse of both directions at each ε.",
        "Bands are pointwise confidence limits, each wrong with probability at most one in a million.",
        "A bound stands unless the whole band is above it. Neighbours: one record replaced.",
        f"A ratio is of what was found with confidence to the bound of {ACCOUNTANTS[SHIFT].title}.",
    ]


def _panel(axes: Axes, panel: pd.DataFrame) -> None:
    claims = panel[(panel["direction"] == "forward") & panel["accountant"].isin(AUDITED)]
    claims = claims[claims["neighbours"] == Neighbours.REPLACE]
    reach = ROOM * float(claims.loc[claims["accountant"].isin(TIGHT), "epsilon"].max())
    _sampled(axes, panel[(panel["accountant"].fillna("") == "") & (panel["quantity"] == "delta")], reach)
    beyond = []
    for name in AUDITED:
        color, marker, text = ACCOUNTANTS[name]
        claim = claims[claims["accountant"] == name].sort_values("epsilon")
        if claim["epsilon"].min() > reach:
            beyond.append(f"{text} {rounded_up(claim['epsilon'].max())} →")
        elif claim["delta"].max() > 0:
            axes.plot(claim["epsilon"], claim["delta"], label=text, **Look(color, marker).line())
        elif len(claim):
            axes.axvline(float(claim["epsilon"].iloc[0]), label=f"{text}, δ = 0", color=color, linestyle=AT_ZERO)
    axes.set(xlim=(0.0, reach), ylim=(LEAST_DELTA, LARGEST_DELTA), yscale="log")
    axes.minorticks_off()
    if beyond:
        note = axes.text(0.98, 0.97, "\n".join(beyond), ha="right", va="top", fontsize="x-small")
        note.set(transform=axes.transAxes, bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0})


def _sampled(axes: Axes, curve: pd.DataFrame, reach: float) -> None:
    """Draw the larger of both directions' curves; beyond the largest sampled loss only an upper limit is left."""
    epsilon = np.append(np.unique(curve["epsilon"]), reach)
    directions = [part.sort_values("epsilon") for _, part in curve.groupby("direction")]
    estimate, low, high = (
        np.max([np.interp(epsilon, part["epsilon"], part[name]) for part in directions], axis=0)
        for name in ("estimate", "low", "high")
    )
    axes.plot(epsilon, np.where(estimate > 0, estimate, np.nan), color="black", linewidth=1.4, label="sampled attack")
    axes.fill_between(
        epsilon, np.maximum(low, LEAST_DELTA / 2), high, color="0.8", linewidth=0, label="confidence limits"
    )


def figure(table: Path, pdf: Path, png: Path) -> None:
    """Draw the audit's table into both files, with their provenance."""
    use_style()
    stored = read_metadata(checked(table))
    sizes = [f"{name} {value}" for name, value in stored["audit"].items()]
    rows = pd.read_parquet(table)
    save(draw(rows), pdf, png, {"audit": sizes, "code": [stored["code"]]}, [*caption(rows), ASSUMED])
