"""Claims: where the paper makes them, how they are tested, and the outcome of each case."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from radmm.results.claims.decision import Claimed, Kind, Outcome
from radmm.results.claims.evidence import Evidence, Runs
from radmm.results.claims.statistics import Effect, Sample

# What tells a case of a claim from the others, by axis: N, γ, the algorithm, the metric.
CaseParameters = Mapping[str, Any]


class Form(StrEnum):
    """Form of a claim, which decides what would refute it."""

    EACH = "each case"  # a tendency: cases that hold and cases that fail make it mixed
    ALWAYS = "all cases without exception"  # one failure refutes it
    SOME = "at least one case"  # "can": one case that holds proves it


class Topic(StrEnum):
    """Topic of a claim, as figures group claims."""

    RECYCLING = "R-ADMM without noise (Figure 1a)"
    GROWTH = "Growing penalties (Figures 1b, 1c)"
    PARAMETERS = "Parameters (Figures 2 to 4)"
    COMPARISON = "Private algorithms compared (Figure 5)"
    COST = "Cost of R-ADMM (Section I)"


@dataclass(frozen=True)
class Check:
    """A test of a claim, not yet carried out.

    All checks of a claim have the same axes, which its verdict may name.

    Args:
        at: What tells the case from the others.
        runs: Runs that it compares, all on one split and graph unless it is about splits.
        measure: Returns the effect, given these runs.
        claimed: What the claim says about the effect.
        kind: Kind of the effect.
        reference: Ratio at which the effect of a ratio is zero.
        is_control: Whether it measures something that the claim is not about; it is reported, but doesn't count.
    """

    at: CaseParameters
    runs: tuple[Runs, ...]
    measure: Callable[..., Effect]
    claimed: Claimed
    kind: Kind
    reference: float = 1.0
    is_control: bool = False

    def effect(self) -> Effect:
        """Carry out the check."""
        return self.measure(*self.runs)


@dataclass(frozen=True)
class Claim:
    """A claim in our words, with the rule by which a check is decided.

    Args:
        name: Name of its section.
        title: The claim in a few words, for figures.
        topic: The group of claims to which it belongs.
        place: Where the paper makes it.
        figure: The experiment whose figure shows it best.
        says: The claim.
        measured: What is measured.
        rule: When a case holds.
        checks: Returns its checks, given the runs.
        form: What would refute it.
        is_ours: Whether we added it: the paper doesn't make it.
        is_seen: Whether what it measures was settled with traces in view.
    """

    name: str
    title: str
    topic: Topic
    place: str
    figure: str
    says: str
    measured: str
    rule: str
    checks: Callable[[Evidence], Iterable[Check]]
    form: Form = Form.EACH
    is_ours: bool = False
    is_seen: bool = False


@dataclass(frozen=True)
class MeasuredCase:
    """A check that was carried out, over runs or over pairs of a split and a graph.

    Args:
        at: What tells the case from the others.
        claimed: What the claim says about the effect.
        kind: Kind of the effect.
        reference: Ratio at which the effect of a ratio is zero.
        is_control: Whether it doesn't count.
        sample: The effect over its units.
        ended_early: Number of runs that were left out, as they ended early.
    """

    at: CaseParameters
    claimed: Claimed
    kind: Kind
    reference: float
    is_control: bool
    sample: Sample
    ended_early: int = 0


@dataclass(frozen=True)
class ClaimCase:
    """A case with its interval, which allows for all looks and for all cases of the claim, and its outcome."""

    measured: MeasuredCase
    low: float
    high: float
    margin: float
    outcome: Outcome

    @property
    def at(self) -> CaseParameters:
        """What tells the case from the others."""
        return self.measured.at

    @property
    def kind(self) -> Kind:
        """Kind of the effect."""
        return self.measured.kind

    @property
    def sample(self) -> Sample:
        """The effect over its units."""
        return self.measured.sample
