"""What a setting costs, roughly: known before it runs, so that settings can be put into jobs of a sensible size."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from radmm.setting import Parameters

# Seconds of one core and megabytes, as measured on Adult with the compiled kernel; docs/cluster.md compares them with
# what jobs really took. Only their order of magnitude matters: batches are cut by them, and a limit has room to spare.
_SETTING = 0.1  # reading rows, writing a trace
_ROW, _ROW_RUN = 1e-7, 7e-8  # of each data-touching iteration
_NODE_RUN = 1.6e-5
_PROCESS_MB = 250  # interpreter, libraries, the data set
_ROW_KB, _NODE_KB, _NODE_RUN_KB = 1.5, 100, 40


def estimated_seconds(setting: Parameters) -> float:
    rows, runs, nodes = setting["split"]["train"], setting["runs"], _nodes(setting["network"])
    recycled = setting["algorithm"]["name"] in ("r-admm", "mr-admm")
    touching = (setting["iterations"] + 1) // 2 if recycled else setting["iterations"]
    return float(_SETTING + touching * (rows * (_ROW + _ROW_RUN * runs) + nodes * runs * _NODE_RUN))


def estimated_megabytes(settings: Iterable[Parameters]) -> float:
    """The peak of a process that works off settings one after the other: that of the largest."""
    return _PROCESS_MB + max(_kilobytes(setting) for setting in settings) / 1024


def _kilobytes(setting: Parameters) -> float:
    nodes = _nodes(setting["network"])
    return float(setting["split"]["train"] * _ROW_KB + nodes * (_NODE_KB + setting["runs"] * _NODE_RUN_KB))


def _nodes(network: dict[str, Any]) -> int:
    if network["law"] == "grid":
        return int(network["rows"] * network["columns"])
    if network["law"] == "file":
        return 1 + max(int(node) for node in Path(network["path"]).read_text(encoding="utf-8").split())
    return int(network["nodes"])
