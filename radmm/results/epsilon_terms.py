"""Terms of each ε of a table: accountant, δ and relation of its metric, and in words the whole guarantee."""

from collections.abc import Mapping
from typing import NamedTuple

import pandas as pd

from radmm.base.json_object import JsonObject
from radmm.privacy.accountants.pure import PaperAccountant
from radmm.privacy.guarantee import Guarantee, conditions_of
from radmm.privacy.ledger import Ledger
from radmm.privacy.relation import REPLACE_ONE, Relation
from radmm.results.tables import DELTA, accountants_by_metric

BOUND = "privacy_loss"  # the published bound, which a trace has at every iteration
NOT_COVERED = "exact, and covered by no ε: not for release"  # a loss, an error, a distance


class Terms(NamedTuple):
    """Terms under which an ε holds.

    Args:
        accountant: Name of the accountant; `shift-cap` is the shift accountant's quick and larger bound.
        delta: δ of the bound.
        relation: Neighbouring relation.
    """

    accountant: str
    delta: float
    relation: Relation

    def __str__(self) -> str:
        name, cap, _ = self.accountant.partition("-cap")
        return f"{name} accountant{'’s cap' if cap else ''}, δ = {self.delta:g}, {self.relation}"

    def facts(self) -> JsonObject:
        """Return the terms as a dictionary that JSON can hold."""
        return {"accountant": self.accountant, "delta": self.delta, "neighbours": self.relation.neighbours.value}


def terms_by_metric() -> dict[str, Terms]:
    """Return the terms of every metric that is an ε; an accountant that may be slow is followed by its quick bound."""
    found = {BOUND: Terms(PaperAccountant.name, 0.0, REPLACE_ONE)}
    for metric, accountant in accountants_by_metric().items():
        name, delta = accountant.name, 0.0 if accountant.pure else DELTA
        found[metric] = Terms(name, delta, accountant.relation)
        if accountant.quick():
            found[metric.replace(name, f"{name}-cap", 1)] = Terms(f"{name}-cap", delta, accountant.relation)
    return found


def guarantee_column(table: pd.DataFrame, ledgers: Mapping[str, Ledger], caveats: Mapping[str, str]) -> list[str]:
    """Return, for each row of a table, its guarantee in words or, where it is no ε, that no ε covers it.

    Args:
        table: An experiment's table, with `setting`, `iteration`, `metric` and `mean`.
        ledgers: Ledgers of the settings with noise, by id.
        caveats: What their features took from the data, by id.
    """
    known = terms_by_metric()
    conditions = {name: [*conditions_of(ledger), caveats[name].rstrip(".")] for name, ledger in ledgers.items()}

    def said(setting: str, iteration: int, metric: str, mean: float) -> str:
        if metric not in known or mean != mean:
            return NOT_COVERED
        steps = int(ledgers[setting].data_steps[iteration])
        return str(
            Guarantee(
                mean,
                known[metric].delta,
                known[metric].relation,
                known[metric].accountant,
                [each for each in conditions[setting] if each],
                iteration,
                steps,
            )
        )

    columns = (table[name].tolist() for name in ("setting", "iteration", "metric", "mean"))
    return [said(*row) for row in zip(*columns, strict=True)]
