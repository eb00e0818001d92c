"""From a claim's checks to one verdict."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from radmm.results.claims.claim import Case, Claim, Outcome
from radmm.results.claims.condition import condition
from radmm.results.claims.evidence import Evidence, EvidenceError
from radmm.study.settings import StudySetting


class Word(StrEnum):
    HOLDS = "holds"
    ONLY_IF = "holds only if"  # some cases hold: the condition says which
    FAILS = "fails"  # no case holds, and at least one is shown to be otherwise
    UNDECIDED = "undecided"  # no case holds and none fails
    NOT_TESTED = "not tested"


@dataclass(frozen=True)
class Verdict:
    claim: Claim
    cases: list[Case]
    missing: list[str]  # what it would have taken to test more
    settings: list[str]  # ids of those looked at

    @property
    def word(self) -> Word:
        outcomes = {case.outcome for case in self.cases}
        if not outcomes:
            return Word.NOT_TESTED
        if Outcome.HOLDS in outcomes:
            return Word.HOLDS if len(outcomes) == 1 else Word.ONLY_IF
        return Word.FAILS if Outcome.FAILS in outcomes else Word.UNDECIDED

    @property
    def condition(self) -> str:
        """When it holds, where that is not always or never."""
        return condition(self.cases) if self.word is Word.ONLY_IF else ""

    def number(self, outcome: Outcome) -> int:
        return sum(case.outcome is outcome for case in self.cases)

    def __str__(self) -> str:
        if self.word is Word.NOT_TESTED:
            return f"{self.word}: {'; '.join(self.missing)}"
        return f"{self.word} {self.condition}".strip()


def judge(claim: Claim, experiments: Mapping[str, list[StudySetting]], traces: Path) -> Verdict:
    """What a check can't be made of is noted; the others go on."""
    evidence = Evidence(experiments, traces)
    cases = []
    for check in claim.checks(evidence):
        try:
            estimate = check.measure()
            cases.append(Case(check.at, estimate, check.decide(estimate)))
        except EvidenceError as reason:
            evidence.note(str(reason))
    if not cases and not evidence.missing:
        evidence.note("no two settings to compare")
    return Verdict(claim, cases, evidence.missing, evidence.settings)
