"""Accounting by privacy loss distributions: the tightest here, and the slowest.

Each release is replaced by a pair of distributions that dominates it; products of such pairs dominate adaptive
compositions (Zhu, Dong and Wang, "Optimal accounting of differential privacy via characteristic function", 2022).
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar

import numpy as np

from radmm.base.arrays import Array, Integers
from radmm.base.errors import InputError
from radmm.privacy.accountants.accountant import Accountant
from radmm.privacy.accountants.dominating_pairs import (
    dominating_pair,
    loss_range,
    release_curve,
    repair_curve,
    repair_range,
)
from radmm.privacy.accountants.pure import RELEASES
from radmm.privacy.curves.composition import MOST, ROUND_OFF, composed_epsilon
from radmm.privacy.curves.pair_curves import Curve
from radmm.privacy.events import PerturbedArgmin, Release
from radmm.privacy.ledger import Ledger

POINTS = 1000  # of the loss grid up to the largest loss of one release
LARGEST = 300.0  # loss of one release: beyond, e^ε leaves the range of numbers, and no bound is given


class PldAccountant(Accountant):
    """Privacy loss distributions, composed on one grid for all releases of a ledger."""

    name: ClassVar[str] = "pld"
    knows: ClassVar[tuple[type[Release], ...]] = RELEASES
    least_delta: ClassVar[float] = 10.0 * ROUND_OFF

    def refusal(self, release: Release) -> str | None:
        """Return why a release can't be bounded.

        The Jacobian's bound takes any loss, the parallelogram only a monotone one.
        """
        if not isinstance(release, PerturbedArgmin) or release.monotone:
            return None
        return "noise for a loss whose slope may change its sign, or doesn't say that it can't (`monotone`)"

    def check(self, ledger: Ledger, delta: float) -> None:
        """Refuse a δ below the round-off of the convolutions, besides what every accountant refuses."""
        super().check(ledger, delta)
        if delta < self.least_delta:
            raise InputError(f"delta = {delta:g}: must be at least {10 * ROUND_OFF:g} for the pld accountant")

    def _spent(self, ledger: Ledger, steps: Sequence[int], nodes: Integers, delta: float) -> Array:
        spent = np.zeros((len(steps), len(nodes)))
        ends = np.array([(loss_range(release), repair_range(release)) for release in ledger.releases]).reshape(-1, 2)
        if ends.max(initial=0.0) > LARGEST:
            spent[np.asarray(steps) > 0] = np.inf
            return spent
        for column, node in enumerate(nodes):
            for row, step in enumerate(steps):
                counts = Counter(ledger.which[:step, node].tolist())
                if counts:
                    farthest = sum(count * ends[index].sum() for index, count in counts.items())
                    step_size = max(ends[:, 0].max() / POINTS, 2.2 * farthest / MOST) or 1.0  # no loss needs no grid
                    pairs = [
                        (pair, count)
                        for index, count in counts.items()
                        for pair in release_pairs(ledger.releases[index], step_size)
                    ]
                    spent[row, column] = composed_epsilon(pairs, delta)
        return spent


@lru_cache(maxsize=1024)
def release_pairs(release: Release, step_size: float) -> list[Curve]:
    """Return the pairs that dominate one exact argmin and, if there is any, the noise that covers the tolerance."""
    curves = [release_curve(release, step_size)]
    if release.repair_mu:
        curves.append(repair_curve(release, step_size))
    return [dominating_pair(curve, step_size) for curve in curves]
