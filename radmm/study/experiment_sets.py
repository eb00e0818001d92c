"""Sets of experiments, which decide whether claims use an experiment, and which target makes it."""

from enum import StrEnum


class ExperimentSet(StrEnum):
    """Set that an experiment belongs to.

    The claims are judged by the experiments of `paper` and `case`. The default target draws those of `paper` and the
    user's own; `make all` draws all.
    """

    PAPER = "paper"
    CASE = "case"
    STUDY = "study"
    OWN = "own"


JUDGED = (ExperimentSet.PAPER, ExperimentSet.CASE)  # the claims look at these
