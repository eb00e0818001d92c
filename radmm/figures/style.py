"""What all figures share: the look of each algorithm, sizes, and files that are the same bytes for the same data."""

from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter, ScalarFormatter

from radmm.store import replacing

TEXT_WIDTH = 7.16  # inches: both columns of the journal
COLUMN_WIDTH = 3.5
LOSS_TICKS = {
    True: [0.3, 0.4, 0.5, 0.7, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0],
    False: [0.3, 0.32, 0.34, 0.36, 0.38, 0.4, 0.42, 0.45, 0.5, 0.6, 0.7, 0.8, 1.0],
}


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
    shades = sns.color_palette("viridis", len(others)).as_hex()
    looks = {label: Look(*look) for label, *look in zip(others, shades, cycle(MARKERS), strict=False)}
    return {label: LOOKS.get(label) or looks[label] for label in labels}


def log_losses(axes: Axes) -> None:
    """A logarithmic axis for losses, with numbers as one would write them."""
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(ScalarFormatter())
    axes.yaxis.set_minor_formatter(NullFormatter())
    low, high = axes.get_ylim()
    axes.set_yticks([tick for tick in LOSS_TICKS[np.ptp([np.log(low), np.log(high)]) > 1] if low <= tick <= high])
    axes.set_ylabel("L(t), log scale")


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
    with replacing(png) as temporary:
        figure.savefig(temporary, format="png", metadata={"Software": None, "Source": source})
