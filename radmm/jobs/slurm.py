"""Cancellation of Slurm jobs that a killed Snakemake left behind, which would write their successors' files."""

import re
import shutil
import subprocess
import time
from pathlib import Path

NAME = "radmm"  # how the profiles name their jobs


def cancel_leftovers(folder: Path, seconds: float = 60.0) -> list[str]:
    """Cancel this user's jobs that log into the folder, wait until they are gone, and return their ids."""
    if shutil.which("squeue") is None:
        return []
    jobs = [job for job in _queued() if _logs_into(folder, job)]
    if jobs:
        subprocess.run(["scancel", *jobs], check=True)
    deadline = time.monotonic() + seconds
    while set(jobs) & set(_queued()) and time.monotonic() < deadline:
        time.sleep(0.5)
    return jobs


def _queued() -> list[str]:
    """Return this user's jobs of any folder, in any state but ended."""
    listed = _output("squeue", "--me", "--noheader", "--format=%i %j")
    return [job for job, name in (line.split(maxsplit=1) for line in listed.splitlines()) if name.startswith(NAME)]


def _logs_into(folder: Path, job: str) -> bool:
    """Return whether a job writes into the folder, as several grids may run from one checkout."""
    written = re.search(r"^\s*StdOut=(.*)$", _output("scontrol", "show", "job", job), re.MULTILINE)
    return written is not None and Path(written[1]).is_relative_to(folder.resolve())


def _output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout
