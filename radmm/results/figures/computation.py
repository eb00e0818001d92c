"""Cost of computation for the same number of iterations: passes over the data, and seconds."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any, ClassVar

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from radmm.results.figures.curve_styles import Dashes, Look, Role, in_colors, looks_of
from radmm.results.figures.curves import at, axes_of, mean_of_runs, name_curves, of_metric, typeset
from radmm.results.figures.figure import FigureKind, Material
from radmm.results.figures.setting_parameters import algorithm_of, alike, is_private, network_text
from radmm.results.figures.style import TEXT_WIDTH, handles_of, legend_above, letter, over_iterations, subplots

NODES = "network.nodes"
LEAST_WIDTH = 2.4  # inches, of a panel
MOST_NAMES = 12  # below bars
DASHED: Dashes = (0, (4, 1.5))


class Computation(FigureKind):
    """Passes over the data and seconds: a column a network, a colour an algorithm, dashes where there is noise."""

    name: ClassVar[str] = "computation"
    metrics: ClassVar[tuple[str, ...]] = ("passes",)
    sources: ClassVar[tuple[str, ...]] = ("table", "timings")

    def draw(self, material: Material) -> Figure:
        """Draw total passes and passes an argmin over the iterations, and the seconds of all runs together."""
        passes, timings = arrange(material)
        networks = _networks(material)
        looks = in_colors(_looks(material), passes, material.colors, by="setting")
        figure, grid = subplots(3, len(networks), max(TEXT_WIDTH, LEAST_WIDTH * len(networks)), 6.0)
        for place, (network, title) in enumerate(networks.items()):
            total, each, seconds = grid[:, place]
            curves = passes[passes["network"] == network]
            _draw_passes(total, curves, looks, cumulative=True)
            _draw_passes(each, curves[curves["mean"] > 0], looks, cumulative=False)
            over_iterations(each)
            _draw_seconds(seconds, timings[timings["network"] == network], looks, ratios(material))
            titles = [f"Passes so far, {typeset(title)}", "Passes of each argmin", "CPU time of all runs together"]
            for row, (axes, text) in enumerate(zip(grid[:, place], titles, strict=True)):
                axes.set_title(f"({letter(row * len(networks) + place)}) {text}", loc="left")
        for axes, label in zip(
            grid[:, 0], ("passes over the data", "passes over the data", "CPU seconds"), strict=True
        ):
            axes.set_ylabel(label)
        legend_above(figure, handles_of(grid[0]), "", columns=4)
        sns.despine(figure)
        return figure

    def caption(self, material: Material) -> list[str]:
        """Return what lines, bars and numbers are."""
        _, timings = arrange(material)
        repeats = timings.groupby("setting")["repeat"].nunique().max()
        numbers = ["Numbers: ratio of the algorithm that recycles to the other."] if ratios(material) else []
        bars = f"Bars: least CPU time of {repeats} interleaved repeats, each of which is a dot."
        return [f"Lines: {mean_of_runs(material.table)}.", bars, *numbers]


def arrange(material: Material) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return passes and timings, each row with its curve's name and its network."""
    if material.timings is None:
        raise ValueError("a figure of seconds is drawn from timings")
    networks = [axis for axis in axes_of(material.table) if axis.split(".")[0] == "network"]
    passes = of_metric(material.table, "passes")
    passes = passes.assign(
        curve=name_curves(passes, networks), network=material.tell(passes, lambda own: alike(own["network"]))
    )
    names = passes.groupby("setting")["curve"].first()
    timings = material.timings
    network = material.tell(timings, lambda own: alike(own["network"]))
    return passes, timings.assign(curve=timings["setting"].map(names), network=network)


def ratios(material: Material) -> dict[str, str]:
    """Map each recycling setting to a non-recycling one that is equal in all but the algorithm, if there is one."""
    plain: dict[str, str] = {}
    for name, parameters in material.parameters.items():
        if not material.recycles(name):
            plain.setdefault(alike(parameters, "algorithm"), name)
    keys = {name: alike(own, "algorithm") for name, own in material.parameters.items() if material.recycles(name)}
    return {name: plain[key] for name, key in keys.items() if key in plain}


def _networks(material: Material) -> dict[str, str]:
    """Return each network's title: its number of nodes, if that is unique, and else all of its parameters."""
    sections: dict[str, Mapping[str, Any]] = {
        alike(own["network"]): own["network"] for own in material.parameters.values()
    }
    nodes = [section.get("nodes") for section in sections.values()]
    if None in nodes or len(set(nodes)) < len(nodes):
        return {key: network_text(section) for key, section in sections.items()}
    return {
        key: at(NODES, section["nodes"]) for key, section in sorted(sections.items(), key=lambda item: item[1]["nodes"])
    }


def _looks(material: Material) -> dict[str, Look]:
    """Return each setting's look: one colour for an algorithm with and without noise, unless these are a grid."""
    shared = ("noise", "network")
    pairs = [(alike(own, *shared), is_private(own), alike(own["network"])) for own in material.parameters.values()]
    apart_from = shared if len(set(pairs)) == len(pairs) else ("network",)
    keys = {name: alike(own, *apart_from) for name, own in material.parameters.items()}
    roles = {keys[name]: Role(algorithm_of(own)) for name, own in material.parameters.items()}
    looks = looks_of(roles, material.style)
    return {
        name: Look(*looks[keys[name]][:2], DASHED if is_private(own) else "-")
        for name, own in material.parameters.items()
    }


def _draw_passes(axes: Axes, curves: pd.DataFrame, looks: dict[str, Look], cumulative: bool) -> None:
    for (name, setting), curve in curves.groupby(["curve", "setting"], sort=False):
        values = curve["mean"].cumsum() if cumulative else curve["mean"]
        axes.plot(curve["iteration"], values, label=name, markevery=10, **looks[str(setting)].line())
    axes.set_ylim(bottom=0)


def _broken(name: str) -> str:
    """Break a name into lines that fit below a bar."""
    return "\n".join(line for part in name.replace(", ", ",\n").splitlines() for line in textwrap.wrap(part, 20))


def _draw_seconds(axes: Axes, timings: pd.DataFrame, looks: dict[str, Look], pairs: dict[str, str]) -> None:
    least = timings.groupby("setting", sort=False)["seconds"].min()
    colors = {setting: looks[setting].color for setting in least.index}
    shown = {"x": "setting", "y": "seconds", "ax": axes}
    sns.barplot(
        timings,
        hue="setting",
        palette=colors,
        estimator="min",
        errorbar=None,
        fill=False,
        width=0.6,
        linewidth=0.8,
        **shown,
    )
    sns.stripplot(timings, color="0.5", size=2.5, jitter=False, **shown)
    for place, (setting, bar) in enumerate(zip(least.index, axes.patches, strict=True)):
        bar.set_hatch("" if looks[setting].dashes == "-" else "//")
        if setting in pairs:
            ratio = least[setting] / least[pairs[setting]]
            middle = (place, least[setting] / 2)
            axes.annotate(f"{ratio:.2f}", middle, ha="center", va="center", backgroundcolor="white")
    names = timings.groupby("setting", sort=False)["curve"].first()
    written = names if len(names) <= MOST_NAMES else names[:0]
    axes.set_xticks(range(len(written)), [_broken(name) for name in written])
    axes.set(xlabel="", ylabel="")
    axes.margins(y=0.25)
    axes.grid(visible=False, axis="x")
