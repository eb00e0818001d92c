"""Deferred losses: those that a trace records but no step of an algorithm needs are computed together.

A compiled pass is most efficient with `runs_together` = 64 runs, whole batches of its 16 lanes; ten runs, or a single
one, leave lanes empty. So points wait until there are 64 runs of them. Every run's sum is the same, to the last bit,
whatever it is computed with.
"""

from collections.abc import Callable

import numpy as np

from radmm.argmin.engine import Engine
from radmm.base.arrays import Array

TellSums = Callable[[Array], None]  # takes the (node, run) sums of a point
MOST_BYTES = 2_000_000  # of points that wait, so that they stay in the cache


class DeferredLosses:
    """Points whose losses are still to be computed, each with the function that receives them.

    Args:
        engine: Engine that computes the losses.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: list[tuple[Array, TellSums]] = []

    def ask(self, point: Array, tell: TellSums) -> None:
        """Request Σ L of each node and run at a point; `tell` is called with it now or later.

        Args:
            point: Point, (node, feature, run), which nobody may overwrite.
            tell: Function that receives the (node, run) sums.
        """
        self._waiting.append((point, tell))
        points = [each for each, _ in self._waiting]
        enough = sum(each.shape[2] for each in points) >= self._engine.runs_together
        if enough or sum(each.nbytes for each in points) + point.nbytes > MOST_BYTES:
            self._settle()

    def settle_all(self) -> None:
        """Compute all losses that are still waiting, at the end of a solve."""
        self._settle()

    def _settle(self) -> None:
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        points = [point for point, _ in waiting]
        losses = self._engine.losses(points[0] if len(points) == 1 else np.concatenate(points, axis=2))
        ends = np.cumsum([point.shape[2] for point in points])[:-1]
        for (_, tell), part in zip(waiting, np.split(losses, ends, axis=1), strict=True):
            tell(part)
