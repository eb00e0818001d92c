"""The default accountant: nearly as low as any can go, for both neighbouring relations and both laws of noise.

Along one row's direction, all that a row can do to a perturbed argmin is to shift the noise by a slope that grows
slowly (docs/proofs.md). Adding a row then costs exactly what shifting the noise costs; removing one costs little more,
by a program that over-estimates; a replacement is one after the other. The curves of one release are composed as pairs
of discrete distributions that dominate it.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np

from radmm.base.arrays import Array, Integers
from radmm.privacy.accountants.accountant import Accountant
from radmm.privacy.accountants.pure import ALL_FORMS, RELEASES
from radmm.privacy.accountants.renyi import renyi_epsilon
from radmm.privacy.curves.removal_addition import Row
from radmm.privacy.curves.row_effects import coarser_rows, row_of
from radmm.privacy.curves.total_epsilon import Spent, curves_epsilon, total_pure_epsilon
from radmm.privacy.events import Release
from radmm.privacy.ledger import Ledger
from radmm.privacy.relation import Neighbours, Relation

Released = tuple[Row, float]  # what one row can do to a release, and its repair
FEW = 2  # nodes that are accounted for one by one


class ShiftAccountant(Accountant):
    """The default: hockey-stick curves of adding and removing one row, composed over all releases."""

    name: ClassVar[str] = "shift"
    forms: ClassVar[tuple[str, ...]] = ALL_FORMS
    knows: ClassVar[tuple[type[Release], ...]] = RELEASES
    relations: ClassVar[tuple[Neighbours, ...]] = (Neighbours.REPLACE, Neighbours.ZERO_OUT)
    groups: ClassVar[bool] = True
    curves = 5  # at most for releases that differ in curvature alone; 0: by the cap of Theorem B, which needs none

    def quick(self) -> "ShiftAccountant":
        """Return the accountant that bounds the Jacobian by its cap alone."""
        quick = ShiftAccountant(self.relation)
        quick.curves = 0
        return quick

    def refusal(self, release: Release) -> str | None:
        """Return None: no release is refused, as a slope that may change its sign gets the bound for both signs."""
        return None

    def row_of(self, release: Release) -> Row:
        """Return the effect of one row on the release, in units of its noise.

        Args:
            release: A release of a type that the accountant supports.
        """
        return row_of(release, self.relation)

    def epsilon(self, ledger: Ledger, delta: float = 0.0, iterations: int | None = None) -> float:
        """Return the network's total ε after t iterations: at least the largest of its nodes'."""
        self.check(ledger, delta)
        step = ledger.steps_after(iterations)
        return max(self._total(column[:step], delta) for column in self._network_columns(ledger))

    def epsilon_of_nodes(self, ledger: Ledger, delta: float = 0.0, iterations: int | None = None) -> Array:
        """Return each node's total ε after t iterations, for a row that is known to be at that node.

        A node's own curves may come out slightly above those of a node that spends more: the network's total holds
        for both.
        """
        spent = super().epsilon_of_nodes(ledger, delta, iterations)
        return np.minimum(spent, self.epsilon(ledger, delta, iterations))

    def _network_columns(self, ledger: Ledger) -> list[list[Released]]:
        """Return the releases of the nodes that may spend most.

        Many of them are replaced by one sequence that spends at least as much as each.
        """
        columns = self._columns(ledger, self._candidates(ledger))
        alike = _alike(row for column in columns for row, _ in column)
        return [[_worst(step) for step in zip(*columns, strict=True)]] if alike and len(columns) > FEW else columns

    def _columns(self, ledger: Ledger, nodes: Integers) -> list[list[Released]]:
        released = [(self.row_of(release), release.repair_mu) for release in ledger.releases]
        return [[released[index] for index in ledger.which[:, node]] for node in nodes]

    def _spent(self, ledger: Ledger, steps: Sequence[int], nodes: Integers, delta: float) -> Array:
        columns = self._columns(ledger, nodes)
        spent = [[self._total(column[:step], delta) for column in columns] for step in steps]
        return np.array(spent, dtype=np.float64).reshape(len(steps), len(nodes))

    def _total(self, released: Sequence[Released], delta: float) -> float:
        """Return the least of all proved bounds for one node's releases.

        Those for replacing a row cover zeroing it, too.
        """
        spent = [Spent(row, times, repair) for (row, repair), times in Counter(released).items()]
        replacing = Relation(Neighbours.REPLACE, self.relation.rows)
        return min(
            total_pure_epsilon(spent, self.relation),
            renyi_epsilon(spent, delta, self.relation),
            *(curves_epsilon(spent, delta, each, self.curves) for each in {self.relation, replacing}),
        )

    def _candidates(self, ledger: Ledger) -> Integers:
        """Return the nodes that may spend most: curves grow with the shift and fall with the curvature."""
        rows = [self.row_of(release) for release in ledger.releases]
        if not _alike(rows):
            return ledger.node_classes[0]
        strength = [
            (row.shift, -row.curvature, row.jacobian, release.repair_mu)
            for row, release in zip(rows, ledger.releases, strict=True)
        ]
        return ledger.undominated(np.array(strength).reshape(-1, 4))

    def rows_of(self, ledger: Ledger) -> set[Row]:
        """Return the rows whose curves the network's total needs."""
        columns = self._network_columns(ledger)
        return {row for column in columns for row in coarser_rows([row for row, _ in column]).values()}


def _alike(rows: Iterable[Row]) -> bool:
    """Return whether rows differ only in numbers in which their curves are monotone."""
    return len({(row.law, row.form, row.dimension, row.ways) for row in rows}) <= 1


def _worst(releases: Sequence[Released]) -> Released:
    """Return a release that reveals at least as much as each of these.

    Curves grow with the shift and fall with the curvature.
    """
    rows = [row for row, _ in releases]
    row = replace(
        rows[0],
        shift=max(row.shift for row in rows),
        curvature=min(row.curvature for row in rows),
        jacobian=max(row.jacobian for row in rows),
    )
    return row, max(repair for _, repair in releases)
