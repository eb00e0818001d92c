"""Random graphs in the plane: nodes have places, and are linked if they are near each other."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Gt, Le
from scipy.spatial import cKDTree

from radmm.base.arrays import Integers
from radmm.data.topology import MOST_NODES, Topology, first_connected


@dataclass(frozen=True)
class RandomGeometric(Topology):
    """Random geometric graph: nodes lie in the unit square, and those within a radius of each other are linked.

    Args:
        nodes: Number of nodes, the paper's N.
        radius: Distance within which two nodes are linked; graphs are drawn until one is connected.
        seed: Seed of the random graph.
    """

    name: ClassVar[str] = "geometric"

    nodes: Annotated[int, Ge(2), Le(MOST_NODES)]
    radius: Annotated[float, Gt(0), Le(1)]
    seed: Annotated[int, Ge(0)] = 0

    def edges(self) -> Integers:
        def draw(source: np.random.Generator) -> Integers:
            places = cKDTree(source.random((self.nodes, 2)))
            pairs: Integers = places.query_pairs(self.radius, output_type="ndarray").astype(np.int64)
            return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]

        return first_connected(self, "radius", draw)

    def size(self) -> tuple[int, float]:
        r = self.radius
        share = np.pi * r**2 - 8.0 / 3.0 * r**3 + r**4 / 2.0  # that two points of the square are within r ≤ 1
        return self.nodes, float(share * self.nodes * (self.nodes - 1) / 2)
