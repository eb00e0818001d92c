"""Claims over many pairs of a split and a graph: the effect in each pair, and what all of them show."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import pandas as pd

from radmm.base.json_object import JsonObject
from radmm.results.claims.catalogue import CLAIMS
from radmm.results.claims.claim import CaseParameters, Check, Claim, MeasuredCase
from radmm.results.claims.decision import Claimed, Kind, Outcome
from radmm.results.claims.evidence import Evidence
from radmm.results.claims.statistics import Sample, sample_of
from radmm.results.claims.verdict import ClaimVerdict, Criteria, judge, measure

# Of exact numbers the pair counts that speaks most against the claim.
WORST: dict[Claimed, Callable[[Iterable[float]], float]] = {
    Claimed.LESS: max,
    Claimed.NOT_MORE: max,
    Claimed.MORE: min,
    Claimed.NOT_LESS: min,
    Claimed.SAME: lambda values: max(values, key=abs),
    Claimed.HAPPENS: max,
}
CASE = ["claim", "at", "claimed", "kind", "reference", "is_control"]  # what a case is, in a table of effects


@dataclass(frozen=True)
class OpenCases:
    """Cases that are still undecided, for which a look takes more pairs.

    Args:
        parameters: What tells each open case from the others, by the name of its claim; None before the first look,
            when all cases are open.
    """

    parameters: Mapping[str, Sequence[CaseParameters]] | None = None

    def __bool__(self) -> bool:
        return self.parameters is None or any(self.parameters.values())

    def checks(self, claim: Claim, evidence: Evidence) -> Iterator[Check]:
        """Yield the checks of a claim whose cases are open.

        Args:
            claim: The claim.
            evidence: Entries on a pair, whose traces need not be there.
        """
        if self.parameters is None:
            yield from claim.checks(evidence)
        elif wanted := {case_key(at) for at in self.parameters.get(claim.name, [])}:
            yield from (check for check in claim.checks(evidence) if case_key(check.at) in wanted)


def case_key(at: CaseParameters) -> str:
    """Return the text by which a table of effects tells a case of a claim from the others.

    Args:
        at: Parameters of the case.
    """
    return json.dumps(at, ensure_ascii=False)


def open_cases(verdicts: Iterable[ClaimVerdict]) -> OpenCases:
    """Return the cases that some verdicts leave undecided.

    Args:
        verdicts: Verdicts after a look.
    """
    undecided = {
        verdict.claim.name: [case.at for case in verdict.cases if case.outcome is Outcome.UNDECIDED]
        for verdict in verdicts
    }
    return OpenCases({claim: cases for claim, cases in undecided.items() if cases})


def needed_settings(cases: OpenCases, evidence: Evidence) -> set[str]:
    """Return the ids of the settings that open cases compare; nothing is measured.

    Args:
        cases: The open cases.
        evidence: Entries on a pair, whose traces need not be there.
    """
    checks = (check for claim in CLAIMS for check in cases.checks(claim, evidence))
    return {runs.entry.id for check in checks for runs in check.runs}


def effects_on_pair(cases: OpenCases, evidence: Evidence, pair: int) -> pd.DataFrame:
    """Return one row for each open case: its effect on one split and graph, the mean over its runs.

    Args:
        cases: The open cases.
        evidence: Runs on the pair.
        pair: Seed of the pair.
    """
    rows = [
        {
            "claim": claim.name,
            "at": case_key(check.at),
            "claimed": str(check.claimed),
            "kind": str(check.kind),
            "reference": check.reference,
            "is_control": check.is_control,
            "pair": pair,
            "effect": found.value,
        }
        for claim in CLAIMS
        for check, found in measure(cases.checks(claim, evidence), evidence)
    ]
    return pd.DataFrame(rows)


def over_pairs(effects: pd.DataFrame) -> dict[str, list[MeasuredCase]]:
    """Return the cases of each claim, with pairs as units.

    Args:
        effects: Rows of all pairs.
    """
    found: dict[str, list[MeasuredCase]] = {}
    for _, part in effects.groupby(CASE, sort=False):
        about, values = part.iloc[0], part["effect"].to_numpy()
        claimed, kind = Claimed(about["claimed"]), Kind(about["kind"])
        sample = sample_of(values)
        if kind is Kind.EXACT:
            sample = Sample(len(values), float(WORST[claimed](values.tolist())), 0.0)
        is_control, reference = bool(about["is_control"]), float(about["reference"])
        case = MeasuredCase(json.loads(about["at"]), claimed, kind, reference, is_control, sample)
        found.setdefault(about["claim"], []).append(case)
    return found


def cases_to_json(cases: Mapping[str, Sequence[MeasuredCase]]) -> JsonObject:
    """Return the cases of each claim as a file keeps them.

    Args:
        cases: Cases by the name of their claim.
    """
    return {claim: [asdict(case) for case in own] for claim, own in cases.items()}


def cases_from_json(stored: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, list[MeasuredCase]]:
    """Return the cases that a file keeps.

    Args:
        stored: What `cases_to_json` returned.
    """
    return {
        claim: [
            MeasuredCase(
                **dict(case)
                | {
                    "claimed": Claimed(case["claimed"]),
                    "kind": Kind(case["kind"]),
                    "sample": Sample(**case["sample"]),
                }
            )
            for case in own
        ]
        for claim, own in stored.items()
    }


def judge_all(cases: Mapping[str, Sequence[MeasuredCase]], criteria: Criteria) -> list[ClaimVerdict]:
    """Return the verdicts on all claims that have cases.

    Args:
        cases: Cases by the name of their claim.
        criteria: Level, margins and number of looks.
    """
    return [judge(claim, cases[claim.name], criteria) for claim in CLAIMS if claim.name in cases]
