"""Styles of figures: with distinguishable colours, or as in the paper. No setting's id depends on the style."""

from enum import StrEnum


class Style(StrEnum):
    """Style of a figure: its colours, and what its bars show."""

    CLEAR = "clear"
    PAPER = "paper"
