"""Losses of all nodes, each computed where its rows are, and gathered once at the end."""

import numpy as np

from radmm.argmin.deferred_losses import DeferredLosses, TellSums
from radmm.argmin.engine import Engine
from radmm.base.arrays import Array
from radmm.distributed.ranks import OneProcess


class GatheredLosses(DeferredLosses):
    """Points of all nodes whose losses are still to be computed; every rank asks for the same ones in the same order.

    Args:
        engine: Engine of the own nodes.
        ranks: Ranks that own the other nodes.
    """

    def __init__(self, engine: Engine, ranks: OneProcess) -> None:
        super().__init__(engine)
        self._ranks = ranks
        self._own: list[Array] = []  # in the order of the requests, as they are worked off in that order
        self._tells: list[TellSums] = []

    def ask(self, point: Array, tell: TellSums) -> None:
        """Request Σ L of each node and run at a point; `tell` is called with it when all are settled.

        Args:
            point: Point of all nodes, (node, feature, run), which nobody may overwrite.
        """
        self._tells.append(tell)
        super().ask(point[self._ranks.own], self._own.append)

    def settle_all(self) -> None:
        """Compute all losses that are still waiting, gather those of all nodes, and hand them over."""
        super().settle_all()
        if not self._own:
            return
        whole = self._ranks.gather(np.concatenate(self._own, axis=1))
        ends = np.cumsum([own.shape[1] for own in self._own])[:-1]
        for tell, losses in zip(self._tells, np.split(whole, ends, axis=1), strict=True):
            tell(losses)
