"""Checks of the disk before a run, as Snakemake would answer with tracebacks, or fail job after job."""

import os
import time
from pathlib import Path

LEAST_BYTES = 1_000_000  # for Snakemake's notes and for the plan, before there is any result


def disk_fault(folder: Path) -> str:
    """Return a sentence that says why nothing can be written, or "" if it can; nothing is written to find out.

    Args:
        folder: Folder in which the workflow runs.
    """
    if not os.access(folder, os.W_OK):
        return f"{folder} can't be written to: must be a folder for results, and for Snakemake's notes on them"
    status = os.statvfs(folder)
    free = status.f_bavail * status.f_frsize
    if free < LEAST_BYTES:
        return f"{folder} has {free} bytes left on its disk: must have at least {LEAST_BYTES}, and room for the results"
    return ""


def protected(folder: Path) -> str:
    """Return a sentence that names a folder of radmm's files that can't be written to, or "" if all can.

    A run that has nothing to make needs to write none, so that this is no reason to refuse it.

    Args:
        folder: Folder in which the workflow runs.
    """
    parts = [part for part in (folder / "results", folder / "data") if part.is_dir()]
    for each in [*parts, *(path for part in parts for path in sorted(part.iterdir()) if path.is_dir())]:
        if not os.access(each, os.W_OK):
            name = each.relative_to(folder)
            return f"{name} can't be written to: must be a folder that you may change, if anything in it is to be made"
    return ""


def settle_clock(folder: Path) -> None:
    """Set files with times in the future, as after a clock was set back, to now: Snakemake fails whatever reads one.

    Content decides what is outdated, so that the time of a file may change.

    Args:
        folder: Folder of radmm's own files.
    """
    now = time.time()
    for path in folder.rglob("*"):
        if path.stat(follow_symlinks=False).st_mtime > now:
            os.utime(path, (now, now), follow_symlinks=False)
