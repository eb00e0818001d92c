"""Test error against the regulariser's weight ρ, over several splits of the data."""

from __future__ import annotations

from typing import ClassVar

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from radmm.results.figures.curve_styles import BLACK, Look, in_colors, palette
from radmm.results.figures.curves import REACH, last_iteration, name_curves, of_metric
from radmm.results.figures.figure import FigureKind, Material
from radmm.results.figures.setting_parameters import value_at
from radmm.results.figures.style import COLUMN_WIDTH, handles_of, legend_above, log_across, subplots
from radmm.study.figure_style import Style

RHO, SPLIT = "problem.rho", "split.seed"
PAPERS_CHOICE = 0.22
CHOSEN, LEAST = "#009E73", "#D55E00"


class Regulariser(FigureKind):
    """Test error against ρ, for one split or several; needs a grid over `problem.rho`."""

    name: ClassVar[str] = "regulariser"
    axes: ClassVar[tuple[str, ...]] = (RHO,)
    metrics: ClassVar[tuple[str, ...]] = ("error_rate",)

    def draw(self, material: Material) -> Figure:
        """Draw mean and range over the splits, and each split as a thin line, to show whether their minima agree.

        Args:
            material: Table and parameters of an experiment.
        """
        errors = arrange(material)
        names = list(errors["curve"].unique())
        looks = palette(names, material.style) if len(names) > 1 else dict.fromkeys(names, BLACK)
        looks = in_colors(looks, errors, material.colors)
        figure, ((axes,),) = subplots(1, 1, COLUMN_WIDTH, 3.0)
        for name in names:
            own = errors[errors["curve"] == name]
            _draw_curve(axes, own, looks[name], name if len(names) > 1 else "", material.style)
        tried = errors["rho"].tolist()
        if min(tried) <= PAPERS_CHOICE <= max(tried):
            axes.axvline(PAPERS_CHOICE, color=CHOSEN, linestyle=(0, (6, 2)), linewidth=1, label="the paper's ρ = 0.22")
        log_across(axes, tried)
        axes.set_xlabel("regulariser's weight ρ")
        axes.set_ylabel("test error")
        legend_above(figure, handles_of([axes]), "", columns=2)
        sns.despine(figure)
        return figure


def arrange(material: Material) -> pd.DataFrame:
    """Return error rates after the last iteration, one row for each `curve`, `rho` and `split`.

    Args:
        material: Table and parameters of an experiment.
    """
    last = last_iteration(of_metric(material.table, "error_rate"))
    return last.assign(
        curve=name_curves(last, [RHO, SPLIT]),
        rho=material.tell(last, lambda parameters: value_at(parameters, RHO)),
        split=material.tell(last, lambda parameters: value_at(parameters, SPLIT) or 0),
    )


def _draw_curve(axes: Axes, errors: pd.DataFrame, look: Look, name: str, style: Style) -> None:
    """Draw one curve; its name is printed only where there are several."""
    first, splits = not axes.lines, errors["split"].nunique()
    if splits > 1:
        each = "one split" if first else None
        sns.lineplot(errors, x="rho", y="mean", units="split", estimator=None, color="0.8", linewidth=0.6, ax=axes)
        axes.plot([], [], color="0.8", linewidth=0.6, label=each)
    what = "as long as their range" if style is Style.PAPER else "least to largest"
    said = f"mean of {splits} splits; bar: {what}" if splits > 1 else "one split"
    sns.lineplot(
        errors,
        x="rho",
        y="mean",
        errorbar=REACH[style] if splits > 1 else None,
        err_style="bars",
        err_kws={"capsize": 2, "elinewidth": 0.8},
        color=look.color,
        marker=look.marker,
        markeredgecolor=look.color,
        label=": ".join(filter(None, [name, said])),
        legend=False,
        ax=axes,
    )
    means = errors.groupby("rho")["mean"].mean()
    best = float(means.index[int(means.argmin())])
    axes.plot(
        best, means.min(), "s", color=LEAST, markerfacecolor="none", markersize=8, label=f"least mean, ρ = {best:g}"
    )
