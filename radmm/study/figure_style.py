"""How curves are drawn: for readers of today, or as in the paper. No setting's id depends on it."""

from enum import StrEnum


class Style(StrEnum):
    """Colours, and what a bar is."""

    CLEAR = "clear"
    PAPER = "paper"
