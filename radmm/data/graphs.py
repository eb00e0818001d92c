"""Networks made from a law, or read from an edge list."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np

from radmm.base.arrays import Integers
from radmm.base.errors import InputError
from radmm.base.seeds import Purpose, generator

ATTEMPTS = 10_000


def make_edges(law: str, **options: Any) -> Integers:
    """The (edges, 2) array of node pairs that a setting's network section describes."""
    if law == "file":
        return read_edges(**options)
    return np.array(sorted(MAKERS[law](**options).edges), dtype=np.int64)


def erdos_renyi(nodes: int, probability: float, seed: int) -> "nx.Graph[int]":
    """Each pair is linked with the given probability; graphs are drawn until one is connected."""
    source = generator(seed, Purpose.GRAPH)
    return _connected(lambda: nx.fast_gnp_random_graph(nodes, probability, seed=source), nodes, probability)


def _connected(draw: Callable[[], "nx.Graph[int]"], nodes: int, probability: float) -> "nx.Graph[int]":
    for _ in range(ATTEMPTS):
        graph = draw()
        if nx.is_connected(graph):
            return graph
    raise InputError(
        f"network.probability = {probability:g}: none of {ATTEMPTS} random graphs on {nodes} nodes was connected; "
        "there must be more links"
    )


def small_world(nodes: int, neighbours: int, probability: float, seed: int) -> "nx.Graph[int]":
    """Watts and Strogatz: a ring of neighbourhoods, links rewired with the given probability; until connected."""
    source = generator(seed, Purpose.GRAPH)
    return _connected(lambda: nx.watts_strogatz_graph(nodes, neighbours, probability, seed=source), nodes, probability)


def grid(rows: int, columns: int) -> "nx.Graph[int]":
    return nx.convert_node_labels_to_integers(nx.grid_2d_graph(rows, columns), ordering="sorted")


MAKERS: dict[str, Callable[..., "nx.Graph[int]"]] = {
    "erdos-renyi": erdos_renyi,
    "small-world": small_world,
    "grid": grid,
    "ring": lambda nodes: nx.cycle_graph(nodes),
    "star": lambda nodes: nx.star_graph(nodes - 1),  # whose argument counts the leaves
    "path": lambda nodes: nx.path_graph(nodes),
    "complete": lambda nodes: nx.complete_graph(nodes),
}


def read_edges(path: str | Path) -> Integers:
    """One edge a line: two node numbers, counted from 0; # starts a comment."""
    try:
        edges = np.loadtxt(path, dtype=np.int64, ndmin=2)
    except (OSError, ValueError) as error:
        raise InputError(f"network.path = {path}: {error}") from None
    if not edges.size or edges.shape[1] != 2 or edges.min() < 0:
        raise InputError(f"network.path = {path}: must hold two node numbers (0, 1, …) on each line")
    if edges.min() > 0:
        raise InputError(f"network.path = {path}: node numbers start at {edges.min()}, but must be counted from 0")
    ordered = np.sort(edges, axis=1)
    pairs, count = np.unique(ordered, axis=0, return_counts=True)
    wrong = [*pairs[count > 1], *ordered[ordered[:, 0] == ordered[:, 1]]]
    if wrong:
        raise InputError(
            f"network.path = {path}: the line {wrong[0][0]} {wrong[0][1]} must not stand there, or not twice"
        )
    return edges
