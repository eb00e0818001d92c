"""The gain of recycling itself: algorithms that recycle against those that stop after as many argmins."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import ClassVar

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from scipy.stats import t

from radmm.results.figures.curve_styles import Look, Role, in_colors, looks_of
from radmm.results.figures.curves import last_iteration, mean_of_runs, name_curves, of_metric
from radmm.results.figures.figure import FigureKind, Material, PlannedSetting
from radmm.results.figures.legend_entries import bar_entry
from radmm.results.figures.palette import BETTER, WORSE
from radmm.results.figures.setting_parameters import algorithm_of, one_number, penalty_grows, value_at
from radmm.results.figures.style import (
    TEXT_WIDTH,
    handles_of,
    legend_above,
    letter,
    log_ticks,
    subplots,
)

ALPHA, GAMMA, LENGTH = "noise.alpha", "algorithm.gamma", "iterations"
CONSTANT, GROWING = "constant η", "growing η"
LEAST_WIDTH = 2.0  # inches, of a panel
SHOWN_METRICS = {"loss": ("Loss", "ratio of training losses"), "error_rate": ("Error", "ratio of test errors")}


class EarlyStopping(FigureKind):
    """Ratio of algorithms that recycle to those that stop after as many argmins; needs a grid over α."""

    name: ClassVar[str] = "early_stopping"
    axes: ClassVar[tuple[str, ...]] = (ALPHA,)
    metrics: ClassVar[tuple[str, ...]] = tuple(SHOWN_METRICS)

    def refusal(self, settings: Sequence[PlannedSetting]) -> str | None:
        """Return why the settings can't be drawn: equal bounds are recognised by equal α."""
        for setting in settings:
            if one_number(value_at(setting.parameters, ALPHA)) is None:
                return f"must have noise with one number as alpha in each setting, but {setting.label!r} has none"
        return super().refusal(settings)

    def draw(self, material: Material) -> Figure:
        """Draw a row for each metric and a column for each K(T), over α, with a line at 1, where nothing is gained."""
        found = arrange(material)
        points = ratios(found)
        looks = in_colors(_looks(material, found), found, material.colors)
        columns = sorted(points["K"].unique())
        width = max(TEXT_WIDTH, LEAST_WIDTH * len(columns))
        figure, grid = subplots(len(SHOWN_METRICS), len(columns), width, 4.8, sharex=True, sharey="row")
        letters = map(letter, count())
        for (metric, (what, label)), line in zip(SHOWN_METRICS.items(), grid, strict=True):
            for steps, axes in zip(columns, line, strict=True):
                axes.axhline(1.0, color="0.5", linewidth=0.8)
                axes.axhspan(0.0, 1.0, color=BETTER, linewidth=0, zorder=0, label="recycling better")
                axes.axhspan(1.0, 100.0, color=WORSE, linewidth=0, zorder=0, label="recycling worse")
                _draw_panel(axes, of_metric(points[points["K"] == steps], metric), looks)
                axes.set_title(f"({next(letters)}) {what}, {_length(points[points['K'] == steps])}", loc="left")
                axes.set_ylim(*_view(of_metric(points, metric)))
                axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
                axes.set_ylabel(label if axes is line[0] else "")
                axes.set_xlabel("α (less noise →)" if axes in grid[-1] else "")
        legend_above(figure, handles_of(grid.flat) | bar_entry("95 % interval of the ratio"), "", columns=3)
        sns.despine(figure)
        return figure

    def caption(self, material: Material) -> list[str]:
        """Return what is compared with what, and how γ was chosen."""
        same = "bound" if _bounds_agree(arrange(material)) else "number of argmins"
        return [
            f"Each point is the ratio of two means at the same {same} ({mean_of_runs(material.table)}).",
            "Intervals take runs as independent.",
            "γ is the best of the grid at each point, chosen on the same runs, which favours recycling.",
        ]


def arrange(material: Material) -> pd.DataFrame:
    """Return the settings' last iterations, each with α, K(T), T, its penalty and whether it recycles.

    T is the length of those that recycle and have the same K(T); NaN if there are none. Of the settings of a curve
    that differ in γ only, the one of least mean loss is kept.
    """
    ends = last_iteration(material.table.assign(curve=name_curves(material.table, [ALPHA, GAMMA, LENGTH])))
    grows = material.tell(ends, penalty_grows)
    ends = ends.assign(
        alpha=material.tell(ends, lambda parameters: one_number(value_at(parameters, ALPHA))),
        K=ends["setting"].map(dict(material.data_steps)),
        length=material.tell(ends, lambda parameters: parameters[LENGTH]),
        recycles=ends["setting"].map({name: material.recycles(name) for name in material.parameters}),
        penalty=grows.map({True: GROWING, False: CONSTANT}),
    )
    ends["T"] = ends["K"].map(ends[ends["recycles"]].groupby("K")["length"].max())
    losses = of_metric(ends, "loss").dropna(subset=["mean"])
    best = losses.loc[losses.groupby(["curve", "length", "alpha"])["mean"].idxmin(), "setting"]
    return ends[ends["setting"].isin(best)]


def ratios(ends: pd.DataFrame) -> pd.DataFrame:
    """Return each mean divided by that of the curve that doesn't recycle, at the same K(T), penalty and α, with a 95 %
    interval.

    The runs of both are taken as independent, and the logarithm of the ratio as normal. Where no curve stops early, the
    others are compared with the first; a curve that serves only as the reference is left out.

    Args:
        ends: Last iterations, as `arrange` returns them.
    """
    key = ["K", "penalty", "alpha", "metric"]
    first = ends.sort_values("recycles", kind="stable").drop_duplicates(key)
    others = first[[*key, "curve", "mean", "std", "n"]]
    both = ends.merge(others, on=key, suffixes=("", "_other"))
    variance = sum((both[f"std{of}"] / both[f"mean{of}"]) ** 2 / both[f"n{of}"] for of in ("", "_other"))
    degrees = both[["n", "n_other"]].min(axis=1) - 1
    reach = np.where(degrees > 0, t.ppf(0.975, degrees.clip(lower=1)) * np.sqrt(variance), 0.0)
    ratio = both["mean"] / both["mean_other"]
    both = both.assign(ratio=ratio, low=ratio * np.exp(-reach), high=ratio * np.exp(reach))
    itself = both["curve"] == both["curve_other"]
    both.loc[itself, ["low", "high"]] = 1.0
    return both if itself.all() else both[~itself]


def _view(points: pd.DataFrame) -> tuple[float, float]:
    """Return the ends of an axis that shows all intervals, and 1, with some room."""
    low, high = min(points["low"].min(), 1.0), max(points["high"].max(), 1.0)
    room = 0.05 * (high - low) or 0.05
    return low - room, high + room


def _length(column: pd.DataFrame) -> str:
    """Return the iterations of those that recycle, or K where none does."""
    length = column["T"].iloc[0]
    return f"T = {length:g}" if length == length else f"K = {column['K'].iloc[0]}"


def _looks(material: Material, ends: pd.DataFrame) -> dict[str, Look]:
    """Return each curve's look; those that don't recycle are the ones that stop early."""
    first = ends.drop_duplicates("curve")
    return looks_of(
        {
            name: Role(algorithm_of(material.parameters[setting]), stopped=not recycles)
            for name, setting, recycles in zip(first["curve"], first["setting"], first["recycles"], strict=True)
        },
        material.style,
    )


def _draw_panel(axes: Axes, points: pd.DataFrame, looks: dict[str, Look]) -> None:
    names = list(points["curve"].unique())
    for place, name in enumerate(names):
        curve = points[points["curve"] == name].sort_values("alpha")
        shifted = curve["alpha"] * (1 + 0.08 * (place - (len(names) - 1) / 2))  # so that bars don't cover each other
        reach = [curve["ratio"] - curve["low"], curve["high"] - curve["ratio"]]
        axes.errorbar(
            shifted, curve["ratio"], reach, capsize=2, elinewidth=0.8,
            label=_against(name, curve["curve_other"].iloc[0]), **looks[name].line(),
        )  # fmt: skip
    if names:
        log_ticks(axes, points["alpha"])


def _against(name: str, other: str) -> str:
    return name if name == other else f"{name}  /  {other}"


def _bounds_agree(ends: pd.DataFrame) -> bool:
    """Return whether settings at one α of a panel have one bound."""
    bounds = of_metric(ends, "privacy_loss").groupby(["K", "penalty", "alpha"])["mean"]
    return bool((bounds.max() - bounds.min() <= 1e-9 * bounds.max()).all())
