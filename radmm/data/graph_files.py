"""Readers of networks in common file formats, edge lists and GraphML; errors name the line."""

from collections.abc import Callable, Sequence
from xml.parsers import expat

import numpy as np

from radmm.base.arrays import Integers
from radmm.base.errors import InputError
from radmm.base.inputs import shown
from radmm.data.topology import MOST_EDGES, MOST_NODES

DIGITS = len(str(MOST_NODES))


def read_edge_list(content: bytes) -> Integers:
    """Return the edges of an edge list, (edges, 2) node numbers: two on each line, # starts a comment."""
    pairs: list[tuple[int, int]] = []
    lines: list[int] = []
    for line, text in enumerate(content.decode("utf-8", errors="replace").splitlines(), start=1):
        words = text.partition("#")[0].split()
        if not words:
            continue
        if len(words) != 2 or not all(word.isascii() and word.isdigit() for word in words):
            raise InputError(f"line {line} is {shown(text)}: must be two node numbers (0, 1, …)")
        if any(len(word.lstrip("0")) > DIGITS for word in words):
            raise InputError(f"line {line} is {shown(text)}: node numbers must be below {MOST_NODES}")
        pairs.append((int(words[0]), int(words[1])))
        lines.append(line)
    edges = _checked(pairs, lines, shown_node=str)
    named = np.unique(edges)
    gap = np.flatnonzero(named != np.arange(len(named)))
    if len(gap):
        largest = int(named[-1])
        line = lines[int((edges == largest).any(axis=1).argmax())]
        raise InputError(
            f"line {line} names node {largest}, but no line names node {gap[0]}: "
            "every number from 0 to the largest must have an edge"
        )
    return edges


class _GraphML:
    """Nodes and edges of a GraphML file, collected while it is parsed."""

    def __init__(self) -> None:
        self.nodes: dict[str, int] = {}
        self.pairs: list[tuple[str, str]] = []
        self.lines: list[int] = []
        self._weights: set[str | None] = set()  # ids of what says how heavy an edge is
        self._text: list[str] | None = None  # of a weight, while it is read
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = lambda text: None if self._text is None else self._text.append(text)
        self._parser.StartDoctypeDeclHandler = lambda *_: self._refuse("has a DOCTYPE: must be plain GraphML")

    def read(self, content: bytes) -> None:
        try:
            self._parser.Parse(content, True)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            raise InputError(f"line {error.lineno}, column {error.offset + 1}: is no XML: {reason}") from None

    def _refuse(self, reason: str) -> None:
        raise InputError(f"line {self._parser.CurrentLineNumber} {reason}")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        kind = name.rpartition(" ")[2]
        if attributes.get("edgedefault") == "directed" or attributes.get("directed") == "true":
            self._refuse(f"has a directed {kind}: must be undirected")
        if kind == "hyperedge":
            self._refuse("has a hyperedge: an edge must link two nodes")
        if kind == "key" and attributes.get("attr.name") == "weight":
            self._weights.add(attributes.get("id"))
        if kind == "data" and attributes.get("key") in self._weights:
            self._text = []
        if kind == "node":
            self.nodes.setdefault(attributes.get("id", ""), len(self.nodes))
        if kind == "edge":
            self.pairs.append((attributes.get("source", ""), attributes.get("target", "")))
            self.lines.append(self._parser.CurrentLineNumber)

    def _end(self, name: str) -> None:
        if self._text is not None and name.rpartition(" ")[2] == "data":
            weight = "".join(self._text).strip()
            if weight not in ("1", "1.0"):
                self._refuse(f"has the weight {shown(weight)}: must be 1, or not be given")
            self._text = None


def read_graphml(content: bytes) -> Integers:
    """Return the edges of a GraphML file, (edges, 2) node numbers; nodes are numbered in the order of the file."""
    graph = _GraphML()
    graph.read(content)
    for (left, right), line in zip(graph.pairs, graph.lines, strict=True):
        for node in (left, right):
            if node not in graph.nodes:
                raise InputError(f"line {line} has an edge of node {shown(node)}: must be a node that the file has")
    names = list(graph.nodes)
    pairs = [(graph.nodes[left], graph.nodes[right]) for left, right in graph.pairs]
    edges = _checked(pairs, graph.lines, shown_node=lambda node: shown(names[node]))
    alone = np.setdiff1d(np.arange(len(names)), edges)
    if len(alone):
        raise InputError(f"node {shown(names[alone[0]])} has no edge: every node must have one")
    return edges


def _checked(pairs: Sequence[tuple[int, int]], lines: Sequence[int], shown_node: Callable[[int], str]) -> Integers:
    """Return the edges as an array; refuse none, too many, a node linked with itself and an edge given twice."""
    if not 0 < len(pairs) <= MOST_EDGES:
        raise InputError(f"has {len(pairs)} edges: must have at least one, and at most {MOST_EDGES}")
    edges = np.array(pairs, dtype=np.int64)
    low, high = edges.min(axis=1), edges.max(axis=1)
    loops = np.flatnonzero(low == high)
    if len(loops):
        node = shown_node(int(low[loops[0]]))
        raise InputError(f"line {lines[loops[0]]} links node {node} to itself: must link two nodes")
    order = np.lexsort((high, low))  # stable: of equal edges the first line comes first
    again = order[1:][(low[order][1:] == low[order][:-1]) & (high[order][1:] == high[order][:-1])]
    if len(again):
        row = int(again.min())
        first = int(np.flatnonzero((low == low[row]) & (high == high[row]))[0])
        left, right = (shown_node(int(side[row])) for side in (low, high))
        raise InputError(
            f"line {lines[row]} links nodes {left} and {right}, as line {lines[first]} does: must give each edge once"
        )
    return edges
