"""A figure's files, PDF and PNG, which say where they come from and have the same bytes for the same data."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from radmm.base.store import read_metadata, vouched
from radmm.results.figures.figure import FIGURES, Material
from radmm.results.figures.fine_print import fine_print
from radmm.results.figures.style import use_style
from radmm.study.style import Style


def draw_files(kind: str, table: Path, timings: Path | None, pdf: Path, png: Path, style: Style = Style.CLEAR) -> None:
    """Draw an experiment into both files, which say where they come from.

    Args:
        kind: The figure kind's name.
        table: The experiment's table.
        timings: Its timings, if the kind has them among its sources.
        pdf: A file to be written.
        png: A file to be written.
        style: How to draw it.
    """
    use_style()
    material, stored = Material.read(table, timings, style), read_metadata(table)
    drawn = FIGURES[kind]().draw(material)
    fine_print(drawn, material, stored.get("caveats", []))
    save(drawn, pdf, png, {key: stored[key] for key in ("settings", "data", "code")})


def save(figure: Figure, pdf: Path, png: Path, provenance: Mapping[str, Sequence[str]]) -> None:
    """Write both files without a date, so that the same data give the same bytes, and with where they come from.

    Args:
        figure: What is drawn.
        pdf: A file to be written.
        png: A file to be written.
        provenance: Lists of names or hashes, by what they are of.
    """
    source = "; ".join(f"{key}: {', '.join(value)}" for key, value in provenance.items())
    with vouched(pdf) as temporary:
        figure.savefig(temporary, format="pdf", metadata={"CreationDate": None, "Keywords": source})
    with vouched(png) as temporary:
        figure.savefig(temporary, format="png", metadata={"Software": None, "Source": source})
    plt.close(figure)  # a kind may have made it by pyplot, which keeps all of its own
