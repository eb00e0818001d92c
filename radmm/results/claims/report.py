"""Verdicts as JSON, with all digits, and as a page to read."""

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite

from radmm.base.json_object import JsonObject
from radmm.results.claims.bodies import Body, ClaimReport
from radmm.results.claims.claim import ClaimCase
from radmm.results.claims.decision import Kind, Outcome
from radmm.results.claims.evidence import name_of
from radmm.results.claims.page_preface import preface
from radmm.results.claims.verdict import FEWEST_UNITS, ClaimVerdict, Criteria, Word
from radmm.results.claims.wording import effect_text, interval_text, margin_text

SEEN = "what it measures, or a limit in it, was settled with traces in view: take its verdict as a description"


def as_json(reports: Sequence[ClaimReport], criteria: Criteria, provenance: JsonObject) -> JsonObject:
    """Return all verdicts with all digits.

    Args:
        reports: Claims with their evidence.
        criteria: Level and margins of the run at hand.
        provenance: Where the numbers come from.
    """
    interval = {"level": criteria.level, "margins": dict(criteria.margins), "fewest_units": FEWEST_UNITS}
    return {"claims": [_entry(report) for report in reports], "interval": interval, **provenance}


def _entry(report: ClaimReport) -> JsonObject:
    claim, verdict, typical = report.claim, report.verdict, report.verdict.typical
    return {
        "name": claim.name,
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
        "data_sets": {
            body.data: {
                "verdict": report.verdict_on(body).word,
                "evidence": body.words,
                "counts": _counts(report.verdict_on(body)),
                "cases": [_case(case, body) for case in report.verdict_on(body).cases],
            }
            for body in report.bodies[1:]
        },
        "this_run": {"verdict": report.verdict_on(report.this_run).word, "evidence": report.this_run.words},
        "cases": [_case(case, report.bodies[0]) for case in verdict.cases],
        "controls": [_case(case, report.bodies[0]) for case in verdict.controls],
        "not_tested": verdict.missing,
        "settings": report.verdict_on(report.this_run).settings,
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
    """Return the interval of Nadeau and Bengio, for splits that share training rows.

    Args:
        case: A case over pairs.
        overlap: Test rows to training rows.
    """
    widening = (1.0 + case.sample.units * overlap) ** 0.5
    return case.sample.mean - widening * (case.sample.mean - case.low), case.sample.mean + widening * (
        case.high - case.sample.mean
    )


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None


def as_markdown(reports: Sequence[ClaimReport], criteria: Criteria, provenance: JsonObject) -> str:
    """Return the page: a table with one row a claim, then a section for each with its cases.

    Args:
        reports: Claims with their evidence.
        criteria: Level and margins of the run at hand.
        provenance: Where the numbers come from.
    """
    lines = [preface(criteria), f"- Of every bound and ε: {provenance['assumed']}\n", *summary(reports)]
    for report in reports:
        lines += ["", *_details(report)]
    return "\n".join([*lines, "", *_source(provenance), ""])


def summary(reports: Sequence[ClaimReport], links: Mapping[str, str] | None = None) -> Iterator[str]:
    """Yield a table with one row a claim.

    Args:
        reports: Claims with their evidence.
        links: Addresses of figures, by experiment; those beside the page if not given.
    """
    data = list(dict.fromkeys(body.data for report in reports for body in report.bodies))
    yield _row([f"verdict on {' / '.join(data)}", "claim", "effect in the median case", "margin", "figure"])
    yield _row(["---"] * 5)
    for report in reports:
        typical, figure = report.verdict.typical, report.claim.figure
        words = [f"**{word}**" for word in report.words.values()]
        ours = "*ours:* " if report.claim.is_ours else ""
        claim = f"{ours}[{report.claim.says}](#{report.claim.name})"
        effect, margin = (effect_text(typical), margin_text(typical)) if typical else ("–", "–")
        address = (links or {}).get(figure, f"figures/{figure}.pdf")
        yield _row([" / ".join(words), claim, effect, margin, f"[{figure}]({address})"])


def _source(provenance: JsonObject) -> Iterator[str]:
    yield "## Where this comes from\n"
    yield f"- {len(provenance['settings'])} settings of this run: their ids, and all digits, are in `claims.json`"
    yield f"- data: {', '.join(provenance['data'])}"
    yield f"- code of the traces: {', '.join(provenance['code_of_traces'])}; of this page: {provenance['code']}"


def _bold(verdict: ClaimVerdict) -> str:
    return str(verdict).replace(verdict.word, f"**{verdict.word}**", 1)


def _details(report: ClaimReport) -> Iterator[str]:
    claim, verdict = report.claim, report.verdict
    yield f"## {claim.name}"
    yield f"\n{claim.says} ({'ours; ' if claim.is_ours else ''}{claim.place})\n"
    for body in report.bodies:
        yield f"- On {body.data}: {_bold(report.verdict_on(body))} ({body.words}){_in_cases(report.verdict_on(body))}"
    if len(report.bodies) > 1 and report.agreeing == 1:
        yield f"- The verdict is that of {report.bodies[0].data} alone"
    if report.this_run not in report.bodies:
        yield f"- This run: {_bold(report.verdict_on(report.this_run))} ({report.this_run.words})"
    yield f"- Measured: {claim.measured}"
    yield f"- Rule: {claim.rule}" + (f" Note: {SEEN}." if claim.is_seen else "")
    yield f"- Figure: [{claim.figure}](figures/{claim.figure}.pdf)"
    yield "- Again: `make replication` (pairs), `snakemake --cores 8 results/claims.md` (this run)"
    if verdict.missing and verdict.word is not Word.NOT_TESTED:
        yield f"- Not tested: {'; '.join(verdict.missing)}"
    if lost := sum(case.measured.ended_early for case in verdict.cases):
        yield f"- {lost} runs in all were left out, as a run ended early"
    for exception in verdict.exceptions:
        yield f"- Exception: {_at(exception)}: {effect_text(exception)}"
    if verdict.cases:
        yield from _table(verdict, report.bodies[0])


def _in_cases(verdict: ClaimVerdict) -> str:
    counts = [f"{verdict.number(outcome)} {outcome}" for outcome in Outcome if verdict.number(outcome)]
    return f": of {len(verdict.cases)} cases {', '.join(counts)}" if counts else ""


def _at(case: ClaimCase) -> str:
    return ", ".join(f"{axis} = {name_of(value)}" for axis, value in case.at.items())


def _table(verdict: ClaimVerdict, body: Body) -> Iterator[str]:
    axes = list(verdict.cases[0].at)
    wider = ["corrected interval"] if body.overlap else []
    yield "\n" + _row([*axes, "effect (interval)", *wider, "margin", "units", "outcome"])
    yield _row(["---"] * (len(axes) + 4 + len(wider)))
    for case in verdict.cases:
        yield _row([*_cells(case, body), case.outcome])
    for case in verdict.controls:
        yield _row([*_cells(case, body), f"control: {case.outcome}"])


def _cells(case: ClaimCase, body: Body) -> list[str]:
    exact = case.kind is Kind.EXACT
    wider = ["–" if exact else interval_text(case, *corrected(case, body.overlap))] if body.overlap else []
    return [*map(name_of, case.at.values()), effect_text(case), *wider, margin_text(case), str(case.sample.units)]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
