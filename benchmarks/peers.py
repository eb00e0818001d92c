"""Solvers that users would otherwise pick, beside radmm: one argmin of one node, warm-started, to one gradient norm.

Solvers take turns. Each has the loosest tolerance of its own, as far as a short search finds it, with which all of its
argmins reach the norm. Ratios are of CPU seconds within a round, and medians over the rounds are told.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.argmin_cases import CASES, SMALL, write_case
from benchmarks.cases import ROOT
from benchmarks.own_solvers import KERNEL, OWN
from benchmarks.peer_solvers import PEERS

HERE = Path(__file__).parent
NORM = 1e-4  # the largest tolerance that radmm allows, near the least that L-BFGS in double precision reaches
ROUNDS, TRIES, SETTLING = 3, 6, 3
LONG = 10.0  # CPU seconds for the argmins of one run: who takes longer has one turn
ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("OPENBLAS", "OMP", "MKL")} | {
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
}
# Why a peer is not there.
REFUSED = {
    "glum": "has no softmax",
    "liblinear": "has no softmax; its several classes are one against the rest",
    "snapml": "has no softmax; its several classes are one against the rest",
}
# What a peer solves instead, or how it is helped to.
REMARKS = {
    "scikit-learn lbfgs": "the linear term as two rows of weights a and −a",
    "scikit-learn newton-cholesky": "the linear term as two rows of weights a and −a",
    "glum": "the linear term as an offset",
    "liblinear": "can't have a linear term: the problem without it, started as far away",
    "snapml": "can't have a linear term nor a start: the problem without it, from zero",
}
ONLY = {"liblinear": ("csr",), "JAX L-BFGS, ten runs at once": ("dense",)}  # forms of the rows
IN_THE_LOCK = ("SciPy L-BFGS", "scikit-learn lbfgs", "scikit-learn newton-cholesky")


def environment():
    """Return the Python of the peers' own environment, which is made anew where its requirements have changed."""
    wanted, folder = HERE / "requirements-peers.txt", ROOT / ".venv" / "peers"
    made = folder / wanted.name
    if not made.is_file() or made.read_bytes() != wanted.read_bytes():
        uv = Path(sys.executable).parent / "uv"
        python = folder / "bin" / "python"
        subprocess.run([uv, "venv", "--quiet", "--clear", "--python", sys.executable, folder], check=True)
        subprocess.run([uv, "pip", "install", "--quiet", "--python", python, "--requirement", wanted], check=True)
        shutil.copyfile(wanted, made)
    return folder / "bin" / "python"


class Process:
    """A process with several solvers of a case, which solves it on request."""

    def __init__(self, python, script, path):
        self._process = subprocess.Popen(
            [str(python), *script, str(path)], cwd=ROOT, env={**os.environ, **ONE_THREAD}, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def ask(self, *request):
        """Return CPU seconds of an argmin and the largest gradient norm, for a request to `peer_solvers.serve`."""
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError(f"no answer to {request}")
        return json.loads(answer)

    def end(self):
        self._process.communicate()


class Solver:
    """One solver in its process, with one form of the rows."""

    def __init__(self, name, process, form, scale):
        self.name, self.form, self._process = name, form, process
        self._exact = name in OWN or name.startswith("JAX")  # their tolerance is the norm itself
        # Others mostly mean the gradient of a mean over rows: the first guess.
        self.tolerance = NORM if self._exact else NORM / 2 if name.startswith("SciPy") else NORM / 2 / scale

    def ask(self, steps):
        return self._process.ask(self.name, self.form, self.tolerance, steps)

    def settle(self, steps):
        """Find about the loosest tolerance that reaches the norm at so many steps; return the seconds with it.

        A norm mostly grows with the tolerance in proportion, so a few tries suffice. The last may miss it: then the
        solver can't do better.
        """
        self.ask(1)  # to warm up: imports, and compilation
        tried = {}
        for _ in range(1 if self._exact else TRIES):
            tried[self.tolerance] = self.ask(steps)
            norm = tried[self.tolerance][1]
            if NORM / 4 <= norm <= NORM or not 1e-15 < self.tolerance < 1.0:
                break
            self.tolerance *= float(np.clip(0.6 * NORM / norm, 1e-3, 1e3))
        enough = [each for each, (_, norm) in tried.items() if norm <= NORM]
        self.tolerance = max(enough) if enough else min(tried, key=lambda each: tried[each][1])
        return tried[self.tolerance][0]


def peers(small=False):
    """Return, by data set and solver, milliseconds of an argmin, its ratio to the kernel's, and the norm that it
    reached.
    """
    python, names = (sys.executable, list(IN_THE_LOCK)) if small else (environment(), list(PEERS))
    table = {}
    with tempfile.TemporaryDirectory() as folder:
        for case, (data, rows, iterations, loss, forms) in (SMALL if small else CASES).items():
            path = Path(folder) / "case.npz"
            write_case(path, data(), rows, loss, iterations)
            able = [name for name in names if loss != "softmax" or name not in REFUSED]
            table[case] = one_case(path, able, python, forms, 1 if small else ROUNDS)
            table[case] |= {name: {"refused": REFUSED[name]} for name in names if name not in able}
    return table


def one_case(path, names, python, forms, rounds):
    """Settle the tolerances of all solvers, and then let them take turns.

    Args:
        path: Of the argmins.
        names: Of the peers.
        python: Of their environment.
        forms: In which they may have the rows; each gets the faster of them.
        rounds: How often each has its turn.
    """
    own = Process(sys.executable, ["-m", "benchmarks.own_solvers"], path)
    others = Process(python, [str(HERE / "peer_solvers.py")], path)
    with np.load(path) as case:
        steps, scale = len(case["ridge"]), float(case["weight"] * len(case["y"]))
    solvers = [settled(name, own, ("csr",), scale) for name in OWN]
    solvers += [settled(name, others, ONLY.get(name, forms), scale) for name in names]
    taken = {solver.name: [] for solver in solvers}
    for turn in range(rounds):
        for solver in solvers:
            before = taken[solver.name]
            if turn and before[0][0] * steps > LONG:
                continue
            found = solver.ask(steps)
            if turn == 0 and found[1] > NORM:  # later steps were harder than those it was settled with
                solver.settle(steps)
                found = solver.ask(steps)
            before.append(found)
    for process in (own, others):
        process.end()
    kernel = np.array([seconds for seconds, _ in taken[KERNEL]])
    return {solver.name: row(taken[solver.name], kernel, solver.form) for solver in solvers}


def row(taken, kernel, form):
    """Return medians of one solver over its rounds, beside the kernel's seconds in all rounds."""
    seconds = np.array([seconds for seconds, _ in taken])
    return {
        "milliseconds": 1e3 * float(np.median(seconds)),
        "times the kernel's": float(np.median(seconds / kernel[: len(seconds)])),
        "gradient norm": max(norm for _, norm in taken),
        "rows": form,
        "rounds": len(taken),
    }


def settled(name, process, forms, scale):
    """Return the solver with its tolerance, in the form of the rows that it is faster with."""
    return min((Solver(name, process, form, scale) for form in forms), key=lambda solver: solver.settle(SETTLING))
