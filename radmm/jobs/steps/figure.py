"""Draw an experiment's table, and its timings if the kind of figure shows them, into a PDF and a PNG."""

import json
from collections.abc import Sequence
from pathlib import Path

from radmm.base.plugins import load_plugin
from radmm.base.store import checked
from radmm.jobs.currency import require_sources
from radmm.jobs.steps.command import run, say
from radmm.results.figures.files import draw_files
from radmm.study.style import Style


def figure(
    kind: str,
    table: Path,
    pdf: Path,
    png: Path,
    timings: Path | None = None,
    plugins: Sequence[str] = (),
    style: Style = Style.CLEAR,
) -> None:
    """Draw into both files; the plug-ins may define the kind."""
    for path in plugins:
        load_plugin(path)
    require_sources(checked(table))
    draw_files(kind, table, timings, pdf, png, style)
    say(f"{kind}, {png.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    run(figure, __doc__, kind=str, table=Path, timings=Path, plugins=json.loads, style=Style, pdf=Path, png=Path)
