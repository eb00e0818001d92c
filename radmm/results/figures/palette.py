"""The palette of figures and report: one colour, marker and name for each algorithm, and for each accountant.

Algorithms have the colours of Okabe and Ito, accountants those of Paul Tol's muted scheme, and what is neither, like
networks or data sets, those of his bright one. Readers who are colour-blind can distinguish each set, and what looks
like an algorithm is one. Markers do without colour.
"""

from __future__ import annotations

from typing import NamedTuple


class Swatch(NamedTuple):
    """Colour, marker and name of an algorithm or an accountant in figures and report.

    Args:
        color: Colour in hexadecimal digits. Black stands for the colour of the text on a dark page.
        marker: Marker as Matplotlib names it.
        title: Name for readers.
    """

    color: str
    marker: str
    title: str


ALGORITHMS = {
    "admm": Swatch("#000000", "o", "ADMM"),
    "m-admm": Swatch("#0072B2", "s", "M-ADMM"),
    "r-admm": Swatch("#D55E00", "^", "R-ADMM"),
    "mr-admm": Swatch("#CC79A7", "D", "MR-ADMM"),
    "dgd": Swatch("#009E73", "v", "DGD"),
    "gradient-tracking": Swatch("#56B4E9", "P", "Gradient tracking"),
    "one-shot": Swatch("#E69F00", "*", "One-shot"),
}
ACCOUNTANTS = {  # from the loosest to the tightest
    "paper": Swatch("#999933", "o", "Paper's theorem"),
    "pure": Swatch("#661100", "s", "Pure"),
    "optimal-pure": Swatch("#CC6677", "D", "Optimal composition"),
    "renyi": Swatch("#44AA99", "^", "Rényi"),
    "pld": Swatch("#6699CC", "v", "Privacy loss distribution"),
    "shift": Swatch("#332288", "P", "Shift (this work)"),
    "plain shift": Swatch("#888888", "d", "Lower bound"),
    "shift, zero-out": Swatch("#AA4499", "X", "Shift, zero-out"),
}
PLUG_INS = [("#8C510A", "X"), ("#7F7F7F", "h"), ("#117733", "<"), ("#882255", ">")]  # algorithms of plug-ins, in turn
BLUE, RED, GREEN, YELLOW, CYAN, PURPLE, GREY = (
    "#4477AA", "#EE6677", "#228833", "#CCBB44", "#66CCEE", "#AA3377", "#BBBBBB",
)  # fmt: skip
COLORS = (BLUE, RED, GREEN, YELLOW, CYAN, PURPLE, GREY)  # colours of what is neither
BETTER, WORSE = "#E3F2EC", "#FBEAE0"  # shading of a region where something is better, and where it is worse
