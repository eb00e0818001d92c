"""Losses that nobody waits for: a trace has them, but no step of an algorithm needs them.

The compiled passes work off sixteen runs at a time. Ten runs leave lanes empty, and a single one nearly all of them; so
points are put aside until there are enough. Every run's sum is the same, to the last bit, whatever stands beside it.
"""

from collections.abc import Callable

import numpy as np

from radmm.argmin.engine import Engine
from radmm.base.arrays import Array

MOST_BYTES = 2_000_000  # of points that wait, so that they stay in the cache


class LaterLosses:
    """Points whose losses are asked for, and who is told.

    Args:
        engine: Of the rows.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: list[tuple[Array, Callable[[Array], None]]] = []

    def ask(self, point: Array, tell: Callable[[Array], None]) -> None:
        """Have Σ L of each node and run told, now or later.

        Args:
            point: (node, feature, run), which nobody writes into.
            tell: Is given the (node, run) sums.
        """
        self._waiting.append((point, tell))
        points = [each for each, _ in self._waiting]
        enough = sum(each.shape[2] for each in points) >= self._engine.runs_together
        if enough or sum(each.nbytes for each in points) + point.nbytes > MOST_BYTES:
            self.settle()

    def settle(self) -> None:
        """Tell all that are waiting."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        points = [point for point, _ in waiting]
        losses = self._engine.losses(points[0] if len(points) == 1 else np.concatenate(points, axis=2))
        ends = np.cumsum([point.shape[2] for point in points])[:-1]
        for (_, tell), part in zip(waiting, np.split(losses, ends, axis=1), strict=True):
            tell(part)
