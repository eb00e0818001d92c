"""Whole solver jobs: what starting one costs, what two at once cost, and the solver's share of a workflow run."""

import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml

from benchmarks.cases import ROOT
from radmm.jobs.batches import make_batches, write_batches
from radmm.jobs.plan import BATCHES
from radmm.study.resolution import resolve
from radmm.study.settings import network_name, split_name

START = """
import time
marks = [("interpreter", time.process_time())]
def mark(name): marks.append((name, time.process_time()))
import numpy; mark("import numpy")
import scipy.sparse; mark("import scipy.sparse")
import pyarrow.parquet; mark("import pyarrow")
import radmm.jobs.steps.solve as step; mark("import radmm")
from pathlib import Path
inputs = step.read_inputs(Path("data/adult.npz"), Path(SPLIT), Path(NETWORK)); mark("read data")
partition = step.make_partition({"law": "even"})
constants = {"nodes": inputs.network.nodes, "loss": "logistic", "C": 1750.0, "rho": 0.22}
problem = step.make_problem(inputs.data, inputs.split, partition, **constants)
from radmm.argmin.kernel import engine_for
engine_for(problem); mark("problem and engine")
before = 0.0
for name, at in marks: print(f"{name}\\t{at - before}"); before = at
"""


def start_up(repeats):
    """CPU seconds from process start to the first iteration, by part; the minimum of several starts."""
    split = next((ROOT / "data" / "splits").glob("*.parquet"))
    network = next((ROOT / "results" / "networks").glob("*.edges"))
    code = START.replace("SPLIT", repr(str(split))).replace("NETWORK", repr(str(network)))
    best = {}
    for _ in range(repeats):
        output = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout
        parts = {name: float(seconds) for name, seconds in (line.split("\t") for line in output.splitlines())}
        best = min(best or parts, parts, key=lambda parts: sum(parts.values()))
    return {**best, "total": sum(best.values())}


def two_at_once(repeats):
    """Wall seconds of two solver jobs at once over that of one, each with one thread."""
    times = {1: [], 2: []}
    with tempfile.TemporaryDirectory() as scratch:
        command = _solver_command(Path(scratch))
        for _ in range(repeats):
            for jobs, taken in times.items():
                begin = time.perf_counter()
                running = [_start(command, Path(tempfile.mkdtemp(dir=scratch))) for _ in range(jobs)]
                for process in running:
                    process.wait()
                taken.append(time.perf_counter() - begin)
    return {"one job": min(times[1]), "two at once": min(times[2]), "ratio": min(times[2]) / min(times[1])}


def _start(command, folder):
    outputs = ["--traces", str(folder), "--marker", str(folder / "marker.json")]
    return subprocess.Popen([*command, *outputs], cwd=ROOT, stderr=subprocess.DEVNULL)


def _settings():
    return resolve(yaml.safe_load((ROOT / "config" / "config.yaml").read_text()))["fig5"]


def _solver_command(scratch):
    """The command of a batch of one MR-ADMM setting, as the workflow would run it."""
    planned = next(setting for setting in _settings() if setting.label == "MR-ADMM")
    (batch,), setting = make_batches({"fig5": [planned]}, 0).values(), planned.parameters
    write_batches(scratch / BATCHES, [batch])
    arguments = {
        "--plan": str(scratch),
        "--name": batch.name,
        "--calibrations": "results/calibrations",
        "--features": "data/adult.npz",
        "--split": f"data/splits/{split_name(setting)}.parquet",
        "--network": f"results/networks/{network_name(setting)}.edges",
    }
    options = [part for pair in arguments.items() for part in pair]
    return [sys.executable, "-m", "radmm.jobs.steps.batch", *options]


def workflow():
    """`snakemake --cores 2` for the whole config, data present: wall time, and what share of the CPU time solves."""
    snakemake = str(Path(sys.executable).parent / "snakemake")
    profile = ["--workflow-profile", "workflow/profiles/default"]
    for folder in ("traces", "batches", "logs/batches"):  # a finished setting would not run again
        shutil.rmtree(ROOT / "results" / folder, ignore_errors=True)
    command = [snakemake, "--cores", "2", *profile]
    before, begin = _children(), time.perf_counter()
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    wall, cpu = time.perf_counter() - begin, _children() - before
    said = "".join(log.read_text() for log in (ROOT / "results" / "logs" / "batches").iterdir())
    iterations, optima = (
        sum(map(float, re.findall(rf"{what} in ([\d.]+) CPU seconds", said))) for what in ("solved", "optimum found")
    )
    parts = {"of which iterations": iterations, "of which centralised optima": optima}
    return {"wall seconds": wall, "CPU seconds": cpu, **parts, "share": (iterations + optima) / cpu}


def _children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
