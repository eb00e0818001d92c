"""What all figures share: the look of each algorithm, sizes, and files that are the same bytes for the same data."""

from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
import seaborn as sns
from matplotlib.figure import Figure

from radmm.store import replacing

TEXT_WIDTH = 7.16  # inches: both columns of the journal


class Look(NamedTuple):
    """Colour as in the paper; marker and dashes tell the curves apart without it."""

    color: str
    marker: str
    dashes: str | tuple[int, tuple[int, ...]] = "-"


LOOKS = {
    "ADMM, not private": Look("green", "", (0, (6, 2))),
    "ADMM": Look("black", "o"),
    "M-ADMM": Look("blue", "s"),
    "R-ADMM": Look("red", "^"),
    "MR-ADMM": Look("magenta", "D"),
    "ADMM, stopped at T/2": Look("dimgray", "v", (0, (2, 1))),
    "ADMM, growing η, stopped at T/2": Look("darkorange", "x", (0, (2, 1))),
}
OTHER_LOOKS = [Look(f"C{index}", marker) for index, marker in enumerate("Pd*hpH<>8")]


def looks_of(labels: list[str]) -> dict[str, Look]:
    """The paper's look where it has one, another one for each further label."""
    others = iter(OTHER_LOOKS * len(labels))
    return {label: LOOKS.get(label) or next(others) for label in labels}


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
