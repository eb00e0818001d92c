"""One setting on two threads, against two processes that solve it at the same time on one thread each.

Both keep two cores busy, whatever else the machine does, so in turns they show what threads lose by waiting for each
other: the throughput of one process with two threads over that of two processes.
"""

import json
import os
import subprocess
import sys

import numpy as np

from benchmarks.cases import ROOT

# Rows like Adult's, so many times 40,000 of them, over so many nodes, for so many iterations.
CASES = {"4,000,000 rows, N = 5": (100, 5, 4), "4,000,000 rows, N = 1000": (100, 1000, 4), "N = 1000": (1, 1000, 50)}
SMALL = {"N = 5": (1, 5, 2)}
THREADS, REPEATS = 2, 5
# What a process does for each line, which is a number of threads: it tells wall and CPU seconds, and the loss's bytes.
WORKER = """
import hashlib, json, sys, time
import radmm
from benchmarks.cases import Settings, adult_problem, load_adult, ring_with_chords, tiled
copies, nodes, iterations = json.loads(sys.argv[1])
problem, test = adult_problem(load_adult(), nodes)
problem = tiled(problem, copies) if copies > 1 else problem
network, settings = radmm.Network.from_edges(ring_with_chords(nodes)), Settings(C=problem.C)
options = {"noise": settings.noise, "test": test}
radmm.solve(problem, network, settings.algorithm, iterations=1, **options)  # which lays out the rows
print("ready", flush=True)
for line in sys.stdin:
    begin, used = time.monotonic(), time.process_time()
    result = radmm.solve(problem, network, settings.algorithm, iterations=iterations, threads=int(line), **options)
    taken = time.monotonic() - begin, time.process_time() - used
    print(json.dumps([*taken, hashlib.sha256(result.columns["loss"].tobytes()).hexdigest()]), flush=True)
"""


class Process:
    """A process that solves a case with the number of threads that it is told."""

    def __init__(self, case):
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        command = [sys.executable, "-c", WORKER, json.dumps(case)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self._process = subprocess.Popen(command, cwd=ROOT, env=environment, **pipes)

    def wait_until_ready(self):
        self._process.stdout.readline()

    def begin(self, threads):
        self._process.stdin.write(f"{threads}\n")
        self._process.stdin.flush()

    def outcome(self):
        """(wall seconds, CPU seconds, digest of the losses)"""
        return json.loads(self._process.stdout.readline())

    def end(self):
        self._process.communicate()


def threads(small=False):
    """For each case medians of wall seconds, and of the ratio of throughputs."""
    return {name: one_case(case, 1 if small else REPEATS) for name, case in (SMALL if small else CASES).items()}


def one_case(case, repeats):
    processes = [Process(case) for _ in range(2)]
    for process in processes:
        process.wait_until_ready()
    alone, shared, digests = [], [], set()
    for _ in range(repeats):
        for process in processes:
            process.begin(1)
        both = [process.outcome() for process in processes]
        processes[0].begin(THREADS)
        together = processes[0].outcome()
        alone.append(np.mean([wall for wall, _, _ in both]))
        shared.append(together[0])
        digests |= {digest for _, _, digest in (*both, together)}
    for process in processes:
        process.end()
    return {
        "two processes, wall seconds for each solve": float(np.median(alone)),
        "one process, two threads": float(np.median(shared)),
        "throughput of threads over that of processes": float(np.median(np.array(alone) / (2 * np.array(shared)))),
        "the same bytes": len(digests) == 1,
    }
