"""Verdicts on claims, from their cases."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from radmm.results.claims.claim import Check, Claim, ClaimCase, Form, MeasuredCase
from radmm.results.claims.decision import Kind, Outcome, decide, margin_of
from radmm.results.claims.evidence import Evidence, EvidenceError
from radmm.results.claims.separating_clause import condition
from radmm.results.claims.statistics import Effect

FEWEST_UNITS = 6  # an interval from fewer decides nothing: too little is known of the effects' distribution


class Word(StrEnum):
    HOLDS = "holds"
    NO_DIFFERENCE = "no difference"
    FAILS = "fails"
    MIXED = "mixed"  # some cases hold, and others fail or show no difference
    UNDECIDED = "undecided"
    NOT_TESTED = "not tested"


@dataclass(frozen=True)
class Criteria:
    """Criteria by which intervals decide.

    Args:
        level: Probability that all intervals of a claim cover their effects, at all looks.
        margins: Smallest effect of each kind that matters.
        looks: How often the data may be looked at.
    """

    level: float
    margins: Mapping[str, float]
    looks: int = 1


def word_of(outcomes: Collection[str], form: Form = Form.EACH) -> Word:
    """Return the verdict on a claim.

    Args:
        outcomes: Outcomes of its cases.
        form: What would refute it.
    """
    found = set(outcomes)
    if not found:
        return Word.NOT_TESTED
    if form is Form.SOME and Outcome.HOLDS in found:
        return Word.HOLDS
    if len(found) == 1:
        return Word(found.pop())
    if form is Form.ALWAYS and Outcome.FAILS in found:
        return Word.FAILS
    if Outcome.HOLDS in found and found & {Outcome.FAILS, Outcome.NO_DIFFERENCE}:
        return Word.MIXED
    return Word.FAILS if Outcome.FAILS in found and form is not Form.SOME else Word.UNDECIDED


@dataclass(frozen=True)
class ClaimVerdict:
    """Verdict on a claim by one body of evidence.

    Args:
        claim: The claim.
        cases: Its cases.
        controls: Cases shown beside them, without a say.
        missing: What it would have taken to test more.
        settings: Ids of the settings looked at.
        level: Level of the interval of each case.
    """

    claim: Claim
    cases: list[ClaimCase]
    controls: list[ClaimCase]
    missing: list[str]
    settings: list[str]
    level: float

    @property
    def word(self) -> Word:
        """The verdict in a word."""
        return word_of([case.outcome for case in self.cases], self.claim.form)

    @property
    def units(self) -> int:
        """Number of runs or pairs behind it; single cases may have fewer, where no effect has a finite value."""
        return max((case.sample.units for case in self.cases), default=0)

    @property
    def is_decided(self) -> bool:
        """Whether no further data could be asked for: all cases are decided, or there is none."""
        return not self.number(Outcome.UNDECIDED)

    @property
    def condition(self) -> str:
        """Clause that separates the cases that hold from the others that are decided, if there is one."""
        return condition(self.cases) if self.word is Word.MIXED else ""

    @property
    def typical(self) -> ClaimCase | None:
        """The case with the median effect, among those of the kind that readers know best; None if there is none."""
        kinds = {case.kind for case in self.cases}
        best = next((kind for kind in Kind if kind in kinds), None)
        own = sorted((case for case in self.cases if case.kind is best), key=lambda case: case.sample.mean)
        return own[(len(own) - 1) // 2] if own else None

    def number(self, outcome: Outcome) -> int:
        """Count the cases with an outcome."""
        return sum(case.outcome is outcome for case in self.cases)

    def __str__(self) -> str:
        if self.word is Word.NOT_TESTED:
            return f"{self.word}: {'; '.join(self.missing)}"
        clause = self.condition
        return f"{self.word}: holds only if {clause}" if clause else str(self.word)


def measure(checks: Iterable[Check], evidence: Evidence) -> list[tuple[Check, Effect]]:
    """Carry out checks of a claim; those whose runs are missing are recorded as missing, and the others go on.

    Args:
        checks: Checks to carry out.
        evidence: Runs on one split and graph.
    """
    found = []
    for check in checks:
        try:
            found.append((check, check.effect()))
        except EvidenceError as reason:
            evidence.note(str(reason))
    if not found and not evidence.missing:
        evidence.note("no two settings to compare")
    return found


def over_runs(claim: Claim, evidence: Evidence) -> list[MeasuredCase]:
    """Return a claim's cases on one split and graph, with runs as units.

    Args:
        evidence: Runs on one split and graph.
    """
    return [
        MeasuredCase(
            check.at, check.claimed, check.kind, check.reference, check.is_control, found.sample, found.ended_early
        )
        for check, found in measure(claim.checks(evidence), evidence)
    ]


def judge(
    claim: Claim,
    cases: Sequence[MeasuredCase],
    criteria: Criteria,
    missing: Sequence[str] = (),
    settings: Sequence[str] = (),
) -> ClaimVerdict:
    """Judge a claim by its cases.

    Args:
        cases: Its cases, over runs or over pairs.
        criteria: Level, margins and number of looks.
        missing: What it would have taken to test more.
        settings: Ids of the settings looked at.
    """
    open_cases = sum(case.kind is not Kind.EXACT and not case.is_control for case in cases)
    level = 1.0 - (1.0 - criteria.level) / (criteria.looks * max(1, open_cases))
    judged = [_decided(case, level, criteria.margins) for case in cases]
    return ClaimVerdict(
        claim,
        [case for case in judged if not case.measured.is_control],
        [case for case in judged if case.measured.is_control],
        list(missing),
        list(settings),
        level,
    )


def _decided(case: MeasuredCase, level: float, margins: Mapping[str, float]) -> ClaimCase:
    margin = margin_of(case.kind, margins)
    if case.kind is Kind.EXACT:
        low = high = case.sample.mean
    else:
        low, high = case.sample.interval(level)
    is_enough = case.kind is Kind.EXACT or case.sample.units >= FEWEST_UNITS
    outcome = decide(case.claimed, low, high, margin) if is_enough else Outcome.UNDECIDED
    return ClaimCase(case, low, high, margin, outcome)
