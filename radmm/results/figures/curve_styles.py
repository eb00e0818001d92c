"""Styles of curves: an algorithm has one colour and one marker in all figures, and dashes distinguish its variants.

Colours and markers are those of `palette`. With `style: paper`, curves that the paper has are drawn in its colours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.colors import to_rgb

from radmm.results.figures.figure import Material
from radmm.results.figures.palette import ALGORITHMS, COLORS, PLUG_INS
from radmm.results.figures.setting_parameters import Parameters, algorithm_of, noise_name, value_at
from radmm.study.figure_style import Style

Dashes = str | tuple[int, tuple[float, ...]]


class Look(NamedTuple):
    """A curve's colour, and what distinguishes it without colour.

    Args:
        color: Colour as Matplotlib names it.
        marker: Marker as Matplotlib names it; empty for none.
        dashes: Line style as Matplotlib takes it.
        fill: Filled part of the marker, as Matplotlib names it.
    """

    color: str
    marker: str
    dashes: Dashes = "-"
    fill: str = "none"

    def line(self) -> dict[str, Any]:
        """Return the style as keywords for Matplotlib."""
        inside = {"fillstyle": self.fill, "markerfacecolor": self.color, "markerfacecoloralt": "white"}
        return {"color": self.color, "marker": self.marker or None, "linestyle": self.dashes, **inside}


class Role(NamedTuple):
    """A curve's role, by which its look is chosen.

    Args:
        algorithm: Name of the algorithm.
        noise: None without noise, empty for the algorithm's usual noise, and else the name of the noise.
        stopped: Whether it ends earlier than others of the figure.
        grows: Whether it is ADMM with a growing penalty: M-ADMM's steps, with ADMM's noise.
    """

    algorithm: str
    noise: str | None = ""
    stopped: bool = False
    grows: bool = False


GROWING = ("#777777", "X")  # ADMM with a growing penalty
NOISELESS: Dashes = (0, (6, 2))
STOPPED: Dashes = (0, (1.5, 1.2))
OTHER_NOISES: list[tuple[Dashes, str]] = [  # with the part of the marker that is filled
    ((0, (5, 2.5, 1, 2.5)), "left"), ((0, (4, 1.2)), "top"), ((0, (3, 1, 1, 1, 1, 1)), "right"),
]  # fmt: skip
PAPER = {
    Role("admm", None): Look("green", "", NOISELESS),
    Role("admm"): Look("black", "o"),
    Role("m-admm"): Look("blue", "s"),
    Role("r-admm"): Look("red", "^"),
    Role("mr-admm"): Look("magenta", "D"),
    Role("admm", stopped=True): Look("dimgray", "v", (0, (2, 1))),
    Role("admm", stopped=True, grows=True): Look("darkorange", "x", (0, (2, 1))),
}
BLACK = Look("black", "o")
MARKERS = "os^Dv<>Pd*hpH8"
DARKEST, LIGHTEST = 0.45, 0.5  # how much black, and how much white, is mixed into a colour for the ends of its shades


def looks_of_curves(rows: pd.DataFrame, material: Material) -> dict[str, Look]:
    """Return each curve's look by the role of its settings, in the colours that a config gives to labels.

    Args:
        rows: Rows with columns `label`, `curve` and `setting`.
        material: Parameters of the whole experiment, style and colours.
    """
    parameters = material.parameters
    longest = max(int(own["iterations"]) for own in parameters.values())
    first = rows.drop_duplicates("curve")
    pairs = zip(first["curve"], first["setting"], strict=True)
    looks = looks_of({name: role_of(parameters[setting], longest) for name, setting in pairs}, material.style)
    return in_colors(looks, rows, material.colors)


def role_of(parameters: Parameters, longest: int) -> Role:
    """Return a setting's role in a figure.

    Args:
        longest: Largest number of iterations of the figure's settings.
    """
    noise, algorithm = noise_name(parameters), algorithm_of(parameters)
    stopped = noise is not None and int(parameters["iterations"]) < longest
    grows = algorithm == "m-admm" and value_at(parameters, "noise.kind") == "objective"
    return Role("admm" if grows else algorithm, noise, stopped, grows)


def looks_of(roles: Mapping[str, Role], style: Style) -> dict[str, Look]:
    """Return a look for each curve, no two the same; several curves of one role have shades of its colour.

    Args:
        roles: Role of each curve, by its name.
    """
    noises = {role.noise for role in roles.values() if role.noise is not None}
    if len(noises) == 1:  # which then tells nothing apart, and algorithms look as in other figures
        roles = {name: role if role.noise is None else role._replace(noise="") for name, role in roles.items()}
    looks = {role: _by_algorithm(role, list(roles.values())) for role in roles.values()}
    count = Counter(roles.values())
    if style is Style.PAPER:
        known = {name: PAPER[role] for name, role in roles.items() if role in PAPER and count[role] == 1}
        others = palette([name for name in roles if name not in known], style)
        return {name: known.get(name) or others[name] for name in roles}
    families = {role: iter(family(looks[role], number)) for role, number in count.items()}
    return {name: next(families[role]) for name, role in roles.items()}


def _by_algorithm(role: Role, among: Sequence[Role]) -> Look:
    """Return a look with colour and marker by the algorithm, dashes and fill by the rest of the role."""
    strangers = list(dict.fromkeys(each.algorithm for each in among if each.algorithm not in ALGORITHMS))
    plug_ins = dict(zip(strangers, cycle(PLUG_INS), strict=False))
    color, marker = plug_ins.get(role.algorithm) or ALGORITHMS[role.algorithm][:2]
    if role.grows:
        color, marker = GROWING
    if role.noise is None:
        return Look(color, "", NOISELESS)
    if role.noise:
        names = list(dict.fromkeys(each.noise for each in among if each.noise))
        place = names.index(role.noise)
        dashes, fill = OTHER_NOISES[place % len(OTHER_NOISES)]
        return Look(shades(color, 3)[2 * (place % 2)], "p" if role.stopped else marker, dashes, fill)
    return Look(color, marker, STOPPED, "full") if role.stopped else Look(color, marker)


def family(look: Look, count: int) -> list[Look]:
    """Return as many shades of a look, from dark to light as parameters mostly grow, with markers that differ.

    Args:
        look: Look that a single curve has.
    """
    if count == 1:
        return [look]
    markers = cycle([look.marker, *(each for each in MARKERS if each != look.marker)])
    pairs = zip(shades(look.color, count), markers, strict=False)
    return [look._replace(color=shade, marker=marker if look.marker else "") for shade, marker in pairs]


def in_colors(
    looks: Mapping[str, Look], rows: pd.DataFrame, colors: Mapping[str, str], by: str = "curve"
) -> dict[str, Look]:
    """Return the looks with the colours that a config gives to labels; several curves of a label have shades of one.

    Args:
        rows: Rows with the columns `label`, `curve` and `by`; a curve of several labels goes by the first.
        by: Column that has the keys of `looks`.
    """
    chosen: dict[str, str] = {}
    for label, part in rows.drop_duplicates("curve").groupby("label", sort=False):
        if label in colors:
            own = family(Look(colors[str(label)], ""), len(part))
            chosen |= {curve: look.color for curve, look in zip(part["curve"], own, strict=True)}
    curves: dict[str, str] = dict(zip(rows[by], rows["curve"], strict=True))
    return {
        name: look._replace(color=chosen[curves[name]]) if curves.get(name) in chosen else look
        for name, look in looks.items()
    }


def shades(color: str, count: int) -> list[str]:
    """Return shades of a colour from dark to light.

    Args:
        color: Colour of the middle; black is the darkest of greys instead.
    """
    own = np.array(to_rgb(color))
    lightest = own + (1 - own) * LIGHTEST
    anchors = [own * (1 - DARKEST), own, lightest] if own.any() else ["0", "0.4", "0.7"]
    return [str(shade) for shade in sns.blend_palette(anchors, count).as_hex()]


def palette(names: Iterable[str], style: Style = Style.CLEAR) -> dict[str, Look]:
    """Return looks for what is no algorithm, such as networks, in colours without an order."""
    listed = list(names)
    colors = sns.color_palette("plasma", len(listed)).as_hex() if style is Style.PAPER else cycle(COLORS)
    return {name: Look(*look) for name, *look in zip(listed, colors, cycle(MARKERS), strict=False)}
