"""The connected, undirected network of nodes, with its sums and averages over neighbours."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import scipy

from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.model.gossip import MOST_ROUNDS, Chebyshev, eigenvalue_bounds
from radmm.model.graphs import adjacency_of, adjacency_of_edges, first_apart

MOST_FOR_SPECTRUM = 2000  # nodes: some seconds and 32 megabytes


class Network:
    """Connected, undirected graph of nodes, without weights, loops or double edges.

    It may have one node, whose problem is the centralised one. Everything is kept sparse: memory grows with the edges.

    A square array is read as an adjacency, and one with two columns as an edge list. Two rows of two numbers could be
    either: they are an adjacency if they hold 0 and 1 only, or are symmetric with a zero diagonal, and else two edges,
    like [[0, 1], [1, 2]].

    Args:
        graph: The 0/1 adjacency matrix, dense or sparse; or an edge list: pairs of node numbers, counted from 0, each
            edge once, as an (edges, 2) array, a sequence or a set; or a networkx graph, whose nodes are numbered in
            sorted order, or in the order they were added if they can't be sorted.
    """

    def __init__(self, graph: Any) -> None:
        matrix = adjacency_of(graph)
        _check(matrix)
        self.adjacency = matrix
        self.nodes: int = matrix.shape[0]
        self.degrees: Array = matrix.sum(axis=1)
        self._signless_laplacian = scipy.sparse.csr_array(scipy.sparse.diags_array(self.degrees) + matrix)
        self._polynomials: dict[int, scipy.sparse.csr_array] = {}

    def __repr__(self) -> str:
        return f"<Network: {self.nodes} nodes, {self.adjacency.nnz // 2} edges>"

    @classmethod
    def from_edges(cls, edges: Any) -> Network:
        """Make a network from an edge list, even one that could be taken for an adjacency.

        Args:
            edges: An (edges, 2) array of node pairs, each once; the nodes are 0 … the largest number named, and
                without any edge there is one node.
        """
        return cls(adjacency_of_edges(edges))

    def neighbour_sum(self, values: Array) -> Array:
        """Return S_i(v_i + v_j), the sum over the neighbours j of each node i.

        Args:
            values: Values v_i of the nodes, (node, feature, run).
        """
        return self._times(self._signless_laplacian, values)

    def mix(self, values: Array) -> Array:
        """Return Σ_j W_ij v_j with Metropolis weights W_ij = 1/(1 + max(V_i, V_j)) of neighbours.

        W_ii makes rows sum to 1.

        Args:
            values: Values v_i of the nodes, (node, feature, run).
        """
        return self._times(self._metropolis, values)

    def _times(self, matrix: scipy.sparse.csr_array, values: Array) -> Array:
        product: Array = (matrix @ values.reshape(len(values), -1)).reshape(-1, *values.shape[1:])
        return product

    def gossip(self, values: Array, rounds: int) -> Array:
        """Return p_m(W) v, what the nodes hold after m rounds of accelerated gossip, whose mean is that of v.

        Where it is faster, all rounds are one multiplication by p_m(W), the same up to rounding.

        Args:
            values: Values v_i of the nodes, (node, feature, run).
            rounds: Number m of rounds; values stay as they are with none.
        """
        if rounds == 0:
            return values
        polynomial = self.polynomial(rounds)
        if rounds <= self.most_rounds:
            return polynomial.apply(self.mix, values)
        if rounds not in self._polynomials:
            agreed = polynomial.apply(self._metropolis.__matmul__, np.eye(self.nodes))
            self._polynomials[rounds] = scipy.sparse.csr_array(agreed)  # its products don't depend on other runs
        return self._times(self._polynomials[rounds], values)

    @property
    def most_rounds(self) -> int:
        """Largest number of rounds of gossip that are taken one after the other, each an exchange with neighbours."""
        most = MOST_ROUNDS if self.nodes > MOST_FOR_SPECTRUM else (self.nodes**2 - 1) // self._metropolis.nnz
        return int(most)

    def polynomial(self, rounds: int) -> Chebyshev:
        """Return the polynomial p_m of W that m rounds of accelerated gossip apply.

        Args:
            rounds: Number m of rounds, at least 1.
        """
        return Chebyshev(rounds, *self._eigenvalue_bounds)

    @cached_property
    def _eigenvalue_bounds(self) -> tuple[float, float]:
        return eigenvalue_bounds(self._metropolis, self.least_mixing)

    @cached_property
    def _metropolis(self) -> scipy.sparse.csr_array:
        links = self.adjacency.tocoo()
        larger = np.maximum(self.degrees[links.row], self.degrees[links.col])
        weights = scipy.sparse.csr_array((1.0 / (1.0 + larger), (links.row, links.col)), shape=links.shape)
        return scipy.sparse.csr_array(scipy.sparse.diags_array(1.0 - weights.sum(axis=1)) + weights)

    @property
    def least_mixing(self) -> float:
        """Lower bound on the smallest eigenvalue of W by Gershgorin's theorem: W_ii less the neighbours' weights."""
        return float((2.0 * self._metropolis.diagonal() - 1.0).min())

    def laplacian_spectrum(self) -> Array:
        """Return the eigenvalues of the Laplacian D − A, ascending; the second is the algebraic connectivity.

        It takes N² numbers of memory and N³ time, so it is computed only up to `MOST_FOR_SPECTRUM` nodes.
        """
        if self.nodes > MOST_FOR_SPECTRUM:
            raise InputError(
                f"the network has {self.nodes} nodes: must have at most {MOST_FOR_SPECTRUM} for its spectrum, "
                "which takes a dense matrix"
            )
        laplacian = np.diag(self.degrees) - self.adjacency.toarray()
        return np.linalg.eigvalsh(laplacian).astype(np.float64)


def _check(matrix: scipy.sparse.csr_array) -> None:
    if matrix.shape[0] != matrix.shape[1] or matrix.shape[0] < 1:
        raise InputError(f"adjacency has shape {matrix.shape}: must be square, with at least one node")
    if not np.all(matrix.data == 1.0):
        wrong = matrix.data[matrix.data != 1.0][0]
        raise InputError(f"adjacency has the entry {wrong:g}: must hold 0 and 1 only")
    if matrix.diagonal().any():
        raise InputError(f"adjacency links node {int(matrix.diagonal().argmax())} to itself: must have a zero diagonal")
    if abs(matrix - matrix.T).nnz:
        raise InputError("adjacency is not symmetric: the network is undirected, so A must equal its transpose")
    apart = first_apart(np.column_stack(matrix.nonzero()), matrix.shape[0])
    if apart is not None:
        raise InputError(f"node {apart} can't be reached from node 0: the network must be connected")
