"""Verdicts as JSON, with all digits, and as a page to read."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from radmm.results.claims.claim import FEWEST_RUNS, Case, Outcome
from radmm.results.claims.evidence import name_of
from radmm.results.claims.statistics import LEVEL, RESAMPLES, Estimate
from radmm.results.claims.verdict import Verdict, Word

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
- A claim *holds* if all its cases hold. It *holds only if* some condition is met if some cases hold: the condition is
  the shortest that tells these, of the values that were run, from the others, which fail or are undecided. Intervals
  are not adjusted for the number of cases: for *holds* none is needed, as all must hold; but among the cases of a
  condition one in twenty borderline ones may be there by luck.
- A claim *fails* if no case holds and at least one fails.
- Not all rules were fixed before the numbers were known. The margins of `rate-like-admm`, `converges` and
  `costs-much-less`, and what `gamma-damps` and `keeps-converging` measure, were settled with traces of Figure 1 in
  view: take these verdicts as descriptions, and read the estimates. The margins of `gamma-hardly-matters` were set
  before.
"""


def as_json(verdicts: Sequence[Verdict], provenance: dict[str, Any]) -> dict[str, Any]:
    return {
        "claims": [_entry(verdict) for verdict in verdicts],
        "interval": {"level": LEVEL, "resamples": RESAMPLES, "fewest_runs": FEWEST_RUNS},
        **provenance,
    }


def _entry(verdict: Verdict) -> dict[str, Any]:
    claim = verdict.claim
    return {
        "name": claim.name,
        "verdict": verdict.word,
        "condition": verdict.condition,
        "place": claim.place,
        "says": claim.says,
        "measured": claim.measured,
        "rule": claim.rule,
        "runs": sorted({case.estimate.runs for case in verdict.cases}),
        "cases": [{"at": case.at, **asdict(case.estimate), "outcome": case.outcome} for case in verdict.cases],
        "not_tested": verdict.missing,
        "settings": verdict.settings,
    }


def as_markdown(verdicts: Sequence[Verdict], provenance: dict[str, Any]) -> str:
    lines = [PREFACE, "| verdict | claim | hold | undecided | fail |", "|---|---|---|---|---|"]
    for verdict in verdicts:
        numbers = [str(verdict.number(outcome)) for outcome in (Outcome.HOLDS, Outcome.UNDECIDED, Outcome.FAILS)]
        link = f"[{verdict.claim.says}](#{verdict.claim.name})"
        lines.append(_row([_bold(verdict), link, *numbers]))
    for verdict in verdicts:
        lines += ["", *_details(verdict)]
    return "\n".join([*lines, "", *_source(provenance), ""])


def _source(provenance: dict[str, Any]) -> Iterator[str]:
    yield "## Where this comes from\n"
    yield f"- {len(provenance['settings'])} settings: their ids, and all digits, are in `claims.json`"
    yield f"- data: {', '.join(provenance['data'])}"
    yield f"- code of the traces: {', '.join(provenance['code_of_traces'])}; of this page: {provenance['code']}"


def _bold(verdict: Verdict) -> str:
    return str(verdict).replace(verdict.word, f"**{verdict.word}**", 1)


def _details(verdict: Verdict) -> Iterator[str]:
    claim = verdict.claim
    yield f"## {claim.name}"
    yield f"\n{claim.says} ({claim.place})\n"
    yield f"- Verdict: {_bold(verdict)}"
    yield f"- Measured: {claim.measured}"
    yield f"- Rule: {claim.rule}"
    if verdict.cases:
        yield f"- {_runs(verdict.cases)}"
    if verdict.missing and verdict.word is not Word.NOT_TESTED:
        yield f"- Not tested: {'; '.join(verdict.missing)}"
    if verdict.cases:
        axes = list(verdict.cases[0].at)
        yield "\n" + _row([*axes, "estimate", f"{LEVEL:.0%} interval", "outcome"])
        yield _row(["---"] * (len(axes) + 3))
        for case in verdict.cases:
            yield _row([*map(name_of, case.at.values()), *_numbers(case.estimate), case.outcome])


def _runs(cases: Sequence[Case]) -> str:
    """How many pairs a case has, and how many were lost."""
    numbers = sorted({case.estimate.runs for case in cases})
    lost = sum(case.estimate.ended_early for case in cases)
    pairs = f"{numbers[0]}" if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
    return f"Pairs of runs: {pairs} in each case" + (f"; {lost} in all left out, as a run ended early" if lost else "")


def _numbers(estimate: Estimate) -> tuple[str, str]:
    return f"{estimate.value:.4g}", "–" if estimate.is_exact else f"{estimate.low:.4g} to {estimate.high:.4g}"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
