"""Interface of partitions: laws that say which node a training row belongs to."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from radmm.base.arrays import Array, Integers
from radmm.base.errors import InputError
from radmm.base.inputs import check_fields, make_component
from radmm.base.registry import Component, Registry


@dataclass(frozen=True)
class TrainingRows:
    """All that a partition may read, in the order of the split's random permutation.

    Args:
        labels: Label of each row.
        node: Number of the node that a column of the data names for each row, or None if no column does.
        node_names: Names in that column of the nodes 0, 1, …
    """

    labels: Array
    node: Integers | None = None
    node_names: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.labels)


class Partition(Component, ABC):
    """Base class of partitions, laws that spread rows over nodes: a frozen dataclass of parameters."""

    registry: ClassVar[Registry["Partition"]]

    def __post_init__(self) -> None:
        """Refuse values that the fields' annotations rule out; subclasses with further checks call this first."""
        check_fields("partition", self)

    @abstractmethod
    def assign(self, rows: TrainingRows, nodes: int) -> Integers:
        """Return the node of each training row, one of 0, 1, …, nodes − 1.

        Args:
            rows: The training rows.
            nodes: Number of nodes, the paper's N.
        """

    def row_counts(self, rows: int, nodes: int) -> Integers | None:
        """Return the number of rows of each node, the paper's B_i, or None if it depends on the data.

        Args:
            rows: Number of training rows.
            nodes: Number of nodes, the paper's N.
        """
        return None


PARTITIONS: Registry[Partition] = Registry("partition.law", "radmm.data.partitions")
Partition.registry = PARTITIONS


def make_partition(section: Mapping[str, Any]) -> Partition:
    """Build the partition that a setting's partition section describes.

    Args:
        section: `law`, the name of a partition, and its parameters.
    """
    return make_component(PARTITIONS, section)


def known_counts(partition: Partition, rows: int, nodes: int) -> Integers | None:
    """Return B_i where it doesn't depend on the data, else None; raise an InputError that names a node without rows."""
    check_sizes(rows, nodes)
    counts = partition.row_counts(rows, nodes)
    if counts is not None:
        _check_counts(counts, partition)
    return counts


def spread_rows(partition: Partition, rows: TrainingRows, nodes: int) -> Integers:
    """Return the node of each training row, or raise an InputError that names a node without rows."""
    check_sizes(len(rows), nodes)
    owner = partition.assign(rows, nodes)
    _check_counts(np.bincount(owner, minlength=nodes), partition)
    return owner


def check_sizes(rows: int, nodes: int) -> None:
    """Refuse fewer rows than nodes."""
    if rows < nodes:
        raise InputError(f"split.train = {rows}: must be at least {nodes}, as each of {nodes} nodes needs a row")


def _check_counts(counts: Integers, partition: Partition) -> None:
    if counts.min() < 1:
        raise InputError(
            f"partition.law = {partition.name}: node {int(counts.argmin())} has no training rows, but every node must "
            "have at least one"
        )
