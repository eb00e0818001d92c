"""The paper's convergence theorem against observed convergence: its margin, and the distance reached, over γ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from radmm.data.topology import make_topology
from radmm.results.figures.curve_styles import BLACK, in_colors, palette
from radmm.results.figures.curves import bars, last_iteration, name_curves, of_metric
from radmm.results.figures.figure import FigureKind, Material, PlannedSetting
from radmm.results.figures.legend_entries import runs_entry, runs_sentence
from radmm.results.figures.palette import COLORS
from radmm.results.figures.setting_parameters import is_private, value_at
from radmm.results.figures.style import (
    TEXT_WIDTH,
    handles_of,
    in_digits,
    legend_above,
    log_across,
    log_scale,
    subplots,
)
from radmm.results.paper_theorems import LARGEST_NETWORK, describe
from radmm.study.settings import Setting

GAMMA = "algorithm.gamma"
CONSTANTS = (
    "The theorem asks for some L > 0 and μ > 1 that meet its two inequalities; its margin is at the best of these."
)
ENOUGH_COLOR = COLORS[2]
MARGIN, ENOUGH = "theory.margin", "theory.sufficient_gamma"


class ConditionFigure(FigureKind):
    """The convergence theorem's margin and the distance reached, against γ; needs a grid over γ without noise."""

    name: ClassVar[str] = "condition"
    axes: ClassVar[tuple[str, ...]] = (GAMMA,)
    metrics: ClassVar[tuple[str, ...]] = ("distance",)

    def refusal(self, settings: Sequence[PlannedSetting]) -> str | None:
        """Return why the settings can't be drawn.

        The theorem is about γ and about runs without noise, and takes eigenvalues of N × N matrices.
        """
        for setting in settings:
            if is_private(setting.parameters):
                return f"must have settings without noise, as the theorem is about these, but {setting.label!r} has it"
            if value_at(setting.parameters, GAMMA) is None:
                return f"must have a γ in each setting ({GAMMA}), as it is drawn over γ, but {setting.label!r} has none"
            nodes = make_topology(setting.parameters["network"]).size()[0]
            if nodes > LARGEST_NETWORK:
                return (
                    f"must have networks of at most {LARGEST_NETWORK} nodes, as the theorem's condition takes "
                    f"eigenvalues of N × N matrices, but {setting.label!r} has {nodes}"
                )
        return super().refusal(settings)

    def draw(self, material: Material) -> Figure:
        """Draw the margin, positive where the theorem applies, and the distance, which falls where a run converges."""
        return draw(material, {name: describe(Setting.from_json(each)) for name, each in material.parameters.items()})

    def caption(self, material: Material) -> list[str]:
        """Return what bars are, and at which of the theorem's constants its margin is."""
        return [*runs_sentence(material.table, material.style, "bars"), CONSTANTS]


def draw(material: Material, theory: Mapping[str, Mapping[str, Any]]) -> Figure:
    """Draw the figure for given theory.

    Args:
        theory: What the theorem says of each setting, by its id; None where it says nothing.
    """
    ends = arrange(material, theory)
    names = list(ends["curve"].unique())
    looks = in_colors(palette(names, material.style), ends, material.colors)
    figure, ((above,), (below,)) = subplots(2, 1, TEXT_WIDTH, 4.6, sharex=True)
    for name, curve in ends.groupby("curve", sort=False):
        several = str(name) if len(names) > 1 else ""
        upper, lower = (looks[str(name)],) * 2 if several else (BLACK, BLACK)
        above.plot(curve["gamma"], curve["margin"], label=several or None, **upper.line())
        below.errorbar(curve["gamma"], curve["mean"], bars(curve, material.style), capsize=2, **lower.line())
    start = of_metric(material.table, "distance").query("iteration == 0")["mean"].mean()
    _label(above, below, ends, start)
    for name in names:
        enough = ends.loc[ends["curve"] == name, "enough"].iloc[0]
        _mark_enough((above, below), enough, name if len(names) > 1 else "", looks[name].color)
    legend_above(figure, handles_of([above, below]) | runs_entry(material.table), "", columns=3)
    sns.despine(figure)
    return figure


def arrange(material: Material, theory: Mapping[str, Mapping[str, Any]]) -> pd.DataFrame:
    """Return the settings' last iterations, with γ and what the theorem says; NaN where it says nothing.

    Args:
        theory: What the theorem says of each setting, by its id.
    """
    ends = of_metric(last_iteration(material.table), "distance")
    told = {key: {name: said[column] for name, said in theory.items()} for key, column in _COLUMNS.items()}
    ends = ends.assign(
        curve=name_curves(ends, [GAMMA]),
        gamma=material.tell(ends, lambda parameters: value_at(parameters, GAMMA)),
        **{key: ends["setting"].map(values).astype(float) for key, values in told.items()},
    )
    return ends.sort_values("gamma", kind="stable")


_COLUMNS = {"margin": MARGIN, "enough": ENOUGH}


def _mark_enough(panels: tuple[Axes, ...], enough: float, name: str, color: str) -> None:
    """Mark the γ from which on the theorem applies, if it does for any."""
    if enough != enough:
        return
    text = f"least sufficient γ = {enough:g}" + (f", {name}" if name else "")
    for axes in panels:
        axes.axvline(enough, color=color if name else ENOUGH_COLOR, linestyle=(0, (6, 2)), linewidth=1, label=text)


def _label(above: Axes, below: Axes, ends: pd.DataFrame, start: float) -> None:
    above.axhline(0.0, color="0.5", linewidth=0.8)
    above.set_yscale("symlog", linthresh=1.0)
    above.yaxis.set_major_formatter(FuncFormatter(lambda value, _: in_digits(value).replace("-", "−")))
    above.margins(y=0.1)
    above.set_ylabel("margin, symlog scale")
    above.set_title("(a) Margin of the theorem's condition: it applies above 0", loc="left")
    if ends["margin"].isna().all():
        above.text(0.5, 0.5, "The theorem says nothing of these settings.", ha="center", transform=above.transAxes)
    below.axhline(start, color="0.5", linestyle=":", label="distance at the start")
    log_scale(below, r"$\max_i\,\|f_i(T) - f^*\|$, log scale")
    below.set_title(f"(b) Distance from the optimum after T = {ends['iteration'].max()} iterations", loc="left")
    below.set_xlabel("γ")
    if ends["gamma"].min() > 0:
        log_across(below, list(ends["gamma"]))
    else:  # γ = 0 has its place too
        positive = ends.loc[ends["gamma"] > 0, "gamma"]
        below.set_xscale("symlog", linthresh=positive.min() if len(positive) else 1.0)
