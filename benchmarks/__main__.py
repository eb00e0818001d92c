"""Run the benchmarks: `python -m benchmarks` prints a table and writes benchmarks/results.json and a plot beside it.

--small runs all of it in under a minute on little data, to see that it still works; its numbers mean nothing.
"""

import argparse
import json
import os
import platform
import tempfile
from pathlib import Path

for library in ("OPENBLAS", "OMP", "MKL"):  # one thread, before NumPy is loaded
    os.environ[f"{library}_NUM_THREADS"] = "1"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

from benchmarks import jobs, large, losses, sections, threads, tricks  # noqa: E402
from benchmarks.cases import load_adult  # noqa: E402
from benchmarks.report import plot, show  # noqa: E402
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
    """One after the other, each written as soon as it is there; whole jobs run in the folder."""
    size = sections.SMALL if arguments.small else sections.FULL
    data = load_adult()
    measured = {
        "by hand": lambda: sections.by_hand(data, size),
        "by JAX": lambda: sections.by_jax(data, size),
        "against the limit": lambda: sections.against_the_limit(data, size),
        "against scikit-learn": lambda: sections.against_scikit_learn(data, size),
        "recycling": lambda: sections.recycling(data, size),
        "averages": lambda: sections.averages(data, size),
        "other losses": lambda: losses.other_losses(data, size),
        "tricks": lambda: tricks.tricks(arguments.small),
        "threads": lambda: threads.threads(arguments.small),
        "growth": lambda: sections.growth(size),
        "census": lambda: large.census(data, 2_000, 2) if arguments.small else large.census(large.load_census()),
    }
    if not arguments.small:
        measured |= {
            "ten million rows": lambda: sections.point("rows", 10_000_000),
            "workflow": lambda: jobs.workflow(folder),
            "start-up": lambda: jobs.start_up(folder, 5),
            "two jobs at once": lambda: jobs.two_at_once(folder, 5),
        }
    results = json.loads(arguments.output.read_text()) if arguments.output.exists() else {}
    results["machine"] = {
        "processor": platform.machine(),
        "instructions": load_library().radmm_instruction_set().decode(),
        "python": platform.python_version(),
        **sections.settings_used(size),
    }
    for name, measure in measured.items():
        if not arguments.only or name in arguments.only:
            results[name] = measure()
            show(name, results[name])
            write_json(arguments.output, results)
    if "by hand" in results:
        plot(results, arguments.output.with_suffix(".png"))


if __name__ == "__main__":
    main()
