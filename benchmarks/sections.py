"""What is measured: one function for each section of the report, each returning plain values.

Times are CPU seconds of one thread, the minimum of interleaved repeats; `spread` is the maximum less the minimum.
"""

import json
import resource
import subprocess
import sys
from dataclasses import asdict, replace
from functools import partial
from unittest import mock

import numpy as np
from sklearn.linear_model import LogisticRegression

import radmm
from benchmarks import baseline, peers
from benchmarks.cases import (
    ROOT,
    Settings,
    adult_problem,
    cpu_seconds,
    interleaved,
    load_adult,
    neighbours_of,
    ring_with_chords,
    tiled,
)
from radmm.argmin import kernel
from radmm.argmin.engine_choice import engine_for
from radmm.argmin.preconditioner import from_hessian
from radmm.model.public_facts import TOLERANCE

EQUAL = 5e-5  # the gradient norm that SciPy ends with at N = 5
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


def by_hand(data, size):
    """Ten private MR-ADMM runs against SciPy's L-BFGS-B for each node and run, on dense and on CSR blocks."""
    return {f"N = {nodes}": _one_network(data, size, nodes) for nodes in size["nodes"]}


def _one_network(data, size, nodes):
    settings = Settings(iterations=size["iterations"], runs=size["runs"])
    problem, test = adult_problem(data, nodes, size["rows"])
    settings = replace(settings, C=problem.C)
    network = radmm.Network.from_edges(ring_with_chords(nodes))
    near, signed = neighbours_of(network), test[0].toarray() * test[1][:, None]
    # Runs are independent for the baseline, so on large networks one of them is timed and multiplied.
    timed = range(settings.runs) if nodes < 100 else range(1)
    ours = "radmm", lambda: _solve(problem, network, settings, test)
    loose = "loose", lambda: _solve(problem, network, settings, test, tolerance=EQUAL)
    works = []
    for name, dense in (("dense", True), ("csr", False)):
        blocks = baseline.node_rows(problem, dense)
        hand = partial(baseline.mr_admm, blocks, near, signed, settings, 1e-5, timed)
        works += [ours, loose, ours, loose, (name, hand)]
    repeats = size["repeats"] if nodes < 20 else min(size["repeats"], 2)
    cpu_seconds(ours[1])  # once to warm up
    times = interleaved(works, repeats)
    exact = _losses(_solve(problem, network, settings, test, tolerance=1e-11), settings)
    result = times["radmm"][2]
    row = {"radmm": _timing(times["radmm"]), "largest gradient norm": float(np.nanmax(result.columns["residual"]))}
    row["largest loss error"] = float(np.abs(_losses(result, settings) - exact).max())
    alike = times["loose"][2]
    row["equal accuracy"] = {
        **_timing(times["loose"]),
        "largest gradient norm": float(np.nanmax(alike.columns["residual"])),
        "largest loss error": float(np.abs(_losses(alike, settings) - exact).max()),
    }
    for name in ("dense", "csr"):
        factor = settings.runs / len(timed)
        least, spread, outcome = times[name]
        row[name] = {
            **_timing((least * factor, spread * factor, None)),
            "ratio": least * factor / times["radmm"][0],
            "ratio at equal accuracy": least * factor / times["loose"][0],
            "largest gradient norm": float(outcome.largest_gradient),
            "largest loss error": float(np.abs(outcome.losses - exact[: len(timed)]).max()),
            "passes for each argmin": outcome.passes / len(timed) / nodes / ((settings.iterations + 1) // 2),
            "runs timed": len(timed),
        }
    return row


def by_jax(data, size):
    """The same on five nodes by JAX, compiled before and counted without; None where JAX is not installed."""
    if not peers.available():
        print(peers.MISSING)
        return None
    settings = Settings(iterations=size["iterations"], runs=size["runs"])
    problem, test = adult_problem(data, 5, size["rows"])
    settings = replace(settings, C=problem.C)
    network = radmm.Network.from_edges(ring_with_chords(5))
    blocks = np.stack(baseline.node_rows(problem, True))
    argmin = peers.make_argmin(blocks, settings.C / blocks.shape[1], 1e-5)
    work = partial(peers.mr_admm, argmin, blocks, neighbours_of(network), test[0].toarray() * test[1][:, None])
    begin, _ = cpu_seconds(lambda: work(replace(settings, iterations=1)))
    seconds, outcome = cpu_seconds(lambda: work(settings))
    exact = _losses(_solve(problem, network, settings, test, tolerance=1e-11), settings)
    ours = min(cpu_seconds(lambda: _solve(problem, network, settings, test, tolerance=EQUAL))[0] for _ in range(3))
    return {
        "JAX": seconds,
        "JAX, one odd iteration with compiling": begin,
        f"radmm, tolerance {EQUAL:g}": ours,
        "ratio": seconds / ours,
        "largest gradient norm, JAX": outcome.largest_gradient,
        "largest loss error, JAX": float(np.abs(outcome.losses - exact).max()),
    }


def _solve(problem, network, settings, test=None, tolerance=TOLERANCE, algorithm=None, noise=...):
    options = {"noise": settings.noise if noise is ... else noise, "iterations": settings.iterations}
    options |= {"runs": settings.runs, "seed": settings.seed, "test": test, "tolerance": tolerance}
    result = radmm.solve(problem, network, algorithm or settings.algorithm, **options)
    failed = [status.reason for status in result.status if status.reason]
    if failed:
        raise RuntimeError(failed[0])  # what did not converge must not be timed
    return result


def _losses(result, settings):
    return result.columns["loss"].reshape(settings.runs, settings.iterations + 1)


def _timing(measured):
    return {"seconds": measured[0], "spread": measured[1]}


def against_the_limit(data, size):
    """The time over that of two fused passes for each odd iteration, and the passes that were really taken."""
    settings = Settings(iterations=size["iterations"], runs=size["runs"])
    problem, test = adult_problem(data, 5, size["rows"])
    network = radmm.Network.from_edges(ring_with_chords(5))
    engine = engine_for(problem)
    counted = []
    original = type(engine).minimise

    def counting(self, *arguments):
        solution = original(self, *arguments)
        counted.append(solution.passes)
        return solution

    type(engine).minimise = counting
    _solve(problem, network, settings, test)
    type(engine).minimise = original
    point = np.random.default_rng(0).standard_normal((5, problem.dimension, settings.runs))
    curvature = np.full(5, 2.0)
    identity = from_hessian(np.zeros((5, problem.dimension, problem.dimension)), curvature)
    before, kernel.MAX_PASSES = kernel.MAX_PASSES, 1
    works = {
        "solve": lambda: _solve(problem, network, settings, test),
        "ten fused passes": lambda: [engine.minimise(point, curvature, point, identity, 0.0) for _ in range(10)],
    }
    times = {name: [] for name in works}
    for _ in range(15 * size["repeats"]):  # short, and its minimum is what counts
        for name, work in works.items():
            kernel.MAX_PASSES = before if name == "solve" else 1
            times[name].append(cpu_seconds(work)[0])
    kernel.MAX_PASSES = before
    odd = (settings.iterations + 1) // 2
    limit = min(times["ten fused passes"]) / 10 * 2 * odd
    passes = np.array(counted)
    return {
        "solve": {"seconds": min(times["solve"]), "spread": max(times["solve"]) - min(times["solve"])},
        "two fused passes for each odd iteration": {"seconds": limit},
        "ratio": min(times["solve"]) / limit,
        "passes for each odd iteration, mean over nodes and runs": float(passes.mean()),
        "passes for each odd iteration, slowest run of a node": float(passes.max(axis=2).mean()),
    }


def against_scikit_learn(data, size):
    """How many centralised fits does a whole experiment of ten ADMM runs cost?"""
    settings = Settings(iterations=size["iterations"], runs=size["runs"])
    problem, test = adult_problem(data, 5, size["rows"])
    network = radmm.Network.from_edges(ring_with_chords(5))
    labels = np.where(np.arange(problem.rows.shape[0]) % 2, 1, -1)  # y·x is all that matters: signs both ways, evenly
    features = problem.rows.multiply(labels[:, None]).tocsr()
    strength = problem.row_weights[0] / problem.rho
    works = {
        "ten ADMM runs, not private": lambda: _solve(
            problem, network, settings, test, algorithm=radmm.ADMM(1.0), noise=None
        ),
        "ten ADMM runs, α = 1": lambda: _solve(problem, network, settings, test, algorithm=radmm.ADMM(1.0)),
    }
    for solver in ("lbfgs", "newton-cholesky"):
        model = LogisticRegression(C=strength, fit_intercept=False, tol=1e-8, max_iter=10_000, solver=solver)
        works[f"scikit-learn, {solver}"] = lambda model=model: model.fit(features, labels)
    times = interleaved(works.items(), size["repeats"])
    table = {name: _timing(measured) for name, measured in times.items()}
    for name in list(works)[:2]:
        for fit in list(works)[2:]:
            table[name][f"in fits of {fit}"] = times[name][0] / times[fit][0]
    return table


def _kinds(data, size):
    """ADMM and R-ADMM with and without noise, as {name: what solves it}."""
    settings = Settings(iterations=size["iterations"], runs=size["runs"])
    problem, test = adult_problem(data, 5, size["rows"])
    network = radmm.Network.from_edges(ring_with_chords(5))
    return {
        f"{name}, {kind}": partial(_solve, problem, network, settings, test, algorithm=algorithm, noise=noise)
        for kind, noise in (("α = 1", settings.noise), ("not private", None))
        for name, algorithm in (("ADMM", radmm.ADMM(1.0)), ("R-ADMM", radmm.RADMM(1.0, gamma=0.5)))
    }


def recycling(data, size):
    """R-ADMM against ADMM for as many iterations: the paper says half the computation."""
    times = interleaved(_kinds(data, size).items(), size["repeats"])
    table = {name: _timing(measured) for name, measured in times.items()}
    for kind in ("α = 1", "not private"):
        table[f"ratio, {kind}"] = times[f"R-ADMM, {kind}"][0] / times[f"ADMM, {kind}"][0]
    return table


def averages(data, size):
    """What loss and test error of averaged iterates cost: with them, over the same without."""

    def without(work):
        with mock.patch("radmm.recorder.next_average", lambda _average, primal, _iteration: primal):
            return work()

    works = _kinds(data, size)
    pairs = works | {f"{name}, without": partial(without, work) for name, work in works.items()}
    times = interleaved(pairs.items(), 3 * size["repeats"])
    return {name: times[name][0] / times[f"{name}, without"][0] for name in works}


def growth(size):
    """Time and peak memory as one size grows, each in a process of its own; the exponent is of the largest step."""
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
    """One point of `growth`, in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.growth", axis, str(value), *(["--small"] if small else [])]
    outcome = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return {axis: value, **json.loads(outcome.stdout)}


def grow(axis, value, small):
    """One point of `growth`: what a setting of that size takes, all else as in Figure 5."""
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
    seconds, _ = cpu_seconds(lambda: _solve(problem, network, replace(settings, C=problem.C), test))
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
