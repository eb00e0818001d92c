"""`radmm solve --nodes FOLDER`: solve a setting whose nodes are spread over processes that MPI has started."""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from radmm.base.errors import InputError
from radmm.base.plugins import load_plugin
from radmm.command.parser import OK, UNUSABLE
from radmm.command.prepare import PreparedSetting
from radmm.command.ranks import ending_all, world
from radmm.command.setting_flags import written
from radmm.distributed.ranks import RefusedByAllError, first_nodes, together
from radmm.jobs.node_files import NodeFiles
from radmm.jobs.steps.solve import run_setting
from radmm.result import Result

Report = Callable[[argparse.Namespace, Result, PreparedSetting, float], int]


def add_nodes_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of a solve by several processes."""
    parser.add_argument(
        "--nodes",
        type=Path,
        metavar="FOLDER",
        help="folder that radmm partition wrote; each process that mpirun started reads the rows of its own nodes",
    )
    parser.add_argument(
        "--no-metrics",
        action="store_true",
        help="with --nodes: share no exact losses or iterates, so that nodes send released values only",
    )


def run_by_ranks(given: argparse.Namespace, report: Report) -> int:
    """Solve the setting in all processes; the first one prints the results and writes the files.

    Args:
        report: Function that prints and writes, and returns the exit code.
    """
    comm = world()
    with ending_all(comm):
        try:
            result, known, seconds = _solve(given, comm)
        except RefusedByAllError:
            if comm.rank:
                return UNUSABLE
            raise
        return report(given, result, known, seconds) if comm.rank == 0 else OK


def _solve(given: argparse.Namespace, comm: Any) -> tuple[Result, PreparedSetting, float]:
    with together(comm):
        _check_flags(given)
        for plugin in given.plugin:
            load_plugin(plugin)
        files = NodeFiles(given.nodes)
        start = first_nodes(comm.size, files.nodes)
        setting, network = files.setting, files.network
        problem = files.problem(range(*start[comm.rank : comm.rank + 2].tolist()))
        test, optimum = (None, None) if given.no_metrics else files.research()
    begin = time.monotonic()
    options = {"threads": given.threads, "comm": comm, "metrics": not given.no_metrics}
    result = run_setting(setting, problem, network, test=test, optimum=optimum, **options)
    facts, hashes = files.public["facts"], files.public["hashes"]
    known = PreparedSetting(facts["name"], setting, network, hashes, facts["columns"], facts["data"], facts["train"])
    return result, known, time.monotonic() - begin


def _check_flags(given: argparse.Namespace) -> None:
    """Refuse flags that describe a setting, which the folder has, and files that need metrics where there are none."""
    for name in (*written(given), *(name for name in ("setting", "config") if getattr(given, name))):
        raise InputError(f"--{name}: must be left out with --nodes: the folder already has the setting")
    for name in ("save_trace", "save_plot", "save_classifier") if given.no_metrics else ():
        if getattr(given, name):
            flag = name.replace("_", "-")
            raise InputError(f"--{flag}: must be left out with --no-metrics, as no process knows other nodes' values")
