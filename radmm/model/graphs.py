"""Conversion of graphs to adjacency matrices from every form in which users may give them."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from radmm.base.errors import InputError
from radmm.base.inputs import as_number, as_real_array, shown

FORMS = "a 0/1 adjacency matrix, a list of node pairs or a networkx graph"


def adjacency_of(graph: Any) -> scipy.sparse.csr_array:
    """Return the adjacency matrix of a graph in any form, without checking that it is a network's.

    Args:
        graph: An adjacency, an edge list or a networkx graph, as `Network` accepts them.
    """
    if hasattr(graph, "is_directed"):  # networkx is asked for by those who have such a graph, not by every job
        return _adjacency_of_pairs(_networkx_pairs(graph), graph.number_of_nodes())
    given = _read(graph)
    if _is_edge_list(given):
        if not len(given):
            raise InputError("graph has no edge: must have one, or be [[0]], the adjacency of a single node")
        return adjacency_of_edges(given)
    with np.errstate(over="ignore"):
        matrix = scipy.sparse.csr_array(given, dtype=np.float64, copy=True)
    matrix.sum_duplicates()
    matrix.eliminate_zeros()  # a stored zero is no edge
    return matrix


def adjacency_of_edges(edges: Any) -> scipy.sparse.csr_array:
    """Return the adjacency matrix of an edge list.

    Args:
        edges: An (edges, 2) array of node pairs, each once; without any edge the graph is a single node.
    """
    given = _read(edges)
    if scipy.sparse.issparse(given) or given.dtype.kind not in "iu" or given.shape[1] != 2:
        raise InputError(f"edges = {shown(edges)}: must hold two node numbers (0, 1, …) for each edge")
    if not len(given):
        return scipy.sparse.csr_array((1, 1))
    if given.min() < 0:
        raise InputError(f"edges name the node {given.min()}: must be counted from 0")
    named = np.unique(given)  # a list of nodes as long as the largest number could be of any length
    unnamed = np.flatnonzero(named != np.arange(len(named)))
    if len(unnamed):
        raise InputError(f"node {unnamed[0]} has no edge: every node from 0 to {named[-1]} must have one")
    return _adjacency_of_pairs(given.astype(np.int64), len(named))


def first_apart(pairs: NDArray[np.integer[Any]], nodes: int) -> int | None:
    """Return the first node that no path joins to node 0, or None if the graph is connected.

    Args:
        pairs: Edges as an (edges, 2) array of node numbers, each below the number of nodes.
    """
    linked = scipy.sparse.coo_array((np.ones(len(pairs), dtype=bool), pairs.T), shape=(nodes, nodes))
    component = connected_components(linked, directed=False)[1]
    apart = np.flatnonzero(component != component[0])
    return int(apart[0]) if len(apart) else None


def _read(graph: Any) -> Any:
    """Return the graph as a two-dimensional array, sparse if it was."""
    try:
        return as_real_array("graph", list(graph) if isinstance(graph, Set) else graph, ndim=2)
    except InputError as error:
        raise InputError(f"{error} (give {FORMS})") from None


def _is_edge_list(given: Any) -> bool:
    """Return whether pairs are edges; two of them are also a square matrix, an adjacency if it looks like one.

    A symmetric matrix of zero diagonal does, whatever its entries: as edges it would be the same one twice.
    """
    if scipy.sparse.issparse(given) or given.shape[1] != 2 or given.dtype.kind not in "iu":
        return False
    if len(given) != 2:
        return True
    looks_like_adjacency = np.array_equal(given, given.T) and not given.diagonal().any()
    return not looks_like_adjacency and not set(given.ravel().tolist()) <= {0, 1}


def _adjacency_of_pairs(pairs: NDArray[np.int64], nodes: int) -> scipy.sparse.csr_array:
    low, high = pairs.min(axis=1), pairs.max(axis=1)
    if (low == high).any():
        raise InputError(f"an edge links node {low[low == high][0]} to itself: must link two nodes")
    key, count = np.unique(low * nodes + high, return_counts=True)
    if (count > 1).any():
        left, right = divmod(int(key[count > 1][0]), nodes)
        raise InputError(f"nodes {left} and {right} are linked more than once: each edge must be given once")
    one_way = scipy.sparse.coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(nodes, nodes))
    return scipy.sparse.csr_array(one_way + one_way.T)


def _networkx_pairs(graph: Any) -> NDArray[np.int64]:
    if graph.is_directed():
        raise InputError(f"graph is a {type(graph).__name__}: must be undirected, like graph.to_undirected()")
    if graph.number_of_nodes() < 1:
        raise InputError("graph has no nodes: must have at least one")
    for left, right, weight in graph.edges(data="weight", default=1):
        field = f"the weight of the edge from {shown(left)} to {shown(right)}"
        if (value := as_number(field, weight)) != 1.0:
            raise InputError(f"{field} = {value:g}: must be 1, or not be given")
    try:
        order = sorted(graph)
    except TypeError:
        order = list(graph)
    number = {node: index for index, node in enumerate(order)}
    pairs = [(number[left], number[right]) for left, right in graph.edges()]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)
