"""Privacy guarantees: an ε that carries its δ, neighbouring relation, accountant and all of its conditions."""

import math
from collections.abc import Sequence
from decimal import ROUND_CEILING, Decimal, localcontext
from typing import Any

from radmm.base.inputs import as_number
from radmm.base.json_object import JsonObject
from radmm.privacy.accountants.accountant import ACCOUNTANTS
from radmm.privacy.ledger import Ledger
from radmm.privacy.relation import REPLACE_ONE, Relation

EXACT_ARGMINS = "taking each argmin as exact"
EXACT_ARITHMETIC = "in exact arithmetic"
UNKNOWN_PREPARATION = "if no scale, category or choice of rows was taken from the data"
ASSUMED = (
    "Every epsilon is a total over all iterations so far and all nodes, for replacing one row unless its name has "
    "another relation, in exact arithmetic and with exact argmins unless the noise has a repair."
)
NOT_FOR_RELEASE = "Seed, exact results and hashes of the rows, which no ε covers, are in this file: not for release."
SHARED_DRAWS = (
    "Settings that share a seed share their draws of noise, which two releases together can cancel: publishing more "
    "than one of them is covered by none of their ε."
)


class Guarantee(float):
    """A total ε over all iterations and nodes of a run, which is a float, with the conditions under which it holds.

    As text it is one line with all of them. A format like `.2f` gives the number alone, rounded up. Arithmetic on it
    gives a plain float.

    Args:
        epsilon: The bound.
        delta: δ; 0 for accountants of pure differential privacy.
        relation: Neighbouring relation: how a row changes, and how many rows one person has.
        accountant: Name of the accountant whose bound it is.
        conditions: Everything else that it rests on, each as the end of a sentence.
        iterations: Number of iterations that it is a total of.
        data_steps: Number of those that touch data.
        node: A node at which that much is spent, if that is known.
    """

    delta: float
    relation: Relation
    accountant: str
    conditions: tuple[str, ...]
    iterations: int
    data_steps: int
    node: int | None

    def __new__(
        cls,
        epsilon: float,
        delta: float,
        relation: Relation,
        accountant: str,
        conditions: Sequence[str],
        iterations: int,
        data_steps: int,
        node: int | None = None,
    ) -> "Guarantee":
        """Make the float; the other arguments become its attributes."""
        made = super().__new__(cls, epsilon)
        made.delta, made.relation, made.accountant, made.conditions = delta, relation, accountant, tuple(conditions)
        made.iterations, made.data_steps, made.node = iterations, data_steps, node
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        """Return the arguments from which a copy or a pickle is made."""
        run = self.iterations, self.data_steps, self.node
        return float(self), self.delta, self.relation, self.accountant, self.conditions, *run

    def __str__(self) -> str:
        node = [] if self.node is None else [f"node {self.node} sets it"]
        return (
            f"ε = {rounded_up(self)} in total at δ = {self.delta:g}, for {self.relation}, "
            f"by the {self.accountant} accountant ({'; '.join([self._steps, *node, *self.conditions])})"
        )

    __repr__ = __str__

    def __format__(self, spec: str) -> str:
        if not spec:
            return str(self)
        with localcontext(rounding=ROUND_CEILING):
            return format(Decimal(float.__repr__(self)), spec)

    def under(self, *conditions: str) -> "Guarantee":
        """Return the guarantee with further conditions.

        Args:
            conditions: Conditions, each as the end of a sentence; empty ones are ignored.
        """
        return self._with(float(self), conditions)

    def voided(self, reason: str) -> "Guarantee":
        """Return an infinite ε in place of this one, with the reason among its conditions.

        Args:
            reason: Why there is no guarantee, as the end of a sentence.
        """
        return self._with(math.inf, [reason])

    def _with(self, epsilon: float, conditions: Sequence[str]) -> "Guarantee":
        _, delta, relation, accountant, known, *run = self.__getnewargs__()
        more = [each.rstrip(".") for each in conditions if each]
        return Guarantee(epsilon, delta, relation, accountant, (*known, *more), *run)

    def shared_conditions(self) -> str:
        """Return the sentence with all that holds for every accountant: relation, iterations and other conditions."""
        return f"Each for {self.relation}; {'; '.join([self._steps, *self.conditions])}."

    @property
    def _steps(self) -> str:
        return f"{self.iterations} iterations, of which {self.data_steps} touch data"

    def facts(self) -> JsonObject:
        """Return the guarantee as a dictionary that JSON can hold."""
        return {
            "total_epsilon": float(self),
            "delta": self.delta,
            "accountant": self.accountant,
            "neighbours": self.relation.neighbours.value,
            "rows_of_a_person": self.relation.rows,
            "iterations": self.iterations,
            "data_steps": self.data_steps,
            "node": self.node,
            "assumed": list(self.conditions),
        }


def guarantee_of(
    ledger: Ledger, delta: float, accountant: str = "shift", relation: Relation = REPLACE_ONE
) -> Guarantee:
    """Return what one run spends in total; an accountant that has no proof for its releases refuses.

    How the features were made is no part of a ledger: whoever knows adds it by `under`.

    Args:
        delta: δ, which pure accountants ignore.
    """
    judge = ACCOUNTANTS[accountant](relation)
    spendable = 0.0 if judge.pure else as_number("delta", delta)
    found = judge.epsilon(ledger, spendable)
    node = judge.worst_node(ledger, spendable)
    steps = int(ledger.data_steps[-1])
    return Guarantee(found, spendable, relation, accountant, conditions_of(ledger), ledger.iterations, steps, node)


def conditions_of(ledger: Ledger) -> list[str]:
    """Return the conditions of every ε of a ledger, each as the end of a sentence."""
    conditions = [EXACT_ARITHMETIC]
    if ledger.idealised:
        conditions.append(EXACT_ARGMINS)
    if ledger.threat:
        conditions.append(ledger.threat)
    return conditions


def rounded_up(epsilon: float, digits: int = 4) -> str:
    """Format an ε rounded up, as the printed number must hold, too."""
    with localcontext(prec=digits, rounding=ROUND_CEILING):
        return f"{float(+Decimal(float.__repr__(float(epsilon)))):.{digits}g}"
