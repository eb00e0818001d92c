"""Networks from files: what is read, and that a refusal names the line."""

import gzip
import os

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radmm.base.errors import InputError
from radmm.data.graph_files import read_edge_list, read_graphml
from radmm.data.topologies import file as file_law
from radmm.data.topologies.file import EdgeFile
from radmm.model.network import Network
from tests.strangers import refusal

PATH = [[0, 1], [1, 2]]
HEAD = '<?xml version="1.0"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
NODES = '<graph edgedefault="undirected">\n<node id="a"/><node id="b"/><node id="c"/>\n'


def graphml(*edges, nodes=NODES, before=""):
    lines = [f'<edge source="{left}" target="{right}"/>\n' for left, right in edges]
    return f"{HEAD}{before}{nodes}{''.join(lines)}</graph></graphml>\n".encode()


@pytest.mark.parametrize(
    "content", [b"0 1\n1 2\n", b"# a path\n\n0\t1  # first\r\n 1 2", b"\n".join([b"0 1", b"#1 1", b"01 02"])]
)
def test_edge_lists(tmp_path, content):
    np.testing.assert_array_equal(read_edge_list(content), PATH)
    for name, stored in (("own.edges", content), ("own.edges.gz", gzip.compress(content)), ("own", content)):
        (tmp_path / name).write_bytes(stored)
        law = EdgeFile(str(tmp_path / name))
        np.testing.assert_array_equal(law.edges(), PATH)
        assert law.size() == (3, 2)


def test_graphml_is_numbered_as_it_names_its_nodes(tmp_path):
    np.testing.assert_array_equal(read_graphml(graphml("ab", "cb")), [[0, 1], [2, 1]])
    graph = nx.relabel_nodes(nx.petersen_graph(), {node: f"node {node}" for node in range(10)})
    path = tmp_path / "own.graphml.gz"
    nx.write_graphml(graph, path)
    made = Network.from_edges(EdgeFile(str(path)).edges())
    np.testing.assert_array_equal(made.adjacency.toarray(), nx.to_numpy_array(nx.petersen_graph()))


def test_graphml_may_say_that_an_edge_weighs_one(tmp_path):
    graph = nx.path_graph(3)
    nx.set_edge_attributes(graph, {(0, 1): 1.0, (1, 2): 1.0}, "weight")
    nx.write_graphml(graph, tmp_path / "own.graphml")
    np.testing.assert_array_equal(EdgeFile(str(tmp_path / "own.graphml")).edges(), PATH)
    graph[1][2]["weight"] = 0.5
    nx.write_graphml(graph, tmp_path / "own.graphml")
    with pytest.raises(InputError, match=r"line \d+ has the weight '0.5': must be 1, or not be given"):
        EdgeFile(str(tmp_path / "own.graphml")).edges()


@pytest.mark.parametrize(
    ("read", "content", "message"),
    [
        (read_edge_list, b"0 1\n\n# x\n1 1\n", "line 4 links node 1 to itself"),
        (read_edge_list, b"0 1\n1 2\n2 1\n", "line 3 links nodes 1 and 2, as line 2 does: must give each edge once"),
        (read_edge_list, b"0 1\n1 4\n1 2\n", "line 2 names node 4, but no line names node 3: every number from 0"),
        (read_edge_list, b"1 2\n2 3\n", "line 2 names node 3, but no line names node 0"),
        (read_edge_list, b"0 1 2\n", "line 1 is '0 1 2': must be two node numbers"),
        (read_edge_list, b"0 1\n1 b\n", "line 2 is '1 b': must be two node numbers"),
        (read_edge_list, b"0 1\n1 -2\n", "line 2 is '1 -2': must be two node numbers"),
        (read_edge_list, b"0 1\n1 99999999999999999999\n", "line 2 is .*: node numbers must be below 100000"),
        (read_edge_list, b"0 1\n1 \xff\xfe\n", "line 2 is .*: must be two node numbers"),
        (read_edge_list, b"# nothing\n", "has 0 edges: must have at least one"),
        (read_graphml, graphml("ab", "bb"), "line 6 links node 'b' to itself"),
        (read_graphml, graphml("ab", "bc", "ba"), "line 7 links nodes 'a' and 'b', as line 5 does"),
        (read_graphml, graphml("ab", "bd"), "line 6 has an edge of node 'd': must be a node that the file has"),
        (read_graphml, graphml("ab"), "node 'c' has no edge: every node must have one"),
        (read_graphml, graphml("ab", nodes=NODES.replace("undir", "dir")), "line 3 has a directed graph"),
        (read_graphml, graphml("ab")[:-12], "line 6, column 1: is no XML: unclosed token"),
        (read_graphml, b"0 1\n", "line 1, column 1: is no XML: syntax error"),
        (read_graphml, b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "line 1 has a DOCTYPE: must be plain GraphML"),
        (read_graphml, graphml("ab", nodes=NODES + "<hyperedge/>"), "line 5 has a hyperedge"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(read, content, message):
    with pytest.raises(InputError, match=message):
        read(content)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=40) | st.text("01239 #\n-x", max_size=30).map(str.encode))
def test_any_file_is_read_or_refused_in_a_sentence(content):
    for read in (read_edge_list, read_graphml):
        assert "\n" not in (refusal(read, content) or "")


def test_only_a_file_on_this_machine_is_read(tmp_path, monkeypatch):
    pipe, folder = tmp_path / "pipe", tmp_path / "folder"
    os.mkfifo(pipe)
    folder.mkdir()
    for path in ("/dev/zero", pipe, folder):
        with pytest.raises(InputError, match=f"network.path = {path}: is no regular file: must be one on this machine"):
            EdgeFile(str(path)).edges()
    for path, reason in {
        "https://example.org/a.edges": "No such file",
        "a\0b": "null",
        str(tmp_path / "none"): "No",
    }.items():
        with pytest.raises(InputError, match=f"network.path = .*: can't be read: .*{reason}"):
            EdgeFile(path).edges()
    monkeypatch.setattr(file_law, "MOST_BYTES", 1000)
    (tmp_path / "long").write_bytes(b"0 1\n" * 1000)
    (tmp_path / "bomb").write_bytes(gzip.compress(b"\n" * 100_000))
    (tmp_path / "cut").write_bytes(gzip.compress(b"0 1\n" * 100)[:-9])
    for name, reason in {"long": "is larger than", "bomb": "is larger than", "cut": "can't be read"}.items():
        with pytest.raises(InputError, match=reason):
            EdgeFile(str(tmp_path / name)).edges()


def test_a_file_that_changes_is_read_again(tmp_path):
    path = tmp_path / "own.edges"
    path.write_text("0 1\n")
    law = EdgeFile(str(path))
    assert law.size() == (2, 1)
    path.write_text("0 1\n1 2\n")
    assert law.size() == (3, 2)
