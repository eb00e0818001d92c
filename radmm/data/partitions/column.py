"""Partition by a column of the data that names each row's node."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from radmm.base.arrays import Integers
from radmm.base.errors import InputError
from radmm.data.partition import Partition, TrainingRows


@dataclass(frozen=True)
class ByColumn(Partition):
    """A row belongs to the node that a column of the data names."""

    name: ClassVar[str] = "column"

    def assign(self, rows: TrainingRows, nodes: int) -> Integers:
        if rows.node is None:
            raise InputError("partition.law = column: the data must have a column that names the node of each row")
        if len(rows.node_names) != nodes:
            raise InputError(
                f"partition.law = column: the data name {len(rows.node_names)} nodes, so the network must have as "
                f"many, but it has {nodes}"
            )
        missing = np.flatnonzero(np.bincount(rows.node, minlength=nodes) == 0)
        if len(missing):
            raise InputError(
                f"partition.law = column: node {missing[0]}, {rows.node_names[missing[0]]!r}, has no training rows, "
                "but every node must have at least one: raise split.train"
            )
        return rows.node.astype(np.int64)
