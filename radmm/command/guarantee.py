"""A total ε as commands tell it: never without its δ, its neighbours, its accountant and what it assumes."""

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from radmm.base.errors import InputError
from radmm.base.inputs import as_number
from radmm.data.source import make_source
from radmm.privacy.accountants.accountant import ACCOUNTANTS
from radmm.privacy.ledger import Ledger
from radmm.privacy.relation import REPLACE_ONE, Neighbours, Relation, rounded_up

IDEALISED = "argmins are taken to be exact, as the noise has no repair"
UNKNOWN = "whether features took anything from the data is not known here"


@dataclass(frozen=True)
class Guarantee:
    """What one run spends in total.

    Args:
        epsilon: Over all iterations and nodes; None if the accountant refuses.
        refusal: Why it does.
        delta: 0 for accountants in pure differential privacy.
        accountant: By whose bound.
        relation: Which data sets are neighbours.
        iterations: T.
        data_steps: How many of them touch data.
        node: One at which that much is spent.
        idealised: Whether it takes argmins to be exact.
        caveat: What was taken from the data before, and no noise protects; "" if nothing was.
        threat: Against whom it holds; None if against anybody.
    """

    epsilon: float | None
    refusal: str | None
    delta: float
    accountant: str
    relation: Relation
    iterations: int
    data_steps: int
    node: int | None
    idealised: bool
    caveat: str = ""
    threat: str | None = None

    def __str__(self) -> str:
        if self.epsilon is None:
            return f"no ε: {self.refusal}"
        steps = f"{self.iterations} iterations, of which {self.data_steps} touch data"
        assumed = "".join(f"; {each}" for each in self.assumed)
        return (
            f"ε = {rounded_up(self.epsilon)} in total at δ = {self.delta:g}, for {self.relation}, "
            f"by the {self.accountant} accountant ({steps}; node {self.node} sets it{assumed})"
        )

    @property
    def assumed(self) -> list[str]:
        """What it rests on."""
        return [each for each in (IDEALISED if self.idealised else "", self.caveat.rstrip("."), self.threat) if each]

    def facts(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            "total_epsilon": self.epsilon,
            "refusal": self.refusal,
            "delta": self.delta,
            "accountant": self.accountant,
            "neighbours": self.relation.neighbours.value,
            "rows_of_a_person": self.relation.rows,
            "iterations": self.iterations,
            "data_steps": self.data_steps,
            "node": self.node,
            "assumed": self.assumed,
        }


def add_guarantee_flags(parser: Any) -> None:
    """Flags for how a total is told.

    Args:
        parser: Of a command.
    """
    group = parser.add_argument_group("how a total ε is told")
    group.add_argument("--delta", type=float, default=1e-5, metavar="δ", help="1e-5; pure accountants need none")
    group.add_argument("--accountant", default="shift", metavar="NAME", help="shift, renyi, pld, pure, paper, …")
    group.add_argument(
        "--neighbours", default=Neighbours.REPLACE.value, metavar="RELATION", help="replace (one row) or zero-out"
    )
    group.add_argument("--person-rows", type=int, default=1, metavar="ROWS", help="how many rows one person has; 1")


def guarantee(given: argparse.Namespace, ledger: Ledger, accountant: str | None = None) -> Guarantee:
    """What one run spends, told as the flags say.

    Args:
        given: The flags.
        ledger: Of all releases of a run.
        accountant: By whose bound; that of the flags if not given.
    """
    return of_ledger(ledger, accountant or given.accountant, given.delta, Relation(given.neighbours, given.person_rows))


def of_ledger(ledger: Ledger, accountant: str, delta: float, relation: Relation = REPLACE_ONE) -> Guarantee:
    """What one run spends; an accountant that has no proof for these releases says why.

    Args:
        ledger: Of all releases of a run.
        accountant: By whose bound.
        delta: Which pure accountants don't look at.
        relation: Which data sets are neighbours.
    """
    kind, epsilon, refusal, node = ACCOUNTANTS[accountant], None, None, None
    spent = 0.0 if kind.pure else as_number("delta", delta)
    if not kind.pure and not 0.0 < spent < 1.0:
        raise InputError(f"delta = {spent:g}: must be above 0 and below 1")
    try:
        judge = kind(relation)
        judge.check(ledger, spent)
    except InputError as error:
        refusal = str(error)
    else:
        epsilon = judge.epsilon(ledger, spent)
        node = int(judge.epsilon_of_nodes(ledger, spent).argmax())
    steps = int(ledger.data_steps[-1])
    return Guarantee(
        epsilon,
        refusal,
        spent,
        accountant,
        relation,
        ledger.iterations,
        steps,
        node,
        ledger.idealised,
        threat=ledger.threat,
    )


def caveat_of(parameters: Mapping[str, Any]) -> str:
    """What a setting's features took from the data, like the largest value of a column.

    Args:
        parameters: Of the setting.
    """
    return make_source(parameters["data"]).caveat
