"""Guarantees of a study's budgets in words: for its table, its page and its figure's metadata."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from radmm.data.source import make_source
from radmm.privacy.guarantee import EXACT_ARGMINS, EXACT_ARITHMETIC, rounded_up
from radmm.privacy.relation import REPLACE_ONE, Neighbours, Relation
from radmm.results.epsilon_terms import NOT_COVERED
from radmm.results.frontier.replication import BOUND, EPSILON

REPLICATION_DELTA = 1e-5  # δ of a replication's budgets
BY = {BOUND: ("paper", 0.0), EPSILON: ("shift", REPLICATION_DELTA)}  # accountant and δ, by what is bounded


def assumed(groups: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the conditions of every ε of a study, and what it doesn't cover, as ends of sentences.

    Args:
        groups: Metadata of each group's file, with the parameters of its candidates.
    """
    sections = [parameters.get("data") for about in groups for parameters in about["candidates"].values()]
    caveats = {make_source(section).caveat.rstrip(".") for section in sections if section}
    return [EXACT_ARITHMETIC, f"{EXACT_ARGMINS} unless the noise has a repair", *sorted(caveats - {""})]


def at_most(epsilon: float, delta: float, relation: Relation, accountant: str, conditions: Sequence[str]) -> str:
    """Format a budget with all of its conditions, in one line.

    Args:
        epsilon: Total ε that is spent at most; infinite or NaN without noise.
        accountant: Name of the accountant.
        conditions: Conditions, each as the end of a sentence.
    """
    if not np.isfinite(epsilon):
        return NOT_COVERED
    return (
        f"ε ≤ {rounded_up(epsilon)} in total at δ = {delta:g}, for {relation}, by the {accountant} accountant on every "
        f"network of the study ({'; '.join(conditions)})"
    )


def tuned_guarantees(
    table: pd.DataFrame, delta: float, conditions: Sequence[str], threats: Mapping[str, str]
) -> list[str]:
    """Return, for each row of a tuned study's table, what its method spends, with all conditions.

    Args:
        table: Table with `method`, `neighbours` and `spent`.
        conditions: Conditions of every ε.
        threats: Attackers against whom a method's ε holds, by method, where these are not all.
    """
    return [
        at_most(
            spent, delta, Relation(Neighbours(relation)), "shift", [*conditions, *filter(None, [threats.get(name)])]
        )
        for name, relation, spent in zip(table["method"], table["neighbours"], table["spent"], strict=True)
    ]


def budget_guarantees(table: pd.DataFrame, conditions: Sequence[str], threats: Mapping[str, str]) -> list[str]:
    """Return, for each row of a replication's table, the budget that both methods meet, with all conditions.

    Args:
        table: Table with `axis`, `budget`, `left` and `right`.
        conditions: Conditions of every ε.
        threats: Attackers against whom a method's ε holds, by method, where these are not all.
    """
    said = []
    for axis, budget, left, right in table[["axis", "budget", "left", "right"]].itertuples(index=False):
        accountant, delta = BY.get(axis, ("", 0.0))
        against = dict.fromkeys(threats[name] for name in (left, right) if name in threats)
        spent = float(budget) if accountant else np.inf
        said.append(at_most(spent, delta, REPLACE_ONE, accountant, [*conditions, *against]))
    return said
