"""The page of verdicts: a table with one row a claim, then a section for each with its cases on all data sets."""

import json
from collections.abc import Iterator, Mapping, Sequence

from radmm.base.json_object import JsonObject
from radmm.results.claims.bodies_of_evidence import Body, ClaimReport
from radmm.results.claims.claim import ClaimCase
from radmm.results.claims.decision import Kind, Outcome
from radmm.results.claims.evidence import name_of
from radmm.results.claims.page_preface import preface
from radmm.results.claims.tally import VERBS
from radmm.results.claims.verdict import ClaimVerdict, Criteria, Word
from radmm.results.claims.verdicts_json import corrected
from radmm.results.claims.wording import effect_text, interval_text, margin_text
from radmm.results.markdown import markdown_row

SEEN = "its measure or a threshold was chosen after seeing traces, so its verdict is only descriptive"
AGAIN = (
    "`make replication` (pairs of a split and a graph), `snakemake --cores 8 results/claims.md` (the run at hand); for "
    "a part of the experiments only, write `only: [fig3]` into a config and add `CONFIG=my.yaml`"
)


def as_markdown(reports: Sequence[ClaimReport], criteria: Criteria, provenance: JsonObject) -> str:
    """Return the page.

    Args:
        criteria: Level and margins of the run at hand.
        provenance: Where the numbers come from.
    """
    lines = [preface(criteria), f"- To run it again: {AGAIN}.", f"- Of every bound and ε: {provenance['assumed']}\n"]
    lines += summary(reports)
    for report in reports:
        lines += ["", *_details(report, criteria)]
    return "\n".join([*lines, "", *_source(provenance), ""])


def summary(reports: Sequence[ClaimReport]) -> Iterator[str]:
    """Yield a table with one row a claim."""
    titles = list(dict.fromkeys(body.title for report in reports for body in report.bodies))
    yield markdown_row([" / ".join(titles), "claim", "effect in the median case", "margin", "figure"])
    yield markdown_row(["---"] * 5)
    for report in reports:
        typical, figure = report.verdict.typical, report.claim.figure
        words = [f"**{word}**" for word in report.words.values()]
        ours = "*ours:* " if report.claim.is_ours else ""
        claim = f"{ours}[{report.claim.says}](#{report.claim.name})"
        effect, margin = (effect_text(typical), margin_text(typical)) if typical else ("–", "–")
        yield markdown_row([" / ".join(words), claim, effect, margin, f"[{figure}](figures/{figure}.pdf)"])


def _source(provenance: JsonObject) -> Iterator[str]:
    yield "## Where this comes from\n"
    yield f"- {len(provenance['settings'])} settings of this run: their ids, and all digits, are in `claims.json`"
    yield f"- data: {', '.join(provenance['data'])}"
    yield f"- code of the traces: {', '.join(provenance['code_of_traces'])}; of this page: {provenance['code']}"


def _bold(verdict: ClaimVerdict) -> str:
    return str(verdict).replace(verdict.word, f"**{verdict.word}**", 1)


def _details(report: ClaimReport, criteria: Criteria) -> Iterator[str]:
    claim, verdicts = report.claim, [report.verdict_on(body) for body in report.bodies]
    yield f"## {claim.name}"
    yield f"\n{claim.says} ({'ours; ' if claim.is_ours else ''}{claim.place})\n"
    for body, verdict in zip(report.bodies, verdicts, strict=True):
        yield f"- On {body.title}: {_bold(verdict)}{_in_cases(verdict)} ({_evidence(body, verdict)})"
    if report.holds_on:
        yield f"- Holds on {report.holds_on}."
    if report.this_run not in report.bodies:
        yield f"- This run: {_bold(report.verdict_on(report.this_run))} ({report.this_run.words})"
    yield f"- Measured: {claim.measured}"
    yield f"- Rule: {claim.rule}" + (f" Note: {SEEN}." if claim.is_seen else "")
    yield f"- Test: {_test(verdicts[0], criteria)}"
    yield f"- Figure: [{claim.figure}](figures/{claim.figure}.pdf)"
    if verdicts[0].missing and verdicts[0].word is not Word.NOT_TESTED:
        yield f"- Not tested: {'; '.join(verdicts[0].missing)}"
    if lost := sum(case.measured.ended_early for case in verdicts[0].cases):
        yield f"- {lost} runs in all were left out, as a run ended early"
    if any(verdict.cases for verdict in verdicts):
        yield from _table(report.bodies, verdicts)


def _evidence(body: Body, verdict: ClaimVerdict) -> str:
    """Return what a verdict rests on: its own number of pairs, or the runs at hand."""
    return f"{verdict.units} pairs" if body.overlap and verdict.units else body.words


def _in_cases(verdict: ClaimVerdict) -> str:
    counts = {Word(outcome): verdict.number(outcome) for outcome in Outcome}
    told = [f"{number} {VERBS[word][number > 1]}" for word, number in counts.items() if number]
    return f": of {len(verdict.cases)} cases, {', '.join(told)}" if told else ""


def _test(verdict: ClaimVerdict, criteria: Criteria) -> str:
    """Return by which test the cases are decided, and at which level."""
    if all(case.kind is Kind.EXACT for case in verdict.cases):
        return "none, as the numbers involve no chance; of several pairs, the least favourable counts"
    alpha = 1.0 - criteria.level
    return (
        f"two-sided Student intervals at {verdict.level:.4%} (Bonferroni: {alpha:.2g} over "
        f"{round(alpha / (1.0 - verdict.level))} looks and cases); in square brackets, corrected for overlapping splits"
    )


def _table(bodies: Sequence[Body], verdicts: Sequence[ClaimVerdict]) -> Iterator[str]:
    """Yield a row for each case, with a column for each data set; controls come last."""
    axes = list(next(case for verdict in verdicts for case in verdict.cases).at)
    yield "\n" + markdown_row([*axes, "margin", *(body.title for body in bodies)])
    yield markdown_row(["---"] * (len(axes) + 1 + len(bodies)))
    for is_control in (False, True):
        parts = [_by_point(verdict.controls if is_control else verdict.cases) for verdict in verdicts]
        for point in dict.fromkeys(point for part in parts for point in part):
            case = next(part[point] for part in parts if point in part)
            found = [
                _cell(part[point], body, verdict) if point in part else "–"
                for part, body, verdict in zip(parts, bodies, verdicts, strict=True)
            ]
            yield markdown_row([*map(name_of, case.at.values()), margin_text(case), *found])


def _by_point(cases: Sequence[ClaimCase]) -> Mapping[str, ClaimCase]:
    return {json.dumps(case.at, ensure_ascii=False): case for case in cases}


def _cell(case: ClaimCase, body: Body, verdict: ClaimVerdict) -> str:
    """Return outcome, effect and interval; the corrected interval in brackets, and the units where there are fewer."""
    outcome = f"control, {case.outcome}" if case.measured.is_control else str(case.outcome)
    is_corrected = body.overlap and case.kind is not Kind.EXACT
    wider = f" [{interval_text(case, *corrected(case, body.overlap))}]" if is_corrected else ""
    fewer = "" if case.sample.units == verdict.units else f", {case.sample.units} units"
    return f"{outcome}: {effect_text(case)}{wider}{fewer}"
