"""Topology from the user's own file."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

from radmm.base.arrays import Integers
from radmm.base.errors import about
from radmm.base.regular_files import read_regular
from radmm.data.graph_files import read_edge_list, read_graphml
from radmm.data.topology import Topology

MOST_BYTES = 100_000_000  # as many as the lines of the most edges that a network may have


@dataclass(frozen=True)
class EdgeFile(Topology):
    """The user's own network, from a file on this machine, which may be gzipped.

    Args:
        path: An edge list, two node numbers a line, counted from 0, where # starts a comment; or GraphML if its name
            ends in .graphml or .graphml.gz, with nodes numbered in the order in which it names them.
    """

    name: ClassVar[str] = "file"

    path: str

    def edges(self) -> Integers:
        with about(f"network.path = {self.path}"):
            return _read(self.path, *_version(self.path))

    def size(self) -> tuple[int, float]:
        edges = self.edges()
        return int(edges.max()) + 1, len(edges)


def _version(path: str) -> tuple[int, int]:
    """Return modification time and size, by which a change of the file is noticed."""
    try:
        found = Path(path).stat()
    except (OSError, ValueError):  # reading it will say why
        return 0, 0
    return found.st_mtime_ns, found.st_size


@lru_cache(maxsize=16)
def _read(path: str, _changed: int, _size: int) -> Integers:
    content = read_regular(path, MOST_BYTES)
    is_graphml = path.removesuffix(".gz").endswith(".graphml")
    pairs = read_graphml(content) if is_graphml else read_edge_list(content)
    pairs.setflags(write=False)  # all who ask get the same
    return pairs
