"""Run one setting, all its runs together, and write its trace."""

import json
import platform
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from radmm.arrays import Integers
from radmm.data import DataSet, make_problem, read_features, read_split
from radmm.digest import code_digest
from radmm.network import Network
from radmm.optimum import centralised_optimum
from radmm.setting import build_algorithm, build_noise, setting_id
from radmm.solve import Progress
from radmm.solve import solve as solve_problem
from radmm.split import Split
from radmm.steps.command import run, say
from radmm.store import content_hash, write_parquet
from radmm.trace import Result


def solve(setting: dict[str, Any], features: Path, split: Path, network: Path, output: Path) -> None:
    data, parts, edges = read_features(features), read_split(split), read_network(network)
    result, seconds = solve_setting(setting, data, parts, Network.from_edges(edges), _report)
    say(f"solved in {seconds:.3f} CPU seconds")
    metadata = {
        "id": setting_id(setting),
        "setting": setting,
        "hashes": {"data": data.hash, "split": content_hash(parts.train, parts.test), "network": content_hash(edges)},
        "status": [vars(status) for status in result.status],
        "versions": {"python": platform.python_version(), **{name: version(name) for name in ("numpy", "scipy")}},
        "code": code_digest(__spec__.name),
    }
    write_parquet(output, result.columns, metadata)
    for status in result.status:
        if status.reason:
            say(f"run {status.run} {status.status}: {status.reason}")


def solve_setting(
    setting: dict[str, Any], data: DataSet, parts: Split, network: Network, progress: Progress | None = None
) -> tuple[Result, float]:
    """The setting's result, and the CPU seconds of its iterations."""
    problem = make_problem(data, parts, network.nodes, **setting["problem"])
    optimum = centralised_optimum(problem)
    begin = time.process_time()
    result = solve_problem(
        problem,
        network,
        build_algorithm(setting),
        noise=build_noise(setting),
        iterations=setting["iterations"],
        runs=setting["runs"],
        seed=setting["seed"],
        initial_scale=setting["initial_scale"],
        test=(data.features[parts.test], data.labels[parts.test]),
        optimum=optimum,
        progress=progress,
    )
    return result, time.process_time() - begin


def read_network(path: Path) -> Integers:
    return np.loadtxt(path, dtype=np.int64, ndmin=2)


def _report(done: int, iterations: int) -> None:
    if done % max(1, iterations // 10) == 0 or done == iterations:
        say(f"iteration {done} of {iterations}")


if __name__ == "__main__":
    run(solve, __doc__, setting=json.loads, features=Path, split=Path, network=Path, output=Path)
