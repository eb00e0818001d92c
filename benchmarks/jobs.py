"""Whole solver jobs: what starting one costs, what two at once cost, and the solver's share of a workflow run.

All of it happens in a folder that the caller gives; the results of the working copy are left alone.
"""

import os
import pickle
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import yaml

from benchmarks.cases import ROOT, raw_folder
from radmm.jobs.batches import make_batches
from radmm.jobs.input_files import InputFiles
from radmm.study.resolution import resolve

OTHERS = ("figure", "ladder", "table", "claims", "settings", "split")
# For Bash, before it runs a job: to tell what its children took, and what they were.
TIMES = """trap '{ times; echo "$BASH_EXECUTION_STRING"; } > "$TIMES/$$"' EXIT\n"""
START = """
import time
marks = [("interpreter", time.process_time())]
def mark(name): marks.append((name, time.process_time()))
import numpy; mark("import numpy")
import scipy.sparse; mark("import scipy.sparse")
import pyarrow.parquet; mark("import pyarrow")
import pandas; mark("import pandas")
import radmm.jobs.steps.solve as step; mark("import radmm")
from pathlib import Path
from radmm.data.prepared_files import read_features
inputs = step.read_inputs(read_features(Path("data/adult.npz")), Path(SPLIT), Path(NETWORK)); mark("read data")
partition = step.make_partition({"law": "even"})
constants = {"nodes": inputs.network.nodes, "loss": "logistic", "C": 1750.0, "rho": 0.22}
problem = step.make_problem(inputs.data, inputs.split, partition, **constants)
from radmm.argmin.engine_choice import engine_for
engine_for(problem); mark("problem and engine")
before = 0.0
for name, at in marks: print(f"{name}\\t{at - before}"); before = at
"""

SOLVE = """
import pickle, sys
from pathlib import Path
from radmm.jobs.steps.batch import run_batch
batch, *inputs = pickle.loads(Path("batch.pickle").read_bytes())
own = Path(sys.argv[-1])
traces, ledgers = ([own / kind / f"{name}.parquet" for name in batch.settings] for kind in ("traces", "ledgers"))
run_batch(batch, *inputs, own / "cache", traces, ledgers)
"""


def snakemake(folder, *targets, root=ROOT, **environment):
    """Run the shipped config there on two cores, with the raw data present."""
    if not (folder / "data" / "raw").exists():
        shutil.copytree(raw_folder(), folder / "data" / "raw")
    tools = Path(sys.executable).parent if root == ROOT else root / ".venv" / "bin"
    command = [str(tools / "snakemake"), "--snakefile", str(root / "Snakefile"), "--cores", "2"]
    command += ["--workflow-profile", str(root / "workflow" / "profiles" / "default"), "--", *targets]
    environment = {**os.environ, **environment}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)


def _inputs(folder, setting):
    """What the setting's job reads, made if need be."""
    paths = InputFiles(Path("data"), Path("results/networks")).paths(setting)
    snakemake(folder, *map(str, paths))
    return paths


def start_up(folder, repeats):
    """CPU seconds from process start to the first iteration, by part; the minimum of several starts."""
    paths = _inputs(folder, _setting().setting)
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
    return subprocess.Popen([*command, str(own)], cwd=folder, stderr=subprocess.DEVNULL)


def _setting():
    """MR-ADMM's in Figure 5."""
    settings = resolve(yaml.safe_load((ROOT / "config" / "config.yaml").read_text()))["fig5"]
    return next(setting for setting in settings if setting.label == "MR-ADMM")


def _solver_command(folder):
    """The command of a batch of one setting, which takes the folder of its traces as last word."""
    planned = _setting()
    (batch,) = make_batches({"fig5": [planned]}, 0).values()
    features, _, network = _inputs(folder, planned.setting)
    (folder / "batch.pickle").write_bytes(pickle.dumps((batch, [features], [network], [])))
    return [sys.executable, "-c", SOLVE]


def workflow(folder, root=ROOT):
    """`snakemake --cores 2` in a new folder, data present: wall time, and what share of the CPU time solves.

    Args:
        folder: The new one.
        root: Of the version that runs.
    """
    times = folder / "times"
    times.mkdir()
    (folder / "times.sh").write_text(TIMES)
    before, begin = _children(), time.perf_counter()
    snakemake(folder, root=root, BASH_ENV=str(folder / "times.sh"), TIMES=str(times))
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
    """CPU seconds of the jobs of each kind, the largest first.

    Args:
        told: What each job's shell said when it ended.
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
