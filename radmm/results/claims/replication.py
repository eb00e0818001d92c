"""Claims over many pairs of a split and a graph: the effect in each pair, and what all of them show."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import pandas as pd

from radmm.base.json_object import JsonObject
from radmm.results.claims.catalogue import CLAIMS
from radmm.results.claims.claim import MeasuredCase
from radmm.results.claims.decision import Claimed, Kind
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


def needed_settings(claims: Iterable[str], evidence: Evidence) -> set[str]:
    """Return the ids of the settings that some claims read; nothing is measured.

    Args:
        claims: Names of the claims.
        evidence: Entries on a pair, whose traces need not be there.
    """
    wanted = set(claims)
    for claim in CLAIMS:
        if claim.name in wanted:
            for _ in claim.checks(evidence):
                pass
    return set(evidence.settings)


def effects_on_pair(claims: Iterable[str], evidence: Evidence, pair: int) -> pd.DataFrame:
    """Return one row for each case of some claims: its effect on one split and graph, the mean over its runs.

    Args:
        claims: Names of the claims.
        evidence: Runs on the pair.
        pair: Seed of the pair.
    """
    wanted = set(claims)
    rows = [
        {
            "claim": claim.name,
            "at": json.dumps(check.at, ensure_ascii=False),
            "claimed": str(check.claimed),
            "kind": str(check.kind),
            "reference": check.reference,
            "is_control": check.is_control,
            "pair": pair,
            "effect": found.value,
        }
        for claim in CLAIMS
        if claim.name in wanted
        for check, found in measure(claim, evidence)
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
