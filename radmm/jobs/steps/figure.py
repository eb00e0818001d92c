"""Draw an experiment's table, and its timings if the kind of figure shows them, into a PDF, a PNG and an SVG."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from radmm.base.store import checked
from radmm.jobs.steps.step_runner import say
from radmm.jobs.up_to_date import require_sources
from radmm.results.figures.files import draw_files
from radmm.study.figure_registry import FIGURES
from radmm.study.figure_style import Style


def figure(
    kind: str,
    table: Path,
    pdf: Path,
    png: Path,
    svg: Path | None = None,
    timings: Path | None = None,
    style: str = "clear",
    options: Mapping[str, Any] | None = None,
) -> None:
    """Draw the figure of an experiment.

    Args:
        kind: Name of the kind of figure.
        pdf: Output: the figure.
        png: Output: the figure as a picture.
        svg: Output: the figure for the report.
        timings: Experiment's timings, if the kind shows them.
        style: Style of figures in the config.
        options: Options of the kind, by its fields' names.
    """
    require_sources(checked(table))
    draw_files(FIGURES[kind](**(options or {})), table, timings, pdf, png, Style(style), svg)
    say(f"{kind}, {png.stat().st_size / 1000:.0f} kB")
