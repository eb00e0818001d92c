"""Networks of a fixed shape: nothing about them is random."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Le

from radmm.base.arrays import Integers
from radmm.data.topology import Topology

Nodes = Annotated[int, Ge(3), Le(100_000)]
Side = Annotated[int, Ge(2), Le(300)]


@dataclass(frozen=True)
class Ring(Topology):
    """Each node is linked with the one before and the one after it, the last with the first.

    Args:
        nodes: Number of nodes, the paper's N.
    """

    name: ClassVar[str] = "ring"

    nodes: Nodes

    def edges(self) -> Integers:
        return np.concatenate([[[0, 1], [0, self.nodes - 1]], _chain(1, self.nodes)])

    def size(self) -> tuple[int, float]:
        return self.nodes, self.nodes


@dataclass(frozen=True)
class Star(Topology):
    """Every node is linked with node 0, the centre, and with no other.

    Args:
        nodes: Number of nodes, the paper's N.
    """

    name: ClassVar[str] = "star"

    nodes: Nodes

    def edges(self) -> Integers:
        leaves = np.arange(1, self.nodes)
        return np.column_stack([np.zeros_like(leaves), leaves])

    def size(self) -> tuple[int, float]:
        return self.nodes, self.nodes


@dataclass(frozen=True)
class PathGraph(Topology):
    """Each node is linked with the one before and the one after it; the first and the last have one link.

    Args:
        nodes: Number of nodes, the paper's N.
    """

    name: ClassVar[str] = "path"

    nodes: Nodes

    def edges(self) -> Integers:
        return _chain(0, self.nodes)

    def size(self) -> tuple[int, float]:
        return self.nodes, self.nodes


@dataclass(frozen=True)
class Complete(Topology):
    """Every node is linked with every other.

    Args:
        nodes: Number of nodes, the paper's N.
    """

    name: ClassVar[str] = "complete"

    nodes: Nodes

    def edges(self) -> Integers:
        return np.column_stack(np.triu_indices(self.nodes, k=1))

    def size(self) -> tuple[int, float]:
        return self.nodes, self.nodes**2 / 2


@dataclass(frozen=True)
class Grid(Topology):
    """A rectangle; each node is linked with those beside, above and below it.

    Args:
        rows: Nodes from top to bottom.
        columns: Nodes from left to right; they are numbered row by row.
    """

    name: ClassVar[str] = "grid"

    rows: Side
    columns: Side

    def edges(self) -> Integers:
        number = np.arange(self.rows * self.columns).reshape(self.rows, self.columns)
        beside = np.column_stack([number[:, :-1].ravel(), number[:, 1:].ravel()])
        below = np.column_stack([number[:-1].ravel(), number[1:].ravel()])
        pairs = np.concatenate([beside, below])
        return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]

    def size(self) -> tuple[int, float]:
        return self.rows * self.columns, 2 * self.rows * self.columns


def _chain(first: int, end: int) -> Integers:
    """The nodes from the first up to the end, which is left out, each linked with the next."""
    return np.column_stack([np.arange(first, end - 1), np.arange(first + 1, end)])
