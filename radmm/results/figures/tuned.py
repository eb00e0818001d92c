"""Figure of a tuned study: test error against ε, a panel for each cell, every method tuned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from math import ceil
from textwrap import wrap
from typing import Any

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from radmm.results.figures.curve_styles import Dashes, Look, Role, looks_of
from radmm.results.figures.setting_parameters import algorithm_of
from radmm.results.figures.style import (
    TEXT_WIDTH,
    handles_of,
    legend_above,
    letter,
    log_scale,
    log_ticks,
)
from radmm.results.frontier.threats import threat_sentences
from radmm.study.figure_style import Style

COLUMNS = 3
MOST_COLOURED, GREY = 8, "0.75"  # methods that a reader follows at once
PANEL = 2.3  # inches of height
SHOWN = "replace"
UNTUNED: Dashes = (0, (1, 1.5))
LETTERS = 125  # in a line of the legend's title


def role_of(candidates: Sequence[Mapping[str, Any]]) -> Role:
    """Return a method's role: its algorithm, whether noise cancels, and whether it is a single round.

    Args:
        candidates: Parameters of all candidates.
    """
    first = candidates[0]
    noise = "cancelling" if (first["noise"] or {}).get("cancelling") else ""
    return Role(algorithm_of(first), noise, stopped=first["iterations"] == 1)


def draw(
    table: pd.DataFrame,
    references: pd.DataFrame,
    study: Mapping[str, Any],
    roles: Mapping[str, Role],
    threats: Mapping[str, str],
) -> Figure:
    """Draw test errors for replacing one row; the table has the other relation, too.

    Args:
        table: Judged methods.
        references: Judged references that have no cell; they are in every panel.
        study: The study's metadata.
        roles: Role of each method.
        threats: Attackers against whom a method's ε holds, by method, where these are not all.
    """
    own, theirs = (part[part["neighbours"] == SHOWN] for part in (table, references))
    cells = list(own["cell"].unique())
    columns = min(COLUMNS, len(cells))
    rows = ceil(len(cells) / columns)
    grid = sns.FacetGrid(own, col="cell", col_order=cells, col_wrap=columns)
    grid.set_titles("")
    figure: Figure = grid.figure
    figure.set(figwidth=TEXT_WIDTH, figheight=1.6 + PANEL * rows)
    figure.set_layout_engine("constrained")
    looks = _looks(own, study["untuned"], roles)
    for place, (cell, axes) in enumerate(grid.axes_dict.items()):
        _panel(axes, own[own["cell"] == cell], theirs, looks)
        axes.set_title(f"({letter(place)}) {cell}", loc="left")
    grid.set_axis_labels("total ε, log scale", "test error, log scale")
    legend_above(figure, handles_of(grid.axes.flat), _explanation(study, threats), columns=3)
    return figure


def _looks(own: pd.DataFrame, untuned: Sequence[str], roles: Mapping[str, Role]) -> dict[str, Look]:
    """Return each method's look; of many methods, those that are best somewhere and those not tuned stand out."""
    methods = list(own["method"].unique())
    tuned = looks_of({name: roles[name] for name in methods if name not in untuned}, Style.CLEAR)
    fixed = looks_of({name: roles[name] for name in methods if name in untuned}, Style.CLEAR)
    best = set(own["best"]) if len(methods) > MOST_COLOURED else set(methods)
    shown = {name: look if name in best else look._replace(color=GREY) for name, look in tuned.items()}
    return shown | {name: look._replace(dashes=UNTUNED, fill="full") for name, look in fixed.items()}


def _panel(axes: Axes, part: pd.DataFrame, references: pd.DataFrame, looks: Mapping[str, Look]) -> None:
    """Draw a panel, references below the rest, with bars for the best and the published methods only."""
    alone = references.groupby("method", sort=False)
    for (method, curve), dashes in zip(alone, cycle(["-", "--", ":"]), strict=False):
        curve = curve.sort_values("epsilon")
        axes.plot(curve["epsilon"], curve["error"], label=method, color="0.55", linestyle=dashes, linewidth=1.6)
    for method, curve in part.groupby("method", sort=False):
        curve = curve.sort_values("epsilon")
        look = looks[str(method)]
        axes.plot(curve["epsilon"], curve["error"], label=method, markersize=2.5, linewidth=0.8, **look.line())
        best = curve["method"] == curve["best"]
        for barred, size in ((curve[best], 5.0), (curve[~best & (look.dashes == UNTUNED)], 2.5)):
            arms = [barred["error"] - barred["low"], barred["high"] - barred["error"]]
            marked = look.line() | {"linestyle": "", "markersize": size}
            axes.errorbar(barred["epsilon"], barred["error"], arms, capsize=2, elinewidth=1.0, **marked)
    log_ticks(axes, part["epsilon"])
    log_scale(axes, "")


def _explanation(study: Mapping[str, Any], threats: Mapping[str, str]) -> str:
    """Return the explanation of a study's figure, in lines that fit."""
    untuned = f" As published, not tuned: {'; '.join(study['untuned'])}." if study["untuned"] else ""
    sentences = [
        f"Every method at its best: total ε at δ = {study['delta']:g} over all messages, replacing one row, by the "
        f"shift accountant. Means over {len(study['judgement'])} splits and graphs; large, with 95 % intervals: the "
        "best at its ε. "
        f"Hyper-parameters, rounds, and last iterate or average were chosen on {len(study['selection'])} other splits "
        f"and graphs; on private data that would cost budget, which is not counted.{untuned}",
        *threat_sentences(threats),
    ]
    return "\n".join(line for sentence in sentences for line in wrap(sentence, LETTERS))
