"""Verdicts as JSON, with all digits."""

from collections.abc import Sequence
from math import isfinite

from radmm.base.json_object import JsonObject
from radmm.results.claims.bodies_of_evidence import Body, ClaimReport
from radmm.results.claims.claim import ClaimCase
from radmm.results.claims.decision import Kind, Outcome
from radmm.results.claims.verdict import FEWEST_UNITS, ClaimVerdict, Criteria
from radmm.results.claims.wording import effect_text, margin_text


def as_json(reports: Sequence[ClaimReport], criteria: Criteria, provenance: JsonObject) -> JsonObject:
    """Return all verdicts with all digits.

    Args:
        criteria: Level and margins of the run at hand.
        provenance: Where the numbers come from.
    """
    interval = {"level": criteria.level, "margins": dict(criteria.margins), "fewest_units": FEWEST_UNITS}
    return {"claims": [_entry(report) for report in reports], "interval": interval, **provenance}


def _entry(report: ClaimReport) -> JsonObject:
    claim, verdict, typical = report.claim, report.verdict, report.verdict.typical
    return {
        "name": claim.name,
        "title": claim.title,
        "verdict": verdict.word,
        "condition": verdict.condition,
        "ours": claim.is_ours,
        "seen": claim.is_seen,
        "form": claim.form,
        "figure": claim.figure,
        "counts": _counts(verdict),
        "place": claim.place,
        "says": claim.says,
        "measured": claim.measured,
        "rule": claim.rule,
        "evidence": f"{report.bodies[0].data}: {report.bodies[0].words}",
        "effect": effect_text(typical) if typical else "–",
        "margin": margin_text(typical) if typical else "–",
        "level": verdict.level,
        "words": {body.data: report.verdict_on(body).word for body in report.bodies},
        "holds_on": report.holds_on,
        "data_sets": {body.data: _elsewhere(report.verdict_on(body), body) for body in report.bodies[1:]},
        "this_run": {"verdict": report.verdict_on(report.this_run).word, "evidence": report.this_run.words},
        "cases": [_case(case, report.bodies[0]) for case in verdict.cases],
        "controls": [_case(case, report.bodies[0]) for case in verdict.controls],
        "not_tested": verdict.missing,
        "settings": report.verdict_on(report.this_run).settings,
    }


def _elsewhere(verdict: ClaimVerdict, body: Body) -> JsonObject:
    typical = verdict.typical
    return {
        "verdict": verdict.word,
        "evidence": body.words,
        "counts": _counts(verdict),
        "effect": effect_text(typical) if typical else "–",
        "level": verdict.level,
        "cases": [_case(case, body) for case in verdict.cases],
    }


def _counts(verdict: ClaimVerdict) -> dict[Outcome, int]:
    return {outcome: verdict.number(outcome) for outcome in Outcome}


def _case(case: ClaimCase, body: Body) -> JsonObject:
    sample = case.sample
    found = {
        "at": case.at,
        "kind": case.kind,
        "claimed": case.measured.claimed,
        "reference": case.measured.reference,
        "units": sample.units,
        "value": sample.mean,
        "deviation": _finite(sample.deviation),
        "low": _finite(case.low),
        "high": _finite(case.high),
        "margin": case.margin,
        "outcome": case.outcome,
        "ended_early": case.measured.ended_early,
    }
    if body.overlap and case.kind is not Kind.EXACT:
        low, high = corrected(case, body.overlap)
        found |= {"corrected_low": low, "corrected_high": high}
    return found


def corrected(case: ClaimCase, overlap: float) -> tuple[float, float]:
    """Return the corrected interval of Nadeau and Bengio (Machine Learning 52, 2003), for splits that share rows.

    Of k splits, the variance of the mean is (1/k + overlap) s², where independent ones have s²/k.

    Args:
        overlap: Test rows to training rows.
    """
    mean, widening = case.sample.mean, (1.0 + case.sample.units * overlap) ** 0.5
    return mean - widening * (mean - case.low), mean + widening * (case.high - mean)


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None
