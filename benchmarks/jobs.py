"""Measure the solver's share of a run of the workflow, in a folder that the caller gives."""

import os
import re
import resource
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from benchmarks.cases import ROOT, raw_folder

OTHERS = ("figure", "ladder", "table", "claims", "settings", "split")
# For Bash, before it runs a job: to tell what its children took, and what they were.
TIMES = """trap '{ times; echo "$BASH_EXECUTION_STRING"; } > "$TIMES/$$"' EXIT\n"""


def snakemake(folder, **environment):
    """Run the shipped config in a folder on two cores, with the raw data present."""
    if not (folder / "data" / "raw").exists():
        shutil.copytree(raw_folder(), folder / "data" / "raw")
    command = [str(Path(sys.executable).parent / "snakemake"), "--snakefile", str(ROOT / "Snakefile"), "--cores", "2"]
    command += ["--workflow-profile", str(ROOT / "workflow" / "profiles" / "default")]
    environment = {**os.environ, **environment}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)


def workflow(folder):
    """Run `snakemake --cores 2` in a new folder, data present, and return wall time and the solver's share."""
    times = folder / "times"
    times.mkdir()
    (folder / "times.sh").write_text(TIMES)
    before, begin = _children(), time.perf_counter()
    snakemake(folder, BASH_ENV=str(folder / "times.sh"), TIMES=str(times))
    wall, cpu = time.perf_counter() - begin, _children() - before
    said = "".join(log.read_text() for log in (folder / "results" / "logs" / "batches").iterdir())
    iterations, optima = (
        sum(map(float, re.findall(rf"{what} in ([\d.]+) CPU seconds", said))) for what in ("solved", "optimum found")
    )
    kinds = of_kinds(file.read_text() for file in times.iterdir())
    others = sum(kinds[f"{kind} jobs"] for kind in OTHERS)
    shares = {"iterations' share": iterations / cpu, "with optima": (iterations + optima) / cpu}
    parts = {"of which iterations": iterations, "of which centralised optima": optima, **shares, **kinds}
    return {"wall seconds": wall, "CPU seconds": cpu, **parts, f"{', '.join(OTHERS)} together": others}


def of_kinds(told):
    """Return the CPU seconds of the jobs of each kind, the largest first.

    Args:
        told: Output of each job's shell when it ended.
    """
    kinds = Counter()
    for text in told:
        (minutes, seconds), (more_minutes, more_seconds) = re.findall(r"([\d.]+)m([\d.]+)s", text.splitlines()[1])
        step = re.search(r"\.snakemake/scripts/tmp[^.]*\.(\w+)\.py|radmm\.jobs\.steps\.(\w+)", text)
        used = 60.0 * (float(minutes) + float(more_minutes)) + float(seconds) + float(more_seconds)
        kinds[f"{step[1] or step[2] if step else 'other'} jobs"] += used
    return dict(kinds.most_common())


def _children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
