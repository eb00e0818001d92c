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
from radmm.privacy.accountants.dominating import distribution, loss_range, release_curve, repair_curve
from radmm.privacy.accountants.loss_masses import LossMasses
from radmm.privacy.accountants.pure import RELEASES
from radmm.privacy.accountants.renyi import needs_monotone
from radmm.privacy.events import Release
from radmm.privacy.ledger import Ledger

POINTS = 1000  # of the loss grid up to the largest loss of one release
LARGEST = 300.0  # loss of one release: beyond, e^ε leaves the range of numbers, and no bound is given
TRUNCATION = 1e-15  # mass that a composition may move to infinity
ROUND_OFF = 1e-10  # charged to δ for the Fourier transforms of the compositions


class PldAccountant(Accountant):
    """Compositions as in Google's `dp_accounting`, on one grid for all releases of a ledger."""

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
                    composed = more if composed is None else composed.then(more, TRUNCATION)
                done = step
                if composed is not None:
                    spent[row, column] = composed.epsilon(delta - ROUND_OFF)
        return spent


def _repeated(release: Release, count: int, step_size: float) -> LossMasses:
    more = release_distribution(release, step_size).repeated(count, TRUNCATION)
    if release.repair_mu:
        repair = distribution(repair_curve(release, step_size), step_size).repeated(count, TRUNCATION)
        more = more.then(repair, TRUNCATION)
    return more


@lru_cache(maxsize=1024)
def release_distribution(release: Release, step_size: float) -> LossMasses:
    """The privacy loss distribution of one exact argmin, released."""
    return distribution(release_curve(release, step_size), step_size)
