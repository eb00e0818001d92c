"""What a topology is: a law that makes the edges of a network."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from radmm.base.arrays import Integers
from radmm.base.inputs import check_fields, make_component
from radmm.base.registry import Component, Registry


class Topology(Component, ABC):
    """A law of networks. Its parameters are the fields of a frozen dataclass; equal ones always give equal edges."""

    registry: ClassVar[Registry["Topology"]]

    def __post_init__(self) -> None:
        """Refuse what the annotations of the fields rule out; a law that has more to check does so after this."""
        check_fields("network", self)

    @abstractmethod
    def edges(self) -> Integers:
        """The (edges, 2) array of node pairs, of a connected graph on the nodes 0, 1, …, each pair once."""

    @abstractmethod
    def size(self) -> tuple[int, float]:
        """How many nodes and about how many edges there are, without making them: for estimates of time and memory."""


TOPOLOGIES: Registry[Topology] = Registry("network.law", "radmm.data.topologies")
Topology.registry = TOPOLOGIES


def make_topology(section: Mapping[str, Any]) -> Topology:
    """The topology that a setting's network section describes.

    Args:
        section: `law`, the name of a topology, and its parameters.
    """
    return make_component(TOPOLOGIES, section)


def make_edges(section: Mapping[str, Any]) -> Integers:
    """The (edges, 2) array of node pairs that a setting's network section describes.

    Args:
        section: `law`, the name of a topology, and its parameters.
    """
    return np.asarray(make_topology(section).edges(), dtype=np.int64)
