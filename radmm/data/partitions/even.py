"""Partition into nodes of equal size."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from radmm.base.arrays import Integers
from radmm.data.partition import Partition, TrainingRows


@dataclass(frozen=True)
class Even(Partition):
    """Rows are spread evenly, in the order of the split; the first nodes get one more if the numbers don't divide."""

    name: ClassVar[str] = "even"

    def assign(self, rows: TrainingRows, nodes: int) -> Integers:
        return np.repeat(np.arange(nodes), self.row_counts(len(rows), nodes))

    def row_counts(self, rows: int, nodes: int) -> Integers:
        return np.full(nodes, rows // nodes) + (np.arange(nodes) < rows % nodes)
