"""Networks made from a law, or read from an edge list."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np

from radmm.arrays import Integers
from radmm.errors import InputError
from radmm.seeds import Purpose, generator

ATTEMPTS = 10_000


def make_edges(law: str, **options: Any) -> Integers:
    """The (edges, 2) array of node pairs that a setting's network section describes."""
    makers: dict[str, Callable[..., Integers]] = {"erdos-renyi": erdos_renyi, "file": read_edges}
    return makers[law](**options)


def erdos_renyi(nodes: int, probability: float, seed: int) -> Integers:
    """Each pair is linked with the given probability; graphs are drawn until one is connected."""
    source = generator(seed, Purpose.GRAPH)
    for _ in range(ATTEMPTS):
        graph = nx.fast_gnp_random_graph(nodes, probability, seed=source)
        if nx.is_connected(graph):
            return np.array(sorted(graph.edges), dtype=np.int64)
    raise InputError(
        f"network.probability = {probability:g}: none of {ATTEMPTS} random graphs on {nodes} nodes was connected; "
        "it must be larger"
    )


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
