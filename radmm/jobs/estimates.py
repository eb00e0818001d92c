"""What a setting costs, roughly: known before it runs, so that settings can be put into jobs of a sensible size."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from radmm.study.settings import Parameters

# Seconds of one core and megabytes, as measured on Adult with the compiled kernel; docs/cluster.md compares them with
# what jobs really took. Only their order of magnitude matters: batches are cut by them, and a limit has room to spare.
PROCESS_SECONDS = 1.0  # starting, and reading the data
_SETTING = 0.1  # the centralised optimum, writing a trace
_ROW, _ROW_RUN = 1e-7, 7e-8  # of each data-touching iteration
_NODE_RUN = 3e-5  # likewise
_EDGE_RUN = 1.2e-7  # of each iteration
_PROCESS_MB = 150  # interpreter, libraries, the data set
_ROW_KB, _NODE_KB, _NODE_RUN_KB = 1.5, 250, 15
_FEATURES = 105  # a node with fewer rows has matrices of that many instead, see small.py
# Tables and the claims: each noise is accounted for; statistics have a row for each metric of each iteration.
_TABLE_SETTING, _TABLE_NOISE = 0.1, 0.7
_TABLE_MB, _TABLE_ITERATION_KB = 300, 4


def estimated_seconds(setting: Parameters) -> float:
    rows, runs, iterations = setting["split"]["train"], setting["runs"], setting["iterations"]
    nodes, edges = network_size(setting["network"])
    recycled = setting["algorithm"]["name"] in ("r-admm", "mr-admm")
    touching = (iterations + 1) // 2 if recycled else iterations
    node_run = _NODE_RUN * _matrix_share(rows, nodes)
    solving = touching * (rows * (_ROW + _ROW_RUN * runs) + nodes * runs * node_run)
    return float(_SETTING + solving + iterations * edges * runs * _EDGE_RUN)


def estimated_megabytes(settings: Iterable[Parameters]) -> float:
    """The peak of a process that works off settings one after the other: that of the largest."""
    return _PROCESS_MB + max(_kilobytes(setting) for setting in settings) / 1024


def table_seconds(settings: Iterable[Parameters]) -> float:
    return float(sum(_TABLE_SETTING + (_TABLE_NOISE if setting["noise"] else 0.0) for setting in settings))


def table_megabytes(settings: Iterable[Parameters]) -> float:
    return float(_TABLE_MB + sum((setting["iterations"] + 1) * _TABLE_ITERATION_KB for setting in settings) / 1024)


def _kilobytes(setting: Parameters) -> float:
    rows, (nodes, _) = setting["split"]["train"], network_size(setting["network"])
    node = _NODE_KB * _matrix_share(rows, nodes)
    return float(rows * _ROW_KB + nodes * (node + setting["runs"] * _NODE_RUN_KB))


def _matrix_share(rows: int, nodes: int) -> float:
    """The size of a node's matrices, as a share of the largest."""
    return min(1.0, rows / (nodes * _FEATURES)) ** 2


def network_size(network: dict[str, Any]) -> tuple[int, float]:
    """Nodes and edges; as many edges as are to be expected where they are random."""
    match network:
        case {"law": "file", "path": path}:
            ends = [int(node) for node in Path(path).read_text(encoding="utf-8").split()]
            return 1 + max(ends), len(ends) / 2
        case {"law": "grid", "rows": rows, "columns": columns}:
            return rows * columns, 2 * rows * columns
        case {"law": "small-world", "nodes": nodes, "neighbours": neighbours}:
            return nodes, nodes * neighbours / 2
        case {"law": "complete", "nodes": nodes}:
            return nodes, nodes**2 / 2
        case {"law": "erdos-renyi", "nodes": nodes, "probability": probability}:
            return nodes, probability * nodes**2 / 2
    return network["nodes"], network["nodes"]
