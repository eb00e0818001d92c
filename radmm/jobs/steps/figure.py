"""Draw an experiment's table, and its timings if the kind of figure shows them, into a PDF and a PNG."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from radmm.base.store import checked
from radmm.jobs.steps.step_runner import say
from radmm.jobs.up_to_date import require_sources
from radmm.results.figures.figure import FIGURES
from radmm.results.figures.files import draw_files
from radmm.study.figure_style import Style


def figure(
    kind: str,
    table: Path,
    pdf: Path,
    png: Path,
    timings: Path | None = None,
    style: str = "clear",
    options: Mapping[str, Any] | None = None,
) -> None:
    """Draw a figure of one of the kinds that there are.

    Args:
        kind: Its name.
        table: The experiment's table.
        pdf: Where the figure goes.
        png: Where it goes as a picture.
        timings: The experiment's timings, if the kind shows them.
        style: One of those that the config may name.
        options: Options of the kind, by its fields' names.
    """
    require_sources(checked(table))
    draw_files(FIGURES[kind](**(options or {})), table, timings, pdf, png, Style(style))
    say(f"{kind}, {png.stat().st_size / 1000:.0f} kB")
