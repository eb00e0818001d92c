"""Whole solver jobs: what starting one costs, what two at once cost, and the solver's share of a workflow run.

All of it happens in a folder that the caller gives; the results of the working copy are left alone.
"""

import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml

from benchmarks.cases import ROOT, raw_folder
from radmm.jobs.batches import make_batches, write_batches
from radmm.jobs.inputs import InputFiles
from radmm.jobs.plan import BATCHES
from radmm.study.resolution import resolve

START = """
import time
marks = [("interpreter", time.process_time())]
def mark(name): marks.append((name, time.process_time()))
import numpy; mark("import numpy")
import scipy.sparse; mark("import scipy.sparse")
import pyarrow.parquet; mark("import pyarrow")
import radmm.jobs.steps.solve as step; mark("import radmm")
from pathlib import Path
from radmm.data.files import read_features
inputs = step.read_inputs(read_features(Path("data/adult.npz")), Path(SPLIT), Path(NETWORK)); mark("read data")
partition = step.make_partition({"law": "even"})
constants = {"nodes": inputs.network.nodes, "loss": "logistic", "C": 1750.0, "rho": 0.22}
problem = step.make_problem(inputs.data, inputs.split, partition, **constants)
from radmm.argmin.kernel import engine_for
engine_for(problem); mark("problem and engine")
before = 0.0
for name, at in marks: print(f"{name}\\t{at - before}"); before = at
"""


def snakemake(folder, *targets):
    """Run the shipped config there on two cores, with the raw data present."""
    if not (folder / "data" / "raw").exists():
        shutil.copytree(raw_folder(), folder / "data" / "raw")
    command = [str(Path(sys.executable).parent / "snakemake"), "--snakefile", str(ROOT / "Snakefile"), "--cores", "2"]
    command += ["--workflow-profile", str(ROOT / "workflow" / "profiles" / "default"), "--", *targets]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)


def _inputs(folder, setting):
    """What the setting's job reads, made if need be."""
    paths = InputFiles(Path("data"), Path("results/networks")).paths(setting)
    snakemake(folder, *map(str, paths))
    return paths


def start_up(folder, repeats):
    """CPU seconds from process start to the first iteration, by part; the minimum of several starts."""
    paths = _inputs(folder, _setting().parameters)
    code = START.replace("SPLIT", repr(str(paths.split))).replace("NETWORK", repr(str(paths.network)))
    best = {}
    for _ in range(repeats):
        output = subprocess.run(
            [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True
        ).stdout
        parts = {name: float(seconds) for name, seconds in (line.split("\t") for line in output.splitlines())}
        best = min(best or parts, parts, key=lambda parts: sum(parts.values()))
    return {**best, "total": sum(best.values())}


def two_at_once(folder, repeats):
    """Wall seconds of two solver jobs at once over that of one, each with one thread."""
    times = {1: [], 2: []}
    command = _solver_command(folder)
    for _ in range(repeats):
        for jobs, taken in times.items():
            begin = time.perf_counter()
            running = [_start(command, folder) for _ in range(jobs)]
            for process in running:
                process.wait()
            taken.append(time.perf_counter() - begin)
    return {"one job": min(times[1]), "two at once": min(times[2]), "ratio": min(times[2]) / min(times[1])}


def _start(command, folder):
    own = Path(tempfile.mkdtemp(dir=folder))
    outputs = ["--traces", str(own), "--marker", str(own / "marker.json")]
    return subprocess.Popen([*command, *outputs], cwd=folder, stderr=subprocess.DEVNULL)


def _setting():
    """MR-ADMM's in Figure 5."""
    settings = resolve(yaml.safe_load((ROOT / "config" / "config.yaml").read_text()))["fig5"]
    return next(setting for setting in settings if setting.label == "MR-ADMM")


def _solver_command(folder):
    """The command of a batch of one setting, as the workflow would run it."""
    planned, plan = _setting(), folder / "plan"
    (batch,) = make_batches({"fig5": [planned]}, 0).values()
    write_batches(plan / BATCHES, [batch])
    _inputs(folder, planned.parameters)
    options = ["--plan", str(plan), "--name", batch.name, "--data", "data", "--networks", "results/networks"]
    options += ["--calibrations", "results/calibrations"]
    return [sys.executable, "-m", "radmm.jobs.steps.batch", *options]


def workflow(folder):
    """`snakemake --cores 2` in a new folder, data present: wall time, and what share of the CPU time solves."""
    before, begin = _children(), time.perf_counter()
    snakemake(folder)
    wall, cpu = time.perf_counter() - begin, _children() - before
    said = "".join(log.read_text() for log in (folder / "results" / "logs" / "batches").iterdir())
    iterations, optima = (
        sum(map(float, re.findall(rf"{what} in ([\d.]+) CPU seconds", said))) for what in ("solved", "optimum found")
    )
    parts = {"of which iterations": iterations, "of which centralised optima": optima}
    return {"wall seconds": wall, "CPU seconds": cpu, **parts, "share": (iterations + optima) / cpu}


def _children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
