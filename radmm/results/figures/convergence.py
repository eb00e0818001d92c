"""Convergence without noise: loss at all and at odd iterations, and the distance from the centralised optimum."""

import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from radmm.results.figures.curves import at, axes_of, draw_files, mean_of_runs, name_curves, of_metric
from radmm.results.figures.style import TEXT_WIDTH, Look, log_scale, looks_of

NODES = "network.nodes"
COMMON = ", common θ"  # at the end of a label: the same with one dual step for all nodes
DASHES = ["-", (0, (4, 1.5)), (0, (1, 1))]
FIRST = 50  # iterations, in which even ones can be told from odd ones


def draw(table: pd.DataFrame) -> Figure:
    """A wide panel with the first iterations, odd and even; below, odd ones to the end, and the distance."""
    curves = arrange(table)
    looks, dashes = _looks(curves)
    figure = plt.figure(figsize=(TEXT_WIDTH, 5.4), layout="constrained")
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
    sns.despine(figure)
    return figure


def arrange(table: pd.DataFrame) -> pd.DataFrame:
    """Each setting's curve has a colour, and a variant (size of the network, common dual step) that has a dash."""
    variant = table["label"].str.endswith(COMMON).map({True: "one common dual step θ", False: ""})
    if NODES in axes_of(table):
        variant = table[NODES].map(lambda nodes: at(NODES, nodes))
    bare = table.assign(label=table["label"].str.removesuffix(COMMON))
    return table[table["iteration"] > 0].assign(curve=name_curves(bare, [NODES]), variant=variant)


def _looks(curves: pd.DataFrame) -> tuple[dict[str, Look], dict[str, object]]:
    """ADMM and R-ADMM in black where they are single curves beside a family; dashed is the smaller network."""
    names = list(curves["curve"].unique())
    looks = looks_of(["ADMM" if name in ("ADMM", "R-ADMM") else name for name in names])
    single = looks.get("ADMM", Look("black", "o"))
    variants = sorted(curves["variant"].unique(), key=lambda text: (not text.startswith("N ="), len(text), text))
    solid_first = variants[::-1] if variants[0].startswith("N =") else variants
    return {name: looks.get(name, single) for name in names}, dict(zip(solid_first, DASHES, strict=False))


def _draw_curves(axes: Axes, curves: pd.DataFrame, looks: dict[str, Look], dashes: dict[str, object]) -> None:
    for (name, variant), curve in curves.groupby(["curve", "variant"], sort=False):
        look = looks[str(name)]
        every = 2 if curve["iteration"].iloc[-1] <= FIRST + 1 else len(curve) // 12
        axes.plot(
            curve["iteration"],
            curve["mean"],
            color=look.color,
            linestyle=dashes[str(variant)],
            marker=look.marker,
            markersize=2.5,
            markerfacecolor="none",
            markeredgewidth=0.6,
            linewidth=0.8,
            markevery=every,
        )


def _explain(figure: Figure, curves: pd.DataFrame, looks: dict[str, Look], dashes: dict[str, object]) -> None:
    handles: list[Line2D] = [
        Line2D([], [], color=look.color, marker=look.marker, markerfacecolor="none", label=_typeset(name))
        for name, look in looks.items()
    ]
    if len(dashes) > 1:
        handles += [
            Line2D([], [], color="gray", linestyle=dash, label=_typeset(variant or "dual steps η_i, as in the paper"))  # type: ignore[arg-type]
            for variant, dash in dashes.items()
        ]
    title = f"Lines: {mean_of_runs(curves)}."
    figure.legend(handles=handles, loc="outside upper center", ncols=4, title=title, title_fontsize="small")


def _typeset(label: str) -> str:
    """Indices as a reader of the paper knows them."""
    return label.replace("η_i", r"$\eta_i$")


if __name__ == "__main__":
    draw_files(draw, __doc__)
