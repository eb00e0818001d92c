"""Test error against the total ε, for every algorithm and noise."""

from __future__ import annotations

from typing import Any, ClassVar

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from radmm.results.figures.comparison_panels import LEVELS
from radmm.results.figures.curve_styles import Look, looks_of_curves
from radmm.results.figures.curves import bars, last_iteration, name_curves, of_metric
from radmm.results.figures.figure import FigureKind, Material
from radmm.results.figures.legend_entries import runs_entry, runs_sentence
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


class Frontier(FigureKind):
    """Test error against the total ε, a curve a label; needs at least one setting with noise."""

    name: ClassVar[str] = "frontier"
    metrics: ClassVar[tuple[str, ...]] = ("loss", "error_rate", *BUDGETS)
    of_what: ClassVar[str] = ""

    def draw(self, material: Material) -> Figure:
        """Draw errors against ε; a setting without noise is a horizontal line."""
        ends, budget = arrange(material)
        looks = looks_of_curves(ends, material)
        figure, ((axes,),) = subplots(1, 1, TEXT_WIDTH, 3.6)
        _draw_panel(axes, of_metric(ends, self.metrics[1]), looks, material.style)
        log_scale(axes, f"test error{self.of_what}, log scale")
        delta = "0" if budget == "epsilon_pure" else "1e-5"
        axes.set_xlabel(f"total ε at δ = {delta}, {BUDGETS[budget]} accountant, one row replaced")
        legend_above(figure, handles_of([axes]) | runs_entry(material.table), "", columns=3)
        sns.despine(figure)
        return figure

    def caption(self, material: Material) -> list[str]:
        """Return what bars are, which noise is meant, and what has no such bound."""
        ends, _ = arrange(material)
        left_out = [name for name in material.table["label"].unique() if name not in set(ends["label"])]
        unbounded = [f"Without such a bound, and not shown: {', '.join(left_out)}."] if left_out else []
        usual = "Noise is exponential-norm in the objective unless named otherwise."
        return [*runs_sentence(material.table, material.style, "bars"), usual, *unbounded]


class AverageFrontier(Frontier):
    """Frontier for the nodes' running averages of their released iterates."""

    name: ClassVar[str] = "frontier-average"
    metrics: ClassVar[tuple[str, ...]] = ("loss_average", "error_rate_average", *BUDGETS)
    of_what: ClassVar[str] = ", averaged iterates"


def arrange(material: Material) -> tuple[pd.DataFrame, str]:
    """Return the settings' last iterations, each with its curve and budget, and the kind of budget.

    A setting without noise has no budget.
    """
    ends = last_iteration(material.table.assign(curve=name_curves(material.table, LEVELS)))
    budget = max(BUDGETS, key=lambda metric: of_metric(ends, metric)["setting"].nunique())
    spent = of_metric(ends, budget).groupby("setting")["mean"].first()
    ends = ends.assign(budget=ends["setting"].map(spent), private=material.tell(ends, is_private))
    return ends[ends["budget"].notna() | ~ends["private"].astype(bool)], budget


def _draw_panel(axes: Axes, points: pd.DataFrame, looks: dict[str, Look], style: Style) -> None:
    for name, part in points.groupby("curve", sort=False):
        line = looks[str(name)].line()
        if part["budget"].isna().all():
            axes.axhline(part["mean"].iloc[0], label=name, color=line["color"], linestyle=line["linestyle"])
            continue
        curve = part.sort_values("budget")
        reach: dict[str, Any] = {"yerr": bars(curve, style), "capsize": 1.5, "elinewidth": 0.6}
        axes.errorbar(curve["budget"], curve["mean"], label=name, **reach, **line)
    spent = list(points["budget"].dropna())
    if spent:
        log_across(axes, spent)
