"""The connected, undirected network of nodes, and the sum over neighbours that ADMM uses."""

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from radmm.base.arrays import Array, Integers, Mask
from radmm.base.errors import InputError


class Network:
    """A graph given by its 0/1 adjacency matrix (dense or sparse): symmetric, no loops, connected."""

    def __init__(self, adjacency: ArrayLike | sparse.sparray) -> None:
        try:
            matrix = sparse.csr_array(adjacency, dtype=np.float64, copy=True)
        except (TypeError, ValueError):
            raise InputError(f"adjacency = {adjacency!r}: must be a square matrix of 0 and 1") from None
        matrix.sum_duplicates()
        matrix.eliminate_zeros()  # a stored zero is no edge
        _check(matrix)
        self.adjacency = matrix
        self.nodes: int = matrix.shape[0]
        self.degrees: Array = matrix.sum(axis=1)
        self._signless_laplacian = sparse.csr_array(sparse.diags_array(self.degrees) + matrix)

    @classmethod
    def from_edges(cls, edges: Integers) -> "Network":
        """From an (edges, 2) array of node pairs; the nodes are 0 … the largest index named."""
        nodes = int(edges.max()) + 1
        one_way = sparse.coo_array((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(nodes, nodes))
        return cls(one_way + one_way.T)

    def neighbour_sum(self, values: Array) -> Array:
        """S_i(v_i + v_j) for (node, feature, run) values."""
        total: Array = (self._signless_laplacian @ values.reshape(len(values), -1)).reshape(values.shape)
        return total

    def laplacian_spectrum(self) -> Array:
        """The eigenvalues of D − A, ascending; the second is the algebraic connectivity."""
        laplacian = np.diag(self.degrees) - self.adjacency.toarray()
        return np.linalg.eigvalsh(laplacian).astype(np.float64)


def _check(matrix: sparse.csr_array) -> None:
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.shape[0] < 2:
        raise InputError(f"adjacency has shape {matrix.shape}: must be square, with at least two nodes")
    if not np.all(matrix.data == 1.0):
        wrong = matrix.data[matrix.data != 1.0][0]
        raise InputError(f"adjacency has the entry {wrong:g}: must hold 0 and 1 only")
    if matrix.diagonal().any():
        raise InputError(f"adjacency links node {int(matrix.diagonal().argmax())} to itself: must have a zero diagonal")
    if abs(matrix - matrix.T).nnz:
        raise InputError("adjacency is not symmetric: the network is undirected, so A must equal its transpose")
    apart = np.flatnonzero(~_reached_from_first(matrix))
    if len(apart):
        raise InputError(f"node {apart[0]} can't be reached from node 0: the network must be connected")


def _reached_from_first(matrix: sparse.csr_array) -> Mask:
    """Which nodes have a path to node 0; by hand, as SciPy's own graph search costs every job a tenth of a second."""
    reached: Mask = np.arange(matrix.shape[0]) == 0
    while True:
        further: Mask = reached | (matrix @ reached > 0)
        if np.array_equal(further, reached):
            return reached
        reached = further
