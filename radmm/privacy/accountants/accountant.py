"""Interface of accountants: they read a ledger, refuse what they can't bound, and answer in (ε, δ).

An answer is a total over all iterations asked for, and holds for everything that all nodes release. Neighbouring data
sets differ in rows of one node, so other nodes' releases cost these rows nothing.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from radmm.base.arrays import Array, Integers
from radmm.base.errors import InputError
from radmm.base.registry import Component, Registry
from radmm.model.losses.loss import BOUNDED, LOGISTIC
from radmm.privacy.events import Release
from radmm.privacy.ledger import Ledger
from radmm.privacy.relation import REPLACE_ONE, Neighbours, Relation


class Accountant(Component, ABC):
    """Base class of accountants, which bound (ε, δ) from above.

    Args:
        relation: Neighbouring relation; replacing one row if not given.
    """

    registry: ClassVar[Registry["Accountant"]]
    knows: ClassVar[tuple[type[Release], ...]]  # the releases that its proofs are about, subclasses not included
    forms: ClassVar[tuple[str, ...]] = (LOGISTIC, BOUNDED)  # of the losses whose perturbed argmins it has a proof for
    pure: ClassVar[bool] = False  # its ε holds with δ = 0
    least_delta: ClassVar[float] = 1e-100  # no smaller δ is resolved
    relations: ClassVar[tuple[Neighbours, ...]] = (Neighbours.REPLACE,)  # for which it has a proof
    groups: ClassVar[bool] = False  # whether it has one for several rows of a person

    def __init__(self, relation: Relation = REPLACE_ONE) -> None:
        if relation.neighbours not in self.relations:
            raise InputError(
                f"neighbours = {relation.neighbours}: the {self.name} accountant has no proof for it; "
                f"must be {' or '.join(self.relations)}, or accountant: shift"
            )
        if relation.rows > 1 and not self.groups:
            raise InputError(f"rows = {relation.rows}: the {self.name} accountant has a proof for one row only")
        self.relation = relation

    def epsilon(self, ledger: Ledger, delta: float = 0.0, iterations: int | None = None) -> float:
        """Return the network's total ε after t iterations: the largest of its nodes'.

        Args:
            ledger: Ledger of any run.
            delta: δ; 0 for accountants of pure differential privacy.
            iterations: Number of iterations t; all of them if not given.
        """
        self.check(ledger, delta)
        return float(self._spent(ledger, [ledger.steps_after(iterations)], self._candidates(ledger), delta).max())

    def worst_node(self, ledger: Ledger, delta: float = 0.0) -> int:
        """Return the node that determines the network's total ε, for its few rows, few neighbours or little noise.

        Args:
            ledger: Ledger of any run.
            delta: δ; 0 for accountants of pure differential privacy.
        """
        self.check(ledger, delta)
        nodes = self._candidates(ledger)
        return int(nodes[self._spent(ledger, [ledger.steps_after(None)], nodes, delta)[0].argmax()])

    def epsilon_of_nodes(self, ledger: Ledger, delta: float = 0.0, iterations: int | None = None) -> Array:
        """Return each node's total ε after t iterations, for a row that is known to be at that node.

        Args:
            ledger: Ledger of any run.
            delta: δ; 0 for accountants of pure differential privacy.
            iterations: Number of iterations t; all of them if not given.
        """
        self.check(ledger, delta)
        nodes, kind = ledger.node_classes
        spent: Array = self._spent(ledger, [ledger.steps_after(iterations)], nodes, delta)[0][kind]
        return spent

    def trace(self, ledger: Ledger, delta: float = 0.0) -> Array:
        """Return the network's total ε after each iteration t = 0 … T, each valid for a t that was fixed beforehand.

        Args:
            ledger: Ledger of any run.
            delta: δ; 0 for accountants of pure differential privacy.
        """
        self.check(ledger, delta)
        steps = range(ledger.steps_after(None) + 1)
        spent: Array = self._spent(ledger, steps, self._candidates(ledger), delta).max(axis=1)[ledger.data_steps]
        return spent

    def delta(self, ledger: Ledger, epsilon: float, iterations: int | None = None) -> float:
        """Return the network's total δ for a given ε, rounded up to three digits; 1 guarantees nothing.

        Args:
            ledger: Ledger of any run.
            epsilon: ε for which to find δ.
            iterations: Number of iterations t; all of them if not given.
        """
        if self.pure:
            return 0.0 if self.epsilon(ledger, 0.0, iterations) <= epsilon else 1.0
        low, high = math.log(self.least_delta), 0.0
        if self.epsilon(ledger, self.least_delta, iterations) <= epsilon:
            return self.least_delta
        while high - low > 5e-4:
            middle = (low + high) / 2.0
            enough = self.epsilon(ledger, math.exp(middle), iterations) <= epsilon
            low, high = (low, middle) if enough else (middle, high)
        return math.exp(high)

    def check(self, ledger: Ledger, delta: float) -> None:
        """Refuse a δ out of range, and releases that this accountant can't bound.

        Args:
            ledger: Ledger of any run.
            delta: δ of the bound.
        """
        if self.pure and delta == 0.0:
            pass
        elif not 0.0 < delta < 1.0:
            raise InputError(f"delta = {delta:g}: must be above 0 and below 1")
        reason = self.refuses(ledger)
        if reason:
            raise InputError(reason)

    def quick(self) -> "Accountant | None":
        """Return an accountant that gives a larger ε much sooner, for the beginning of a search.

        It is None where the accountant itself is quick.
        """
        return None

    def refuses(self, ledger: Ledger) -> str | None:
        """Return a sentence that says why the ledger can't be bounded, or None if it can.

        Args:
            ledger: Ledger of any run.
        """
        for release in ledger.releases:
            form = getattr(release, "form", self.forms[0])
            if type(release) not in self.knows:
                reason: str | None = "noise: it has no proof for releases of this type"
            elif form not in self.forms:
                reason = f"noise for a {form} loss: its proof is for losses of one margin"
            else:
                reason = _flat(release) or self.refusal(release)
            if reason:
                return f"the {self.name} accountant can't bound {release.law} {release.mechanism} {reason}"
        return None

    @abstractmethod
    def refusal(self, release: Release) -> str | None:
        """Return why a release can't be bounded, or None if it can.

        The reason is the end of a sentence that begins with the release's noise.

        Args:
            release: A release of a type that the accountant supports.
        """

    @abstractmethod
    def _spent(self, ledger: Ledger, steps: Sequence[int], nodes: Integers, delta: float) -> Array:
        """Return ε after each of these ascending numbers of data-touching iterations, (step, node)."""

    def _candidates(self, ledger: Ledger) -> Integers:
        return ledger.worst_nodes


def _flat(release: Release) -> str | None:
    """Return why an argmin without strong convexity can't be bounded: a row can move it arbitrarily far."""
    curvature = getattr(release, "curvature", 1.0)
    return None if curvature > 0.0 else f"noise at curvature = {curvature:g}: it must be above 0"


ACCOUNTANTS: Registry[Accountant] = Registry("accountant", "radmm.privacy.accountants")
Accountant.registry = ACCOUNTANTS


class Additive(Accountant):
    """Base class of accountants whose costs add up over releases: one number, or one for each Rényi order."""

    @abstractmethod
    def cost(self, release: Release) -> Array:
        """Return the cost of one release."""

    @abstractmethod
    def convert(self, total: Array, delta: float) -> Array:
        """Convert each node's total cost to ε at δ."""

    def _spent(self, ledger: Ledger, steps: Sequence[int], nodes: Integers, delta: float) -> Array:
        used, place = np.unique(ledger.which[: max(steps), nodes], return_inverse=True)
        place = place.reshape(-1, len(nodes))
        costs = [self.cost(ledger.releases[index]) for index in used]
        total = np.zeros((len(nodes), *np.shape(costs[0])) if costs else (len(nodes), 1))
        spent, done = np.zeros((len(steps), len(nodes))), 0
        for row, step in enumerate(steps):
            for k in range(done, step):
                total += np.array([costs[index] for index in place[k]])
            done = step
            spent[row] = self.convert(total, delta) if step else 0.0
        return spent
