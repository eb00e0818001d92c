"""Processes that runs of the workflow start, and their memory, for the soak."""

import os
import re
import signal
from pathlib import Path

import psutil

SCRIPT = re.compile(r"\.snakemake/scripts/tmp[^.]*\.(\w+)\.py$")  # as Snakemake names what it runs


def halves(memory):
    """Return the largest megabytes of a workflow process and of each kind of job, in the first and the last half."""
    half = len(memory) // 2
    parts = {"first half": memory[:half], "last half": memory[half:]}
    kinds = sorted({kind for sample in memory for kind in sample}, reverse=True)
    return {
        f"{kind}, {name} (MB)": round(max(sample.get(kind, 0.0) for sample in part))
        for kind in kinds
        for name, part in parts.items()
        if any(kind in sample for sample in part)
    }


def megabytes(process):
    """Return the memory of a process; 0 if it has ended."""
    try:
        return (process if isinstance(process, psutil.Process) else psutil.Process(process)).memory_info().rss / 2**20
    except psutil.Error:
        return 0.0


def jobs(run):
    """Return the processes below a run that compute a step of the workflow."""
    try:
        below = psutil.Process(run.pid).children(recursive=True)
    except psutil.Error:
        return []
    return [one for one in below if kind_of(one)]


def kind_of(process):
    """Return the step of the workflow that a process computes; empty if it is another process."""
    try:
        words = process.cmdline()
    except psutil.Error:
        return ""
    scripts = [found[1] for found in map(SCRIPT.search, words) if found]
    return f"job {scripts[0]}" if scripts else ""


def of_kinds(found):
    """Return the largest memory of each kind of job."""
    sizes = {}
    for process in found:
        kind = kind_of(process)
        sizes[kind] = max(megabytes(process), sizes.get(kind, 0.0))
    sizes.pop("", None)
    return sizes


def kill(process):
    """Kill a process, and return whether it was there."""
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def of_folder(folder):
    """Yield all other processes that work in a folder."""
    for process in psutil.process_iter():
        try:
            if process.pid != os.getpid() and Path(process.cwd()).is_relative_to(folder):
                yield process
        except (psutil.Error, OSError):
            continue
