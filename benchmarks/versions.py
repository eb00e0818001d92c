"""Before and after: `python -m benchmarks.versions FOLDER` solves the same settings in another version of radmm too.

The folder is a clone in which `make .venv/ready` was called. Each version runs in a process of its own, and they take
turns; then each runs its workflow. What is found is added to benchmarks/results.json.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.jobs import workflow
from radmm.base.store import write_json

HERE = Path(__file__).parent
CASES = {"N = 5": (5, None), "N = 5, tolerance 5e-5": (5, 5e-5), "N = 20": (20, None), "N = 1000": (1000, None)}
REPEATS = 5
# What a process does for each line it is given: nodes, and a tolerance if it is not the usual one.
WORKER = """
import json, sys
import radmm
from contextlib import redirect_stdout
from dataclasses import replace
from benchmarks.cases import Settings, adult_problem, cpu_seconds, load_adult, ring_with_chords
with redirect_stdout(sys.stderr):  # a download tells what it tries
    data, made = load_adult(), {}
for line in sys.stdin:
    nodes, tolerance, rows, iterations = json.loads(line)
    if nodes not in made:
        problem, test = adult_problem(data, nodes, rows)
        made[nodes] = problem, radmm.Network.from_edges(ring_with_chords(nodes)), test
    problem, network, test = made[nodes]
    settings = replace(Settings(), C=problem.C)
    given = {} if tolerance is None else {"tolerance": tolerance}
    seconds, _ = cpu_seconds(lambda: radmm.solve(
        problem, network, settings.algorithm, noise=settings.noise, iterations=iterations, test=test, **given))
    print(json.dumps(seconds), flush=True)
"""


class Version:
    """A process with one version of the code, which solves what it is told to."""

    def __init__(self, folder):
        environment = {**os.environ, "PYTHONPATH": str(folder), **dict.fromkeys(("OPENBLAS_NUM_THREADS",), "1")}
        self._process = subprocess.Popen(
            [sys.executable, "-c", WORKER], cwd=folder, env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def seconds(self, *case):
        self._process.stdin.write(json.dumps(case) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError(f"the version in {self._process.args} ended")
        return json.loads(answer)

    def end(self):
        self._process.communicate()  # which ends its input, and waits


def compare(folder, cases=CASES, repeats=REPEATS, rows=40_000, iterations=50):
    """{case: CPU seconds before and after}; what the other version has no tolerance for stands beside its usual one.

    Args:
        folder: With the other version.
        cases: Nodes and tolerance of each.
        repeats: Of which the least counts.
        rows: Of training.
        iterations: T.
    """
    versions = {"before": Version(folder), "after": Version(HERE.parent)}
    table = {}
    for name, (nodes, tolerance) in cases.items():
        taken = {"before": [], "after": []}
        for _ in range(repeats + 1):  # the first is to warm up
            for version, times in taken.items():
                asked = tolerance if version == "after" else None
                times.append(versions[version].seconds(nodes, asked, rows, iterations))
        least = {version: min(times[1:]) for version, times in taken.items()}
        table[name] = {**least, "ratio": least["before"] / least["after"]}
    for version in versions.values():
        version.end()
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", choices=["before and after", "workflow"])
    parser.add_argument("--output", type=Path, default=HERE / "results.json")
    arguments = parser.parse_args()
    results = json.loads(arguments.output.read_text())
    folder = arguments.folder.resolve()
    found = {"before and after": lambda: {"before and after": compare(folder)}, "workflow": lambda: workflows(folder)}
    for name, measure in found.items():
        if not arguments.only or name in arguments.only:
            results |= measure()
            print(json.dumps(results[name], indent=1))
            write_json(arguments.output, results)


def workflows(folder, repeats=3):
    """The run of each version that took the least CPU seconds, of so many that they take in turns."""
    roots, runs = {"workflow, before": folder, "workflow": HERE.parent}, {"workflow, before": [], "workflow": []}
    for _ in range(repeats):
        for name, root in roots.items():
            with tempfile.TemporaryDirectory() as scratch:
                runs[name].append(workflow(Path(scratch), root))
    return {name: min(each, key=lambda run: run["CPU seconds"]) for name, each in runs.items()}


if __name__ == "__main__":
    main()
