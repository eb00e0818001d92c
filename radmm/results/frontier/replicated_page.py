"""The page of a replication: which method is more accurate at equal budgets, and what recycling gains at which η."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from radmm.privacy.guarantee import rounded_up
from radmm.results.claims.decision import Outcome
from radmm.results.claims.wording import MINUS
from radmm.results.frontier.replication import (
    BOUND,
    EPSILON,
    NOISELESS,
    PUBLISHED,
    TUNED,
    PairVerdict,
    verdicts,
)
from radmm.results.frontier.threats import threat_sentences
from radmm.results.markdown import markdown_row

METRIC = "error_rate"
EQUAL = {BOUND: "equal P(T)", EPSILON: "equal (ε, δ)"}
RULE = (
    "Whether the first is more accurate than the second: *holds* if it is in every case, *fails* if it is worse in "
    "some and better in none, *mixed* if it is better in some and not in others, *no difference* if all differences "
    "are smaller than the margin, else *undecided*. Cases are the cells, each with η tuned and with the paper's η; the "
    "words of single cases allow for all of them."
)
BETTER = {
    Outcome.HOLDS: "better",
    Outcome.NO_DIFFERENCE: "no difference",
    Outcome.UNDECIDED: "undecided",
    Outcome.FAILS: "worse",
}


def page(
    differences: pd.DataFrame,
    along: pd.DataFrame,
    study: Mapping[str, Any],
    threats: Mapping[str, str],
    assumed: Sequence[str],
) -> str:
    """Return the page as Markdown.

    Args:
        differences: Differences of pairs of methods, tuned and as published.
        along: Differences of methods that were judged at every η.
        threats: Attackers against whom a method's ε holds, by method, where these are not all.
        assumed: Conditions of every ε, each as the end of a sentence.
    """
    lines = ["# The paper's comparison, replicated\n", *preface(study, threats)]
    lines.append(f"\nOf every ε and P(T): {'; '.join(assumed)}.")
    lines += ["\n## In short\n", RULE, "", *in_short(differences)]
    for cell, part in of_error(differences).groupby("cell", sort=False):
        lines += [f"\n## {cell}\n", *comparison(part)]
    if len(along):
        lines += ["\n## Recycling against stopping, by η\n", *recycling(along)]
    return "\n".join(lines) + "\n"


def preface(study: Mapping[str, Any], threats: Mapping[str, str]) -> Iterator[str]:
    """Yield the paragraphs that explain the numbers.

    Args:
        threats: Attackers against whom a method's ε holds, by method, where these are not all.
    """
    judged, selected = len(study["judgement"]), len(study["selection"])
    yield (
        f"Differences in test error after the last iteration, in percentage points, over {judged} splits with graphs "
        f"and noise of their own, in pairs; 95 % intervals over these. η was tuned for each algorithm and budget on "
        f"{selected} other splits and graphs. The words allow for all comparisons of a table (Bonferroni). "
        "Budgets are met on every graph, for replacing one row: P(T) is the published bound, with exponential-norm "
        "noise; ε is the total over all messages at δ = 1e-5 by the `shift` accountant, with Gaussian noise. To choose "
        "η on private data would itself cost budget, which is not counted."
    )
    yield from (f"\n{sentence}" for sentence in threat_sentences(threats))


def in_short(differences: pd.DataFrame) -> Iterator[str]:
    """Yield a table of the verdicts, with a column for each axis of privacy.

    Args:
        differences: Differences of pairs of methods, tuned and as published.
    """
    found = verdicts(differences, METRIC)
    axes = [axis for axis in (BOUND, EPSILON) if any(each.axis == axis for each in found)]
    yield markdown_row(["more accurate", "than", *(f"at {EQUAL[axis]}" for axis in axes)])
    yield markdown_row(["---"] * (2 + len(axes)))
    for left, right in dict.fromkeys((each.left, each.right) for each in found):
        words = {each.axis: in_words(each) for each in found if (each.left, each.right) == (left, right)}
        yield markdown_row([left, right, *(words.get(axis, "–") for axis in axes)])


def in_words(verdict: PairVerdict) -> str:
    """Return a verdict's word, with the number of cases of each outcome."""
    counts = [f"{verdict.counts[outcome]} {word}" for outcome, word in BETTER.items() if verdict.counts[outcome]]
    return f"**{verdict.word}** ({', '.join(counts)})"


def comparison(part: pd.DataFrame) -> Iterator[str]:
    """Yield a table of a cell's pairs.

    Args:
        part: Differences of one cell and metric.
    """
    yield markdown_row(["budget", "method", "less", TUNED, "η", PUBLISHED])
    yield markdown_row(["---"] * 6)
    for _, both in part.groupby(["axis", "budget", "left", "right"], sort=False):
        about = both.iloc[0]
        kinds = both.set_index("kind")
        tuned = kinds.loc[TUNED] if TUNED in kinds.index else None
        penalties = "–" if tuned is None else f"{tuned['penalty_left']:g}, {tuned['penalty_right']:g}"
        published = kinds.loc[PUBLISHED] if PUBLISHED in kinds.index else None
        yield markdown_row(
            [
                named(about["axis"], about["budget"]),
                about["left"],
                about["right"],
                told(tuned),
                penalties,
                told(published),
            ]
        )


def recycling(along: pd.DataFrame) -> Iterator[str]:
    """Yield a table of a pair of methods over η, with a column for each budget.

    Args:
        along: Differences at every η.
    """
    shown = of_error(along)
    budgets = list(dict.fromkeys(zip(shown["axis"], shown["budget"], strict=True)))
    yield markdown_row(["", "η", *(named(*each) for each in budgets)])
    yield markdown_row(["---"] * (2 + len(budgets)))
    for cell, own in shown.groupby("cell", sort=False):
        for penalty, part in own.groupby("penalty"):
            by_budget = {(found["axis"], found["budget"]): found for _, found in part.iterrows()}
            yield markdown_row([str(cell), f"{penalty:g}", *(told(by_budget.get(each)) for each in budgets)])


def named(axis: str, budget: float) -> str:
    """Return a budget in words.

    Args:
        axis: Quantity that is bounded.
        budget: The bound.
    """
    return NOISELESS if axis == NOISELESS else f"{axis} = {rounded_up(budget)}" + (" total" if axis == EPSILON else "")


def told(found: Any) -> str:
    """Format a difference with its interval and its word."""
    if found is None:
        return "–"
    value, low, high = (_points(found[name]) for name in ("difference", "low", "high"))
    word = BETTER[found["outcome"]]
    return f"{value} ({low} to {high}) " + (f"**{word}**" if word in ("better", "worse") else word)


def _points(value: float) -> str:
    return f"{100 * value:+.2f}".replace("-", MINUS)


def of_error(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of test error."""
    return table[table["metric"] == METRIC]
