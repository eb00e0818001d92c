"""Verdicts on claims, from their checks."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from radmm.results.claims.adjustment import adjust
from radmm.results.claims.claim import Check, Claim, ClaimCase, Form, Outcome
from radmm.results.claims.evidence import Evidence, EvidenceError, Runs
from radmm.results.claims.separating_clause import condition
from radmm.results.claims.statistics import Estimate
from radmm.study.entries import Entry


class Word(StrEnum):
    HOLDS = "holds"
    FAILS = "fails"
    MIXED = "mixed"  # some cases hold and others fail
    UNDECIDED = "undecided"  # the runs don't tell
    NOT_TESTED = "not tested"


def word_of(outcomes: Collection[str]) -> Word:
    """Return the verdict on a tendency.

    Args:
        outcomes: Outcomes of its cases, adjusted for their number.
    """
    holds, fails = Outcome.HOLDS in outcomes, Outcome.FAILS in outcomes
    if holds and fails:
        return Word.MIXED
    if fails:
        return Word.FAILS
    return Word.HOLDS if holds and Outcome.UNDECIDED not in outcomes else Word.UNDECIDED


@dataclass(frozen=True)
class ClaimVerdict:
    claim: Claim
    cases: list[ClaimCase]
    controls: list[ClaimCase]  # shown beside the cases, without a say
    missing: list[str]  # what it would have taken to test more
    settings: list[str]  # ids of those looked at

    @property
    def word(self) -> Word:
        if not self.cases:
            return Word.NOT_TESTED
        # For all cases to hold each must, so that luck would have to strike everywhere: nothing is to be adjusted.
        if all(case.outcome is Outcome.HOLDS for case in self.cases):
            return Word.HOLDS
        shown = [case.adjusted_outcome for case in self.cases]
        match self.claim.form:
            case Form.SOME:
                never = all(case.outcome is Outcome.FAILS for case in self.cases)
                return Word.HOLDS if Outcome.HOLDS in shown else Word.FAILS if never else Word.UNDECIDED
            case Form.ALWAYS:
                return Word.FAILS if Outcome.FAILS in shown else Word.UNDECIDED
        return word_of(shown)

    @property
    def condition(self) -> str:
        """Clause that separates the cases that hold from those that fail, if there is one."""
        return condition(self.cases) if self.word is Word.MIXED else ""

    @property
    def exceptions(self) -> list[ClaimCase]:
        """Cases that fail, of a claim of which others hold."""
        if not self.number(Outcome.HOLDS):
            return []
        return [case for case in self.cases if case.adjusted_outcome is Outcome.FAILS]

    def number(self, outcome: Outcome) -> int:
        """Count the cases with an outcome.

        Args:
            outcome: Outcome by the adjusted interval; by its own where the claim as a whole holds.
        """
        if self.word is Word.HOLDS and self.claim.form is not Form.SOME:
            return sum(case.outcome is outcome for case in self.cases)
        return sum(case.adjusted_outcome is outcome for case in self.cases)

    def __str__(self) -> str:
        if self.word is Word.NOT_TESTED:
            return f"{self.word}: {'; '.join(self.missing)}"
        clause = self.condition
        return f"{self.word}: holds only if {clause}" if clause else str(self.word)


def judge(
    claim: Claim,
    experiments: Mapping[str, list[Entry]],
    traces: Path,
    ledgers: Path | None = None,
    read: dict[str, Runs] | None = None,
) -> ClaimVerdict:
    """Judge a claim; checks whose runs are missing are recorded as missing, and the others go on.

    Args:
        claim: Claim to judge.
        experiments: Entries of each experiment, by its name.
        traces: Folder of their traces.
        ledgers: Folder of their ledgers, without which no total ε is known.
        read: Runs that were read for other claims, by setting; those read for this one are added.
    """
    evidence = Evidence(experiments, traces, ledgers, read)
    checks: list[Check] = []
    estimates: list[Estimate] = []
    for check in claim.checks(evidence):
        try:
            estimates.append(check.measure())
            checks.append(check)
        except EvidenceError as reason:
            evidence.note(str(reason))
    made = list(zip(checks, adjust(checks, estimates), strict=True))
    cases = [case for check, case in made if not check.is_control]
    if not cases and not evidence.missing:
        evidence.note("no two settings to compare")
    controls = [case for check, case in made if check.is_control]
    return ClaimVerdict(claim, cases, controls, evidence.missing, evidence.settings)
