"""Sentences on what recycling buys at tuned η: R-ADMM against ADMM with as many iterations, and with as many argmins.

Both are rivals of the same algorithm at equal budgets, in the same pairs of a split and a graph, so that their
difference tells how much of the gain over the first is had by stopping early.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from radmm.results.claims.decision import Outcome
from radmm.results.claims.recycling import AT_T, OURS, POINTS, RIVALS, STOPPED
from radmm.results.frontier.replicated_page import EQUAL, of_error
from radmm.results.frontier.replication import NOISELESS, PUBLISHED, TUNED


def against_rivals(differences: pd.DataFrame) -> pd.DataFrame:
    """Return the differences in test error of R-ADMM and its two rivals, at equal budgets.

    Args:
        differences: Table of a replication, in which R-ADMM is compared with both.
    """
    shown = of_error(differences)
    asked = shown["kind"].isin([TUNED, PUBLISHED]) & (shown["axis"] != NOISELESS)
    return shown[asked & (shown["left"] == OURS) & shown["right"].isin(RIVALS)]


def sentences(differences: pd.DataFrame) -> Iterator[str]:
    """Yield a sentence for each axis of privacy and choice of η, on all cells.

    Args:
        differences: Table of a replication, in which R-ADMM is compared with both.
    """
    for (axis, kind), part in against_rivals(differences).groupby(["axis", "kind"], sort=False):
        cells = [_cell(str(cell), own.set_index("right")) for cell, own in part.groupby("cell", sort=False)]
        yield f"At {EQUAL[str(axis)]}, {kind}: {'; '.join(cells)}."


def section(differences: pd.DataFrame) -> str:
    """Return the section of a page on what recycling buys; empty if R-ADMM is not compared with its rivals."""
    said = " ".join(sentences(differences))
    return f"\n## What recycling buys\n\n{said}\n" if said else ""


def _cell(cell: str, rivals: pd.DataFrame) -> str:
    said = [f"{_gain(rivals.loc[name])} {words}" for name, words in RIVALS.items() if name in rivals.index]
    return f"{cell}, R-ADMM is {' and '.join(said)}{_share(rivals)}"


def _gain(row: Any) -> str:
    """Return a difference in words, as far as its outcome allows."""
    points = f"{abs(POINTS * row['difference']):.2f} points"
    words = {
        Outcome.HOLDS: f"{points} better than",
        Outcome.FAILS: f"{points} worse than",
        Outcome.NO_DIFFERENCE: "no different from",
        Outcome.UNDECIDED: f"not distinguishable ({POINTS * row['difference']:+.2f} points) from",
    }
    return words[Outcome(row["outcome"])].replace("-", "−")


def _share(rivals: pd.DataFrame) -> str:
    """Return how much of the gain over ADMM with T iterations stopping alone has, where there is a gain."""
    if not set(RIVALS) <= set(rivals.index) or rivals.loc[AT_T, "outcome"] != Outcome.HOLDS:
        return ""
    gains = rivals["difference"].to_dict()
    share = 1.0 - float(gains[STOPPED]) / float(gains[AT_T])
    return f": stopping early has {100 * share:.0f} % of the gain"
