"""Looks of curves in the report: the figures' colours, dashes and markers, as plotly.js names them."""

from collections.abc import Mapping

import pandas as pd

from radmm.results.figures.curve_styles import Dashes, Look, Role, family, looks_of, looks_of_curves
from radmm.results.figures.figure import Material
from radmm.results.figures.palette import ACCOUNTANTS
from radmm.study.figure_style import Style

SYMBOLS = {
    "o": "circle", "s": "square", "^": "triangle-up", "D": "diamond", "v": "triangle-down", "P": "cross", "*": "star",
    "X": "x", "h": "hexagon", "<": "triangle-left", ">": "triangle-right", "p": "pentagon", "d": "diamond-tall",
    "H": "hexagon2", "8": "octagon",
}  # fmt: skip
MOST_SHADES = 8  # shades of one colour that a reader can tell apart
WIDTH = 2  # pixels of a line, by which dashes are measured


def looks_of_labels(material: Material, settings: Mapping[str, str]) -> dict[str, list[list[dict[str, str]]]]:
    """Return the looks of each label's curves: of a single one, of two, and so on, whatever else is drawn.

    Args:
        material: Parameters of the experiment, and colours that the config gives to labels.
        settings: Id of the first setting of each label.
    """
    rows = pd.DataFrame({"label": settings.keys(), "curve": settings.keys(), "setting": settings.values()})
    return {
        label: [[as_plotly(each) for each in family(look, count)] for count in range(1, MOST_SHADES + 1)]
        for label, look in looks_of_curves(rows, material).items()
    }


def looks_of_methods(settings: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return the look of each method of a tuned study, by its algorithm.

    Args:
        settings: Id of a setting of each method; ids begin with the algorithm's name.
    """
    roles = {method: Role(setting.rpartition("-")[0]) for method, setting in settings.items()}
    return {method: as_plotly(look) for method, look in looks_of(roles, Style.CLEAR).items()}


def accountants() -> dict[str, dict[str, str]]:
    """Return name, colour and marker of every accountant."""
    return {
        name: {"title": swatch.title, **as_plotly(Look(swatch.color, swatch.marker))}
        for name, swatch in ACCOUNTANTS.items()
    }


def as_plotly(look: Look) -> dict[str, str]:
    """Return a look as plotly.js names it; a curve without a marker gets a small dot."""
    symbol = SYMBOLS.get(look.marker, "circle")
    filled = look.fill != "none" or not look.marker
    return {"colour": look.color, "dash": _dash(look.dashes), "symbol": symbol if filled else f"{symbol}-open"}


def _dash(dashes: Dashes) -> str:
    if isinstance(dashes, str):
        return {"-": "solid", "--": "dash", ":": "dot", "-.": "dashdot"}[dashes]
    return ",".join(f"{WIDTH * length:g}px" for length in dashes[1])
