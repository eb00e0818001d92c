"""Claims: where the paper makes them, how they are tested, and the outcome of each case."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from radmm.results.claims.evidence import Evidence
from radmm.results.claims.statistics import Estimate

# The range of n values covers their median with probability 1 − 2^(1−n): no interval of 95 % comes from fewer.
FEWEST_RUNS = 6
ROUNDING = 1e-12  # an interval that ends at zero doesn't exclude it, whatever its last bit
# What tells a case of a claim from the others, by axis: N, γ, the algorithm, the metric.
CaseParameters = Mapping[str, Any]


class Outcome(StrEnum):
    """Outcome of a check by its interval; `fails` means that the contrary was shown."""

    HOLDS = "holds"
    FAILS = "fails"  # shown to be otherwise
    UNDECIDED = "undecided"


class Form(StrEnum):
    """Form of a claim, which decides what would refute it."""

    EACH = "each case"  # a tendency: cases that hold and cases that fail make it mixed
    ALWAYS = "all cases without exception"  # one failure refutes it
    SOME = "at least one case"  # "can": one case that holds proves it


@dataclass(frozen=True)
class Check:
    """A test of a claim, not yet carried out.

    All checks of a claim have the same axes, which its verdict may name. A control measures something that the claim is
    not about; it is reported, but doesn't count.
    """

    at: CaseParameters
    measure: Callable[[], Estimate]
    decide: Callable[[Estimate], Outcome]
    is_control: bool = False


@dataclass(frozen=True)
class Claim:
    """A claim in our words, with the rule by which a check is decided.

    One that the paper doesn't make is marked as ours.
    """

    name: str
    place: str
    says: str
    measured: str
    rule: str
    checks: Callable[[Evidence], Iterable[Check]]
    form: Form = Form.EACH
    is_ours: bool = False


@dataclass(frozen=True)
class ClaimCase:
    """A check that was carried out: its outcome by its own interval, and by one adjusted for all cases of the claim."""

    at: CaseParameters
    estimate: Estimate
    outcome: Outcome
    adjusted: Estimate
    adjusted_outcome: Outcome


def _is_too_small(estimate: Estimate) -> bool:
    return estimate.runs < FEWEST_RUNS and not estimate.is_exact


def below(estimate: Estimate, bound: float = 0.0) -> Outcome:
    """Decide that a value is below a bound: holds if the whole interval is below it, fails if it is wholly above."""
    if _is_too_small(estimate):
        return Outcome.UNDECIDED
    if estimate.high < bound - ROUNDING:
        return Outcome.HOLDS
    return Outcome.FAILS if estimate.low > bound + ROUNDING else Outcome.UNDECIDED


def above(estimate: Estimate, bound: float = 0.0) -> Outcome:
    """Decide that a value is above a bound: holds if the whole interval is above it, fails if it is wholly below."""
    return {Outcome.HOLDS: Outcome.FAILS, Outcome.FAILS: Outcome.HOLDS}.get(below(estimate, bound), Outcome.UNDECIDED)


def within(low: float, high: float) -> Callable[[Estimate], Outcome]:
    """Return an equivalence test: it holds if the interval is within the margin, and fails if it is wholly outside."""

    def decide(estimate: Estimate) -> Outcome:
        if _is_too_small(estimate):
            return Outcome.UNDECIDED
        if low < estimate.low and estimate.high < high:
            return Outcome.HOLDS
        return Outcome.FAILS if estimate.high < low or estimate.low > high else Outcome.UNDECIDED

    return decide


def is_zero(number: Estimate) -> Outcome:
    """Decide whether a deterministic number is zero."""
    return Outcome.HOLDS if number.value == 0 else Outcome.FAILS


def is_positive(number: Estimate) -> Outcome:
    """Decide whether a deterministic number is positive."""
    return Outcome.HOLDS if number.value > 0 else Outcome.FAILS


def is_negative(number: Estimate) -> Outcome:
    """Decide whether a deterministic number is negative."""
    return Outcome.HOLDS if number.value < 0 else Outcome.FAILS


def is_not_positive(number: Estimate) -> Outcome:
    """Decide whether a deterministic number is at most zero."""
    return Outcome.HOLDS if number.value <= 0 else Outcome.FAILS
