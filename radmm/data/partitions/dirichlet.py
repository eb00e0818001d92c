"""Partition into nodes of random sizes."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Gt

from radmm.base.arrays import Integers
from radmm.base.seeds import Purpose, generator
from radmm.data.dirichlet_sizes import draw_counts
from radmm.data.partition import Partition, TrainingRows


@dataclass(frozen=True)
class DirichletSizes(Partition):
    """The nodes' shares of the rows are a draw from Dirichlet(β); rows go to them in the order of the split.

    Args:
        beta: β; the smaller, the more the sizes differ.
        seed: Seed of the draw.
        least: Least number of rows of each node; shares are drawn until it is reached.
    """

    beta: Annotated[float, Gt(0)]
    seed: Annotated[int, Ge(0)] = 0
    least: Annotated[int, Ge(1)] = 10
    name: ClassVar[str] = "dirichlet"

    def assign(self, rows: TrainingRows, nodes: int) -> Integers:
        return np.repeat(np.arange(nodes), self.row_counts(len(rows), nodes))

    def row_counts(self, rows: int, nodes: int) -> Integers:
        stream = generator(self.seed, Purpose.PARTITION_SIZES)
        counts: Integers = draw_counts(stream, self.beta, np.array([rows]), nodes, self.least)[0]
        return counts
