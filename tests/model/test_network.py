import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from radmm.base.errors import InputError
from radmm.data.graphs import erdos_renyi, make_edges, read_edges
from radmm.model.network import Network


def test_sums_over_neighbours_equal_loops():
    network = Network.from_edges(np.array([[0, 1], [1, 2], [1, 3]]))
    values = np.random.default_rng(0).standard_normal((4, 3, 2))
    neighbours = [[1], [0, 2, 3], [1], [1]]
    total = network.neighbour_sum(values)
    for i, around in enumerate(neighbours):
        np.testing.assert_allclose(total[i], sum(values[i] + values[j] for j in around))


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 12), st.floats(0.3, 1.0), st.integers(0, 1000))
def test_random_graphs_are_connected_and_repeatable(nodes, probability, seed):
    edges = make_edges("erdos-renyi", nodes=nodes, probability=probability, seed=seed)
    graph = nx.Graph(edges.tolist())
    assert nx.is_connected(graph)
    assert set(graph) == set(range(nodes))
    network = Network.from_edges(edges)
    np.testing.assert_array_equal(network.degrees, [graph.degree(i) for i in range(nodes)])
    np.testing.assert_allclose(network.laplacian_spectrum(), nx.laplacian_spectrum(graph), atol=1e-9)


def test_the_graphs_law_is_erdos_renyi_given_connected():
    """Three nodes, p = 0.5: three paths and the triangle are equally likely among the connected graphs."""
    counts = np.bincount([len(erdos_renyi(3, 0.5, seed).edges) for seed in range(2000)], minlength=4)
    assert counts[2] / counts.sum() == pytest.approx(0.75, abs=0.03)


@pytest.mark.parametrize(
    ("adjacency", "message"),
    [
        ([[0, 1], [0, 0]], "not symmetric"),
        ([[1, 1], [1, 0]], "links node 0 to itself"),
        ([[0, 2], [2, 0]], "entry 2: must hold 0 and 1 only"),
        ([[0, 1, 0], [1, 0, 0], [0, 0, 0]], "node 2 can't be reached from node 0: the network must be connected"),
        ([[0]], "must be square, with at least two nodes"),
        ("ring", "adjacency = 'ring': must be a square matrix of 0 and 1"),
        ([[0, 1], [1]], "must be a square matrix of 0 and 1"),
    ],
)
def test_bad_networks_are_named(adjacency, message):
    with pytest.raises(InputError, match=message):
        Network(adjacency)


def test_a_stored_zero_is_no_edge():
    entries = (np.array([1.0, 1.0, 0.0, 0.0]), ([0, 1, 1, 2], [1, 0, 2, 1]))
    with pytest.raises(InputError, match="node 2 can't be reached from node 0"):
        Network(sparse.csr_array(entries, shape=(3, 3)))


def test_a_hopeless_probability_is_named():
    with pytest.raises(InputError, match="network.probability = 0.001: none of 10000 random graphs on 6 nodes"):
        erdos_renyi(6, 0.001, 0)


@pytest.mark.parametrize(
    ("options", "degrees"),
    [
        ({"law": "ring", "nodes": 5}, [2, 2, 2, 2, 2]),
        ({"law": "path", "nodes": 4}, [1, 2, 2, 1]),
        ({"law": "star", "nodes": 4}, [3, 1, 1, 1]),
        ({"law": "complete", "nodes": 4}, [3, 3, 3, 3]),
        ({"law": "grid", "rows": 2, "columns": 3}, [2, 3, 2, 2, 3, 2]),
        ({"law": "small-world", "nodes": 6, "neighbours": 4, "probability": 0.0, "seed": 0}, [4] * 6),
    ],
    ids=lambda value: value["law"] if isinstance(value, dict) else "",
)
def test_shapes(options, degrees):
    network = Network.from_edges(make_edges(**options))
    np.testing.assert_array_equal(network.degrees, degrees)


def test_small_worlds_are_rewired_by_their_seed():
    options = {"law": "small-world", "nodes": 30, "neighbours": 4, "probability": 0.3}
    one, again, other = (make_edges(**options, seed=seed) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one, again)
    assert len(one) == len(other) == 60
    assert not np.array_equal(one, other)


def test_edge_lists(tmp_path):
    path = tmp_path / "own.edges"
    path.write_text("# a path\n0 1\n1 2\n")
    np.testing.assert_array_equal(read_edges(path), [[0, 1], [1, 2]])
    for lines, message in {
        "1 2\n2 3\n": "node numbers start at 1, but must be counted from 0",
        "0 1\n1 0\n": "the line 0 1 must not stand there, or not twice",
        "0 1\n1 1\n": "the line 1 1 must not stand there, or not twice",
    }.items():
        path.write_text(lines)
        with pytest.raises(InputError, match=message):
            read_edges(path)
    path.write_text("0 1 2\n")
    with pytest.raises(InputError, match="must hold two node numbers"):
        read_edges(path)
    with pytest.raises(InputError, match="network.path"):
        read_edges(tmp_path / "none.edges")
