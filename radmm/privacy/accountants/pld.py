"""Accounting by privacy loss distributions: the tightest here, and the slowest.

Each release is replaced by a pair of distributions that dominates it; products of such pairs dominate adaptive
compositions (Zhu, Dong and Wang, "Optimal accounting of differential privacy via characteristic function", 2022).
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from radmm.base.arrays import Array, Integers
from radmm.base.errors import InputError
from radmm.privacy.accountants.accountant import Accountant
from radmm.privacy.accountants.dominating import distribution, loss_range, release_curve, repair_curve
from radmm.privacy.accountants.pure import RELEASES
from radmm.privacy.accountants.renyi import needs_monotone
from radmm.privacy.events import Release
from radmm.privacy.ledger import Ledger

if TYPE_CHECKING:
    from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution
else:
    PrivacyLossDistribution = Any

POINTS = 1000  # of the loss grid up to the largest loss of one release
LARGEST = 300.0  # loss of one release: beyond, e^ε leaves the range of numbers, and no bound is given
TRUNCATION = 1e-15  # mass that a composition may move to infinity
ROUND_OFF = 1e-10  # charged to δ for the Fourier transforms of the compositions


class PldAccountant(Accountant):
    """Compositions are `dp_accounting`'s, on one grid for all releases of a ledger."""

    name: ClassVar[str] = "pld"
    knows: ClassVar[tuple[type[Release], ...]] = RELEASES
    least_delta: ClassVar[float] = 10.0 * ROUND_OFF

    def refusal(self, release: Release) -> str | None:
        return needs_monotone(release)

    def check(self, ledger: Ledger, delta: float) -> None:
        super().check(ledger, delta)
        if delta < self.least_delta:
            raise InputError(f"delta = {delta:g}: must be at least {10 * ROUND_OFF:g} for the pld accountant")

    def _spent(self, ledger: Ledger, steps: Sequence[int], nodes: Integers, delta: float) -> Array:
        largest = max((loss_range(release) for release in ledger.releases), default=1.0)
        spent = np.zeros((len(steps), len(nodes)))
        if largest > LARGEST:
            spent[np.asarray(steps) > 0] = np.inf
            return spent
        step_size = largest / POINTS
        for column, node in enumerate(nodes):
            composed, done = None, 0
            for row, step in enumerate(steps):
                for index, count in Counter(ledger.which[done:step, node].tolist()).items():
                    more = _repeated(ledger.releases[index], count, step_size)
                    composed = more if composed is None else composed.compose(more, TRUNCATION)
                done = step
                if composed is not None:
                    spent[row, column] = composed.get_epsilon_for_delta(delta - ROUND_OFF)
        return spent


def _repeated(release: Release, count: int, step_size: float) -> PrivacyLossDistribution:
    more = _self_composed(release_distribution(release, step_size), count)
    if release.repair_mu:
        repair = _self_composed(distribution(repair_curve(release, step_size), step_size), count)
        more = more.compose(repair, TRUNCATION)
    return more


def _self_composed(single: PrivacyLossDistribution, count: int) -> PrivacyLossDistribution:
    """`self_compose` takes as long for one as for many."""
    return single if count == 1 else single.self_compose(count, TRUNCATION)


@lru_cache(maxsize=1024)
def release_distribution(release: Release, step_size: float) -> PrivacyLossDistribution:
    """The privacy loss distribution of one exact argmin, released."""
    return distribution(release_curve(release, step_size), step_size)
