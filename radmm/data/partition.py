"""What a partition is: a law that says which node a training row belongs to."""

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
    """All that a partition may look at, in the order of the split's random permutation.

    Args:
        labels: One for each row.
        node: For each row the number of the node that a column of the data names, or None if no column does.
        node_names: What the column calls the nodes 0, 1, …
    """

    labels: Array
    node: Integers | None = None
    node_names: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.labels)


class Partition(Component, ABC):
    """A law that spreads rows over nodes. Its parameters are the fields of a frozen dataclass."""

    registry: ClassVar[Registry["Partition"]]

    def __post_init__(self) -> None:
        """Refuse what the annotations of the fields rule out; a law that has more to check does so after this."""
        check_fields("partition", self)

    @abstractmethod
    def assign(self, rows: TrainingRows, nodes: int) -> Integers:
        """The node of each training row, one of 0, 1, …, nodes − 1.

        Args:
            rows: The training rows.
            nodes: Number of nodes, the paper's N.
        """

    def row_counts(self, rows: int, nodes: int) -> Integers | None:
        """The paper's B_i, one a node, or None if only the data tell.

        Args:
            rows: Number of training rows.
            nodes: Number of nodes, the paper's N.
        """
        return None


PARTITIONS: Registry[Partition] = Registry("partition.law", "radmm.data.partitions")
Partition.registry = PARTITIONS


def make_partition(section: Mapping[str, Any]) -> Partition:
    """The partition that a setting's partition section describes.

    Args:
        section: `law`, the name of a partition, and its parameters.
    """
    return make_component(PARTITIONS, section)


def known_counts(partition: Partition, rows: int, nodes: int) -> Integers | None:
    """B_i as far as no data are needed for it, or an InputError that names a node without rows.

    Args:
        partition: Any.
        rows: Number of training rows.
        nodes: Number of nodes, the paper's N.
    """
    check_sizes(rows, nodes)
    counts = partition.row_counts(rows, nodes)
    if counts is not None:
        _check_counts(counts, partition)
    return counts


def spread_rows(partition: Partition, rows: TrainingRows, nodes: int) -> Integers:
    """The node of each training row, or an InputError that names a node without rows.

    Args:
        partition: Any.
        rows: The training rows.
        nodes: Number of nodes, the paper's N.
    """
    check_sizes(len(rows), nodes)
    owner = partition.assign(rows, nodes)
    _check_counts(np.bincount(owner, minlength=nodes), partition)
    return owner


def check_sizes(rows: int, nodes: int) -> None:
    """Refuse fewer rows than nodes.

    Args:
        rows: Of training.
        nodes: Number of nodes, the paper's N.
    """
    if rows < nodes:
        raise InputError(f"split.train = {rows}: must be at least {nodes}, as each of {nodes} nodes needs a row")


def _check_counts(counts: Integers, partition: Partition) -> None:
    if counts.min() < 1:
        raise InputError(
            f"partition.law = {partition.name}: node {int(counts.argmin())} has no training rows, but every node must "
            "have at least one"
        )
