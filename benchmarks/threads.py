"""Compare one setting on two threads with two processes that solve it at the same time on one thread each.

Taken in turns, they show what threads lose by waiting for each other: the throughput of one process with two threads
over that of two processes. It needs a machine with two idle cores. On one that others load, a thread that waits costs
nothing, as the other then gets its share; there the share of CPU seconds that only one thread can spend says more.
"""

import json
import os
import subprocess
import sys

import numpy as np

from benchmarks.cases import ROOT

# Rows like Adult's, so many times 40,000 of them, over so many nodes, for so many iterations.
CASES = {
    "4,000,000 rows, N = 5": (100, 5, 4),
    "4,000,000 rows, N = 1000": (100, 1000, 4),
    "40,000 rows, N = 1000": (1, 1000, 20),
}
SMALL = {"N = 5": (1, 5, 2)}
THREADS, REPEATS = 2, 3
# What a process does for each line, which is a number of threads: it tells wall seconds, the share of CPU seconds
# outside of what is shared out, and a digest of the losses.
WORKER = """
import hashlib, json, sys, time
import radmm
from benchmarks.cases import Settings, adult_problem, load_adult, ring_with_chords, tiled
from radmm.argmin import kernel, preconditioner
shared = 0.0
def timed(work):
    def wrapped(*arguments):
        global shared
        begin = time.thread_time()
        outcome = work(*arguments)
        shared += time.thread_time() - begin
        return outcome
    return wrapped
kernel.CompiledEngine._call = timed(kernel.CompiledEngine._call)
preconditioner.in_threads = timed(preconditioner.in_threads)
copies, nodes, iterations = json.loads(sys.argv[1])
problem, test = adult_problem(load_adult(), nodes)
problem = tiled(problem, copies) if copies > 1 else problem
network, settings = radmm.Network.from_edges(ring_with_chords(nodes)), Settings(C=problem.C)
options = {"noise": settings.noise, "test": test}
radmm.solve(problem, network, settings.algorithm, iterations=1, **options)  # which lays out the rows
print("ready", flush=True)
for line in sys.stdin:
    begin, used, own, shared = time.monotonic(), time.process_time(), time.thread_time(), 0.0
    result = radmm.solve(problem, network, settings.algorithm, iterations=iterations, threads=int(line), **options)
    alone = (time.thread_time() - own - shared) / (time.process_time() - used)
    taken = time.monotonic() - begin, alone
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
        """Return wall seconds, the share of CPU seconds on one thread, and a digest of the losses."""
        return json.loads(self._process.stdout.readline())

    def end(self):
        self._process.communicate()


def threads(small=False):
    """Return, for each case, medians of wall seconds and of the ratio of throughputs."""
    return {name: one_case(case, 1 if small else REPEATS) for name, case in (SMALL if small else CASES).items()}


def one_case(case, repeats):
    processes = [Process(case) for _ in range(2)]
    for process in processes:
        process.wait_until_ready()
    alone, shared, shares, digests = [], [], [], set()
    for _ in range(repeats):
        for process in processes:
            process.begin(1)
        both = [process.outcome() for process in processes]
        processes[0].begin(THREADS)
        together = processes[0].outcome()
        alone.append(np.mean([wall for wall, _, _ in both]))
        shared.append(together[0])
        shares.append(together[1])
        digests |= {digest for _, _, digest in (*both, together)}
    for process in processes:
        process.end()
    return {
        "two processes, wall seconds for each solve": float(np.median(alone)),
        "one process, two threads": float(np.median(shared)),
        "throughput of threads over that of processes": float(np.median(np.array(alone) / (2 * np.array(shared)))),
        "share of CPU seconds on one thread": float(np.median(shares)),
        "so, with idle cores, at most": float(1.0 / (1.0 + np.median(shares))),
        "the same bytes": len(digests) == 1,
    }
