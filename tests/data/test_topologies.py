from dataclasses import fields

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radmm.base.docstrings import arguments, summary
from radmm.base.errors import InputError
from radmm.data.topologies.file import EdgeFile
from radmm.data.topologies.random import ErdosRenyi
from radmm.data.topology import TOPOLOGIES, make_edges, make_topology
from radmm.model.network import Network

SECTIONS = [
    ({"law": "ring", "nodes": 5}, [2, 2, 2, 2, 2]),
    ({"law": "path", "nodes": 4}, [1, 2, 2, 1]),
    ({"law": "star", "nodes": 4}, [3, 1, 1, 1]),
    ({"law": "complete", "nodes": 4}, [3, 3, 3, 3]),
    ({"law": "grid", "rows": 2, "columns": 3}, [2, 3, 2, 2, 3, 2]),
    ({"law": "small-world", "nodes": 6, "neighbours": 4, "probability": 0.0, "seed": 0}, [4] * 6),
]
ERDOS_RENYI = [[0, 1], [1, 2], [1, 3], [2, 4]]
SMALL_WORLD = [[0, 3], [0, 5], [1, 2], [1, 3], [2, 3], [3, 4]]


@pytest.mark.parametrize(("section", "degrees"), SECTIONS, ids=lambda value: str(value))
def test_shapes(section, degrees):
    edges = make_edges(section)
    assert edges.dtype == np.int64
    np.testing.assert_array_equal(Network.from_edges(edges).degrees, degrees)
    assert edges.tolist() == sorted(sorted(edge) for edge in edges.tolist())


@pytest.mark.parametrize(
    ("law", "graph"),
    [("ring", nx.cycle_graph), ("path", nx.path_graph), ("complete", nx.complete_graph)],
)
@pytest.mark.parametrize("nodes", [3, 4, 11])
def test_shapes_are_networkx_s(law, graph, nodes):
    np.testing.assert_array_equal(make_edges({"law": law, "nodes": nodes}), sorted(graph(nodes).edges))


def test_a_grid_is_numbered_row_by_row():
    same = nx.convert_node_labels_to_integers(nx.grid_2d_graph(4, 3), ordering="sorted")
    np.testing.assert_array_equal(make_edges({"law": "grid", "rows": 4, "columns": 3}), sorted(same.edges))


def test_random_graphs_are_the_ones_they_have_always_been():
    """Traces carry the hash of their network: another stream would make every stored result another setting's."""
    random = make_edges({"law": "erdos-renyi", "nodes": 5, "probability": 0.5, "seed": 3})
    assert random.tolist() == ERDOS_RENYI
    small = make_edges({"law": "small-world", "nodes": 6, "neighbours": 2, "probability": 0.5, "seed": 1})
    assert small.tolist() == SMALL_WORLD


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 12), st.floats(0.3, 1.0), st.integers(0, 1000))
def test_random_graphs_are_connected_and_repeatable(nodes, probability, seed):
    law = ErdosRenyi(nodes, probability, seed)
    graph = nx.Graph(law.edges().tolist())
    assert nx.is_connected(graph)
    assert set(graph) == set(range(nodes))
    network = Network.from_edges(law.edges())
    np.testing.assert_array_equal(network.degrees, [graph.degree(i) for i in range(nodes)])
    np.testing.assert_allclose(network.laplacian_spectrum(), nx.laplacian_spectrum(graph), atol=1e-9)


def test_the_graphs_law_is_erdos_renyi_given_connected():
    """Three nodes, p = 0.5: three paths and the triangle are equally likely among the connected graphs."""
    counts = np.bincount([len(ErdosRenyi(3, 0.5, seed).edges()) for seed in range(2000)], minlength=4)
    assert counts[2] / counts.sum() == pytest.approx(0.75, abs=0.03)


def test_small_worlds_are_rewired_by_their_seed():
    options = {"law": "small-world", "nodes": 30, "neighbours": 4, "probability": 0.3}
    one, again, other = (make_edges({**options, "seed": seed}) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one, again)
    assert len(one) == len(other) == 60
    assert not np.array_equal(one, other)


def test_a_hopeless_probability_is_named():
    with pytest.raises(InputError, match="network.probability = 0.001: none of 10000 random graphs on 6 nodes"):
        ErdosRenyi(6, 0.001).edges()


@pytest.mark.parametrize("neighbours", [3, 6, 8])
def test_small_worlds_need_an_even_number_of_neighbours(neighbours):
    section = {"law": "small-world", "nodes": 6, "neighbours": neighbours, "probability": 0.1}
    with pytest.raises(InputError, match=f"network.neighbours = {neighbours}: must be an even number below nodes = 6"):
        make_topology(section)


@pytest.mark.parametrize(
    "section", [*(section for section, _ in SECTIONS), {"law": "erdos-renyi", "nodes": 40, "probability": 0.4}], ids=str
)
def test_sizes_are_about_right(section):
    law = make_topology(section)
    nodes, edges = law.size()
    assert nodes == Network.from_edges(law.edges()).nodes
    assert edges == pytest.approx(len(law.edges()), rel=0.75)


def test_edge_lists(tmp_path):
    path = tmp_path / "own.edges"
    path.write_text("# a path\n0 1\n1 2\n")
    law = EdgeFile(str(path))
    np.testing.assert_array_equal(law.edges(), [[0, 1], [1, 2]])
    assert law.size() == (3, 2)
    for lines, message in {
        "1 2\n2 3\n": "node numbers start at 1, but must be counted from 0",
        "0 1\n1 0\n": "the line 0 1 must not stand there, or not twice",
        "0 1\n1 1\n": "the line 1 1 must not stand there, or not twice",
        "0 1 2\n": "must hold two node numbers",
    }.items():
        path.write_text(lines)
        with pytest.raises(InputError, match=message):
            law.edges()
    with pytest.raises(InputError, match="network.path"):
        EdgeFile(str(tmp_path / "none.edges")).edges()


@pytest.mark.parametrize("law", TOPOLOGIES)
def test_every_parameter_is_described(law):
    described = arguments(TOPOLOGIES[law])
    assert summary(TOPOLOGIES[law])
    assert all(described[field.name] for field in fields(TOPOLOGIES[law]))
