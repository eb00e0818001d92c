"""Convergence: loss at all and at odd iterations, and the distance from the centralised optimum."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING, Any, ClassVar, cast

from radmm.results.figures.curves import at, axes_of, mean_of_runs, name_curves, of_metric
from radmm.results.figures.figure import FigureKind, Material
from radmm.results.figures.looks import BLACK, LOOKS, Dashes, Look, Role, looks_of
from radmm.results.figures.meaning import algorithm_of, alike, value_at
from radmm.results.figures.style import TEXT_WIDTH, despine, legend_above, log_scale, new_figure

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NODES, DUAL_STEP = "network.nodes", "algorithm.dual_step"
COMMON, OWN = "one common dual step θ", "dual steps η_i, as in the paper"
DASHES: list[Dashes] = ["-", (0, (4, 1.5)), (0, (1, 1)), (0, (6, 1.5, 1, 1.5)), (0, (3, 1, 1, 1, 1, 1))]
FIRST = 50  # iterations, in which even ones can be told from odd ones


class Convergence(FigureKind):
    """Takes any settings: a colour for each, and dashes for the size of a network and for a common dual step."""

    name: ClassVar[str] = "convergence"
    metrics: ClassVar[tuple[str, ...]] = ("loss", "distance")

    def draw(self, material: Material) -> Figure:
        """A wide panel with the first iterations, odd and even; below, odd ones to the end, and the distance.

        Args:
            material: An experiment's.
        """
        curves = arrange(material)
        looks, dashes = _looks(material, curves), _dashes(curves)
        figure = new_figure(TEXT_WIDTH, 5.4)
        grid = figure.add_gridspec(2, 2, height_ratios=[1.2, 1])
        first, odd = curves[curves["iteration"] <= FIRST], curves[curves["iteration"] % 2 == 1]
        panels = [
            (grid[0, :], "(a) Average training loss, odd (with markers) and even iterations", first, "loss"),
            (grid[1, 0], "(b) Average training loss, odd iterations", odd, "loss"),
            (grid[1, 1], "(c) Distance from the optimum, odd iterations", odd, "distance"),
        ]
        for place, title, drawn, metric in panels:
            axes = figure.add_subplot(place)
            _draw_curves(axes, of_metric(drawn, metric), looks, dashes)
            log_scale(axes, "L(t), log scale" if metric == "loss" else r"$\max_i\,\|f_i(t) - f^*\|$, log scale")
            axes.set_title(title, loc="left")
            axes.set_xlabel("iteration t")
        _explain(figure, curves, looks, dashes)
        return despine(figure)


def arrange(material: Material) -> pd.DataFrame:
    """Each setting's curve has a colour; its variant (nodes, if they are an axis, and dual step) has a dash.

    Settings that are alike in all but that are variants of one curve, which has the name of the first, best of one
    without a common dual step.

    Args:
        material: An experiment's.
    """
    table = material.table[material.table["iteration"] > 0]
    step = material.tell(table, lambda parameters: value_at(parameters, DUAL_STEP))
    rows = table.assign(
        family=material.tell(table, lambda parameters: alike(parameters, NODES, DUAL_STEP)),
        own=name_curves(table, [NODES, DUAL_STEP]),
        step=step,
        size=material.tell(table, lambda parameters: _size(parameters)) if NODES in axes_of(table) else "",
    )
    leaders = rows.sort_values("step", na_position="first", kind="stable").drop_duplicates("family")
    rows["curve"] = rows["family"].map(leaders.set_index("family")["own"])
    rows["step"] = _step_texts(rows)
    return rows.drop_duplicates(["curve", "size", "step", "metric", "iteration"])


def _size(parameters: Any) -> Any:
    return value_at(parameters, NODES) or 0


def _step_texts(rows: pd.DataFrame) -> pd.Series[str]:
    """The dual step in words, where settings differ in nothing else; otherwise there is nothing to tell."""
    steps = rows.groupby("family")["step"]
    if steps.nunique(dropna=False).max() < 2:
        return rows["step"].map(lambda _: "")
    single = steps.nunique().max() < 2
    return rows["step"].map(lambda step: "" if step != step else COMMON if single else at(DUAL_STEP, step))


def _looks(material: Material, curves: pd.DataFrame) -> dict[str, Look]:
    """Algorithms in the paper's colours where each has one curve; a single one beside a family is black."""
    settings = curves.drop_duplicates("curve").set_index("curve")["setting"]
    roles: dict[str, Role | None] = {
        str(name): Role(algorithm_of(material.parameters[own]), private=True, stopped=False)
        for name, own in settings.items()
    }
    looks = looks_of(roles)
    alone = [name for name, role in roles.items() if list(roles.values()).count(role) == 1 and role in LOOKS]
    return looks | ({alone[0]: BLACK} if len(alone) == 1 else {})


def _dashes(curves: pd.DataFrame) -> dict[tuple[Any, str], Dashes]:
    """Solid is the larger network, and the nodes' own dual steps."""
    variants = curves[["size", "step"]].drop_duplicates().itertuples(index=False, name=None)
    ordered = sorted(variants, key=lambda variant: (-(variant[0] or 0), variant[1] != "", variant[1]))
    return dict(zip(ordered, cycle(DASHES), strict=False))


def _draw_curves(
    axes: Axes, curves: pd.DataFrame, looks: dict[str, Look], dashes: dict[tuple[Any, str], Dashes]
) -> None:
    for variant, curve in curves.groupby(["curve", "size", "step"], sort=False):
        name, size, step = cast("tuple[str, Any, str]", variant)
        look = looks[name]
        every = 2 if curve["iteration"].iloc[-1] <= FIRST + 1 else max(1, len(curve) // 12)
        axes.plot(
            curve["iteration"],
            curve["mean"],
            color=look.color,
            linestyle=dashes[size, step],
            marker=look.marker,
            markersize=2.5,
            markerfacecolor="none",
            markeredgewidth=0.6,
            linewidth=0.8,
            markevery=every,
        )


def _explain(
    figure: Figure, curves: pd.DataFrame, looks: dict[str, Look], dashes: dict[tuple[Any, str], Dashes]
) -> None:
    from matplotlib.lines import Line2D

    handles = {
        _typeset(name): Line2D([], [], color=look.color, marker=look.marker, markerfacecolor="none")
        for name, look in looks.items()
    }
    if len(dashes) > 1:
        options: dict[str, dict[str, Any]] = {_typeset(_in_words(*key)): {"ls": dash} for key, dash in dashes.items()}
        handles |= {name: Line2D([], [], color="gray", **dash) for name, dash in options.items()}
    legend_above(figure, handles, f"Lines: {mean_of_runs(curves)}.", columns=4)


def _in_words(size: Any, step: str) -> str:
    written = [at(NODES, size)] if size else []
    return ", ".join([*written, step] if step else written) or OWN


def _typeset(label: str) -> str:
    """Indices as a reader of the paper knows them."""
    return label.replace("η_i", r"$\eta_i$")
