"""A figure's files, PDF and PNG, which carry their provenance and have the same bytes for the same data."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from radmm.base.store import read_metadata, vouched
from radmm.outcome.picture_metadata import metadata_of
from radmm.privacy.guarantee import NOT_FOR_RELEASE
from radmm.results.figures.figure import FIGURES, Material
from radmm.results.figures.fine_print import fine_print
from radmm.results.figures.style import use_style
from radmm.study.figure_style import Style


def draw_files(kind: str, table: Path, timings: Path | None, pdf: Path, png: Path, style: Style = Style.CLEAR) -> None:
    """Draw an experiment into both files, with their provenance.

    Args:
        kind: Name of the figure kind.
        table: Table of the experiment.
        timings: Its timings, if the kind needs them.
        pdf: PDF file to write.
        png: PNG file to write.
        style: Style of the figure.
    """
    use_style()
    material, stored = Material.read(table, timings, style), read_metadata(table)
    drawn = FIGURES[kind]().draw(material)
    said = fine_print(drawn, material, stored.get("caveats", []))
    assumed = [stored["assumed"]] if said else []  # without noise there is no ε
    provenance = {key: stored[key] for key in ("settings", "data", "code")}
    save(drawn, pdf, png, provenance, [*said, *assumed, NOT_FOR_RELEASE])


def save(
    figure: Figure, pdf: Path, png: Path, provenance: Mapping[str, Sequence[str]], disclaimer: Sequence[str] = ()
) -> None:
    """Write both files without a date, so that the same data give the same bytes, and with their provenance.

    Args:
        figure: Figure to save.
        pdf: PDF file to write.
        png: PNG file to write.
        provenance: Lists of names or hashes, by what they are of.
        disclaimer: Conditions of its ε and what they don't cover, in sentences.
    """
    sentences = " ".join(dict.fromkeys(disclaimer))
    for path in (pdf, png):
        with vouched(path) as temporary:
            metadata = metadata_of(path.suffix, provenance, sentences)
            figure.savefig(temporary, format=path.suffix[1:], metadata=metadata)
    plt.close(figure)  # a kind may have made it by pyplot, which keeps all of its own
