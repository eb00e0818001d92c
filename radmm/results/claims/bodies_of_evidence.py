"""Bodies of evidence: the run at hand on one split and graph, and replications over pairs of these on data sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from radmm.results.claims.catalogue import CLAIMS
from radmm.results.claims.claim import Claim
from radmm.results.claims.replication import cases_from_json, judge_all
from radmm.results.claims.verdict import ClaimVerdict, Criteria, Word

TITLES = {"adult": "Adult", "census_kdd": "Census", "bank": "Bank"}


@dataclass(frozen=True)
class Body:
    """Verdicts on the claims by one body of evidence.

    Args:
        data: Name of the data set.
        words: What the evidence is, in words.
        verdicts: Verdicts by the name of their claim.
        is_of_run: Whether the data set is that of the run at hand.
        overlap: Test rows to training rows, for the corrected intervals of a replication; zero if units are runs.
    """

    data: str
    words: str
    verdicts: Mapping[str, ClaimVerdict]
    is_of_run: bool = True
    overlap: float = 0.0

    @property
    def title(self) -> str:
        """Name of the data set for readers."""
        return TITLES.get(self.data, self.data)


@dataclass(frozen=True)
class ClaimReport:
    """A claim with all evidence on it.

    Args:
        claim: The claim.
        bodies: Evidence that its verdict rests on: a replication on each data set, that of the run at hand first; the
            run at hand itself where its data set has no replication.
        this_run: The run at hand.
    """

    claim: Claim
    bodies: tuple[Body, ...]
    this_run: Body

    @property
    def verdict(self) -> ClaimVerdict:
        """The verdict on the data set of the run at hand."""
        return self.verdict_on(self.bodies[0])

    def verdict_on(self, body: Body) -> ClaimVerdict:
        """Return the verdict by one body of evidence."""
        return body.verdicts[self.claim.name]

    @property
    def words(self) -> dict[str, Word]:
        """The verdict's word on each data set."""
        return {body.data: self.verdict_on(body).word for body in self.bodies}

    @property
    def holds_on(self) -> str:
        """Data sets on which it holds, in words; empty if there is one data set only, or if it holds on none."""
        named = [body.title for body in self.bodies if self.verdict_on(body).word is Word.HOLDS]
        if len(self.bodies) == 1 or not named:
            return ""
        if len(named) == len(self.bodies):
            return f"all {len(named)} data sets"
        return f"{named[0]} alone" if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"


def replicated_body(look: Mapping[str, Any], data: str) -> Body:
    """Return the verdicts by a replication.

    Args:
        look: Content of the file of its last look.
        data: Name of the data set of the run at hand.
    """
    looks: Sequence[int] = look["looks"]
    criteria = Criteria(look["level"], look["margins"], len(looks))
    verdicts = {verdict.claim.name: verdict for verdict in judge_all(cases_from_json(look["claims"]), criteria)}
    number = looks.index(look["pairs"]) + 1
    words = (
        f"up to {look['pairs']} pairs of a split and a graph (look {number} of {len(looks)}), {look['runs']} runs in "
        "each; cases that were decided earlier have fewer"
    )
    return Body(look["data"], words, verdicts, look["source"] == data, look["test"] / look["train"])


def reports(this_run: Body, replications: Sequence[Body]) -> list[ClaimReport]:
    """Return all claims with their evidence.

    Args:
        replications: Replications on data sets.
    """
    own = [body for body in replications if body.is_of_run]
    others = sorted((body for body in replications if not body.is_of_run), key=lambda body: _place(body.data))
    bodies = [*(own or [this_run]), *others]
    found = []
    for claim in CLAIMS:
        testing = tuple(body for body in bodies if claim.name in body.verdicts)
        found.append(ClaimReport(claim, testing or (this_run,), this_run))
    return found


def _place(data: str) -> tuple[int, str]:
    """Return the place of a data set among others: those that radmm ships looks of first."""
    return (list(TITLES).index(data) if data in TITLES else len(TITLES), data)
