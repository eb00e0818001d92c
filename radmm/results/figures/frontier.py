"""Test error and loss against the total ε, for every algorithm and noise."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from radmm.results.figures.curve_styles import Look, looks_of_curves
from radmm.results.figures.curves import bars, last_iteration, name_curves, of_metric, said_of_runs, typeset
from radmm.results.figures.figure import FigureKind, Material
from radmm.results.figures.panels import LEVELS
from radmm.results.figures.setting_parameters import is_private
from radmm.results.figures.style import (
    TEXT_WIDTH,
    handles_of,
    legend_above,
    log_across,
    log_scale,
    subplots,
)
from radmm.study.figure_style import Style

# The first of these that bounds most of the settings is the horizontal axis.
BUDGETS = {
    "epsilon_shift_delta_1e-05": "shift",
    "epsilon_shift-cap_delta_1e-05": "shift (cap)",
    "epsilon_renyi_delta_1e-05": "Rényi",
    "epsilon_pld_delta_1e-05": "pld",
    "epsilon_optimal-pure_delta_1e-05": "optimal-pure",
    "epsilon_pure": "pure",
}
THICK, THIN = (2.2, 6.0), (0.9, 3.0)  # points, of the first and the last curve: of those that coincide, both show


class Frontier(FigureKind):
    """Test error and loss against the total ε, a curve a label; needs at least one setting with noise."""

    name: ClassVar[str] = "frontier"
    metrics: ClassVar[tuple[str, ...]] = ("loss", "error_rate", *BUDGETS)
    of_what: ClassVar[str] = ""

    def draw(self, material: Material) -> Figure:
        """Draw errors above and losses below; a setting without noise is a horizontal line.

        Args:
            material: Table and parameters of an experiment.
        """
        ends, budget = arrange(material)
        left_out = [typeset(name) for name in material.table["label"].unique() if name not in set(ends["label"])]
        looks = looks_of_curves(ends, material)
        figure, grid = subplots(2, 1, TEXT_WIDTH, 6.8, sharex=True)
        panels = [("(a) Test error", "test error", 1), ("(b) Training loss", "training loss L(T)", 0)]
        for axes, (title, label, place) in zip(grid.flat, panels, strict=True):
            points = of_metric(ends, self.metrics[place])
            least = reference(points)
            _draw_panel(axes, points.assign(mean=points["mean"] - least, shift=least), looks, material.style)
            above = f" above {least:.4g}, log scale" if least else ", log scale"
            log_scale(axes, label + above)
            what = ": what privacy adds" if least else ""
            axes.set_title(f"{title}{self.of_what}{what}", loc="left")
        delta = "0" if budget == "epsilon_pure" else "1e-5"
        grid[-1, 0].set_xlabel(f"total ε at δ = {delta} by the {BUDGETS[budget]} accountant, for replacing one row")
        noiseless = ends.loc[ends["budget"].isna(), "curve"].unique()
        above = f" Shown above what is reached without noise: {noiseless[0]}." if len(noiseless) == 1 else ""
        title = (
            f"{said_of_runs('Points', material.table, material.style)}{above}\n"
            "Idealised: exact argmins. Noise is exponential-norm in the objective unless named otherwise."
            + (f"\nWithout such a bound, and not shown: {', '.join(left_out)}." if left_out else "")
        )
        legend_above(figure, handles_of([grid[0, 0]]), title, columns=3)
        sns.despine(figure)
        return figure


class AverageFrontier(Frontier):
    """Frontier for the nodes' running averages of their released iterates."""

    name: ClassVar[str] = "frontier-average"
    metrics: ClassVar[tuple[str, ...]] = ("loss_average", "error_rate_average", *BUDGETS)
    of_what: ClassVar[str] = " of averaged iterates"


def arrange(material: Material) -> tuple[pd.DataFrame, str]:
    """Return the settings' last iterations, each with its curve and budget, and the kind of budget.

    A setting without noise has no budget.

    Args:
        material: Table and parameters of an experiment.
    """
    ends = last_iteration(material.table.assign(curve=name_curves(material.table, LEVELS)))
    budget = max(BUDGETS, key=lambda metric: of_metric(ends, metric)["setting"].nunique())
    spent = of_metric(ends, budget).groupby("setting")["mean"].first()
    ends = ends.assign(budget=ends["setting"].map(spent), private=material.tell(ends, is_private))
    return ends[ends["budget"].notna() | ~ends["private"].astype(bool)], budget


def reference(points: pd.DataFrame) -> float:
    """Return the value without noise, if it is less than every mean with noise; else 0.

    Differences from it are distinguishable on a logarithmic scale where the values themselves crowd together.

    Args:
        points: Rows of one metric.
    """
    without, noisy = (points.loc[points["budget"].isna() == missing, "mean"] for missing in (True, False))
    return float(without.iloc[0]) if len(without) == 1 and without.iloc[0] < noisy.min() else 0.0


def _draw_panel(axes: Axes, points: pd.DataFrame, looks: dict[str, Look], style: Style) -> None:
    groups = list(points.groupby("curve", sort=False))
    widths, sizes = np.linspace(THICK, THIN, len(groups)).T
    for (name, part), width, size in zip(groups, widths, sizes, strict=True):
        line = looks[str(name)].line() | {"linewidth": width, "markersize": size}
        if part["budget"].isna().all():
            if part["mean"].iloc[0] > 0:  # and no reference to the others
                del line["markerfacecolor"], line["marker"], line["markersize"]
                axes.axhline(part["mean"].iloc[0], label=name, **line)
            continue
        curve = part.sort_values("budget")
        reach = bars(curve.assign(mean=curve["mean"] + curve["shift"]), style)
        axes.errorbar(curve["budget"], curve["mean"], reach, label=name, capsize=1.5, elinewidth=0.6, **line)
    spent = list(points["budget"].dropna())
    if spent:
        log_across(axes, spent)
