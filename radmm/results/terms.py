"""What each ε of a table is good for: accountant, δ and relation of its metric, and in words the whole guarantee."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import pandas as pd

from radmm.privacy.accountants.pure import PaperAccountant
from radmm.privacy.guarantee import Guarantee, conditions_of
from radmm.privacy.ledger import Ledger
from radmm.privacy.relation import REPLACE_ONE, Relation
from radmm.results.tables import DELTA, told

BOUND = "privacy_loss"  # the published bound, which a trace has at every iteration
NOT_COVERED = "exact, and covered by no ε: not for release"  # a loss, an error, a distance


class Terms(NamedTuple):
    """What an ε is good for.

    Args:
        accountant: By whose bound; that of `shift-cap` is the shift accountant's quick and larger one.
        delta: δ.
        relation: Which data sets are neighbours.
    """

    accountant: str
    delta: float
    relation: Relation

    def __str__(self) -> str:
        name, cap, _ = self.accountant.partition("-cap")
        return f"{name} accountant{'’s cap' if cap else ''}, δ = {self.delta:g}, {self.relation}"

    def facts(self) -> dict[str, Any]:
        """The same for programs."""
        return {"accountant": self.accountant, "delta": self.delta, "neighbours": self.relation.neighbours.value}


def terms() -> dict[str, Terms]:
    """Of every metric that is an ε; of an accountant that may take too long, that of its quick bound follows."""
    found = {BOUND: Terms(PaperAccountant.name, 0.0, REPLACE_ONE)}
    for metric, accountant in told().items():
        name, delta = accountant.name, 0.0 if accountant.pure else DELTA
        found[metric] = Terms(name, delta, accountant.relation)
        if accountant.quick():
            found[metric.replace(name, f"{name}-cap", 1)] = Terms(f"{name}-cap", delta, accountant.relation)
    return found


def guarantee_column(table: pd.DataFrame, ledgers: Mapping[str, Ledger], caveats: Mapping[str, str]) -> list[str]:
    """For each row of a table its guarantee in words or, where it is no ε, that no ε covers it.

    Args:
        table: An experiment's, with `setting`, `iteration`, `metric` and `mean`.
        ledgers: Of the settings with noise, by id.
        caveats: What their features took from the data, by id.
    """
    known = terms()
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
