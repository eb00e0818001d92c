"""Run one setting, all its runs together, and write its trace."""

import json
import platform
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from radmm.data import make_problem, read_features, read_split
from radmm.digest import code_digest
from radmm.network import Network
from radmm.optimum import centralised_optimum
from radmm.setting import build_algorithm, build_noise, setting_id
from radmm.solve import solve as solve_problem
from radmm.steps.command import run, say
from radmm.store import content_hash, write_parquet


def solve(setting: dict[str, Any], features: Path, split: Path, network: Path, output: Path) -> None:
    data, parts, edges = read_features(features), read_split(split), np.loadtxt(network, dtype=np.int64, ndmin=2)
    built = Network.from_edges(edges)
    problem = make_problem(data, parts, built.nodes, **setting["problem"])
    optimum = centralised_optimum(problem)
    begin = time.process_time()
    result = solve_problem(
        problem,
        built,
        build_algorithm(setting),
        noise=build_noise(setting),
        iterations=setting["iterations"],
        runs=setting["runs"],
        seed=setting["seed"],
        initial_scale=setting["initial_scale"],
        test=(data.features[parts.test], data.labels[parts.test]),
        optimum=optimum,
        progress=_report,
    )
    say(f"solved in {time.process_time() - begin:.3f} CPU seconds")
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


def _report(done: int, iterations: int) -> None:
    if done % max(1, iterations // 10) == 0 or done == iterations:
        say(f"iteration {done} of {iterations}")


if __name__ == "__main__":
    run(solve, __doc__, setting=json.loads, features=Path, split=Path, network=Path, output=Path)
