"""Test error against the regulariser's weight ρ, over several splits of the data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from radmm.results.figures.curve_styles import BLACK, Look, in_colors, palette
from radmm.results.figures.curves import REACH, last_iteration, name_curves, of_metric
from radmm.results.figures.figure import FigureKind, Material
from radmm.results.figures.palette import GREEN, RED
from radmm.results.figures.setting_parameters import value_at
from radmm.results.figures.style import COLUMN_WIDTH, TEXT_WIDTH, handles_of, legend_above, log_across, subplots
from radmm.study.figure_style import Style

RHO, SPLIT = "problem.rho", "split.seed"
PAPERS_CHOICE = 0.22
MOST_ZOOMED = 1.0
CHOSEN, EACH = GREEN, "0.75"
LEAST_MARK: dict[str, Any] = {
    "color": RED, "marker": "s", "markerfacecolor": "none", "markersize": 8, "linestyle": "",
}  # fmt: skip


class Regulariser(FigureKind):
    """Test error against ρ, for one split or several; needs a grid over `problem.rho`."""

    name: ClassVar[str] = "regulariser"
    axes: ClassVar[tuple[str, ...]] = (RHO,)
    metrics: ClassVar[tuple[str, ...]] = ("error_rate",)

    def draw(self, material: Material) -> Figure:
        """Draw mean and range over the splits, and each split as a thin line, to show whether their minima agree."""
        errors = arrange(material)
        names = list(errors["curve"].unique())
        looks = palette(names, material.style) if len(names) > 1 else dict.fromkeys(names, BLACK)
        looks = in_colors(looks, errors, material.colors)
        papers, tried = material.style is Style.PAPER, list(errors["rho"])
        zoomed = _around_the_choice(errors)
        wide = not papers and not zoomed.empty
        figure, grid = subplots(1, 1 + wide, TEXT_WIDTH if wide else COLUMN_WIDTH, 2.9)
        left = grid[0, 0]
        for name in names:
            own = errors[errors["curve"] == name]
            _draw_curve(left, own, looks[name], name if len(names) > 1 else "", material.style)
        left.set_ylabel("test error")
        if wide:
            _zoom(grid[0, 1], zoomed, looks)
            left.set_title("(a) Test error", loc="left")
        for axes, shown in zip(grid.flat, (tried, [rho for rho in tried if rho <= MOST_ZOOMED]), strict=False):
            if min(shown) <= PAPERS_CHOICE <= max(shown):
                axes.axvline(PAPERS_CHOICE, color=CHOSEN, linestyle=(0, (6, 2)), linewidth=1, label="paper's ρ = 0.22")
            log_across(axes, shown)
            axes.set_xlabel("regulariser's weight ρ")
        legend_above(figure, handles_of([left]), "", columns=2 if not wide else 5)
        sns.despine(figure)
        return figure

    def caption(self, material: Material) -> list[str]:
        """Return what bars are."""
        reach = "their range, centred on the mean" if material.style is Style.PAPER else "from the least to the largest"
        splits = arrange(material)["split"].nunique()
        return [f"Mean of {splits} splits of the data; bars: {reach}."] if splits > 1 else ["There is one split."]


def _around_the_choice(errors: pd.DataFrame) -> pd.DataFrame:
    """Return the curves over ρ that have several splits and the paper's choice, as far as they are zoomed."""
    near = errors[errors["rho"] <= MOST_ZOOMED]
    return near.groupby("curve", sort=False).filter(
        lambda own: own["split"].nunique() > 1 and own["rho"].nunique() > 1 and (own["rho"] == PAPERS_CHOICE).any()
    )


def _zoom(axes: Axes, errors: pd.DataFrame, looks: Mapping[str, Look]) -> None:
    """Draw, split by split, how far the error is above that at the paper's choice: splits differ more than that."""
    for name, own in errors.groupby("curve", sort=False):
        wide = 100 * own.pivot_table(index="rho", columns="split", values="mean")
        above = wide.sub(wide.loc[PAPERS_CHOICE])
        axes.plot(above.index, above, color=EACH, linewidth=0.6)
        means = above.mean(axis=1)
        look = looks[str(name)]
        axes.plot(means.index, means, color=look.color, marker=look.marker)
        axes.plot(means.index[[int(means.argmin())]], [means.min()], **LEAST_MARK)
    axes.axhline(0.0, color="0.5", linewidth=0.8)
    axes.set_ylabel("percentage points above ρ = 0.22")
    axes.set_title(f"(b) The same split, ρ ≤ {MOST_ZOOMED:g}", loc="left")


def arrange(material: Material) -> pd.DataFrame:
    """Return error rates after the last iteration, one row for each `curve`, `rho` and `split`."""
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
        sns.lineplot(errors, x="rho", y="mean", units="split", estimator=None, color=EACH, linewidth=0.6, ax=axes)
        axes.plot([], [], color=EACH, linewidth=0.6, label=each)
    said = f"mean and range of {splits} splits" if splits > 1 else "one split"
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
    axes.plot(best, means.min(), label=f"least mean, ρ = {best:g}", **LEAST_MARK)
