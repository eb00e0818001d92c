"""The default accountant: nearly as low as any can go, for both neighbouring relations and both laws of noise.

Along one row's direction, all that a row can do to a perturbed argmin is to shift the noise by a slope that grows
slowly (docs/proofs.md). Adding a row then costs exactly what shifting the noise costs; removing one costs little more,
by a program that over-estimates; a replacement is one after the other. The curves of one release are composed as pairs
of discrete distributions that dominate it.
"""

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from radmm.base.arrays import Array, Integers
from radmm.base.errors import InputError
from radmm.privacy.accountants.accountant import Accountant
from radmm.privacy.accountants.pure import ARGMINS
from radmm.privacy.curves.composition import ROUND_OFF
from radmm.privacy.curves.mechanisms import Slopes, argmin_row, plain_row
from radmm.privacy.curves.row import Row
from radmm.privacy.curves.total import Spent, total_epsilon
from radmm.privacy.events import PerturbedArgmin, Release
from radmm.privacy.ledger import Ledger
from radmm.privacy.relation import Neighbours


class ShiftAccountant(Accountant):
    """Curves of one row, composed; the default."""

    name: ClassVar[str] = "shift"
    knows: ClassVar[tuple[type[Release], ...]] = ARGMINS
    least_delta: ClassVar[float] = 10.0 * ROUND_OFF
    relations: ClassVar[tuple[Neighbours, ...]] = (Neighbours.REPLACE, Neighbours.ZERO_OUT)
    groups: ClassVar[bool] = True

    def refusal(self, release: Release) -> str | None:
        """Nothing that it knows: a loss whose slope may change its sign gets the bound for both signs.

        Args:
            release: Of a type that it knows.
        """
        return None

    def check(self, ledger: Ledger, delta: float) -> None:
        """Refuse a δ below what round-off allows, too.

        Args:
            ledger: Of any run.
            delta: δ.
        """
        super().check(ledger, delta)
        if delta < self.least_delta:
            raise InputError(f"delta = {delta:g}: must be at least {self.least_delta:g} for the {self.name} accountant")

    def row_of(self, release: Release) -> Row:
        """What one row can do to the release, in units of its noise.

        Args:
            release: Of a type that it knows.
        """
        law, scale, d = release.law, release.entering_scale, release.dimension
        if isinstance(release, PerturbedArgmin):
            slopes = Slopes(release.form, release.G, release.c1, both_signs=not release.monotone)
            return argmin_row(law, scale, release.C / release.rows, release.curvature, d, slopes)
        legs = self.relation.legs  # the solver's tolerance is hidden once, however many rows change
        return plain_row(law, scale, release.sensitivity / 2.0 + (release.shift - release.sensitivity) / legs, d)

    def _spent(self, ledger: Ledger, steps: Sequence[int], nodes: Integers, delta: float) -> Array:
        rows = [self.row_of(release) for release in ledger.releases]
        spent = np.zeros((len(steps), len(nodes)))
        for column, node in enumerate(nodes):
            for place, step in enumerate(steps):
                counts = Counter(ledger.which[:step, node].tolist())
                releases = [
                    Spent(rows[index], times, ledger.releases[index].repair_mu) for index, times in counts.items()
                ]
                spent[place, column] = total_epsilon(releases, delta, self.relation)
        return spent

    def _candidates(self, ledger: Ledger) -> Integers:
        """Curves grow with the shift and fall with the curvature: a node below another in both spends less."""
        strengths = [(row.shift, -row.curvature, row.excess) for row in map(self.row_of, ledger.releases)]
        repairs = [release.repair_mu for release in ledger.releases]
        return ledger.undominated(np.column_stack([strengths, repairs]) if strengths else np.zeros((0, 4)))
