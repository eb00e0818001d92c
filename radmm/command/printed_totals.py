"""Total ε in commands: the flags that determine how it is computed, and the reason where an accountant has no proof."""

import argparse
from collections.abc import Sequence
from math import isfinite
from typing import Any, NamedTuple

from radmm.base.errors import InputError
from radmm.base.json_object import JsonObject
from radmm.privacy.accountants.accountant import ACCOUNTANTS
from radmm.privacy.guarantee import Guarantee, guarantee_of, rounded_up
from radmm.privacy.ledger import Ledger
from radmm.privacy.relation import Neighbours, Relation


class PrintedTotal(NamedTuple):
    """A total ε as a command prints it.

    Args:
        accountant: Name of the accountant.
        guarantee: Total ε of one run; None if the accountant refuses, or finds no finite bound.
        refusal: Why there is none; "" if there is one.
    """

    accountant: str
    guarantee: Guarantee | None
    refusal: str = ""

    @property
    def holds(self) -> bool:
        """Whether there is a guarantee, and so an ε to print."""
        return self.guarantee is not None

    def __str__(self) -> str:
        return f"no ε: {self.refusal}" if self.guarantee is None else str(self.guarantee)

    def facts(self) -> JsonObject:
        """Return the total as a dictionary that JSON can hold."""
        if self.guarantee is None:
            return {"total_epsilon": None, "accountant": self.accountant, "refusal": self.refusal}
        return {**self.guarantee.facts(), "refusal": None}


def table_of_totals(totals: Sequence[PrintedTotal]) -> str:
    """Format totals of one ledger as a table, with the conditions that all of them share once below it.

    Args:
        totals: Totals of one ledger for one neighbouring relation, by different accountants.
    """
    rows = [("accountant", "total ε", "δ", "node that sets it")]
    for each in totals:
        found = each.guarantee
        if found is None:
            rows.append((each.accountant, "none", "", each.refusal))
        else:
            rows.append((each.accountant, rounded_up(found), f"{found.delta:g}", f"{found.node}"))
    first, second, third = (max(len(row[column]) for row in rows) for column in range(3))
    lines = [f"{a:{first}}  {b:>{second}}  {c:>{third}}  {d}".rstrip() for a, b, c, d in rows]
    known = next((each.guarantee for each in totals if each.guarantee is not None), None)
    return "\n".join(lines if known is None else [*lines, "", known.shared_conditions()])


def add_guarantee_flags(parser: Any) -> None:
    """Add the flags that say how a total is computed."""
    group = parser.add_argument_group("the guarantee")
    group.add_argument(
        "--delta", type=float, default=1e-5, metavar="δ", help="δ; pure accountants ignore it (default: 1e-5)"
    )
    group.add_argument(
        "--accountant", default="shift", metavar="NAME", help="shift, renyi, pld, pure, paper, … (default: shift)"
    )
    group.add_argument(
        "--neighbours",
        default=Neighbours.REPLACE.value,
        metavar="RELATION",
        help="replace or zero-out one row (default: replace)",
    )
    group.add_argument(
        "--person-rows",
        type=int,
        default=1,
        metavar="ROWS",
        help="largest number of rows that belong to one person (default: 1)",
    )


def printed_total(
    given: argparse.Namespace, ledger: Ledger, prepared: str, accountant: str | None = None
) -> PrintedTotal:
    """Return the total ε of one run by the flags, or the reason why the accountant has no proof for its releases.

    Args:
        ledger: Ledger of the run.
        prepared: What preparing the features took from the data, or that it is not known; "" if nothing.
        accountant: Name of the accountant; that of the flags if not given.
    """
    name, relation = accountant or given.accountant, Relation(given.neighbours, given.person_rows)
    if not ACCOUNTANTS[name].pure and not 0.0 < given.delta < 1.0:
        raise InputError(f"delta = {given.delta:g}: must be above 0 and below 1")
    try:
        found = guarantee_of(ledger, given.delta, name, relation)
    except InputError as error:
        return PrintedTotal(name, None, str(error))
    if not isfinite(found):
        where = f"at δ = {found.delta:g} for {relation}"
        reason = f"the {name} accountant finds no finite bound {where}: node {found.node} must have more noise"
        return PrintedTotal(name, None, f"{reason}, or nothing is guaranteed")
    return PrintedTotal(name, found.under(prepared))
