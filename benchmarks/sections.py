"""Time and memory of whole solves: the settings of Figure 5 on three networks, and growth along each axis.

Times are CPU seconds of one thread, the minimum of interleaved repeats; `spread` is the maximum less the minimum.
"""

import json
import resource
import subprocess
import sys
from dataclasses import asdict, replace
from functools import partial

import numpy as np

import radmm
from benchmarks.cases import (
    ROOT,
    Settings,
    adult_problem,
    cpu_seconds,
    interleaved,
    load_adult,
    ring_with_chords,
    tiled,
)

FULL = {
    "nodes": (5, 20, 1000), "repeats": 3, "rows": 40_000, "iterations": 50, "runs": 10,
    "growth": {
        "runs": (1, 10, 100),
        "rows": (40_000, 400_000, 4_000_000),
        "nodes": (5, 100, 1_000, 10_000),
        "features": (10, 100, 1_000),
    },
}  # fmt: skip
SMALL = {
    "nodes": (5,), "repeats": 1, "rows": 2_000, "iterations": 6, "runs": 3,
    "growth": {"rows": (2_000, 4_000), "features": (10, 20)},  # each point is a process of its own
}  # fmt: skip


def settings(data, size):
    """Return the CPU seconds of a setting of Figure 5: ten private runs with loss and test error at every iteration."""
    works = {}
    for nodes in size["nodes"]:
        problem, test = adult_problem(data, nodes, size["rows"])
        chosen = Settings(iterations=size["iterations"], runs=size["runs"], C=problem.C)
        network = radmm.Network.from_edges(ring_with_chords(nodes))
        works[f"N = {nodes}"] = partial(solve_or_fail, problem, network, chosen, test)
    times = interleaved(works.items(), size["repeats"])
    return {
        name: {
            "seconds": least,
            "spread": spread,
            "gradient norm": float(np.nanmax(result.columns["residual"])),
        }
        for name, (least, spread, result) in times.items()
    }


def solve_or_fail(problem, network, settings, test=None):
    """Solve a setting, and fail if a run did not converge, as it must not be timed then."""
    result = radmm.solve(
        problem, network, settings.algorithm, noise=settings.noise, iterations=settings.iterations, runs=settings.runs,
        seed=settings.seed, test=test,
    )  # fmt: skip
    failed = [status.reason for status in result.status if status.reason]
    if failed:
        raise RuntimeError(failed[0])
    return result


def growth(size):
    """Measure time and peak memory as one size grows, each in a process of its own; the exponent is of the largest
    step.
    """
    small = size is SMALL
    table = {}
    for axis, values in size["growth"].items():
        rows = [point(axis, value, small) for value in values]
        last, before = rows[-1], rows[-2]
        steps = np.log(values[-1] / values[-2])
        exponent = float(np.log(last["seconds"] / before["seconds"]) / steps)
        table[axis] = {"points": rows, "exponent of time": exponent}
    return table


def point(axis, value, small=False):
    """Measure one point of `growth` in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.growth", axis, str(value), *(["--small"] if small else [])]
    outcome = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return {axis: value, **json.loads(outcome.stdout.splitlines()[-1])}  # a download may be told before it


def grow(axis, value, small):
    """Measure one point of `growth`: what a setting of that size takes, all else as in Figure 5."""
    size = SMALL if small else FULL
    settings = Settings(iterations=min(10, size["iterations"]), runs=value if axis == "runs" else size["runs"])
    nodes = value if axis == "nodes" else 5
    if axis == "features":
        problem, test = _dense_problem(size["rows"], value), None
    else:
        problem, test = adult_problem(load_adult(), nodes, size["rows"])
        problem = tiled(problem, value // size["rows"]) if axis == "rows" else problem
    network = radmm.Network.from_edges(ring_with_chords(nodes))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds, _ = cpu_seconds(lambda: solve_or_fail(problem, network, replace(settings, C=problem.C), test))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    edges = int(network.degrees.sum()) // 2
    work = settings.runs * problem.rows.shape[0] * settings.iterations
    return {
        "seconds": seconds,
        "microseconds for each run, row and iteration": 1e6 * seconds / work,
        "peak memory in MB": peak / 1024,
        "of which the solve added": (peak - before) / 1024,
        "edges": edges,
    }


def _dense_problem(rows, dimension):
    rng = np.random.default_rng(0)
    features = rng.standard_normal((rows, dimension)) / np.sqrt(dimension)
    features /= np.maximum(1, np.linalg.norm(features, axis=1))[:, None]
    labels = np.where(features @ rng.standard_normal(dimension) > 0, 1, -1)
    return radmm.Problem(features, labels, np.arange(rows) % 5, C=min(1750.0, rows // 5), rho=0.22)


def settings_used(size):
    return {**asdict(Settings(iterations=size["iterations"], runs=size["runs"])), "rows": size["rows"]}
