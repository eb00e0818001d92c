"""Blocks of docs/frontier.md, made from the study's table; `python docs/refresh.py frontier` puts them there."""

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from radmm.privacy.accountants.renyi import converted, normal_divergence
from radmm.privacy.guarantee import rounded_up
from radmm.privacy.private_selection import NumberOfRuns, mu_of_each_run
from radmm.results.frontier.answers import MEAN, MODELS, in_points
from radmm.results.frontier.judgement import OTHER, SAME
from radmm.study.groups import ALONE

SHOWN = "replace"
TARGETS = {"N = 5, even": 0.003, "N = 20, even": 0.003, "N = 100, even": 0.005}  # points above the curator, on Adult
OF_TARGETS, WORST_TARGET = (0.5, 1.0), 0.002
MOST_LISTED = 4  # kinds of choices at an edge
RUNS, DELTA = 15, 1e-5  # mean number of runs of a private selection


def answers(found: pd.DataFrame) -> str:
    """Return a table for each threat model: means over data sets of what was chosen on the other ones."""
    kept = _means(found)
    return "\n".join(line for title in MODELS.values() for line in _table(title, kept[kept["threat_model"] == title]))


def _table(title: str, found: pd.DataFrame) -> Iterator[str]:
    budgets = sorted(found["epsilon"].unique())
    yield f"**{title}**\n"
    yield _row(["", *(f"ε = {rounded_up(each)}" for each in budgets)])
    yield _row(["---"] * (len(budgets) + 1))
    for cell, part in found.groupby("cell", sort=False):
        by_budget = part.set_index("epsilon")
        yield _row([str(cell), *(_cell(by_budget.loc[each]) for each in budgets)])
    curators = found.groupby("epsilon")["curator"].first()
    yield _row(["*trusted curator*", *(f"{curators[each]:.3f}" for each in budgets)])
    yield ""


def _cell(one: Any) -> str:
    others = f"<br>or {_short(one['or'])}" if one["or"] else ""
    interval = f"{one['error']:.3f} ({one['low']:.3f}–{one['high']:.3f})"
    return f"**{_short(one['method'])}** {interval}, {in_points(one['above'])}{others}"


def _short(methods: str) -> str:
    return methods.replace(", cancelling noise", "\\*")


def targets(found: pd.DataFrame) -> str:
    """Return a table of the targets on Adult and what was reached."""
    lines = [
        _row(["Adult", "ε", "method", "test error", "curator", "above", "aim", "worst node above", "aim"]),
        _row(["---"] * 9),
    ]
    kept = found[(found["neighbours"] == SHOWN) & (found["data_set"] == "adult")]
    kept = kept[(kept["threat_model"] == MODELS[True]) & (kept["chosen_on"] == OTHER)]
    for cell, aim in TARGETS.items():
        for _, one in kept[(kept["cell"] == cell) & kept["epsilon"].isin(OF_TARGETS)].iterrows():
            worst = "–" if np.isnan(one["worst"]) else f"{one['worst'] - one['error']:+.4f}"
            numbers = [f"{one['error']:.4f}", f"{one['curator']:.4f}", f"{one['above']:+.4f}", f"{aim:.3f}"]
            told = [str(cell), rounded_up(one["epsilon"]), one["method"], *numbers]
            lines.append(_row([*told, worst, f"{WORST_TARGET:.3f}"]))
    return "\n".join(lines)


def at_edges(table: pd.DataFrame, found: pd.DataFrame) -> str:
    """Return a sentence that counts the best choices at an edge of what was tried, by method and parameter.

    Args:
        table: The study's table, each row with the axes on which its choice is the least or largest tried.
    """
    keys = ["data_set", "chosen_on", "cell", "neighbours", "epsilon", "method"]
    best = found[(found["neighbours"] == SHOWN) & (found["data_set"] != MEAN)][keys].drop_duplicates()
    best = best.merge(table[[*keys, "edge"]], on=keys)
    counts: dict[str, int] = {}
    for method, edge in zip(best["method"], best["edge"], strict=True):
        for axis, which in edge.items():
            if not axis.startswith("noise."):
                name = f"{method}, {which} {axis.rpartition('.')[2]}"
                counts[name] = counts.get(name, 0) + 1
    listed = "; ".join(
        f"{name} ({number})" for name, number in sorted(counts.items(), key=lambda each: -each[1])[:MOST_LISTED]
    )
    which = f", most of them {listed}" if listed else ""
    return f"Of {len(best)} choices, {sum(counts.values())} lie at an edge of their window{which}."


def selection(found: pd.DataFrame) -> str:
    """Return a table of what each run may spend if hyper-parameters are chosen on the data themselves."""
    number = NumberOfRuns.of_mean(RUNS)
    lines = [_row(["total ε", "each run and its score", "price in points, N = 20, even"]), _row(["---"] * 3)]
    means = _means(found)
    at = means[(means["threat_model"] == MODELS[True]) & (means["cell"] == "N = 20, even")]
    errors = at.set_index("epsilon")["error"].sort_index()
    for total in errors.index:
        each = float(converted(normal_divergence(mu_of_each_run(total, number, DELTA)), DELTA))
        price = np.interp(np.log(each), np.log(errors.index), errors) - errors[total]
        told = in_points(price) if each >= errors.index[0] else "more than the study shows"
        lines.append(_row([f"{total:g}", f"{each:.2f}", told]))
    return "\n".join(lines)


def _means(found: pd.DataFrame) -> pd.DataFrame:
    """Return means over data sets of what was chosen on the other ones; of one data set, what other splits chose."""
    several = (found["data_set"] == MEAN).any()
    own = found[found["data_set"] == MEAN] if several else found
    return own[(own["neighbours"] == SHOWN) & (own["chosen_on"] == (OTHER if several else SAME))]


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def methods_of(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the study's methods, without references, with columns parsed that a file keeps as JSON."""
    return _parsed(table[table["cell"] != ALONE])


def references_of(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the study's references, like a trusted curator, with columns parsed."""
    return _parsed(table[table["cell"] == ALONE])


def _parsed(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(**{name: table[name].map(json.loads) for name in ("by_seed", "edge")})
