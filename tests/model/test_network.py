import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import radmm
from radmm.base.errors import InputError
from radmm.data.topology import make_edges
from radmm.model.graphs import first_apart
from radmm.model.network import MOST_FOR_SPECTRUM, Network
from tests.strangers import anything, arrays, refusal

PATH = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]  # of three nodes


def test_sums_over_neighbours_equal_loops():
    network = Network.from_edges(np.array([[0, 1], [1, 2], [1, 3]]))
    values = np.random.default_rng(0).standard_normal((4, 3, 2))
    neighbours = [[1], [0, 2, 3], [1], [1]]
    total = network.neighbour_sum(values)
    for i, around in enumerate(neighbours):
        np.testing.assert_allclose(total[i], sum(values[i] + values[j] for j in around))


@pytest.mark.parametrize(
    "graph",
    [
        PATH,
        np.array(PATH, np.float32),
        sparse.csr_matrix(PATH),
        sparse.coo_array(PATH),
        [(0, 1), (1, 2)],
        ((2, 1), (1, 0)),
        {(0, 1), (1, 2)},
        np.array([[0, 1], [1, 2]], np.uint8),
        nx.path_graph(3),
        nx.path_graph(3).edges,
        nx.MultiGraph(nx.path_graph(3)),
        nx.relabel_nodes(nx.path_graph(3), {0: "a", 1: "b", 2: "c"}),
        nx.Graph([(2, 1), (1, 0)]),
        nx.Graph([("a", 1), (1, ("b",))]),  # can't be sorted: in the order they were added
        nx.Graph([(0, 1, {"weight": 1.0}), (1, 2, {"length": 7})]),
    ],
    ids=lambda graph: type(graph).__name__,
)
def test_all_forms_give_the_same_network(graph):
    network = Network(graph)
    np.testing.assert_array_equal(network.adjacency.toarray(), PATH)
    np.testing.assert_array_equal(network.degrees, [1, 2, 1])


@pytest.mark.parametrize("edges", [[[0, 1]], [[0, 1], [0, 2], [1, 2]], [[0, 2], [2, 1]]])
def test_edge_lists_of_any_length(edges):
    network, expected = Network(edges), nx.to_numpy_array(nx.Graph(edges), nodelist=range(np.max(edges) + 1))
    np.testing.assert_array_equal(network.adjacency.toarray(), expected)
    np.testing.assert_array_equal(Network.from_edges(edges).adjacency.toarray(), expected)


def test_two_by_two_is_an_adjacency_if_it_looks_like_one_and_else_two_edges():
    assert Network([[0, 1], [1, 0]]).nodes == 2
    assert Network([[0, 1], [1, 2]]).nodes == 3
    with pytest.raises(InputError, match="nodes 0 and 1 are linked more than once"):
        Network.from_edges([[0, 1], [1, 0]])


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        ([[0, 1], [0, 0]], "not symmetric"),
        ([[1, 1], [1, 0]], "links node 0 to itself"),
        ([[0, 2], [2, 0]], "entry 2: must hold 0 and 1 only"),
        ([[0, np.nan], [np.nan, 0]], "entry nan: must hold 0 and 1 only"),
        ([[0, 1, 0], [1, 0, 0], [0, 0, 0]], "node 2 can't be reached from node 0: the network must be connected"),
        (np.zeros((0, 0)), "must be square, with at least one node"),
        (np.zeros((3, 4)), "must be square, with at least one node"),
        ("ring", "graph = 'ring': must be an array of real numbers .give a 0/1 adjacency matrix, a list of node pairs"),
        (None, "graph = None: must be an array"),
        ([[0, 1], [1]], "graph = .*: must be an array of real numbers"),
        ([[False, True], [True, False]], "graph holds booleans"),
        (np.ma.array(PATH), "graph is a masked array"),
        ([0, 1], "graph has 1 dimensions: must have two"),
        ([], "graph has 1 dimensions: must have two"),
        (np.zeros((0, 2), int), "graph has no edge: must have one, or be ..0.., the adjacency of a single node"),
        ([[1]], "links node 0 to itself"),
        ([[0, 1], [1, 2], [1, 1]], "an edge links node 1 to itself"),
        ([[0, 1], [1, 2], [2, 1]], "nodes 1 and 2 are linked more than once: each edge must be given once"),
        ([[0, 1], [1, 2], [-1, 1]], "edges name the node -1: must be counted from 0"),
        ([[1, 2], [2, 3], [1, 3]], "node 0 has no edge: every node from 0 to 3 must have one"),
        ([[0, 1], [1, 2], [2, 10**15]], "node 3 has no edge"),
        ([[0, 1], [0, 1], [2, 3]], "nodes 0 and 1 are linked more than once"),
        ([[0, 1], [2, 3], [4, 5]], "node 2 can't be reached from node 0"),
        ([[0, 1], [2, 3]], "node 2 can't be reached from node 0: the network must be connected"),
        ([(2, 3), (0, 1)], "node 2 can't be reached from node 0"),
        ([[0, 1], [1, 3]], "node 2 has no edge: every node from 0 to 3 must have one"),
        ([[1, 2], [2, 3]], "node 0 has no edge"),
        ([[0, 1], [-1, 1]], "edges name the node -1: must be counted from 0"),
        ([[2, 2], [0, 1]], "an edge links node 2 to itself"),
        ([[0.0, 1.0]], "must be square"),
        (nx.DiGraph([(0, 1)]), "graph is a DiGraph: must be undirected"),
        (nx.MultiGraph([(0, 1), (0, 1)]), "nodes 0 and 1 are linked more than once"),
        (nx.Graph([(0, 1), (1, 1)]), "an edge links node 1 to itself"),
        (nx.Graph([(0, 1, {"weight": 2.5})]), "the weight of the edge from 0 to 1 = 2.5: must be 1, or not be given"),
        (nx.Graph([(0, 1, {"weight": "1"})]), "the weight of the edge from 0 to 1 = '1': must be a finite number"),
        (nx.empty_graph(3), "node 1 can't be reached from node 0"),
        (nx.Graph(), "graph has no nodes: must have at least one"),
    ],
    ids=str,
)
def test_bad_networks_are_named(graph, message):
    with pytest.raises(InputError, match=message):
        Network(graph)


@pytest.mark.parametrize("edges", [[[0.0, 1.0]], [[0, 1, 2]], sparse.csr_array([[0, 1]]), "01", None])
def test_bad_edge_lists_are_named(edges):
    with pytest.raises(InputError, match="edges|graph"):
        Network.from_edges(edges)


@settings(max_examples=300, deadline=None)
@given(anything | arrays)
def test_a_stranger_s_graph_is_taken_or_refused_in_a_sentence(graph):
    for make in (Network, Network.from_edges):
        assert "\n" not in (refusal(make, graph) or "")


@pytest.mark.parametrize(
    "graph", [[[0]], sparse.csr_array((1, 1)), nx.empty_graph(1)], ids=lambda graph: type(graph).__name__
)
def test_one_node_is_a_network(graph):
    network = Network(graph)
    assert (network.nodes, network.degrees.tolist(), network.laplacian_spectrum().tolist()) == (1, [0.0], [0.0])
    np.testing.assert_array_equal(network.neighbour_sum(np.ones((1, 3, 2))), np.zeros((1, 3, 2)))
    assert Network.from_edges(np.empty((0, 2), dtype=int)).nodes == 1


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 40), st.integers(0, 60), st.integers(0, 2**31))
def test_what_can_t_be_reached_is_found_as_networkx_finds_it(nodes, edges, seed):
    pairs = np.random.default_rng(seed).integers(nodes, size=(edges, 2))
    graph = nx.empty_graph(nodes)
    graph.add_edges_from(pairs.tolist())
    apart = set(range(nodes)) - nx.node_connected_component(graph, 0)
    assert first_apart(pairs, nodes) == min(apart, default=None)


def test_long_paths_in_any_order_are_connected():
    order = np.random.default_rng(0).permutation(20_000)
    pairs = np.column_stack([order[:-1], order[1:]])
    assert first_apart(pairs, len(order)) is None
    assert first_apart(np.delete(pairs, 12_345, axis=0), len(order)) is not None


def test_a_spectrum_is_refused_where_it_would_take_a_large_dense_matrix():
    ring = Network.from_edges(make_edges({"law": "ring", "nodes": MOST_FOR_SPECTRUM + 1}))
    with pytest.raises(InputError, match="the network has 2001 nodes: must have at most 2000 for its spectrum"):
        ring.laplacian_spectrum()


def test_a_stored_zero_is_no_edge():
    entries = (np.array([1.0, 1.0, 0.0, 0.0]), ([0, 1, 1, 2], [1, 0, 2, 1]))
    with pytest.raises(InputError, match="node 2 can't be reached from node 0"):
        Network(sparse.csr_array(entries, shape=(3, 3)))


def test_what_was_given_is_not_changed():
    given = sparse.csr_array(np.array(PATH))
    given.data[0] = 0
    with pytest.raises(InputError):
        Network(given)
    assert given.nnz == 4


def test_its_repr_is_short():
    assert repr(radmm.Network(PATH)) == "<Network: 3 nodes, 2 edges>"
