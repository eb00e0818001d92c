"""What a budget buys: test error and loss against the total ε, for every algorithm and noise."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from radmm.results.figures.curves import half_range, last_iteration, mean_of_runs, name_curves, of_metric
from radmm.results.figures.figure import FigureKind, Material
from radmm.results.figures.looks import Look, looks_of_curves
from radmm.results.figures.meaning import is_private
from radmm.results.figures.style import (
    BARS,
    TEXT_WIDTH,
    despine,
    handles_of,
    legend_above,
    log_across,
    log_scale,
    subplots,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEVELS = ("noise.alpha", "noise.sigma", "noise.total_bound", "noise.total_epsilon")  # along a curve
# The first of these that bounds most of the settings is the horizontal axis.
BUDGETS = {
    "epsilon_renyi_delta_1e-05": "total ε at δ = 1e-5, Rényi accountant, replacing one row",
    "epsilon_pld_delta_1e-05": "total ε at δ = 1e-5, pld accountant, replacing one row",
    "epsilon_optimal-pure_delta_1e-05": "total ε at δ = 1e-5, optimal-pure accountant, replacing one row",
    "epsilon_pure": "total ε at δ = 0, pure accountant, replacing one row",
}


class Frontier(FigureKind):
    """Takes any settings, at least one of them with noise: a curve for each label, over what its settings spend."""

    name: ClassVar[str] = "frontier"
    metrics: ClassVar[tuple[str, ...]] = ("loss", "error_rate", *BUDGETS)
    of_what: ClassVar[str] = ""

    def draw(self, material: Material) -> Figure:
        """Errors above, losses below; what has no noise is a horizontal line.

        Args:
            material: An experiment's.
        """
        ends, budget = arrange(material)
        left_out = [name for name in material.table["label"].unique() if name not in set(ends["label"])]
        looks = looks_of_curves(ends, material.parameters)
        figure, ((errors,), (losses,)) = subplots(2, 1, TEXT_WIDTH, 6.4, sharex=True)
        _draw_panel(errors, of_metric(ends, self.metrics[1]), looks)
        errors.set_title(f"(a) Test error{self.of_what}", loc="left")
        errors.set_ylabel("error rate")
        _draw_panel(losses, of_metric(ends, self.metrics[0]), looks)
        losses.set_title(f"(b) Average training loss{self.of_what}", loc="left")
        log_scale(losses, "L(T), log scale")
        losses.set_xlabel(BUDGETS[budget])
        title = (
            f"Points: {mean_of_runs(material.table)}. {BARS}\n"
            "Idealised: exact argmins. Noise is exponential-norm in the objective unless named otherwise."
            + (f"\nWithout such a bound, and not shown: {', '.join(left_out)}." if left_out else "")
        )
        legend_above(figure, handles_of([errors]), title, columns=3)
        return despine(figure)


class AverageFrontier(Frontier):
    """The same of the nodes' averages of their released iterates."""

    name: ClassVar[str] = "frontier-average"
    metrics: ClassVar[tuple[str, ...]] = ("loss_average", "error_rate_average", *BUDGETS)
    of_what: ClassVar[str] = " of averaged iterates"


def arrange(material: Material) -> tuple[pd.DataFrame, str]:
    """What settings end with, each with its curve and its budget (none without noise), and which budget that is.

    Args:
        material: An experiment's.
    """
    ends = last_iteration(material.table.assign(curve=name_curves(material.table, LEVELS)))
    budget = max(BUDGETS, key=lambda metric: of_metric(ends, metric)["setting"].nunique())
    spent = of_metric(ends, budget).groupby("setting")["mean"].first()
    ends = ends.assign(budget=ends["setting"].map(spent), private=material.tell(ends, is_private))
    return ends[ends["budget"].notna() | ~ends["private"].astype(bool)], budget


def _draw_panel(axes: Axes, points: pd.DataFrame, looks: dict[str, Look]) -> None:
    for name, part in points.groupby("curve", sort=False):
        line = looks[str(name)].line()
        if part["budget"].isna().all():
            axes.axhline(
                part["mean"].iloc[0], label=name, linewidth=1, color=line["color"], linestyle=line["linestyle"]
            )
            continue
        curve = part.sort_values("budget")
        axes.errorbar(curve["budget"], curve["mean"], half_range(curve), label=name, capsize=2, elinewidth=0.8, **line)
    spent = list(points["budget"].dropna())
    if spent:
        log_across(axes, spent)
