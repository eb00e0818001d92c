"""Partition into nodes of given sizes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from radmm.base.arrays import Integers
from radmm.base.errors import InputError
from radmm.base.inputs import shown
from radmm.data.partition import Partition, TrainingRows


@dataclass(frozen=True)
class Sizes(Partition):
    """Each node gets the number of rows that is given for it, in the order of the split.

    Args:
        per_node: Number of rows of each node, at least 1; together they are all training rows.
    """

    per_node: Sequence[int]
    name: ClassVar[str] = "sizes"
    example: ClassVar[Mapping[str, Any]] = {"per_node": (20, 90, 60, 30)}

    def __post_init__(self) -> None:
        super().__post_init__()
        given = self.per_node
        listed = isinstance(given, Sequence) and not isinstance(given, str) and len(given) > 0
        if not listed or any(type(count) is not int for count in given):
            raise InputError(f"partition.per_node = {shown(given)}: must be a list of whole numbers, one for each node")
        for node, count in enumerate(given):
            if count < 1:
                raise InputError(f"partition.per_node gives node {node} {count} rows: must be at least 1")
        object.__setattr__(self, "per_node", tuple(given))

    def assign(self, rows: TrainingRows, nodes: int) -> Integers:
        return np.repeat(np.arange(nodes), self.row_counts(len(rows), nodes))

    def row_counts(self, rows: int, nodes: int) -> Integers:
        if len(self.per_node) != nodes:
            raise InputError(
                f"partition.per_node lists {len(self.per_node)} nodes: must list {nodes}, as the network has"
            )
        if sum(self.per_node) != rows:
            raise InputError(
                f"partition.per_node adds up to {sum(self.per_node)} rows: must add up to split.train = {rows}"
            )
        return np.array(self.per_node)
