"""Random networks by links. Graphs are drawn from one stream until one is connected: the law is that given so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Gt, Le

from radmm.base.arrays import Integers
from radmm.base.errors import InputError
from radmm.data.topology import MOST_NODES, Topology, first_connected


@dataclass(frozen=True)
class ErdosRenyi(Topology):
    """Each pair of nodes is linked with one probability.

    Args:
        nodes: Number of nodes, the paper's N.
        probability: Of a link; graphs are drawn until one is connected.
        seed: Which random graph.
    """

    name: ClassVar[str] = "erdos-renyi"

    nodes: Annotated[int, Ge(2), Le(MOST_NODES)]
    probability: Annotated[float, Gt(0), Le(1)]
    seed: Annotated[int, Ge(0)] = 0

    def edges(self) -> Integers:
        return first_connected(self, "probability", lambda source: linked_pairs(self.nodes, self.probability, source))

    def size(self) -> tuple[int, float]:
        return self.nodes, self.probability * self.nodes**2 / 2


@dataclass(frozen=True)
class SmallWorld(Topology):
    """A ring of neighbourhoods with rewired links (Watts and Strogatz).

    Args:
        nodes: Number of nodes, the paper's N.
        neighbours: Links of each node before rewiring; an even number below nodes.
        probability: Of rewiring a link; drawn until the graph is connected.
        seed: Which random graph.
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
        import networkx as nx  # only where a graph is drawn: reading a config must stay quick

        def draw(source: np.random.Generator) -> Integers:
            graph: nx.Graph[int] = nx.watts_strogatz_graph(self.nodes, self.neighbours, self.probability, seed=source)
            return np.array(sorted(graph.edges), dtype=np.int64).reshape(-1, 2)

        return first_connected(self, "probability", draw)

    def size(self) -> tuple[int, float]:
        return self.nodes, self.nodes * self.neighbours / 2


def linked_pairs(nodes: int, probability: float, source: np.random.Generator) -> Integers:
    """The pairs of nodes that are linked, in ascending order, if each is with one probability.

    The gaps between linked pairs are drawn, not the pairs (Batagelj and Brandes, "Efficient generation of large random
    networks", 2005). Networks are those of networkx' `fast_gnp_random_graph`, and leave the stream where that does;
    but it draws them link by link, and takes longer to import than most networks to draw.

    Args:
        nodes: N.
        probability: Of a link.
        source: The stream, of which one number is used for each link and one more.
    """
    every = nodes * (nodes - 1) // 2
    if probability == 1.0:
        place = np.arange(every)
    else:
        before, place = source.bit_generator.state, np.array([-1])
        while place[-1] < every:
            with np.errstate(over="ignore"):  # of the smallest probabilities
                gaps = np.log(1.0 - source.random(int(1.1 * every * probability) + 50)) / np.log1p(-probability)
            place = np.concatenate([place, place[-1] + np.cumsum(1 + np.minimum(gaps, every).astype(np.int64))])
        place = place[1:][place[1:] < every]
        source.bit_generator.state = before
        source.random(len(place) + 1)
    # The pairs (w, v), w < v, are numbered by v and then w.
    high = ((1.0 + np.sqrt(1.0 + 8.0 * place)) / 2.0).astype(np.int64)
    pairs = np.column_stack([place - high * (high - 1) // 2, high])
    return pairs[np.lexsort(pairs.T[::-1])]
