"""Interface of topologies: laws that make the edges of a network."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from radmm.base.arrays import Integers
from radmm.base.errors import InputError
from radmm.base.inputs import check_fields, make_component
from radmm.base.registry import Component, Registry
from radmm.base.seeds import Purpose, generator
from radmm.model.graphs import first_apart

MOST_NODES = 100_000  # notes and ledgers have an entry for each node and data step
MOST_EDGES = 5_000_000  # networkx makes them in about two gigabytes
ATTEMPTS, WORK = 10_000, 4_000_000  # graphs drawn at most, and nodes and edges of all of them: some seconds


class Topology(Component, ABC):
    """Base class of topologies: a frozen dataclass of parameters; equal parameters always give equal edges."""

    registry: ClassVar[Registry["Topology"]]

    def __post_init__(self) -> None:
        """Refuse values that the fields' annotations rule out; subclasses with further checks call this first."""
        check_fields("network", self)

    @abstractmethod
    def edges(self) -> Integers:
        """Return the edges of a connected graph on the nodes 0, 1, … as an (edges, 2) array, each pair once.

        A network of one node has none.
        """

    @abstractmethod
    def size(self) -> tuple[int, float]:
        """Return the numbers of nodes and, roughly, of edges without making them, for estimates of time and memory."""


TOPOLOGIES: Registry[Topology] = Registry("network.law", "radmm.data.topologies")
Topology.registry = TOPOLOGIES


def make_topology(section: Mapping[str, Any]) -> Topology:
    """Build the topology that a setting's network section describes.

    Args:
        section: `law`, the name of a topology, and its parameters.
    """
    return make_component(TOPOLOGIES, section)


def make_edges(section: Mapping[str, Any]) -> Integers:
    """Return the edges, (edges, 2), of the topology that a setting's network section describes.

    Args:
        section: `law`, the name of a topology, and its parameters.
    """
    return draw_edges(make_topology(section))


def draw_edges(law: Topology) -> Integers:
    """Return a network's edges as an (edges, 2) array of node pairs.

    Networks that would be too large are refused by their stated size, before anything is drawn.
    """
    nodes, edges = law.size()
    if nodes > MOST_NODES or edges > MOST_EDGES:
        raise InputError(
            f"network.law = {law.name}: {nodes} nodes with about {edges:.0f} edges are too many to be kept; "
            f"there must be at most {MOST_NODES} nodes and {MOST_EDGES} edges"
        )
    return np.asarray(law.edges(), dtype=np.int64).reshape(-1, 2)


def first_connected(law: Any, field: str, draw: Callable[[np.random.Generator], Integers]) -> Integers:
    """Draw graphs until one is connected, and return its edges.

    Args:
        law: A topology with a `seed`, which seeds the one stream from which all graphs are drawn.
        field: Its parameter that could make graphs connected more often, for the message.
        draw: Function that draws the edges of one graph.
    """
    source = generator(law.seed, Purpose.GRAPH)
    nodes, edges = law.size()
    attempts = int(min(ATTEMPTS, max(20, WORK / (nodes + edges))))
    for _ in range(attempts):
        pairs = draw(source)
        if first_apart(pairs, nodes) is None:
            return pairs
    raise InputError(
        f"network.{field} = {getattr(law, field):g}: none of {attempts} random graphs on {nodes} nodes was "
        "connected; there must be more links"
    )
