"""Solve a setting of a batch by several processes, which an MPI launcher starts on the machines of the job."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import shorten

from radmm.base.errors import InputError
from radmm.base.plugin_faults import PREFIX
from radmm.base.store import vouched
from radmm.jobs.node_files import write_nodes
from radmm.jobs.steps.solve import Inputs, ledger_path
from radmm.jobs.steps.step_runner import say
from radmm.study.settings import Setting

PLACES = ("SLURM_NODELIST", "SLURM_TASKS_PER_NODE")  # by which Open MPI's launcher knows the machines of a Slurm job


def write_trace_by_ranks(
    setting: Setting, inputs: Inputs, output: Path, threads: int, ranks: int, launcher: str
) -> None:
    """Write a setting's trace and ledger, the same files that one process writes.

    Args:
        setting: Setting with calibrated noise.
        inputs: Inputs with which the setting is solved.
        output: Trace to write; beside it, on a disk that all machines see, the nodes' rows stand meanwhile.
        threads: Number of threads of each process.
        ranks: Number of processes, of which no more than nodes are started.
        launcher: Command that starts them, like mpiexec, with its own options.
    """
    output.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=output.parent, prefix=".nodes.") as folder:
        nodes, trace = Path(folder, "nodes"), Path(folder, "trace.parquet")
        write_nodes(nodes, setting, inputs, {"name": setting.id, "columns": [], "data": {}, "train": 0})
        plugins = [module.__file__ for name, module in sys.modules.items() if name.startswith(PREFIX)]
        number = min(ranks, inputs.network.nodes)
        command = [*shlex.split(launcher), "-n", str(number), sys.executable, "-m", "radmm", "solve"]
        command += ["--nodes", str(nodes), "--save-trace", str(trace), "--threads", str(threads)]
        command += [word for plugin in plugins if plugin for word in ("--plugin", plugin)]
        environment = os.environ | slurm_places(number, threads)
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if not trace.exists():  # a code other than 0 may be that of a run that diverged, which has a trace
            raise InputError(f"{launcher} -n {number} radmm solve ended without a trace: {_reason(ended.stderr)}")
        for written, target in ((ledger_path(trace), ledger_path(output)), (trace, output)):
            if written.exists():
                with vouched(target) as temporary:
                    shutil.copyfile(written, temporary)
    say(f"solved by {number} processes of {launcher}")


def slurm_places(number: int, threads: int) -> dict[str, str]:
    """Return the variables that say where processes of this Slurm job may run; none outside of a job.

    Slurm sets them, but Snakemake's executor for Slurm removes them from a job's environment. A step of the job shows
    them again.

    Args:
        number: Number of processes.
        threads: Number of threads of each.
    """
    if "SLURM_JOB_ID" not in os.environ or all(name in os.environ for name in PLACES):
        return {}
    show = ["sh", "-c", " ".join(["echo", *(f"${name}" for name in PLACES)])]
    step = ["srun", f"--ntasks={number}", f"--cpus-per-task={threads}", *show]
    shown = subprocess.run(step, capture_output=True, text=True, check=False)
    if shown.returncode:
        raise InputError(f"srun can't start {number} processes in this job: {_reason(shown.stderr)}")
    return dict(zip(PLACES, shown.stdout.splitlines()[0].split(), strict=True))


def _reason(said: str) -> str:
    """Return our own sentence of what processes said or, if there is none, the beginning of all that they said."""
    lines = said.splitlines()
    own = [line for line in lines if line.startswith("radmm: ")][:1]
    words = " ".join(own or (line for line in lines if line.strip("-")))
    return shorten(words, 400, placeholder=" …") or "it said nothing"
