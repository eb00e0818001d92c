"""The part of a network that one rank owns: the sums over its nodes' neighbours, some of which are at other ranks."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import scipy

from radmm.base.arrays import Array, Integers
from radmm.model.network import Network


class NetworkPart(Network):
    """Network of the nodes of one rank, in which values are (own node, feature, run).

    A node's values go to the ranks that own one of its neighbours, and nowhere else. A sum over neighbours adds them in
    the order in which the whole network does, so its bytes are the same.

    Args:
        network: The whole network.
        owner: Rank of each node.
        rank: Rank whose nodes these are.
        edges: Communicator for what crosses the edges.
    """

    def __init__(self, network: Network, owner: Integers, rank: int, edges: Any) -> None:
        self._network, self._edges = network, edges
        self._own: Integers = np.flatnonzero(owner == rank)
        self.nodes, self.degrees = len(self._own), network.degrees[self._own]
        links = network.adjacency[self._own]
        self._seen: Integers = np.union1d(self._own, links.indices)  # the own nodes and their neighbours
        self._places = {}  # by rank: of nodes whose values it is sent, and of those whose values it sends
        for other in np.unique(owner[self._seen]).tolist():
            if other != rank:
                theirs = owner == other
                linked: Array = links @ theirs.astype(np.float64)
                self._places[other] = np.flatnonzero(linked), np.flatnonzero(theirs[self._seen])
        self._signless_laplacian = self._rows_of(network._signless_laplacian)

    def gossip(self, values: Array, rounds: int) -> Array:
        """Return the own nodes' values of p_m(W) v, by one exchange with neighbours for each round."""
        return self._network.polynomial(rounds).apply(self.mix, values) if rounds else values

    @cached_property
    def _metropolis(self) -> scipy.sparse.csr_array:
        return self._rows_of(self._network._metropolis)

    def _rows_of(self, matrix: scipy.sparse.csr_array) -> scipy.sparse.csr_array:
        """Return the rows of the own nodes, with a column for each node whose values are seen here."""
        return scipy.sparse.csr_array(matrix[self._own][:, self._seen]).sorted_indices()

    def _times(self, matrix: scipy.sparse.csr_array, values: Array) -> Array:
        return super()._times(matrix, self._exchanged(values))

    def _exchanged(self, values: Array) -> Array:
        """Return the values of the own nodes and of all their neighbours, in the order of the nodes."""
        seen = np.empty((len(self._seen), *values.shape[1:]))
        seen[np.searchsorted(self._seen, self._own)] = values
        leaving = {other: values[mine] for other, (mine, _) in self._places.items()}
        arriving = {other: np.empty((len(theirs), *values.shape[1:])) for other, (_, theirs) in self._places.items()}
        waiting = [self._edges.Irecv(part, source=other) for other, part in arriving.items()]
        waiting += [self._edges.Isend(part, dest=other) for other, part in leaving.items()]
        for request in waiting:
            request.Wait()
        for other, part in arriving.items():
            seen[self._places[other][1]] = part
        return seen
