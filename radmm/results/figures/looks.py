"""How curves look: by what a setting is, in the paper's colours; markers and dashes tell them apart without colour."""

from __future__ import annotations

from collections import Counter
from itertools import cycle
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from radmm.results.figures.meaning import Parameters, algorithm_of, is_gaussian, is_private, value_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import pandas as pd

Dashes = str | tuple[int, tuple[float, ...]]


class Look(NamedTuple):
    """Colour as in the paper; marker and dashes tell the curves apart without it.

    Args:
        color: As Matplotlib names it.
        marker: Empty for none.
        dashes: As Matplotlib takes a line's style.
    """

    color: str
    marker: str
    dashes: Dashes = "-"

    def line(self) -> dict[str, Any]:
        """As keywords for Matplotlib."""
        return {"color": self.color, "marker": self.marker or None, "linestyle": self.dashes, "markerfacecolor": "none"}


class Role(NamedTuple):
    """What the paper's figures tell apart.

    Args:
        algorithm: Its name.
        private: Whether there is noise, of a kind that the paper has.
        stopped: Whether it ends earlier than others of the figure.
    """

    algorithm: str
    private: bool
    stopped: bool


LOOKS = {
    Role("admm", private=False, stopped=False): Look("green", "", (0, (6, 2))),
    Role("admm", private=True, stopped=False): Look("black", "o"),
    Role("m-admm", private=True, stopped=False): Look("blue", "s"),
    Role("r-admm", private=True, stopped=False): Look("red", "^"),
    Role("mr-admm", private=True, stopped=False): Look("magenta", "D"),
    Role("admm", private=True, stopped=True): Look("dimgray", "v", (0, (2, 1))),
    Role("m-admm", private=True, stopped=True): Look("darkorange", "x", (0, (2, 1))),
}
BLACK = Look("black", "o")
MARKERS = "os^Dv<>Pd*hpH8"
PAPERS_NOISES = ("objective", "penalty")  # exponential-norm noise of these kinds


def looks_of_curves(rows: pd.DataFrame, parameters: Mapping[str, Parameters]) -> dict[str, Look]:
    """Each curve's look by the role of its settings.

    Args:
        rows: With columns `curve` and `setting`.
        parameters: By setting, of the whole experiment.
    """
    longest = max(int(own["iterations"]) for own in parameters.values())
    first = rows.drop_duplicates("curve")
    pairs = zip(first["curve"], first["setting"], strict=True)
    return looks_of({name: role_of(parameters[setting], longest) for name, setting in pairs})


def role_of(parameters: Parameters, longest: int) -> Role | None:
    """A setting's part in a figure; None if its noise is not the paper's.

    Args:
        parameters: The setting's.
        longest: The most iterations that a setting of the figure has.
    """
    if is_private(parameters) and (is_gaussian(parameters) or value_at(parameters, "noise.kind") not in PAPERS_NOISES):
        return None
    return Role(algorithm_of(parameters), is_private(parameters), int(parameters["iterations"]) < longest)


def looks_of(roles: Mapping[str, Role | None]) -> dict[str, Look]:
    """The paper's look for a curve that is the only one with its role; the others are a palette.

    Args:
        roles: What each curve is, by its name.
    """
    curves = Counter(roles.values())
    known = {name: LOOKS[role] for name, role in roles.items() if role in LOOKS and curves[role] == 1}
    others = palette(name for name in roles if name not in known)
    return {name: known.get(name) or others[name] for name in roles}


def palette(names: Iterable[str]) -> dict[str, Look]:
    """From dark to light, as parameters mostly grow.

    Args:
        names: Of the curves.
    """
    import matplotlib as mpl
    from matplotlib.colors import to_hex

    listed = list(names)
    places = np.linspace(0.0, 1.0, len(listed) + 3)[1:-1]  # the lightest is too light to see
    shades = [to_hex(shade) for shade in mpl.colormaps["plasma"](places)]
    return {name: Look(*look) for name, *look in zip(listed, shades, cycle(MARKERS), strict=False)}
