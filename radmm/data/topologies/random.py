"""Random graphs, drawn from one stream until one is connected: the law is conditional on connectedness."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import networkx as nx
import numpy as np
from annotated_types import Ge, Gt, Le

from radmm.base.arrays import Integers
from radmm.base.errors import InputError
from radmm.data.topology import MOST_NODES, Topology, first_connected


@dataclass(frozen=True)
class ErdosRenyi(Topology):
    """Erdős–Rényi graph: each pair of nodes is linked with the same probability.

    Args:
        nodes: Number of nodes, the paper's N.
        probability: Probability of a link; graphs are drawn until one is connected.
        seed: Seed of the random graph.
    """

    name: ClassVar[str] = "erdos-renyi"

    nodes: Annotated[int, Ge(2), Le(MOST_NODES)]
    probability: Annotated[float, Gt(0), Le(1)]
    seed: Annotated[int, Ge(0)] = 0

    def edges(self) -> Integers:
        def draw(source: np.random.Generator) -> Integers:
            if 1.0 - self.probability == 1.0:  # networkx would divide by the logarithm of this
                return np.empty((0, 2), dtype=np.int64)
            return sorted_edges(nx.fast_gnp_random_graph(self.nodes, self.probability, seed=source))

        return first_connected(self, "probability", draw)

    def size(self) -> tuple[int, float]:
        return self.nodes, self.probability * self.nodes**2 / 2


@dataclass(frozen=True)
class SmallWorld(Topology):
    """Small-world graph of Watts and Strogatz: a ring of neighbourhoods with rewired links.

    Args:
        nodes: Number of nodes, the paper's N.
        neighbours: Links of each node before rewiring; an even number below nodes.
        probability: Probability of rewiring a link; graphs are drawn until one is connected.
        seed: Seed of the random graph.
    """

    name: ClassVar[str] = "small-world"

    nodes: Annotated[int, Ge(3), Le(MOST_NODES)]
    neighbours: Annotated[int, Ge(2)]
    probability: Annotated[float, Ge(0), Le(1)]
    seed: Annotated[int, Ge(0)] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.neighbours % 2 or self.neighbours >= self.nodes:
            raise InputError(
                f"network.neighbours = {self.neighbours}: must be an even number below nodes = {self.nodes}"
            )

    def edges(self) -> Integers:
        def draw(source: np.random.Generator) -> Integers:
            return sorted_edges(nx.watts_strogatz_graph(self.nodes, self.neighbours, self.probability, seed=source))

        return first_connected(self, "probability", draw)

    def size(self) -> tuple[int, float]:
        return self.nodes, self.nodes * self.neighbours / 2


def sorted_edges(graph: nx.Graph[int]) -> Integers:
    """Return a graph's node pairs in ascending order, (edges, 2).

    Args:
        graph: Undirected graph on the nodes 0, 1, …
    """
    return np.array(sorted(graph.edges), dtype=np.int64).reshape(-1, 2)
