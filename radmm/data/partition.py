"""What a partition is: a law that says which node a training row belongs to."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from radmm.base.arrays import Array, Integers
from radmm.base.inputs import check_fields, make_component
from radmm.base.registry import Component, Registry


class Partition(Component, ABC):
    """A law that spreads rows over nodes. Its parameters are the fields of a frozen dataclass."""

    registry: ClassVar[Registry["Partition"]]

    def __post_init__(self) -> None:
        """Refuse what the annotations of the fields rule out; a law that has more to check does so after this."""
        check_fields("partition", self)

    @abstractmethod
    def assign(self, labels: Array, nodes: int) -> Integers:
        """The node of each training row, one of 0, 1, …, nodes − 1.

        Args:
            labels: Of the training rows, in the order of the split's random permutation.
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
