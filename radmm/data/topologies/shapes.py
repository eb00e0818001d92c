"""Graphs of a fixed shape: nothing about them is random."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Le

from radmm.base.arrays import Integers
from radmm.data.topology import MOST_NODES, Topology

Nodes = Annotated[int, Ge(3), Le(MOST_NODES)]
Side = Annotated[int, Ge(2), Le(300)]
Round = Annotated[int, Ge(3), Le(300)]  # two nodes can't be each other's neighbour on both sides


@dataclass(frozen=True)
class Single(Topology):
    """A single node without links: the centralised problem."""

    name: ClassVar[str] = "single"

    def edges(self) -> Integers:
        return np.empty((0, 2), dtype=np.int64)

    def size(self) -> tuple[int, float]:
        return 1, 0


@dataclass(frozen=True)
class Ring(Topology):
    """Ring: each node is linked with the one before and the one after it, the last with the first.

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
    """Star: every node is linked with node 0, the centre, and with no other.

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
    """Path: each node is linked with the one before and the one after it; the first and the last have one link.

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
    """Complete graph: every node is linked with every other.

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
    """Rectangular grid: each node is linked with those beside, above and below it.

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
        return _in_order(np.concatenate([beside, below]))

    def size(self) -> tuple[int, float]:
        return self.rows * self.columns, 2 * self.rows * self.columns


@dataclass(frozen=True)
class Torus(Topology):
    """Torus: a rectangular grid whose opposite sides are joined, so that each node has four links.

    Args:
        rows: Nodes from top to bottom.
        columns: Nodes from left to right; they are numbered row by row.
    """

    name: ClassVar[str] = "torus"

    rows: Round
    columns: Round

    def edges(self) -> Integers:
        number = np.arange(self.rows * self.columns).reshape(self.rows, self.columns)
        ahead = [np.roll(number, -1, axis=axis).ravel() for axis in (0, 1)]
        return _in_order(np.concatenate([np.column_stack([number.ravel(), other]) for other in ahead]))

    def size(self) -> tuple[int, float]:
        return self.rows * self.columns, 2 * self.rows * self.columns


@dataclass(frozen=True)
class Tree(Topology):
    """Tree: every node is linked with its parent; node 0 is the root, and levels are filled one after the other.

    Args:
        nodes: Number of nodes, the paper's N.
        children: Number of children of each node that is no leaf.
    """

    name: ClassVar[str] = "tree"

    nodes: Nodes
    children: Annotated[int, Ge(1), Le(MOST_NODES)] = 2

    def edges(self) -> Integers:
        child = np.arange(1, self.nodes)
        return np.column_stack([(child - 1) // self.children, child])

    def size(self) -> tuple[int, float]:
        return self.nodes, self.nodes - 1


def _chain(first: int, end: int) -> Integers:
    """Return the edges of a path from the first node up to, and without, the end."""
    return np.column_stack([np.arange(first, end - 1), np.arange(first + 1, end)])


def _in_order(pairs: Integers) -> Integers:
    """Return the pairs sorted, each with the smaller number first."""
    pairs = np.sort(pairs, axis=1)
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
