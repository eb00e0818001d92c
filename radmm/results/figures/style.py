"""What all figures share: the look of each algorithm, sizes, and files that are the same bytes for the same data."""

from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

from radmm.base.store import replacing

TEXT_WIDTH = 7.16  # inches: both columns of the journal
COLUMN_WIDTH = 3.5


class Look(NamedTuple):
    """Colour as in the paper; marker and dashes tell the curves apart without it."""

    color: str
    marker: str
    dashes: str | tuple[int, tuple[int, ...]] = "-"

    def line(self) -> dict[str, Any]:
        """As keywords for Matplotlib."""
        return {"color": self.color, "marker": self.marker or None, "linestyle": self.dashes, "markerfacecolor": "none"}


LOOKS = {
    "ADMM, not private": Look("green", "", (0, (6, 2))),
    "ADMM": Look("black", "o"),
    "M-ADMM": Look("blue", "s"),
    "R-ADMM": Look("red", "^"),
    "MR-ADMM": Look("magenta", "D"),
    "ADMM, stopped at T/2": Look("dimgray", "v", (0, (2, 1))),
    "ADMM, growing η, stopped at T/2": Look("darkorange", "x", (0, (2, 1))),
}
MARKERS = "os^Dv<>Pd*hpH8"


def looks_of(labels: list[str]) -> dict[str, Look]:
    """The paper's look where it has one; the others from dark to light, as parameters mostly grow."""
    others = [label for label in labels if label not in LOOKS]
    shades = sns.color_palette("plasma", len(others) + 1).as_hex()  # the last is too light to see
    looks = {label: Look(*look) for label, *look in zip(others, shades, cycle(MARKERS), strict=False)}
    return {label: LOOKS.get(label) or looks[label] for label in labels}


def log_scale(axes: Axes, label: str) -> None:
    """A logarithmic axis for losses and distances, with numbers as one would write them."""
    axes.set_yscale("log")
    low, high = axes.get_ylim()
    round_numbers = LogLocator(subs=(1, 2, 3, 5) if high < 100 * low else (1,))
    axes.yaxis.set_major_locator(MaxNLocator(5) if high < 6 * low else round_numbers)
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.set_ylabel(label)


def use_style() -> None:
    sns.set_theme(context="paper", style="ticks", font_scale=0.85)
    mpl.rcParams.update(
        {
            "axes.grid": True,
            "grid.color": "0.9",
            "grid.linewidth": 0.5,
            "lines.linewidth": 1.0,
            "lines.markersize": 3.5,
            "legend.frameon": False,
            "pdf.fonttype": 42,  # text stays text
            "savefig.dpi": 200,
        }
    )


def save(figure: Figure, pdf: Path, png: Path, provenance: dict[str, Any]) -> None:
    """Write both files without a date, so that the same data give the same bytes, and with where they come from."""
    source = "; ".join(f"{key}: {', '.join(value)}" for key, value in provenance.items())
    with replacing(pdf) as temporary:
        figure.savefig(temporary, format="pdf", metadata={"CreationDate": None, "Keywords": source})
    figure.set_layout_engine("none")  # what the first file has serves the second: laying out takes long
    with replacing(png) as temporary:
        figure.savefig(temporary, format="png", metadata={"Software": None, "Source": source})
