"""Options that every kind of figure has: titles, limits of axes, and the order and colours of labels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pandas as pd

from radmm.base.inputs import shown
from radmm.base.registry import one_of

Fault = tuple[str, str]  # an option, with its value where that is short, and what it must be


@dataclass(frozen=True, kw_only=True)
class FigureOptions:
    """Options of a figure that change how it looks, and nothing that it is drawn from.

    Args:
        title: Title above the whole figure.
        titles: Titles of panels by letter, like `{a: Loss}`; where no letters are printed, panels count along rows.
        limits: Ends of axes, like `{x: [0, 50], b.y: [0.1, 0.3]}`: of all panels, or of one by its letter.
        order: Labels in the order of the legend; those that are left out follow.
        colors: Colours by label, as Matplotlib names them.
    """

    title: str = ""
    titles: dict[str, str] = field(default_factory=dict)
    limits: dict[str, list[float]] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)
    colors: dict[str, str] = field(default_factory=dict)


def common_faults(options: FigureOptions, labels: Sequence[str], colored: Sequence[str]) -> Iterator[Fault]:
    """Yield what is wrong with the options that every kind has.

    Args:
        labels: Labels of the experiment's settings.
        colored: Names to which colours can be given.
    """
    yield from _faults_of_panels(options)
    for label in dict.fromkeys(options.order):
        if label not in labels:
            yield f"order has {label!r}", one_of(label, list(labels))
        elif options.order.count(label) > 1:
            yield f"order has {label!r}", "must name a label once"
    for name, color in options.colors.items():
        if name not in colored:
            yield f"colors.{name} = {color!r}", one_of(name, list(colored))
        elif not _is_color(color):
            yield f"colors.{name} = {color!r}", "must be a colour, like teal or '#0072B2'"


def _faults_of_panels(options: FigureOptions) -> Iterator[Fault]:
    for letter in options.titles:
        if not re.fullmatch("[a-z]+", letter):
            yield f"titles.{letter}", "must be the letter of a panel, like a"
    for axis, ends in options.limits.items():
        if not re.fullmatch(r"([a-z]+\.)?[xy]", axis):
            yield f"limits.{axis}", "must be x or y, or that of one panel, like b.y"
        elif len(ends) != 2 or not ends[0] < ends[1]:
            yield f"limits.{axis} = {shown(ends)}", "must be two numbers, the smaller first"


def _is_color(color: str) -> bool:
    from matplotlib.colors import is_color_like  # `import radmm` names this module, and is done before Matplotlib is

    return bool(is_color_like(color))


def in_order(table: pd.DataFrame, labels: Sequence[str]) -> pd.DataFrame:
    """Return a table with some labels first, in their order.

    Args:
        labels: Labels that come first.
    """
    if not labels:
        return table
    places = {label: place for place, label in enumerate(labels)}
    return table.sort_values("label", key=lambda names: names.map(places), kind="stable", ignore_index=True)
