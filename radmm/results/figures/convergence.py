"""Convergence: the loss, or its difference from that of another, and the distance from the centralised optimum."""

from __future__ import annotations

from itertools import cycle
from typing import Any, ClassVar, NamedTuple, cast

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from radmm.results.figures.curve_styles import BLACK, Dashes, Role, in_colors, looks_of
from radmm.results.figures.curves import at, axes_of, growth, mean_of_runs, name_curves, of_metric, typeset
from radmm.results.figures.figure import FigureKind, Material
from radmm.results.figures.setting_parameters import algorithm_of, alike, value_at
from radmm.results.figures.style import TEXT_WIDTH, legend_above, log_scale, over_iterations, subplots
from radmm.study.figure_style import Style

NODES, DUAL_STEP = "network.nodes", "algorithm.dual_step"
COMMON, OWN = "one common dual step θ", "dual steps η_i, as in the paper"
DASHES: list[Dashes] = ["-", (0, (4, 1.5)), (0, (1, 1)), (0, (6, 1.5, 1, 1.5)), (0, (3, 1, 1, 1, 1, 1))]
DRAWN = ("loss", "distance", "consensus")  # metrics, here and by figures that arrange curves alike
FIRST = 50  # iterations, in which even ones can be told from odd ones
DISTANCE = r"$\max_i\,\|f_i(t) - f^*\|$, log scale"
ODD = "odd iterations t"


class Stroke(NamedTuple):
    """Line style of a variant of a curve.

    Args:
        dashes: Line style as Matplotlib takes it.
        width: Width of the line, in points.
        alpha: Opacity of the line.
    """

    dashes: Dashes
    width: float = 1.8
    alpha: float = 1.0


class Convergence(FigureKind):
    """Loss and distance over iterations: a colour a setting, dashes for the network's size.

    Settings that differ from another in a common dual step only are left to the kind `limit`.
    """

    name: ClassVar[str] = "convergence"
    metrics: ClassVar[tuple[str, ...]] = ("loss", "distance")

    def draw(self, material: Material) -> Figure:
        """Draw the loss, or where runs are long the difference from what it is compared with, and the distance.

        The paper's style has the loss alone.
        """
        curves = own_steps(arrange(material))
        drawing = Drawing(material, curves)
        if material.style is Style.PAPER:
            figure, ((left,),) = subplots(1, 1, TEXT_WIDTH, 3.4)
            _loss(left, drawing, curves, "")
        else:
            figure, ((left, right),) = subplots(1, 2, TEXT_WIDTH, 3.2, width_ratios=[1.35, 1])
            odd = curves[curves["iteration"] % 2 == 1]
            if drawing.reference and curves["iteration"].max() > FIRST:
                _difference(left, drawing, odd)
            else:
                _loss(left, drawing, curves, "(a) ")
            drawing.lines(right, of_metric(odd, "distance"))
            log_scale(right, DISTANCE)
            right.set_title("(b) Distance from the optimum", loc="left")
            over_iterations(right, ODD)
        drawing.explain(figure)
        sns.despine(figure)
        return figure

    def caption(self, material: Material) -> list[str]:
        """Return what lines and markers are."""
        curves = arrange(material)
        left_out = "Settings with one common dual step θ are in the table, and not drawn."
        said = [] if len(own_steps(curves)) == len(curves) else [left_out]
        return [f"Lines: {mean_of_runs(curves)}; markers are at odd iterations.", *growth(material), *said]


def _loss(axes: Axes, drawing: Drawing, curves: pd.DataFrame, mark: str) -> None:
    """Draw the first iterations, in which even ones can be told from odd ones."""
    last = int(curves["iteration"].max())
    drawing.lines(axes, of_metric(curves[curves["iteration"] <= FIRST], "loss"))
    log_scale(axes, "training loss, log scale")
    axes.set_title(
        f"{mark}Training loss{f', the first {FIRST} of {last} iterations' if last > FIRST else ''}", loc="left"
    )
    over_iterations(axes)


def _difference(axes: Axes, drawing: Drawing, odd: pd.DataFrame) -> None:
    """Draw how far losses are above that of the curve that they are compared with, at the same iteration and size."""
    losses = of_metric(odd, "loss")
    at = ["size", "iteration"]
    base = losses[losses["curve"] == drawing.reference].set_index(at)["mean"].rename("base")
    rows = losses.join(base, on=at)
    drawing.lines(axes, rows.assign(mean=rows["mean"] - rows["base"]))
    axes.set_ylabel(f"training loss above {drawing.reference}'s")
    axes.set_title(f"(a) Training loss compared with {drawing.reference}", loc="left")
    over_iterations(axes, ODD)


def own_steps(curves: pd.DataFrame) -> pd.DataFrame:
    """Return the arranged rows without the variants that have a common dual step, where their curve has another."""
    own = curves["step"] == ""
    return curves[own | ~curves["curve"].isin(curves.loc[own, "curve"])].assign(step="")


def arrange(material: Material) -> pd.DataFrame:
    """Assign each row its curve, shown by colour, and its variant (nodes if they are an axis, dual step), by dashes.

    Settings that are alike in all but that are variants of one curve. It has the name of the first of them, preferably
    of one without a common dual step.
    """
    table = material.table[(material.table["iteration"] > 0) & material.table["metric"].isin(DRAWN)]
    step = material.tell(table, lambda parameters: value_at(parameters, DUAL_STEP))
    rows = table.assign(
        family=material.tell(table, lambda parameters: alike(parameters, NODES, DUAL_STEP)),
        own=name_curves(table, [NODES, DUAL_STEP]),
        step=step,
        size=material.tell(table, lambda parameters: _size(parameters)) if NODES in axes_of(table) else 0,
    )
    leaders = rows.sort_values("step", na_position="first", kind="stable").drop_duplicates("family")
    rows["curve"] = rows["family"].map(leaders.set_index("family")["own"])
    rows["step"] = _step_texts(rows)
    return rows.drop_duplicates(["curve", "size", "step", "metric", "iteration"])


def _size(parameters: Any) -> Any:
    return value_at(parameters, NODES) or 0


def _step_texts(rows: pd.DataFrame) -> pd.Series[str]:
    """Return the dual step in words, where settings differ in nothing else, and else empty texts."""
    steps = rows.groupby("family")["step"]
    if steps.nunique(dropna=False).max() < 2:
        return rows["step"].map(lambda _: "")
    single = steps.nunique().max() < 2
    return rows["step"].map(lambda step: "" if step != step else COMMON if single else at(DUAL_STEP, step))


class Drawing:
    """Appearance of a figure's curves, the same in all of its panels.

    Args:
        material: Table and parameters of an experiment.
        curves: Rows that `arrange` made.
    """

    def __init__(self, material: Material, curves: pd.DataFrame) -> None:
        self.curves = curves
        settings = curves.drop_duplicates("curve").set_index("curve")["setting"]
        roles = {str(name): Role(algorithm_of(material.parameters[own])) for name, own in settings.items()}
        self.looks = looks_of(roles, material.style)
        listed = list(roles.values())
        alone = [name for name, role in roles.items() if listed.count(role) == 1 < len(listed)]
        # One curve beside a family is what it is compared with: thin and on top, it shows where they coincide.
        self.reference = alone[0] if len(alone) == 1 else None
        if self.reference and material.style is Style.PAPER:
            self.looks[self.reference] = BLACK
        self.looks = in_colors(self.looks, curves, material.colors)
        self.strokes = _strokes(curves)

    def lines(self, axes: Axes, curves: pd.DataFrame) -> None:
        """Draw one metric.

        Args:
            curves: Some of the arranged rows, of one metric.
        """
        groups = list(curves.groupby(["curve", "size", "step"], sort=False))
        for place, (variant, curve) in enumerate(groups):
            name, size, step = cast("tuple[str, Any, str]", variant)
            last = curve["iteration"].iloc[-1]
            apart = max(1, len(curve) // 12)
            every = 2 if last <= FIRST + 1 and len(curve) == last else (place * apart // len(groups), apart)
            axes.plot(curve["iteration"], curve["mean"], markevery=every, **self._line(name, self.strokes[size, step]))

    def _line(self, name: str, stroke: Stroke) -> dict[str, Any]:
        look = self.looks[name]._replace(dashes=stroke.dashes)
        width = 0.4 * stroke.width if name == self.reference else stroke.width
        sizes = {"markersize": 3.0, "markeredgewidth": 0.6, "linewidth": width, "alpha": stroke.alpha}
        return look.line() | sizes | {"zorder": 3 if name == self.reference else 2}

    def explain(self, figure: Figure) -> None:
        """Draw the legend: colours of curves, then dashes of variants.

        Args:
            figure: Figure with all panels drawn.
        """
        plain = next(iter(self.strokes.values()))
        handles = {name: Line2D([], [], **self._line(name, plain._replace(alpha=1.0))) for name in self.looks}
        if len(self.strokes) > 1:
            handles |= {
                typeset(_in_words(*key)): Line2D(
                    [], [], color="0.3", ls=stroke.dashes, lw=stroke.width, alpha=stroke.alpha
                )
                for key, stroke in self.strokes.items()
            }
        legend_above(figure, handles, "", columns=4)


def _strokes(curves: pd.DataFrame) -> dict[tuple[Any, str], Stroke]:
    """Return the variants' line styles: solid is the larger network, as in the paper, and the nodes' own dual steps.

    Variants by dual step often coincide: the first is a broad pale line, on which the others' dashes are seen.
    """
    variants = curves[["size", "step"]].drop_duplicates().itertuples(index=False, name=None)
    ordered = sorted(variants, key=lambda variant: (-variant[0], variant[1] != "", variant[1]))
    if len({step for _, step in ordered}) > 1:
        strokes = [Stroke("-", 2.6, 0.45), *(Stroke(dashes, 0.9) for dashes in DASHES[1:])]
    else:
        strokes = [Stroke(dashes) for dashes in DASHES]
    return dict(zip(ordered, cycle(strokes), strict=False))


def _in_words(size: Any, step: str) -> str:
    written = [at(NODES, size)] if size else []
    return ", ".join([*written, step] if step else written) or OWN
