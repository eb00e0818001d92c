"""One large setting by two threads and by four processes: `python -m benchmarks.ranks` writes benchmarks/ranks.json.

Both make the same rows, node by node from seeds, and give the same bytes. What 10⁸ rows would take follows from
what was measured: seconds of a row in a pass, seconds to make a row, and bytes of a row, each from the difference
between many rows and few. Seconds are the CPU's, of the process with threads: a rank that waits for another polls, and
a machine that others load tells no wall time. It needs mpi4py and mpirun (the tools of development have both).
"""

import argparse
import hashlib
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from scipy import sparse

import radmm
from radmm.base.store import write_json
from radmm.distributed.ranks import first_nodes

HERE = Path(__file__).parent
STORED = HERE / "ranks.json"
ROWS, FEATURES, NODES, RUNS, ITERATIONS = 10_000_000, 4, 8, 4, 6
RANKS, THREADS, PLANNED = 4, 2, 100_000_000


def rows_of(node, count):
    """Return rows of norm 1 and labels of one node, which any process makes alike."""
    source = np.random.default_rng([7, node])
    features = source.standard_normal((count, FEATURES))
    features /= np.linalg.norm(features, axis=1)[:, None]
    labels = np.where(features @ np.arange(1.0, FEATURES + 1.0) + source.standard_normal(count) > 0, 1, -1)
    return features, labels


def problem_of(nodes, count):
    """Return the problem with the rows of some nodes, each of which has as many."""
    made = [rows_of(node, count) for node in nodes]
    features, labels = (np.concatenate(part) for part in zip(*made, strict=True))
    counts = np.full(NODES, count)
    owner = np.repeat(list(nodes), count)
    return radmm.Problem(sparse.csr_array(features), labels, owner, C=1000.0, rho=0.1, row_counts=counts)


def solve(rows, comm=None, threads=1):
    """Solve, and return the result, CPU seconds to make the problem, to lay out its rows and to solve, and wall seconds
    of the solve.
    """
    start = [0, NODES] if comm is None else first_nodes(comm.size, NODES)[comm.rank :].tolist()
    begin = time.process_time()
    problem = problem_of(range(start[0], start[1]), rows // NODES)
    made = time.process_time() - begin
    nodes = np.arange(NODES)
    network = radmm.Network.from_edges(np.stack([nodes, (nodes + 1) % NODES], axis=1))
    begin, wall = time.process_time(), time.monotonic()
    result = radmm.solve(
        problem, network, radmm.RADMM(1.0), noise=radmm.ObjectiveNoise(alpha=1.0), iterations=ITERATIONS, runs=RUNS,
        threads=threads, comm=comm,
    )  # fmt: skip
    if any(status.reason for status in result.status):
        raise RuntimeError(f"a run ended early: {result.status[0].reason}")
    return result, made, time.process_time() - begin, time.monotonic() - wall


def measure(rows, threads, by_mpi):
    """Measure in one process, or in each rank; the first prints the findings as JSON."""
    comm = None
    if by_mpi:
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
    result, made, solved, wall = solve(rows, comm, threads)
    own = {"made": made, "solved": solved, "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}
    each = [own] if comm is None else comm.gather(own)
    if comm is None or comm.rank == 0:
        shown = b"".join(values.tobytes() for values in [*result.columns.values(), result.last])
        passes = float(np.nansum(result.columns["passes"].reshape(RUNS, -1), axis=1).mean())
        sent = float(result.columns["floats_sent"].max()) * RUNS
        facts = {"digest": hashlib.sha256(shown).hexdigest(), "passes": passes, "numbers sent": sent, "wall": wall}
        print(json.dumps(facts | {"ranks": each}))


def run(rows, threads=1, ranks=None):
    """Start a process, or several ranks, and return their findings."""
    command = [sys.executable, "-m", "benchmarks.ranks", "--measure", "--rows", str(rows), "--threads", str(threads)]
    if ranks:
        mpirun = Path(sys.executable).with_name("mpirun")
        command = [str(mpirun) if mpirun.exists() else "mpirun", "-n", str(ranks), *command, "--by-mpi"]
    allowed = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    allowed["PRTE_MCA_rmaps_default_mapping_policy"] = ":oversubscribe"
    environment = os.environ | allowed | {"OPENBLAS_NUM_THREADS": "1"}
    ended = subprocess.run(command, cwd=HERE.parent, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(ended.stdout)


def findings(rows):
    """Return all numbers that the tables show."""
    few = rows // 20
    little, by_threads = run(few, threads=THREADS), run(rows, threads=THREADS)
    little_by_ranks, by_ranks = run(few, ranks=RANKS), run(rows, ranks=RANKS)
    seconds = {
        name: (by_threads["ranks"][0][name] - little["ranks"][0][name]) / (rows - few) for name in ("made", "solved")
    }
    largest, before = (max(rank["megabytes"] for rank in each["ranks"]) for each in (by_ranks, little_by_ranks))
    megabytes = (largest - before) / ((rows - few) / RANKS)
    planned = PLANNED / RANKS
    return {
        "rows": rows,
        "the same bytes": by_threads["digest"] == by_ranks["digest"],
        "CPU seconds, two threads": by_threads["ranks"][0]["solved"],
        "wall seconds, two threads": by_threads["wall"],
        "CPU seconds, all ranks, with waiting": sum(rank["solved"] for rank in by_ranks["ranks"]),
        "wall seconds, ranks": by_ranks["wall"],
        "megabytes, two threads": by_threads["ranks"][0]["megabytes"],
        "megabytes, a rank": largest,
        "passes": by_ranks["passes"],
        "nanoseconds of a row, pass and run": 1e9 * seconds["solved"] / by_ranks["passes"] / RUNS,
        "nanoseconds to make a row": 1e9 * seconds["made"],
        "bytes of a row": 2**20 * megabytes,
        "numbers sent": by_ranks["numbers sent"],
        "planned rows": PLANNED,
        "planned CPU seconds of a rank": planned * (seconds["solved"] + seconds["made"]),
        "planned gigabytes of a rank": (planned * megabytes + before) / 1024,
    }


def markdown(found):
    """Return the findings as two tables."""
    size = f"{found['rows']:,} rows, {FEATURES} features, N = {NODES}, {RUNS} runs of {ITERATIONS} iterations"
    lines = [
        f"| {size} | two threads | {RANKS} ranks |",
        "|---|---|---|",
        f"| CPU seconds of the solve, all together, with waiting | {found['CPU seconds, two threads']:.1f} | "
        f"{found['CPU seconds, all ranks, with waiting']:.1f} |",
        f"| largest memory of a process | {found['megabytes, two threads']:.0f} MB | "
        f"{found['megabytes, a rank']:.0f} MB |",
        f"| same trace and iterates, byte by byte | | {'yes' if found['the same bytes'] else 'no'} |",
        "",
        f"| measured part | | for {found['planned rows']:,} rows over {RANKS} ranks |",
        "|---|---|---|",
        f"| a row in a pass of a run | {found['nanoseconds of a row, pass and run']:.1f} ns | "
        f"with {found['passes']:.0f} passes, and to make the rows, "
        f"{found['planned CPU seconds of a rank'] / 60:.1f} CPU minutes a rank |",
        f"| a row in memory, at most | {found['bytes of a row']:.0f} bytes | "
        f"{found['planned gigabytes of a rank']:.1f} GB a rank |",
        f"| numbers sent along edges, by all | {found['numbers sent']:.0f} | as many: they don't grow with the rows |",
    ]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--output", type=Path, default=STORED)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--measure", action="store_true", help="one process, or one rank of several")
    parser.add_argument("--by-mpi", action="store_true")
    given = parser.parse_args()
    if given.measure:
        measure(given.rows, given.threads, given.by_mpi)
        return
    found = findings(given.rows)
    write_json(given.output, found)
    print(markdown(found))


if __name__ == "__main__":
    main()
