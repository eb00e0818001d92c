"""Private algorithms side by side: loss over the iterations, privacy bounds, and test errors, for each α."""

from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter, ScalarFormatter

from radmm.figures.style import TEXT_WIDTH, Look, looks_of, save, use_style
from radmm.steps.command import run
from radmm.store import read_metadata

AXIS = "noise.alpha"  # the grid's axis that makes the panels
ITERATIONS_BETWEEN_BARS = 7


def draw(table: pd.DataFrame) -> Figure:
    """As the paper lays it out: a wide loss panel for each α, the bounds in a row, the error rates below."""
    alphas = sorted(table[AXIS].dropna().unique(), reverse=True)
    looks = looks_of(list(table["label"].unique()))
    heights = [1.5] * len(alphas) + [1.25, 1.4]
    figure = plt.figure(figsize=(TEXT_WIDTH, sum(heights) + 1.4), layout="constrained")
    grid = figure.add_gridspec(len(heights), len(alphas), height_ratios=heights)
    letters = iter("abcdefghijklmnopqrstuvwxyz")
    for row, alpha in enumerate(alphas):
        axes = figure.add_subplot(grid[row, :])
        _draw_losses(axes, table, alpha, looks)
        axes.set_title(f"({next(letters)}) Average training loss, α = {alpha:g}", loc="left")
        axes.set_xlabel("iteration t" if row == len(alphas) - 1 else "")
    for column, alpha in enumerate(alphas):
        axes = figure.add_subplot(grid[len(alphas), column])
        _draw_bounds(axes, table, alpha, looks)
        axes.set_title(f"({next(letters)}) Privacy bound, α = {alpha:g}", loc="left")
        axes.set_ylabel("total bound P(t)" if column == 0 else "")
    axes = figure.add_subplot(grid[-1, :])
    _draw_errors(axes, table, alphas, looks)
    axes.set_title(f"({next(letters)}) Test error after the last iteration", loc="left")
    handles, labels = figure.axes[0].get_legend_handles_labels()
    title = _explain_bars(table.loc[table["metric"] == "loss", "n"])
    figure.legend(handles, labels, loc="outside upper center", ncols=4, title=title, title_fontsize="small")
    sns.despine(figure)
    return figure


def _explain_bars(runs: "pd.Series[int]") -> str:
    fewer = f" ({runs.min()} where runs ended early)" if runs.min() < runs.max() else ""
    return f"Lines and points: mean of {runs.max()} runs{fewer}. Bars: centred on the mean, as long as the runs' range."


def _curves(table: pd.DataFrame, metric: str, alpha: float) -> dict[str, pd.DataFrame]:
    """Each label's statistics over the iterations; a setting without α belongs to every panel."""
    chosen = table[(table["metric"] == metric) & (table[AXIS].isna() | (table[AXIS] == alpha))]
    return {str(label): part.sort_values("iteration") for label, part in chosen.groupby("label", sort=False)}


def _draw_losses(axes: Axes, table: pd.DataFrame, alpha: float, looks: dict[str, Look]) -> None:
    for offset, (label, curve) in enumerate(_curves(table, "loss", alpha).items()):
        axes.errorbar(
            curve["iteration"],
            curve["mean"],
            yerr=_half_range(curve),
            errorevery=(offset % ITERATIONS_BETWEEN_BARS, ITERATIONS_BETWEEN_BARS),
            markevery=(offset % ITERATIONS_BETWEEN_BARS, ITERATIONS_BETWEEN_BARS),
            label=label,
            capsize=2,
            elinewidth=0.8,
            **_line(looks[label]),
        )
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(ScalarFormatter())
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set_yticks([tick for tick in (0.3, 0.4, 0.5, 0.7, 1.0, 2.0, 3.0, 5.0) if _within(axes, tick)])
    axes.set_ylabel("L(t), log scale")


def _draw_bounds(axes: Axes, table: pd.DataFrame, alpha: float, looks: dict[str, Look]) -> None:
    for offset, (label, curve) in enumerate(_curves(table, "privacy_loss", alpha).items()):
        axes.plot(curve["iteration"], curve["mean"], markevery=(offset, 12), **_line(looks[label]))
    axes.set_xlabel("iteration t")
    axes.set_ylim(bottom=0)


def _draw_errors(axes: Axes, table: pd.DataFrame, alphas: list[float], looks: dict[str, Look]) -> None:
    errors = table[table["metric"] == "error_rate"]
    last = errors[errors["iteration"] == errors.groupby("setting")["iteration"].transform("max")]
    private = [label for label in looks if last.loc[last["label"] == label, AXIS].notna().any()]
    for place, label in enumerate(private):
        of_label = last[last["label"] == label].set_index(AXIS).loc[alphas]
        shift = (place - (len(private) - 1) / 2) * 0.8 / len(private)
        style = _line(looks[label]) | {"linestyle": ""}
        axes.errorbar(np.arange(len(alphas)) + shift, of_label["mean"], yerr=_half_range(of_label), capsize=2, **style)
    for _, row in last[last[AXIS].isna()].iterrows():
        axes.axhline(row["mean"], color=looks[row["label"]].color, linestyle=looks[row["label"]].dashes, linewidth=1)
    axes.set_xticks(np.arange(len(alphas)), [f"α = {alpha:g}" for alpha in alphas])
    axes.set_ylabel("error rate")
    axes.grid(visible=False, axis="x")


def _half_range(curve: pd.DataFrame) -> "pd.Series[float] | None":
    return curve["range"] / 2 if curve["n"].max() > 1 else None


def _line(look: Look) -> dict[str, Any]:
    return {"color": look.color, "marker": look.marker or None, "linestyle": look.dashes, "markerfacecolor": "none"}


def _within(axes: Axes, value: float) -> bool:
    low, high = axes.get_ylim()
    return low <= value <= high


def figure(table: Path, pdf: Path, png: Path) -> None:
    use_style()
    stored = read_metadata(table)
    provenance = {key: stored[key] for key in ("settings", "data", "code")}
    save(draw(pd.read_parquet(table)), pdf, png, provenance)


if __name__ == "__main__":
    run(figure, __doc__, table=Path, pdf=Path, png=Path)
