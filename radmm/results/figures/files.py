"""A figure's files, PDF and PNG: one layout for both, and the same bytes for the same data."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from radmm.base.store import vouched

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from matplotlib.figure import Figure

LAYOUT_TABLES = ["GDEF", "GPOS", "GSUB", "kern"]  # of a font: which glyphs stand for which letters, and how far apart
PACKING = 3  # of a PNG, from 1 to 9: as small as by the usual 6, in two thirds of the time


def save(figure: Figure, pdf: Path, png: Path, provenance: Mapping[str, Sequence[str]]) -> None:
    """Write both files without a date, so that the same data give the same bytes, and with where they come from.

    Args:
        figure: What is drawn.
        pdf: A file to be written.
        png: A file to be written.
        provenance: Lists of names or hashes, by what they are of.
    """
    source = "; ".join(f"{key}: {', '.join(value)}" for key, value in provenance.items())
    _lay_out(figure)
    with vouched(pdf) as temporary, _plain_fonts():
        figure.savefig(temporary, format="pdf", metadata={"CreationDate": None, "Keywords": source})
    with vouched(png) as temporary:
        packing = {"compress_level": PACKING}
        figure.savefig(temporary, format="png", metadata={"Software": None, "Source": source}, pil_kwargs=packing)
    close(figure)


def close(figure: Figure) -> None:
    """Let go of a figure that a kind may have made by pyplot, which keeps all of its own.

    Args:
        figure: Any.
    """
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close(figure)


def _lay_out(figure: Figure) -> None:
    """Once for both files, by the sizes of the PDF's text; `savefig` would walk through all that is drawn once more."""
    from matplotlib.backends.backend_pdf import FigureCanvasPdf

    if engine := figure.get_layout_engine():
        figure.set_dpi(FigureCanvasPdf.fixed_dpi)
        FigureCanvasPdf(figure)
        engine.execute(figure)
        figure.set_layout_engine(None)


@contextmanager
def _plain_fonts() -> Iterator[None]:
    """Fonts are embedded without tables that only typesetting reads: Matplotlib has put every glyph in its place.

    To read these tables and cut them down to the glyphs in use takes longer than all the rest of a font.
    """
    from fontTools import subset

    load = subset.load_font

    def load_plain(*arguments: Any, **options: Any) -> Any:
        font = load(*arguments, **options)
        for table in LAYOUT_TABLES:
            if table in font:
                del font[table]
        return font

    subset.load_font = load_plain
    try:
        yield
    finally:
        subset.load_font = load
