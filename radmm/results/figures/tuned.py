"""A tuned study as a picture: test error against ε, a panel for each cell, methods at their best."""

from __future__ import annotations

from itertools import cycle
from math import ceil
from typing import TYPE_CHECKING, Any

from radmm.results.figures.looks import Look, palette
from radmm.results.figures.style import TEXT_WIDTH, despine, handles_of, legend_above, log_across, subplots

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMNS = 3
PANEL = 2.3  # inches of height
SHOWN = "replace"


def draw(table: pd.DataFrame, references: pd.DataFrame, study: Mapping[str, Any]) -> Figure:
    """For replacing one row; the table has the other relation, too.

    Args:
        table: What methods came to.
        references: Those that have no cell; they are in every panel.
        study: What the study says of itself.
    """
    own, theirs = (part[part["neighbours"] == SHOWN] for part in (table, references))
    cells, methods = list(own["cell"].unique()), list(own["method"].unique())
    columns = min(COLUMNS, len(cells))
    rows = ceil(len(cells) / columns)
    figure, panels = subplots(rows, columns, TEXT_WIDTH, 1.2 + PANEL * rows, sharex=True, sharey="row")
    looks = palette(methods)
    for axes, cell in zip(panels.ravel(), cells, strict=False):
        _panel(axes, own[own["cell"] == cell], theirs, looks, study)
        axes.set_title(cell, loc="left")
    for axes in panels.ravel()[len(cells) :]:
        axes.set_visible(False)
    for axes in panels[:, 0]:
        axes.set_ylabel("test error")
    for axes in panels[-1]:
        axes.set_xlabel("total ε")
    title = (
        f"Total ε at δ = {study['delta']:g}, replacing one row. Means over {len(study['judgement'])} splits and "
        f"graphs, bars: 95 % intervals; chosen on {len(study['selection'])} others.\n"
        "Choosing hyper-parameters on private data would cost budget, which is not counted."
    )
    legend_above(figure, handles_of(panels.ravel()), title, columns=3)
    return despine(figure)


def _panel(axes: Axes, part: pd.DataFrame, references: pd.DataFrame, looks: Mapping[str, Look], study: Any) -> None:
    for method, curve in part.groupby("method", sort=False):
        curve = curve.sort_values("epsilon")
        arms = [curve["error"] - curve["low"], curve["high"] - curve["error"]]
        line = looks[str(method)].line() | ({"linestyle": ":"} if method in study["untuned"] else {})
        axes.errorbar(curve["epsilon"], curve["error"], arms, label=method, capsize=2, elinewidth=0.8, **line)
    alone = references.groupby("method", sort=False)
    for (method, curve), dashes in zip(alone, cycle(["--", "-.", ":"]), strict=False):
        curve = curve.sort_values("epsilon")
        axes.plot(curve["epsilon"], curve["error"], label=method, color="black", linestyle=dashes, linewidth=1)
    log_across(axes, sorted(part["epsilon"].unique()))
