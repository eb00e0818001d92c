"""Where an experiment belongs: to the paper, to the studies beyond it, or to the user."""

from enum import StrEnum


class Set(StrEnum):
    """Only the paper's experiments feed the claims; studies are made when all is asked for; one's own always."""

    PAPER = "paper"
    STUDY = "study"
    OWN = "own"
