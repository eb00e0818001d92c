"""Runner of steps: it calls them for rules or from a command line, and turns errors into one sentence."""

import argparse
import inspect
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from radmm.base.errors import InputError, SourceError
from radmm.base.store import provenance
from radmm.jobs.rule_parameters import JobSetup, Untracked

START = time.monotonic()


def say(text: str) -> None:
    """Write a line to the log, with the seconds since the step began."""
    print(f"[{time.monotonic() - START:6.1f} s] {text}", file=sys.stderr, flush=True)


def run_script(step: Callable[..., None], job: Any) -> None:
    """Call a step for a rule's job, with its messages in the rule's log.

    Files, parameters and threads of the rule are passed as arguments of the same names: a file as a path, several as a
    list; the resources `tasks` and `mpi` as `ranks` and `launcher`. A parameter that is no argument of the step only
    tells Snakemake when to rerun it.

    Args:
        job: Object `snakemake` of a script.
    """
    if job.log:
        log = Path(job.log[0])
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("w", encoding="utf-8") as stream:
            os.dup2(stream.fileno(), sys.stderr.fileno())
    signal.signal(signal.SIGTERM, _end)
    setup: JobSetup = job.params.setup
    with _one_sentence():
        setup.begin(map(Path, job.input))
        files = {name: _paths(value) for part in (job.input, job.output) for name, value in part.items()}
        mpi = {"ranks": job.resources.get("tasks", 1), "launcher": job.resources.get("mpi", "")}
        given = {"threads": job.threads, **mpi, **files} | {name: _value(value) for name, value in job.params.items()}
        known = inspect.signature(step).parameters
        step(**{name: value for name, value in given.items() if name in known})


def _end(number: int, _: FrameType | None) -> None:
    """Exit in good order, without temporary files, when a scheduler ends the job."""
    sys.exit(f"error: ended by {signal.Signals(number).name}: cancelled, or out of time or memory")


def _paths(given: Any) -> Path | list[Path]:
    return Path(given) if isinstance(given, str) else [Path(path) for path in given]


def _value(given: Any) -> Any:
    return given.value if isinstance(given, Untracked) else given


def run(step: Callable[..., None], description: str | None, **arguments: Callable[[str], object]) -> None:
    """Call a step from a command line with --options; an error meant for users is one sentence.

    Args:
        step: Function whose parameters are the options; those with a default may be left out.
        description: Description of the step, for its help.
        arguments: For each parameter, the function that converts its text.
    """
    parser = argparse.ArgumentParser(description=description)
    parameters = inspect.signature(step).parameters
    for name, convert in arguments.items():
        default = parameters[name].default
        needed = default is inspect.Parameter.empty
        option = f"--{name.replace('_', '-')}"
        parser.add_argument(option, dest=name, type=convert, required=needed, default=None if needed else default)
    with _one_sentence():
        step(**vars(parser.parse_args()))


@contextmanager
def _one_sentence() -> Iterator[None]:
    """Record files read in this block as sources of those written in it; an error ends the process in a sentence."""
    try:
        with provenance():
            yield
    except (InputError, SourceError) as error:
        sys.exit(f"error: {error}")
    except MemoryError as error:
        sys.exit(f"error: there is not enough memory: {error or 'an array found none'}")
    except OSError as error:  # a disk that is full or read-only, say
        sys.exit(f"error: {os_error_text(error)}")


def os_error_text(error: OSError) -> str:
    """Describe an OSError in one sentence: which file, and what is wrong with it."""
    return f"{error.filename}: {error.strerror}" if error.filename else f"{error.strerror or error}"
