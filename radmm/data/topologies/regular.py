"""Random regular graphs: all nodes have the same number of links, so that no node stands out by its degree."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Le

from radmm.base.arrays import Integers
from radmm.base.errors import InputError
from radmm.data.topology import MOST_NODES, Topology, first_connected

ROUNDS = 50  # without a new link, after which the links that were drawn are taken to be a dead end
SWITCHES, MOST_SWITCHES = 10, 200_000  # tried for each link, and in all: some tenths of a second


@dataclass(frozen=True)
class RandomRegular(Topology):
    """Random regular graph: every node has the same number of links.

    Args:
        nodes: Number of nodes, the paper's N.
        degree: Links of each node, V_i; nodes times degree must be even.
        seed: Seed of the random graph.
    """

    name: ClassVar[str] = "random-regular"

    nodes: Annotated[int, Ge(4), Le(MOST_NODES)]
    degree: Annotated[int, Ge(3)]
    seed: Annotated[int, Ge(0)] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.degree >= self.nodes or self.nodes * self.degree % 2:
            raise InputError(
                f"network.degree = {self.degree}: must be below nodes = {self.nodes}, and nodes times degree even"
            )

    def edges(self) -> Integers:
        def draw(source: np.random.Generator) -> Integers:
            others = self.nodes - 1 - self.degree  # of each node, with which it is not linked
            keys = _switched(_paired(self.nodes, min(self.degree, others), source), self.nodes, source)
            if others < self.degree:  # who is not linked is then quicker to draw, and a law just as even
                low, high = np.triu_indices(self.nodes, k=1)
                keys = np.setdiff1d(low * self.nodes + high, keys)
            return np.column_stack(np.divmod(np.sort(keys), self.nodes))

        return first_connected(self, "degree", draw)

    def size(self) -> tuple[int, float]:
        return self.nodes, self.nodes * self.degree / 2


def _paired(nodes: int, degree: int, source: np.random.Generator) -> Integers:
    """Draw links, as i·N + j with i < j, by pairing the ends of links (Steger and Wormald, 1999).

    Ends that would link a node with itself, or two nodes twice, are shuffled again together. All graphs are about
    equally likely if there are many nodes and few links, but not if there are few nodes.
    """
    while True:
        keys, ends, idle = np.empty(0, dtype=np.int64), np.repeat(np.arange(nodes), degree), 0
        while len(ends) and idle < ROUNDS:
            pairs = np.sort(source.permutation(ends).reshape(-1, 2), axis=1)
            drawn = pairs[:, 0] * nodes + pairs[:, 1]
            fresh = np.zeros(len(drawn), dtype=bool)
            fresh[np.unique(drawn, return_index=True)[1]] = True
            place = np.searchsorted(keys, drawn)
            known = place < len(keys)
            known[known] = keys[place[known]] == drawn[known]
            fresh &= (pairs[:, 0] != pairs[:, 1]) & ~known
            ends, idle = pairs[~fresh].ravel(), 0 if fresh.any() else idle + 1
            if fresh.any():
                keys = np.sort(np.concatenate([keys, drawn[fresh]]), kind="stable")  # quick, as most is in order
        if not len(ends):
            return keys


def _switched(keys: Integers, nodes: int, source: np.random.Generator) -> Integers:
    """Return links of the same degrees after many switches, each of which replaces links a–b and c–d by a–d and c–b.

    A switch is as likely as its reverse, and switches lead from every regular graph to every other: all graphs become
    equally likely.
    """
    links, there = [divmod(key, nodes) for key in keys.tolist()], set(keys.tolist())
    tries = min(SWITCHES * len(links), MOST_SWITCHES)
    chosen = source.integers(len(links), size=(tries, 2)) if links else np.empty((0, 2), dtype=np.int64)
    for (one, other), turned in zip(chosen.tolist(), source.random(tries) < 0.5, strict=True):
        (a, b), (c, d) = links[one], links[other][:: -1 if turned else 1]
        first, second = (min(a, d) * nodes + max(a, d), min(c, b) * nodes + max(c, b))
        if a != d and c != b and first not in there and second not in there:
            there -= {min(pair) * nodes + max(pair) for pair in ((a, b), (c, d))}
            there |= {first, second}
            links[one], links[other] = (a, d), (c, b)
    return np.array(sorted(there), dtype=np.int64)
