"""Solve a setting of a batch by several processes, which an MPI launcher starts on the machines of the job."""

import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from radmm.base.errors import InputError
from radmm.base.plugins import PREFIX
from radmm.base.store import vouched
from radmm.jobs.node_files import write_nodes
from radmm.jobs.steps.solve import Inputs, ledger_path
from radmm.jobs.steps.step_runner import say
from radmm.study.settings import Setting


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
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        if not trace.exists():  # a code other than 0 may be that of a run that diverged, which has a trace
            sentences = [line for line in ended.stderr.splitlines() if line.startswith("radmm: ")]
            said = (sentences or ended.stderr.splitlines() or ["it said nothing"])[0]
            raise InputError(f"{launcher} -n {number} radmm solve ended without a trace: {said}")
        for written, target in ((ledger_path(trace), ledger_path(output)), (trace, output)):
            if written.exists():
                with vouched(target) as temporary:
                    shutil.copyfile(written, temporary)
    say(f"solved by {number} processes of {launcher}")
