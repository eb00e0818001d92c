"""Verdicts as JSON, with all digits, and as a page to read."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from radmm.base.json_object import JsonObject
from radmm.results.claims.claim import FEWEST_RUNS, ClaimCase, Outcome
from radmm.results.claims.evidence import name_of
from radmm.results.claims.statistics import LEVEL, RESAMPLES, Estimate
from radmm.results.claims.verdict import ClaimVerdict, Word

PREFACE = f"""\
# What the paper claims, and what came out

One verdict for each empirical claim of "Recycled ADMM" (Zhang, Khalili and Liu). Claims are told in our words.

How to read it:

- Two settings are compared run by run: run r of both starts from the same point, on the same split and graph, and draws
  the same noise up to its scale. Statistics are means over these pairs, each with a {LEVEL:.0%} bootstrap interval over
  the pairs ({RESAMPLES:,} resamples; percentiles, widened to what Student's t asks for with so few runs). The interval
  tells what other initial points and noise would give, on this split and this graph.
- A claim has one case for each combination of parameters that was run. Unless its rule says otherwise, a case *holds*
  if the whole interval is on the claimed side of zero, *fails* if it is wholly on the other side, and is *undecided*
  otherwise, and always with fewer than {FEWEST_RUNS} pairs. A number without an interval involves no chance.
- A claim *holds* if all its cases hold: then nothing needs adjusting, as all of them would have to be there by luck.
  Otherwise intervals are adjusted for the number of the claim's cases (Holm), so that with {LEVEL:.0%} none of its
  outcomes is. It *fails* if some case fails by these and none holds, is *mixed* if some hold and others fail, and
  *undecided* where neither is shown; an undecided case never counts as a failure. One that says "always" or
  "best" fails by one failure; one that says "can" holds by one case.
- Of a mixed claim the cases that fail are listed. Where one clause tells them from those that hold (a limit on an
  axis of at least three values, or one algorithm or metric), it is told too, as *holds only if*.
- Claims that we added are marked *ours*: the paper doesn't make them.
- These are one split and one graph. [fig5_replicated.md](fig5_replicated.md), which `make all` makes, judges the
  comparisons of Figure 5 over ten of both, at equal P(T) and at equal (ε, δ), with η tuned for each algorithm.
- Not all rules were fixed before the numbers were known. The margins of `rate-like-admm`, `reaches-…` and
  `costs-much-less`, and what `gamma-damps` and `keeps-converging` measure, were settled with traces of Figure 1 in
  view: take these verdicts as descriptions, and read the estimates. The margins of `gamma-hardly-matters` were set
  before.
"""


def as_json(verdicts: Sequence[ClaimVerdict], provenance: JsonObject) -> JsonObject:
    return {
        "claims": [_entry(verdict) for verdict in verdicts],
        "interval": {"level": LEVEL, "resamples": RESAMPLES, "fewest_runs": FEWEST_RUNS},
        **provenance,
    }


def _entry(verdict: ClaimVerdict) -> JsonObject:
    claim = verdict.claim
    return {
        "name": claim.name,
        "verdict": verdict.word,
        "condition": verdict.condition,
        "ours": claim.is_ours,
        "form": claim.form,
        "counts": {outcome: verdict.number(outcome) for outcome in Outcome},
        "place": claim.place,
        "says": claim.says,
        "measured": claim.measured,
        "rule": claim.rule,
        "runs": sorted({case.estimate.runs for case in verdict.cases}),
        "cases": [_case(case) for case in verdict.cases],
        "controls": [_case(case) for case in verdict.controls],
        "not_tested": verdict.missing,
        "settings": verdict.settings,
    }


def _case(case: ClaimCase) -> JsonObject:
    adjusted = {"low": case.adjusted.low, "high": case.adjusted.high, "outcome": case.adjusted_outcome}
    return {"at": case.at, **asdict(case.estimate), "outcome": case.outcome, "adjusted": adjusted}


def as_markdown(verdicts: Sequence[ClaimVerdict], provenance: JsonObject) -> str:
    privacy = f"- Of every bound and ε: {provenance['assumed']}\n"
    lines = [
        PREFACE.removesuffix("\n"),
        privacy,
        "| verdict | claim | hold | undecided | fail |",
        "|---|---|---|---|---|",
    ]
    for verdict in verdicts:
        numbers = [str(verdict.number(outcome)) for outcome in (Outcome.HOLDS, Outcome.UNDECIDED, Outcome.FAILS)]
        ours = "*ours:* " if verdict.claim.is_ours else ""
        link = f"{ours}[{verdict.claim.says}](#{verdict.claim.name})"
        lines.append(_row([_bold(verdict), link, *numbers]))
    for verdict in verdicts:
        lines += ["", *_details(verdict)]
    return "\n".join([*lines, "", *_source(provenance), ""])


def _source(provenance: JsonObject) -> Iterator[str]:
    yield "## Where this comes from\n"
    yield f"- {len(provenance['settings'])} settings: their ids, and all digits, are in `claims.json`"
    yield f"- data: {', '.join(provenance['data'])}"
    yield f"- code of the traces: {', '.join(provenance['code_of_traces'])}; of this page: {provenance['code']}"


def _bold(verdict: ClaimVerdict) -> str:
    return str(verdict).replace(verdict.word, f"**{verdict.word}**", 1)


def _details(verdict: ClaimVerdict) -> Iterator[str]:
    claim = verdict.claim
    yield f"## {claim.name}"
    yield f"\n{claim.says} ({'ours; ' if claim.is_ours else ''}{claim.place})\n"
    yield f"- Verdict: {_bold(verdict)}"
    yield f"- Measured: {claim.measured}"
    yield f"- Rule: {claim.rule}"
    if verdict.cases:
        yield f"- {_runs(verdict.cases)}"
    if verdict.missing and verdict.word is not Word.NOT_TESTED:
        yield f"- Not tested: {'; '.join(verdict.missing)}"
    for exception in verdict.exceptions:
        yield f"- Exception: {_at(exception)}: {' '.join(_numbers(exception.adjusted, 'adjusted '))}"
    if verdict.cases:
        yield from _table(verdict)


def _at(case: ClaimCase) -> str:
    return ", ".join(f"{axis} = {name_of(value)}" for axis, value in case.at.items())


def _table(verdict: ClaimVerdict) -> Iterator[str]:
    axes = list(verdict.cases[0].at)
    yield "\n" + _row([*axes, "estimate", f"{LEVEL:.0%} interval", "outcome", "adjusted"])
    yield _row(["---"] * (len(axes) + 4))
    for case in verdict.cases:
        yield _row([*_cells(case), case.outcome, case.adjusted_outcome])
    for case in verdict.controls:
        yield _row([*_cells(case), case.outcome, "control"])


def _cells(case: ClaimCase) -> list[str]:
    return [*map(name_of, case.at.values()), *_numbers(case.estimate)]


def _runs(cases: Sequence[ClaimCase]) -> str:
    """Return how many pairs of runs a case has, and how many were lost."""
    numbers = sorted({case.estimate.runs for case in cases})
    lost = sum(case.estimate.ended_early for case in cases)
    pairs = f"{numbers[0]}" if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
    return f"Pairs of runs: {pairs} in each case" + (f"; {lost} in all left out, as a run ended early" if lost else "")


def _numbers(estimate: Estimate, kind: str = "") -> tuple[str, str]:
    interval = f"{kind}{estimate.low:.4g} to {estimate.high:.4g}"
    return f"{estimate.value:.4g}", "–" if estimate.is_exact else interval


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
