"""The contract of a topology: a connected graph, the same each time, as large as it says."""

from dataclasses import is_dataclass, replace

import numpy as np

from radmm.base.errors import InputError
from radmm.contract.contract_error import Broken, calling, require
from radmm.data.topology import Topology
from radmm.model.network import Network

ABOUT = 2.5  # a factor within which the number of edges may be off: estimates of time need no more


def check_topology(topology: Topology) -> str | None:
    """Raise Broken if a topology breaks its contract."""
    with calling("edges"):
        edges = np.asarray(topology.edges())
    fits = edges.ndim == 2 and edges.shape[1] == 2 and edges.dtype.kind in "iu"
    require(
        fits, f"edges gives an array of shape {edges.shape} and type {edges.dtype}: must be (edges, 2) whole numbers"
    )
    try:
        network = Network.from_edges(edges)
    except InputError as error:
        raise Broken(f"its edges make no network: {error}") from None
    with calling("edges, of an equal topology,"):
        again = np.asarray((replace(topology) if is_dataclass(topology) else topology).edges())
    require(np.array_equal(again, edges), "equal parameters give different edges: randomness must come from a seed")
    with calling("size"):
        nodes, about = topology.size()
    require(nodes == network.nodes, f"size says {nodes} nodes, but the edges have {network.nodes}")
    near = len(edges) / ABOUT <= about <= ABOUT * len(edges)
    require(near, f"size says about {about:g} edges, but there are {len(edges)}")
    return None
