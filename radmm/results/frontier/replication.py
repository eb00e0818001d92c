"""Methods at equal budgets over many splits and graphs: chosen on some of them, compared in pairs on the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from radmm.base.arrays import Array
from radmm.results.claims.decision import Claimed, Outcome, decide
from radmm.results.claims.statistics import Sample, sample_of
from radmm.results.claims.verdict import FEWEST_UNITS, Criteria, Word, word_of
from radmm.study.entries import Entry
from radmm.study.noise_budget import NoiseBudget
from radmm.study.settings import Setting
from radmm.study.tuned_groups import Group

BOUND, EPSILON, NOISELESS = "P(T)", "ε", "no noise"
PENALTIES = ("algorithm.penalty", "algorithm.penalty.scale")
TUNED, PUBLISHED, EVERY = "η tuned", "η of the paper", "every η"


class Asked(NamedTuple):
    """A budget that a noise asks for.

    Args:
        axis: Quantity that is bounded.
        budget: The bound; 0 without noise.
    """

    axis: str
    budget: float


def asked_budget(setting: Setting) -> Asked:
    """Return the budget that a candidate's noise asks for, or was calibrated to."""
    request = setting.calibrated_to or setting.noise
    if isinstance(request, NoiseBudget) and isinstance(request.total_bound, float):
        return Asked(BOUND, request.total_bound)
    if isinstance(request, NoiseBudget) and request.total_epsilon is not None:
        return Asked(EPSILON, request.total_epsilon)
    return Asked(NOISELESS, 0.0)


def asked(candidate: Entry) -> dict[str, Any]:
    """Return the budget that a candidate asks for and its η, as a file keeps them."""
    penalty = next((float(candidate.grid_point[axis]) for axis in PENALTIES if axis in candidate.grid_point), None)
    return {**asked_budget(candidate.setting)._asdict(), "penalty": penalty}


def best_candidates(candidates: Sequence[Entry], errors: Mapping[str, Array]) -> dict[Asked, str]:
    """Return the candidate of least mean error for each budget.

    Args:
        errors: Errors on selection seeds by candidate, (seed, rounds, last or average), of which the last iterate of
            the last round is used.
    """
    found: dict[Asked, tuple[float, str]] = {}
    for candidate in candidates:
        error = float(errors[candidate.id][:, -1, 0].mean())
        budget = asked_budget(candidate.setting)
        if np.isfinite(error) and (budget not in found or error < found[budget][0]):
            found[budget] = error, candidate.id
    return {budget: setting for budget, (_, setting) in found.items()}


def choices_at_budgets(group: Group, study: Mapping[str, Any], errors: Mapping[str, Array]) -> dict[str, Any]:
    """Return, as a file keeps it, what each candidate asks for, which are the paper's, and what each budget chooses.

    Args:
        group: Candidates of a method in a cell.
        study: What the config says of the group's study.
        errors: Mean test errors on the selection seeds, (seed, rounds, last or average), by candidate.
    """
    point = study.get("published") or {}
    published = [
        candidate.id
        for candidate in group.candidates
        if point and all(candidate.grid_point.get(axis, value) == value for axis, value in point.items())
    ]
    chosen = best_candidates(group.candidates, errors)
    return {
        "asked": {candidate.id: asked(candidate) for candidate in group.candidates},
        "published": sorted(published),
        "chosen": [{**budget._asdict(), "setting": setting} for budget, setting in chosen.items()],
    }


def replicated(groups: Sequence[tuple[pd.DataFrame, Mapping[str, Any]]], throughout: Sequence[str]) -> pd.DataFrame:
    """Return one row for each cell, method, budget and η that is judged: chosen, published, or each of a method's.

    Args:
        groups: Measured rows and choices of each method and cell.
        throughout: Methods that are judged at every η.
    """
    rows = []
    for measured, about in groups:
        chosen = {choice["setting"] for choice in about["chosen"]}
        shown = about["asked"] if about["method"] in throughout else chosen | set(about["published"])
        judged = measured[(measured["stage"] == "judgement") & measured["setting"].isin(list(shown))]
        for setting, part in judged.groupby("setting", sort=False):
            about_it = {"cell": about["cell"], "method": about["method"], **about["asked"][setting]}
            kinds = {"chosen": setting in chosen, "published": setting in about["published"]}
            for metric in ("error_rate", "loss"):
                by_seed = dict(zip(part["seed"].tolist(), part[metric].tolist(), strict=True))
                mean = float(np.mean(list(by_seed.values())))
                rows.append({**about_it, **kinds, "metric": metric, "mean": mean, "by_seed": by_seed})
    return pd.DataFrame(rows)


def compared(table: pd.DataFrame, pairs: Sequence[tuple[str, str]], criteria: Criteria) -> pd.DataFrame:
    """Return the methods' differences in pairs of splits and graphs, tuned and as published.

    Args:
        table: Table that `replicated` made.
        pairs: Pairs of methods to compare.
    """
    return _with_intervals(_pairs(table, pairs), criteria)


def along_penalty(
    table: pd.DataFrame, pairs: Sequence[tuple[str, str]], throughout: Sequence[str], criteria: Criteria
) -> pd.DataFrame:
    """Return the methods' differences at every η, for methods that were judged at every η.

    Args:
        table: Table that `replicated` made.
        pairs: Pairs of methods to compare.
        throughout: Methods that were judged at every η.
    """
    whole = [pair for pair in pairs if set(pair) <= set(throughout)]
    return _with_intervals(_same_penalty(table, whole), criteria)


class PairVerdict(NamedTuple):
    """Whether one method is more accurate than another at equal budgets of one kind.

    Args:
        axis: Quantity that is bounded.
        left: Name of the first method.
        right: Name of the second method.
        word: The verdict.
        counts: How many cases have each outcome: cells and budgets, η tuned and η of the paper.
    """

    axis: str
    left: str
    right: str
    word: Word
    counts: dict[Outcome, int]


def verdicts(differences: pd.DataFrame, metric: str) -> list[PairVerdict]:
    """Return a verdict for each pair of methods and axis of privacy, over all cells.

    Args:
        differences: Differences that `compared` made.
    """
    own = differences[(differences["metric"] == metric) & (differences["axis"] != NOISELESS)]
    found = []
    for (left, right, axis), part in own.groupby(["left", "right", "axis"], sort=False):
        outcomes = part["outcome"].tolist()
        counts = {each: outcomes.count(each) for each in Outcome}
        found.append(PairVerdict(str(axis), str(left), str(right), word_of(outcomes), counts))
    return found


def _pairs(table: pd.DataFrame, pairs: Sequence[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    for (cell, axis, budget, metric), part in table.groupby(["cell", "axis", "budget", "metric"], sort=False):
        for left, right in pairs:
            for kind, column in ((TUNED, "chosen"), (PUBLISHED, "published")):
                ours, theirs = (part[(part["method"] == name) & part[column]] for name in (left, right))
                if len(ours) == len(theirs) == 1:
                    at = {"cell": cell, "axis": axis, "budget": budget, "metric": metric, "kind": kind}
                    yield _difference(at, left, right, ours.iloc[0], theirs.iloc[0])


def _same_penalty(table: pd.DataFrame, pairs: Sequence[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    keys = ["cell", "axis", "budget", "penalty", "metric"]
    for (cell, axis, budget, penalty, metric), part in table.groupby(keys, sort=False):
        for left, right in pairs:
            ours, theirs = (part[part["method"] == name] for name in (left, right))
            if len(ours) == len(theirs) == 1:
                at = {"cell": cell, "axis": axis, "budget": budget, "metric": metric, "penalty": penalty}
                yield _difference(at, left, right, ours.iloc[0], theirs.iloc[0])


def _difference(at: dict[str, Any], left: str, right: str, ours: Any, theirs: Any) -> dict[str, Any]:
    seeds = sorted(set(ours["by_seed"]) & set(theirs["by_seed"]))
    values = [np.array([row["by_seed"][seed] for seed in seeds]) for row in (ours, theirs)]
    penalties = {"penalty_left": ours["penalty"], "penalty_right": theirs["penalty"]}
    means = {"mean_left": ours["mean"], "mean_right": theirs["mean"]}
    return {**at, "left": left, "right": right, **penalties, **means, "sample": sample_of(values[0] - values[1])}


def _with_intervals(rows: Iterator[dict[str, Any]], criteria: Criteria) -> pd.DataFrame:
    """Add intervals, and the outcomes when the intervals of all rows of a metric are to hold together (Bonferroni)."""
    listed = list(rows)
    found = []
    for metric in dict.fromkeys(row["metric"] for row in listed):
        own = [row for row in listed if row["metric"] == metric]
        together = 1.0 - (1.0 - criteria.level) / len(own)
        for row in own:
            sample: Sample = row.pop("sample")
            low, high = sample.interval(criteria.level)
            outcome = _outcome(sample, together, _margin(row, criteria))
            told = {"n": sample.units, "difference": sample.mean, "low": low, "high": high}
            found.append({**row, **told, "outcome": str(outcome)})
    return pd.DataFrame(found) if found else pd.DataFrame(columns=["cell", "metric"])


def _margin(row: Mapping[str, Any], criteria: Criteria) -> float:
    """Return the smallest difference that matters: of test errors, or a share of the second method's loss."""
    if row["metric"] == "error_rate":
        return criteria.margins["test_error"]
    return criteria.margins["loss"] * float(row["mean_right"])


def _outcome(sample: Sample, level: float, margin: float) -> Outcome:
    if sample.units < FEWEST_UNITS:
        return Outcome.UNDECIDED
    return decide(Claimed.LESS, *sample.interval(level), margin)
