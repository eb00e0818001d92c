"""Run the benchmarks: `python -m benchmarks` prints a table and writes benchmarks/results.json and a plot beside it.

--small runs all of it in under a minute on little data, to see that it still works; its numbers mean nothing.
"""

import argparse
import json
import os
import platform
import tempfile
import time
from pathlib import Path

import psutil

for library in ("OPENBLAS", "OMP", "MKL"):  # one thread, before NumPy is loaded
    os.environ[f"{library}_NUM_THREADS"] = "1"

from benchmarks import accountants, jobs, peers, sections, threads, tricks  # noqa: E402
from benchmarks.cases import load_adult  # noqa: E402
from benchmarks.peers_chart import draw  # noqa: E402
from benchmarks.report import show  # noqa: E402
from radmm.argmin.kernel import load_library  # noqa: E402
from radmm.base.store import write_json  # noqa: E402

HERE = Path(__file__).parent


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--only", nargs="*", help="some of the sections")
    parser.add_argument("--output", type=Path, default=HERE / "results.json")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure_sections(arguments, Path(folder))


def measure_sections(arguments, folder):
    """Measure one section after the other and write each as soon as it is done; the workflow runs in the folder."""
    size = sections.SMALL if arguments.small else sections.FULL
    measured = {
        "growth": lambda: sections.growth(size),  # first, as a process's peak memory never falls
        "peers": lambda: peers.peers(arguments.small),
        "accountants": lambda: accountants.accountants(arguments.small),
        "threads": lambda: threads.threads(arguments.small),
        "tricks": lambda: tricks.tricks(arguments.small),
        "settings": lambda: sections.settings(load_adult(), size),
    }
    if not arguments.small:
        measured["workflow"] = lambda: jobs.workflow(folder)
    results = json.loads(arguments.output.read_text()) if arguments.output.exists() else {}
    results["machine"] = {
        "processor": platform.machine(),
        "instructions": load_library().radmm_instruction_set().decode(),
        "python": platform.python_version(),
        **sections.settings_used(size),
    }
    for name, measure in measured.items():
        if not arguments.only or name in arguments.only:
            results[name], others = beside_others(measure)
            results.setdefault("cores of others", {})[name] = others
            show(name, results[name])
            write_json(arguments.output, results)
    if "peers" in results:
        draw(results["peers"], arguments.output.with_suffix(".png"))


def beside_others(measure):
    """Return what was measured, and how many of the machine's cores other processes used meanwhile."""
    wall, before = time.monotonic(), seconds_of_others()
    found = measure()
    return found, max(0.0, seconds_of_others() - before) / (time.monotonic() - wall)


def seconds_of_others():
    """Return the CPU seconds of the whole machine less those of this process and of its children that have ended."""
    times = psutil.cpu_times()
    return times.user + times.nice + times.system - sum(os.times()[:4])


if __name__ == "__main__":
    main()
