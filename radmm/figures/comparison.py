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
    curves, panels = arrange(table)
    looks = looks_of(list(curves["curve"].unique()))
    private = "privacy_loss" in set(curves["metric"])
    heights = [1.5] * len(panels) + [1.25] * private + [1.4]
    figure = plt.figure(figsize=(TEXT_WIDTH, sum(heights) + 1.4), layout="constrained")
    grid = figure.add_gridspec(len(heights), len(panels), height_ratios=heights)
    letters = iter("abcdefghijklmnopqrstuvwxyz")
    for row, panel in enumerate(panels):
        axes = figure.add_subplot(grid[row, :])
        _draw_losses(axes, curves, panel, looks)
        axes.set_title(f"({next(letters)}) Average training loss{_at(panel)}", loc="left")
        axes.set_xlabel("iteration t" if row == len(panels) - 1 else "")
    for column, panel in enumerate(panels if private else []):
        axes = figure.add_subplot(grid[len(panels), column])
        _draw_bounds(axes, curves, panel, looks)
        axes.set_title(f"({next(letters)}) Privacy bound{_at(panel)}", loc="left")
        axes.set_ylabel("total bound P(t)" if column == 0 else "")
    axes = figure.add_subplot(grid[-1, :])
    _draw_errors(axes, curves, panels, looks)
    axes.set_title(f"({next(letters)}) Test error after the last iteration", loc="left")
    handles, labels = figure.axes[0].get_legend_handles_labels()
    title = _explain_bars(curves.loc[curves["metric"] == "loss", "n"])
    figure.legend(handles, labels, loc="outside upper center", ncols=4, title=title, title_fontsize="small")
    sns.despine(figure)
    return figure


def arrange(table: pd.DataFrame) -> tuple[pd.DataFrame, list[Any]]:
    """Each setting's panel (its α, if that is a grid) and curve: its label, with what else varies under that label."""
    columns = list(table.columns)
    axes = columns[columns.index("setting") + 1 : columns.index("iteration")]
    names = table["label"].copy()
    for axis in [axis for axis in axes if axis != AXIS]:
        varies = table.groupby("label")[axis].transform("nunique") > 1
        names = names.where(~varies, names + f", {axis.split('.')[-1]} = " + table[axis].astype(str))
    panel = table[AXIS] if AXIS in axes else pd.Series(np.nan, table.index)
    panels = sorted(panel.dropna().unique(), key=lambda value: (isinstance(value, str), value), reverse=True)
    return table.assign(curve=names, panel=panel), panels or [None]


def _at(panel: Any) -> str:
    return "" if panel is None else f", α = {panel if isinstance(panel, str) else f'{panel:g}'}"


def _explain_bars(runs: "pd.Series[int]") -> str:
    fewer = f" ({runs.min()} where runs ended early)" if runs.min() < runs.max() else ""
    return f"Lines and points: mean of {runs.max()} runs{fewer}. Bars: centred on the mean, as long as the runs' range."


def _in_panel(curves: pd.DataFrame, metric: str, panel: Any) -> dict[str, pd.DataFrame]:
    """Each curve's statistics over the iterations; a setting without α belongs to every panel."""
    chosen = curves[(curves["metric"] == metric) & (curves["panel"].isna() | (curves["panel"] == panel))]
    return {str(name): part.sort_values("iteration") for name, part in chosen.groupby("curve", sort=False)}


def _draw_losses(axes: Axes, curves: pd.DataFrame, panel: Any, looks: dict[str, Look]) -> None:
    for offset, (name, curve) in enumerate(_in_panel(curves, "loss", panel).items()):
        axes.errorbar(
            curve["iteration"],
            curve["mean"],
            yerr=_half_range(curve),
            errorevery=(offset % ITERATIONS_BETWEEN_BARS, ITERATIONS_BETWEEN_BARS),
            markevery=(offset % ITERATIONS_BETWEEN_BARS, ITERATIONS_BETWEEN_BARS),
            label=name,
            capsize=2,
            elinewidth=0.8,
            **_line(looks[name]),
        )
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(ScalarFormatter())
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set_yticks([tick for tick in (0.3, 0.4, 0.5, 0.7, 1.0, 2.0, 3.0, 5.0) if _within(axes, tick)])
    axes.set_ylabel("L(t), log scale")


def _draw_bounds(axes: Axes, curves: pd.DataFrame, panel: Any, looks: dict[str, Look]) -> None:
    for offset, (name, curve) in enumerate(_in_panel(curves, "privacy_loss", panel).items()):
        axes.plot(curve["iteration"], curve["mean"], markevery=(offset, 12), **_line(looks[name]))
    axes.set_xlabel("iteration t")
    axes.set_ylim(bottom=0)


def _draw_errors(axes: Axes, curves: pd.DataFrame, panels: list[Any], looks: dict[str, Look]) -> None:
    errors = curves[curves["metric"] == "error_rate"]
    last = errors[errors["iteration"] == errors.groupby("setting")["iteration"].transform("max")]
    beside = last if panels == [None] else last[last["panel"].notna()]
    names = list(beside["curve"].unique())
    for place, name in enumerate(names):
        points = beside[beside["curve"] == name]
        x = [panels.index(panel) if panel in panels else 0 for panel in points["panel"]]
        shift = (place - (len(names) - 1) / 2) * 0.8 / len(names)
        style = _line(looks[name]) | {"linestyle": ""}
        axes.errorbar(np.array(x) + shift, points["mean"], yerr=_half_range(points), capsize=2, **style)
    for _, row in last.drop(beside.index).iterrows():
        axes.axhline(row["mean"], color=looks[row["curve"]].color, linestyle=looks[row["curve"]].dashes, linewidth=1)
    axes.set_xticks(np.arange(len(panels)), [_at(panel).removeprefix(", ") for panel in panels])
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
