"""Sentences on what recycling buys, from a replication: R-ADMM against ADMM at T, and against ADMM that stops at T/2.

Both rivals are compared with the same runs of R-ADMM, in the same pairs of a split and a graph. What R-ADMM gains over
ADMM at T, less what it gains over the one that stops, is what stopping early has alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from radmm.results.claims.bodies_of_evidence import TITLES
from radmm.results.claims.comparison import BOUND, EPSILON
from radmm.results.claims.decision import Kind, Outcome
from radmm.results.claims.wording import MINUS

OURS, AT_T, STOPPED = "R-ADMM", "ADMM", "ADMM, stopped at T/2"
RIVALS = {AT_T: "ADMM with T iterations", STOPPED: "ADMM that stops at T/2"}
CLAIMS = ("outperform", "recycling-beats-stopping")
KEYS = ["data", "equal", "N", "budget"]
POINTS = 100.0
VERBS = {
    Outcome.HOLDS: "better",
    Outcome.NO_DIFFERENCE: "no different",
    Outcome.FAILS: "worse",
    Outcome.UNDECIDED: "undecided",
}


def against_rivals(claims: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return R-ADMM's differences in test error to its two rivals, one row for each case and data set, in points.

    Args:
        claims: Entries of claims.json; the cases on the first data set stand in the entry itself.
    """
    rows = []
    for claim in (each for each in claims if each["name"] in CLAIMS):
        bodies = {
            next(iter(claim["words"])): claim["cases"],
            **{name: found["cases"] for name, found in claim["data_sets"].items()},
        }
        for name, cases in bodies.items():
            rows += [_row(TITLES.get(name, name), case) for case in cases if _is_asked(case)]
    return pd.DataFrame(rows, columns=[*KEYS, "rival", "difference", "low", "high", "outcome"])


def _is_asked(case: Mapping[str, Any]) -> bool:
    at = case["at"]
    return at["algorithm"] == OURS and at["over"] in RIVALS and case["kind"] == Kind.ERROR


def _row(data: str, case: Mapping[str, Any]) -> dict[str, Any]:
    """Return a case; both rivals' budgets are told in the same words: the α of R-ADMM, or ε."""
    at = case["at"]
    budget = at["budget"].removeprefix("that of ") if "budget" in at else f"α = {at['α']:g}"
    ends = {name: POINTS * case[key] for name, key in (("difference", "value"), ("low", "low"), ("high", "high"))}
    about = {"data": data, "equal": at.get("equal", BOUND), "N": at["N"], "budget": budget, "rival": at["over"]}
    return {**about, **ends, "outcome": case["outcome"]}


def shares(table: pd.DataFrame) -> pd.Series[float]:
    """Return the share of R-ADMM's gain over ADMM at T that stopping early has alone, where there is a gain.

    Args:
        table: What `against_rivals` returned.
    """
    wide = table[table["equal"] == BOUND].pivot(index=KEYS, columns="rival", values=["difference", "outcome"])
    gained = wide[wide["outcome"][AT_T] == Outcome.HOLDS]["difference"].astype(float)
    had: pd.Series[float] = 1.0 - gained[STOPPED] / gained[AT_T]
    return had


def sentences(table: pd.DataFrame) -> Iterator[str]:
    """Yield the answer, no stronger than the outcomes of the cases allow.

    Args:
        table: What `against_rivals` returned.
    """
    by = dict(iter(table.groupby(["rival", "equal"], sort=False)))
    if (AT_T, BOUND) in by and (STOPPED, BOUND) in by:
        yield from _conclusion(shares(table), by[STOPPED, BOUND])
        yield (
            f"At equal P(T) R-ADMM is, compared with {RIVALS[AT_T]}: {_on_each(by[AT_T, BOUND])}. "
            f"Compared with {RIVALS[STOPPED]}, with the same noise and as many releases, so that all accountants give "
            f"both the same total: {_on_each(by[STOPPED, BOUND])}."
        )
    if (AT_T, EPSILON) in by:
        part = by[AT_T, EPSILON]
        (where,) = {f"N = {row['N']}, {row['budget']}" for _, row in part.iterrows()}
        yield (
            f"At equal (ε, δ) instead ({where} in total at δ = 1e-5, for replacing one row, by the `shift` "
            f"accountant), compared with {RIVALS[AT_T]}: {_on_each(part)}."
        )


def _conclusion(share: pd.Series[float], stopped: pd.DataFrame) -> Iterator[str]:
    if not len(share):
        return
    middle = float(share.median())
    low, high = (f"{100 * end:.0f}".replace("-", MINUS) for end in (share.min(), share.max()))
    yield (
        f"**{_headline(middle)}** ADMM that stops at T/2, after half of the iterations, has R-ADMM's noise and total "
        f"bound P(T). Compared with it R-ADMM is {_counts(stopped)} of {len(stopped)} cases. In the {len(share)} cases "
        f"in which R-ADMM beats {RIVALS[AT_T]} at equal P(T), stopping alone reaches {100 * middle:.0f} % of that gain "
        f"in the median ({low} to {high} %)."
    )


def _headline(share: float) -> str:
    """Return the short form of the conclusion for the median share of the gain that stopping early has."""
    if share >= 1.0:
        return "Stopping early gains as much as recycling."
    return "Stopping early explains most of the gain." if share >= 0.5 else "Recycling explains most of the gain."


def _on_each(part: pd.DataFrame) -> str:
    return "; ".join(f"on {data} {_outcomes(own)}" for data, own in part.groupby("data", sort=False))


def _outcomes(part: pd.DataFrame) -> str:
    """Return how many cases came out how, with the range of the differences."""
    low, high = (f"{end:+.2f}".replace("-", MINUS) for end in (part["difference"].min(), part["difference"].max()))
    ends = f"{low} to {high} points" if len(part) > 1 else f"{low} points"
    return f"{_counts(part)} of {len(part)} cases ({ends})" if len(part) > 1 else f"{_single(part)} ({ends})"


def _counts(part: pd.DataFrame) -> str:
    """Return in how many cases R-ADMM is better, no different and worse."""
    counts = part["outcome"].value_counts()
    return ", ".join(f"{verb} in {counts[outcome]}" for outcome, verb in VERBS.items() if outcome in counts)


def _single(part: pd.DataFrame) -> str:
    return VERBS[Outcome(part["outcome"].iloc[0])]
