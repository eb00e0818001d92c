"""What recycling itself buys: algorithms that recycle against those that stop after as many argmins."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from radmm.results.figures.curves import half_range, last_iteration, mean_of_runs, name_curves, of_metric
from radmm.results.figures.figure import FigureKind, Material, Setting
from radmm.results.figures.looks import Look, Role, looks_of
from radmm.results.figures.meaning import algorithm_of, one_number, penalty_grows, value_at
from radmm.results.figures.style import BARS, TEXT_WIDTH, despine, legend_above, log_scale, log_ticks, subplots

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ALPHA, GAMMA, LENGTH = "noise.alpha", "algorithm.gamma", "iterations"
CONSTANT, GROWING = "constant η", "growing η"
LEAST_WIDTH = 2.0  # inches, of a panel
METRICS = {"loss": "L(T), log scale", "error_rate": "test error, log scale"}


class EarlyStopping(FigureKind):
    """Takes a grid over α: a panel for each K(T), the number of argmins, and for constant and growing penalties."""

    name: ClassVar[str] = "early_stopping"
    axes: ClassVar[tuple[str, ...]] = (ALPHA,)
    metrics: ClassVar[tuple[str, ...]] = tuple(METRICS)

    def refusal(self, settings: Sequence[Setting]) -> str | None:
        """Equal bounds are told by equal α.

        Args:
            settings: All settings of an experiment.
        """
        for setting in settings:
            if one_number(value_at(setting.parameters, ALPHA)) is None:
                return f"must have noise with one number as alpha in each setting, but {setting.label!r} has none"
        return super().refusal(settings)

    def draw(self, material: Material) -> Figure:
        """A row for each penalty and metric, a column for each T; α along the axis.

        Args:
            material: An experiment's.
        """
        ends = arrange(material)
        looks = _looks(material, ends)
        columns = sorted(ends["K"].unique())
        penalties = [penalty for penalty in (CONSTANT, GROWING) if penalty in set(ends["penalty"])]
        rows = [(metric, penalty) for metric in METRICS for penalty in penalties]
        width, height = max(TEXT_WIDTH, LEAST_WIDTH * len(columns)), 1.6 * len(rows) + 0.8
        figure, grid = subplots(len(rows), len(columns), width, height, sharex=True, sharey="row")
        for (metric, penalty), line in zip(rows, grid, strict=True):
            for steps, axes in zip(columns, line, strict=True):
                panel = of_metric(ends[(ends["K"] == steps) & (ends["penalty"] == penalty)], metric)
                _draw_panel(axes, panel, looks)
                axes.set_title(f"{_length(ends[ends['K'] == steps])}, {penalty}", loc="left")
                log_scale(axes, METRICS[metric] if axes is line[0] else "")
                axes.set_xlabel("α" if axes in grid[-1] else "")
        _explain(figure, material, ends, looks)
        return despine(figure)


def arrange(material: Material) -> pd.DataFrame:
    """What settings end with, each with α, K(T), T, its penalty and whether it recycles.

    T is the length of those that recycle and have the same K(T); NaN if there are none. Of the settings of a curve
    that differ in γ only, the one of least mean loss is kept.

    Args:
        material: An experiment's.
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


def _length(column: pd.DataFrame) -> str:
    """The iterations of those that recycle, or K where none does."""
    length = column["T"].iloc[0]
    return f"T = {length:g}" if length == length else f"K = {column['K'].iloc[0]}"


def _looks(material: Material, ends: pd.DataFrame) -> dict[str, Look]:
    """Those that don't recycle are the ones that stop early."""
    first = ends.drop_duplicates("curve")
    return looks_of(
        {
            name: Role(algorithm_of(material.parameters[setting]), private=True, stopped=not recycles)
            for name, setting, recycles in zip(first["curve"], first["setting"], first["recycles"], strict=True)
        }
    )


def _draw_panel(axes: Axes, points: pd.DataFrame, looks: dict[str, Look]) -> None:
    names = list(points["curve"].unique())
    for place, name in enumerate(names):
        curve = points[points["curve"] == name].sort_values("alpha")
        shifted = curve["alpha"] * (1 + 0.08 * (place - (len(names) - 1) / 2))  # so that bars don't cover each other
        axes.errorbar(shifted, curve["mean"], yerr=half_range(curve), capsize=2, elinewidth=0.8, **looks[name].line())
    if names:
        log_ticks(axes, points["alpha"])


def _explain(figure: Figure, material: Material, ends: pd.DataFrame, looks: dict[str, Look]) -> None:
    from matplotlib.lines import Line2D

    ordered = sorted(looks, key=lambda name: ends.loc[ends["curve"] == name, "penalty"].iloc[0] == GROWING)
    handles = {name: Line2D([], [], **looks[name].line()) for name in ordered}
    title = (
        f"Points: {mean_of_runs(material.table)}. {BARS}\n"
        f"In each panel both have the same {'bound' if _bounds_agree(ends) else 'number of argmins'} at each α; "
        "γ is the best of the grid for each point."
    )
    legend_above(figure, handles, title, columns=2)


def _bounds_agree(ends: pd.DataFrame) -> bool:
    """Whether settings that stand at one α of a panel have one bound."""
    bounds = of_metric(ends, "privacy_loss").groupby(["K", "penalty", "alpha"])["mean"]
    return bool((bounds.max() - bounds.min() <= 1e-9 * bounds.max()).all())
