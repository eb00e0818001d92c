"""The user's own network, from an edge list on disk."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from radmm.base.arrays import Integers
from radmm.base.errors import InputError
from radmm.data.topology import Topology


@dataclass(frozen=True)
class EdgeFile(Topology):
    """The user's own network.

    Args:
        path: An edge list: two node numbers a line, counted from 0; # starts a comment.
    """

    name: ClassVar[str] = "file"

    path: str

    def edges(self) -> Integers:
        field = f"network.path = {self.path}"
        try:
            edges = np.loadtxt(self.path, dtype=np.int64, ndmin=2)
        except (OSError, ValueError) as error:
            raise InputError(f"{field}: {error}") from None
        if not edges.size or edges.shape[1] != 2 or edges.min() < 0:
            raise InputError(f"{field}: must hold two node numbers (0, 1, …) on each line")
        if edges.min() > 0:
            raise InputError(f"{field}: node numbers start at {edges.min()}, but must be counted from 0")
        ordered = np.sort(edges, axis=1)
        pairs, count = np.unique(ordered, axis=0, return_counts=True)
        wrong = [*pairs[count > 1], *ordered[ordered[:, 0] == ordered[:, 1]]]
        if wrong:
            raise InputError(f"{field}: the line {wrong[0][0]} {wrong[0][1]} must not stand there, or not twice")
        return edges

    def size(self) -> tuple[int, float]:
        edges = self.edges()
        return int(edges.max()) + 1, len(edges)
