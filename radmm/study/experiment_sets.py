"""Where an experiment belongs: to the paper, to its claims, to the studies beyond it, or to the user."""

from enum import StrEnum


class Set(StrEnum):
    """The paper's experiments feed the claims, and so do cases, which are drawn with the studies; studies are made when
    all is asked for; one's own always."""

    PAPER = "paper"
    CASE = "case"
    STUDY = "study"
    OWN = "own"


JUDGED = (Set.PAPER, Set.CASE)  # the claims look at these
