"""A figure's files, PDF, PNG and SVG, which carry their provenance and have the same bytes for the same data."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from radmm.base.errors import InputError
from radmm.base.store import read_metadata, vouched
from radmm.outcome.picture_metadata import metadata_of
from radmm.privacy.guarantee import NOT_FOR_RELEASE
from radmm.results.figures.captions import EXACT, caption
from radmm.results.figures.figure import FigureKind, Material
from radmm.results.figures.options import FigureOptions
from radmm.results.figures.style import letter, use_style
from radmm.study.figure_style import Style

TITLE, MARGIN = 0.3, 0.06  # inches of a figure's title, and above it
COLORBAR = "<colorbar>"  # Matplotlib's own label of axes that explain colours


def draw_files(
    kind: FigureKind,
    table: Path,
    timings: Path | None,
    pdf: Path,
    png: Path,
    style: Style = Style.CLEAR,
    svg: Path | None = None,
) -> None:
    """Draw an experiment into its files, with their provenance.

    Args:
        kind: The figure kind with its options.
        timings: Its timings, if the kind needs them.
        svg: SVG file to write, for the report.
    """
    use_style()
    material, stored = kind.arranged(Material.read(table, timings, style)), read_metadata(table)
    drawn = kind.draw(material)
    finish(drawn, kind)
    said = caption(kind, material, stored.get("caveats", []))
    assumed = [stored["assumed"]] if EXACT in said else []  # without noise there is no ε
    provenance = {key: stored[key] for key in ("settings", "data", "code")}
    save(drawn, pdf, png, provenance, [*said, *assumed, NOT_FOR_RELEASE], svg)


def save(
    figure: Figure,
    pdf: Path,
    png: Path,
    provenance: Mapping[str, Sequence[str]],
    disclaimer: Sequence[str] = (),
    svg: Path | None = None,
) -> None:
    """Write the files without a date, so that the same data give the same bytes, and with their provenance.

    Args:
        provenance: Lists of names or hashes, by what they are of.
        disclaimer: Conditions of its ε and what they don't cover, in sentences.
        svg: SVG file to write, if the report shows the figure.
    """
    sentences = " ".join(dict.fromkeys(disclaimer))
    for path in filter(None, (pdf, png, svg)):
        with vouched(path) as temporary:
            metadata = metadata_of(path.suffix, provenance, sentences)
            figure.savefig(temporary, format=path.suffix[1:], metadata=metadata)
    plt.close(figure)  # a kind may have made it by pyplot, which keeps all of its own


def finish(figure: Figure, options: FigureOptions) -> None:
    """Give a figure that is drawn its titles and limits.

    Args:
        figure: Figure as a kind drew it.
    """
    panels = _panels(figure)
    for name, title in options.titles.items():
        axes = _panel(panels, name, f"titles.{name}")
        axes.set_title(title, loc="left" if axes.get_title(loc="left") else "center")
    for written, (low, high) in options.limits.items():
        name, _, direction = written.rpartition(".")
        for axes in [_panel(panels, name, f"limits.{written}")] if name else panels.values():
            if low <= 0 and getattr(axes, f"get_{direction}scale")() == "log":
                raise InputError(f"figure.limits.{written} = {[low, high]}: must be positive on a logarithmic axis")
            axes.set(**{f"{direction}lim": (low, high)})
    if options.title:
        _set_title(figure, options.title)


def _set_title(figure: Figure, text: str) -> None:
    """Write a title above the legend, for which the layout leaves no room by itself."""
    if figure.legends:
        legend = figure.legends[0]
        legend.set_title("\n\n" + legend.get_title().get_text())  # as high as the title
        figure.set_figheight(figure.get_figheight() + TITLE)
    y = 1 - MARGIN / figure.get_figheight()
    figure.suptitle(text, y=y, va="top").set_in_layout(not figure.legends)


def _panels(figure: Figure) -> dict[str, Axes]:
    """Return the panels by their printed letters; where a figure has none, they are counted along rows."""
    drawn = [axes for axes in figure.axes if axes.get_label() != COLORBAR and axes.axison]
    printed = [re.match(r"\(([a-z]+)\)", axes.get_title(loc="left")) for axes in drawn]
    found = {match[1]: axes for match, axes in zip(printed, drawn, strict=True) if match}
    return found or {letter(place): axes for place, axes in enumerate(drawn)}


def _panel(panels: Mapping[str, Axes], name: str, option: str) -> Axes:
    if name not in panels:
        raise InputError(f"figure.{option}: must be of a panel that the figure has, one of {', '.join(panels)}")
    return panels[name]
