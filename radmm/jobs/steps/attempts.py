"""Attempts: what a job does for each of its settings or searches, with a line in its log for the outcome.

What is finished is kept in a resume cache, a folder unknown to Snakemake, which removes the outputs of a job before it
reruns it and after it failed. One that fails doesn't stop the others; when all are done, each is hard-linked to the
rule's output. After a failure or a kill, the next job continues where this one ended.
"""

import os
import platform
import resource
import sys
import traceback
from collections.abc import Callable, Container, Iterable
from pathlib import Path

from radmm.base.errors import InputError
from radmm.base.store import PARTIAL
from radmm.jobs.batches import BEGINNING
from radmm.jobs.steps.step_runner import os_error_text, say


def begin(names: Container[str], folders: Iterable[Path]) -> None:
    """Log that a job begins, and remove temporary files that one that was killed while it wrote has left.

    Args:
        names: Ids of the job's settings, or names of its searches.
        folders: Folders of the resume cache.
    """
    job, node = (os.environ.get(name) for name in ("SLURM_JOB_ID", "SLURMD_NODENAME"))
    say(f"{BEGINNING} on {f'{node}, Slurm job {job}' if job else platform.node()}")
    for path in (path for folder in folders for path in folder.rglob(f"{PARTIAL}.*")):
        if path.name.split(".")[2] in names:
            path.unlink(missing_ok=True)


def attempt(name: str, target: Path, write: Callable[[Path], None]) -> bool:
    """Write a file of the resume cache, log the outcome, and return whether it failed; then no file is left.

    Args:
        name: Id of a setting, or name of a search.
        target: File to write; an outdated one is removed first.
    """
    say(f"{name} begins")
    return log_outcome(name, _reason(target, write))


def _reason(target: Path, write: Callable[[Path], None]) -> str:
    try:
        target.unlink(missing_ok=True)
        write(target)
    except InputError as error:
        return str(error)
    except OSError as error:  # a disk that is full, say
        return os_error_text(error)
    except Exception as error:  # whatever it is, the others go on
        traceback.print_exc()
        return f"{type(error).__name__}: {error}".splitlines()[0]
    return ""


def log_outcome(name: str, reason: str) -> bool:
    """Log the outcome of a setting or a search, and return whether it failed.

    Args:
        name: Its id or name.
        reason: Why it failed; empty if it didn't.
    """
    say(f"{name} failed: {reason}" if reason else f"{name} done")
    return bool(reason)


def end(failed: int, number: int, what: str) -> None:
    """Log the time and memory used, to be compared with the request (benchmarks/estimates.py); exit if any failed.

    Args:
        failed: How many of the job's settings or searches failed.
        number: How many there are.
        what: Noun for them.
    """
    used = resource.getrusage(resource.RUSAGE_SELF)
    say(f"used {used.ru_utime + used.ru_stime:.2f} CPU seconds and {used.ru_maxrss / 1024:.0f} MB")
    if failed:
        sys.exit(f"error: {failed} of {number} {what} failed")
