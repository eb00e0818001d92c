import tracemalloc
from dataclasses import fields

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from radmm.base.docstrings import arguments, summary
from radmm.base.errors import InputError
from radmm.base.seeds import Purpose, generator
from radmm.data.topologies.random import ErdosRenyi
from radmm.data.topologies.regular import RandomRegular
from radmm.data.topologies.spatial import RandomGeometric
from radmm.data.topology import TOPOLOGIES, make_edges, make_topology
from radmm.model.network import Network

SECTIONS = [
    ({"law": "ring", "nodes": 5}, [2, 2, 2, 2, 2]),
    ({"law": "path", "nodes": 4}, [1, 2, 2, 1]),
    ({"law": "star", "nodes": 4}, [3, 1, 1, 1]),
    ({"law": "complete", "nodes": 4}, [3, 3, 3, 3]),
    ({"law": "grid", "rows": 2, "columns": 3}, [2, 3, 2, 2, 3, 2]),
    ({"law": "torus", "rows": 3, "columns": 4}, [4] * 12),
    ({"law": "tree", "nodes": 6}, [2, 3, 2, 1, 1, 1]),
    ({"law": "tree", "nodes": 5, "children": 3}, [3, 2, 1, 1, 1]),
    ({"law": "single"}, [0]),
    ({"law": "random-regular", "nodes": 8, "degree": 3, "seed": 1}, [3] * 8),
    ({"law": "small-world", "nodes": 6, "neighbours": 4, "probability": 0.0, "seed": 0}, [4] * 6),
]
ERDOS_RENYI = [[0, 1], [1, 2], [1, 3], [2, 4]]
REGULAR = [[0, 3], [0, 4], [0, 5], [1, 2], [1, 3], [1, 5], [2, 3], [2, 4], [4, 5]]
GEOMETRIC = [[0, 1], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [3, 4]]
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


def test_a_torus_and_a_tree_are_networkx_s():
    torus = nx.convert_node_labels_to_integers(nx.grid_2d_graph(5, 3, periodic=True), ordering="sorted")
    mine = make_edges({"law": "torus", "rows": 5, "columns": 3})
    np.testing.assert_array_equal(mine, sorted(sorted(edge) for edge in torus.edges))
    tree = make_edges({"law": "tree", "nodes": 15, "children": 2})
    np.testing.assert_array_equal(tree, sorted(nx.balanced_tree(2, 3).edges))


def test_random_graphs_are_the_ones_they_have_always_been():
    """Traces carry the hash of their network: another stream would make every stored result another setting's."""
    random = make_edges({"law": "erdos-renyi", "nodes": 5, "probability": 0.5, "seed": 3})
    assert random.tolist() == ERDOS_RENYI
    small = make_edges({"law": "small-world", "nodes": 6, "neighbours": 2, "probability": 0.5, "seed": 1})
    assert small.tolist() == SMALL_WORLD
    regular = make_edges({"law": "random-regular", "nodes": 6, "degree": 3, "seed": 2})
    assert regular.tolist() == REGULAR
    near = make_edges({"law": "geometric", "nodes": 5, "radius": 0.5, "seed": 2})
    assert near.tolist() == GEOMETRIC


@settings(max_examples=30, deadline=None)
@given(st.integers(4, 40), st.data(), st.integers(0, 1000))
def test_regular_graphs_have_one_degree(nodes, data, seed):
    degree = data.draw(st.sampled_from([d for d in range(3, nodes) if nodes * d % 2 == 0]))
    edges = make_edges({"law": "random-regular", "nodes": nodes, "degree": degree, "seed": seed})
    graph = nx.Graph(edges.tolist())
    assert {of for _, of in graph.degree} == {degree}
    assert nx.is_connected(graph)
    assert edges.tolist() == sorted(map(sorted, edges.tolist()))


def test_all_regular_graphs_are_equally_likely():
    """Six nodes of degree 3: 70 labelled graphs (OEIS A002829), of which pairing alone draws 10 twice too often."""
    drawn = [RandomRegular(6, 3, seed).edges() for seed in range(1050)]
    counts = np.unique([edges @ [6, 1] for edges in drawn], axis=0, return_counts=True)[1]
    assert len(counts) == 70
    assert stats.chisquare(counts).pvalue > 0.01


def test_geometric_graphs_link_who_is_near():
    """Edges of one seed grow with the radius, and their share is that of two points of a square within it."""
    shares, before = [], set()
    for radius in (0.5, 0.8, 1.0):
        drawn = [RandomGeometric(30, radius, seed).edges() for seed in range(40)]
        assert all(nx.is_connected(nx.Graph(edges.tolist())) for edges in drawn)
        now = set(map(tuple, drawn[0].tolist()))
        assert before <= now
        before = now
        shares.append(np.mean([len(edges) for edges in drawn]) / RandomGeometric(30, radius).size()[1])
    points = np.random.default_rng(0).random((4, 200_000))
    within = np.hypot(points[0] - points[2], points[1] - points[3]) <= 0.8
    assert within.mean() * 435 == pytest.approx(RandomGeometric(30, 0.8).size()[1], rel=0.01)
    np.testing.assert_allclose(shares, 1.0, atol=0.06)


@pytest.mark.parametrize("law", ["geometric", "random-regular", "erdos-renyi"])
def test_other_seeds_are_other_graphs(law):
    options = {"geometric": {"radius": 0.4}, "random-regular": {"degree": 4}, "erdos-renyi": {"probability": 0.3}}[law]
    one, again, other = (make_edges({"law": law, "nodes": 24, **options, "seed": seed}) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one, again)
    assert one.tolist() != other.tolist()


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


@pytest.fixture
def few_attempts(monkeypatch):
    """Give up on a random graph after 50 draws, not 10,000."""
    monkeypatch.setattr("radmm.data.topology.ATTEMPTS", 50)


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


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ({"law": "random-regular", "nodes": 7, "degree": 3}, "network.degree = 3: must be below nodes = 7, and nodes"),
        ({"law": "random-regular", "nodes": 4, "degree": 4}, "network.degree = 4: must be below nodes = 4"),
        ({"law": "geometric", "nodes": 50, "radius": 0.01}, "network.radius = 0.01: none of 50 random graphs on 50"),
        ({"law": "torus", "rows": 2, "columns": 5}, "network.rows = 2: must be at least 3"),
        ({"law": "complete", "nodes": 100_000}, "network.law = complete: 100000 nodes with about 5000000000 edges"),
        ({"law": "erdos-renyi", "nodes": 50_000, "probability": 0.5}, "must be at most 100000 nodes and 5000000 edges"),
        ({"law": "small-world", "nodes": 90_000, "neighbours": 80_000, "probability": 0.1}, "are too many to be kept"),
        ({"law": "ring", "nodes": 10**9}, "network.nodes = 1000000000: must be at most 100000"),
    ],
    ids=str,
)
@pytest.mark.usefixtures("few_attempts")
def test_what_can_t_be_made_is_refused(section, message):
    with pytest.raises(InputError, match=message):
        make_edges(section)


@pytest.mark.parametrize("law", TOPOLOGIES)
def test_every_parameter_is_described(law):
    described = arguments(TOPOLOGIES[law])
    assert summary(TOPOLOGIES[law])
    assert all(described[field.name] for field in fields(TOPOLOGIES[law]))


@settings(max_examples=60, deadline=None)
@given(nodes=st.integers(2, 60), probability=st.floats(0.2, 1.0), seed=st.integers(0, 2**32))
def test_a_random_network_is_the_first_connected_one_of_networkx(nodes, probability, seed):
    source = generator(seed, Purpose.GRAPH)
    graph = nx.fast_gnp_random_graph(nodes, probability, seed=source)
    while not nx.is_connected(graph):
        graph = nx.fast_gnp_random_graph(nodes, probability, seed=source)
    found = make_edges({"law": "erdos-renyi", "nodes": nodes, "probability": probability, "seed": seed})
    assert found.tolist() == sorted(map(list, graph.edges))


@pytest.mark.parametrize("probability", [5e-324, 1e-17, 1e-12])
@pytest.mark.usefixtures("few_attempts")
def test_a_probability_at_which_nobody_is_linked_is_refused(probability):
    with pytest.raises(
        InputError, match=r"network\.probability = .*: none of \d+ random graphs on 5 nodes was connected"
    ):
        make_edges({"law": "erdos-renyi", "nodes": 5, "probability": probability})


def test_a_large_sparse_network_needs_memory_for_its_links_alone():
    tracemalloc.start()
    try:
        pairs = make_edges({"law": "erdos-renyi", "nodes": 10_000, "probability": 1.5e-3})
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert 74_000 < len(pairs) < 76_000
    assert peak < 50e6  # its pairs of nodes would be 400 MB
