"""What all steps share: arguments, one sentence for an error, and a log that says when."""

import argparse
import inspect
import sys
import time
from collections.abc import Callable

from radmm.base.errors import InputError, SourceError
from radmm.base.store import provenance

START = time.monotonic()


def say(text: str) -> None:
    """A line of the log, with the seconds since the step began."""
    print(f"[{time.monotonic() - START:6.1f} s] {text}", file=sys.stderr, flush=True)


def run(step: Callable[..., None], description: str | None, **arguments: Callable[[str], object]) -> None:
    """Call the step with --options; an error that speaks to the user is one sentence.

    Args:
        step: Its parameters are the options; one that has a default may be left out.
        description: What the step does.
        arguments: By each parameter's name, what makes its value of text.
    """
    parser = argparse.ArgumentParser(description=description)
    parameters = inspect.signature(step).parameters
    for name, convert in arguments.items():
        default = parameters[name].default
        needed = default is inspect.Parameter.empty
        option = f"--{name.replace('_', '-')}"
        parser.add_argument(option, dest=name, type=convert, required=needed, default=None if needed else default)
    try:
        with provenance():
            step(**vars(parser.parse_args()))
    except (InputError, SourceError) as error:
        sys.exit(f"error: {error}")
    except OSError as error:  # a disk that is full or read-only, say
        sys.exit(f"error: {told(error)}")
    except MemoryError as error:
        sys.exit(f"error: there is not enough memory: {error or 'an array found none'}")


def told(error: OSError) -> str:
    """What is wrong with which file, in one sentence."""
    return f"{error.filename}: {error.strerror}" if error.filename else f"{error.strerror or error}"
