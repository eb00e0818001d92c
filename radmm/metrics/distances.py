"""Distances of the nodes' iterates: from their average, and from the centralised optimum."""

from typing import ClassVar

import numpy as np

from radmm.base.arrays import Array, blocks_of_nodes, dot
from radmm.metrics.metric import Metric
from radmm.metrics.snapshot import Snapshot


class Consensus(Metric):
    """Largest distance of a node's iterate from the average of all nodes."""

    name: ClassVar[str] = "consensus"
    label: ClassVar[str] = "distance between nodes"
    meaning: ClassVar[str] = "largest distance of a node's iterate from the average of all"

    def measure(self, snapshot: Snapshot) -> Array:
        """Return the largest distance from the average."""
        return _furthest(snapshot.primal, snapshot.mean)


class Distance(Metric):
    """Largest distance of a node's iterate from the centralised optimum."""

    name: ClassVar[str] = "distance"
    label: ClassVar[str] = "distance to the optimum"
    meaning: ClassVar[str] = "largest distance of a node's iterate from the centralised optimum"

    def measure(self, snapshot: Snapshot) -> Array | None:
        """Return the largest distance from the optimum, if that is known."""
        return None if snapshot.optimum is None else _furthest(snapshot.primal, snapshot.optimum[:, None])


def _furthest(points: Array, centre: Array) -> Array:
    """Return the largest distance of any node's point from the (feature, run) centre, one a run."""
    squares: Array = np.zeros(points.shape[2])
    for block in blocks_of_nodes(points):
        away = points[block] - centre
        np.maximum(squares, dot(away, away).max(axis=0), out=squares)
    return np.sqrt(squares)
