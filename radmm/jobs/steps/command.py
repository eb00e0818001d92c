"""What all steps share: arguments, one sentence for an error, and a log that says when."""

import argparse
import sys
import time
from collections.abc import Callable

from radmm.base.errors import InputError, SourceError

START = time.monotonic()


def say(text: str) -> None:
    """A line of the log, with the seconds since the step began."""
    print(f"[{time.monotonic() - START:6.1f} s] {text}", file=sys.stderr, flush=True)


def run(step: Callable[..., None], description: str | None, **arguments: Callable[[str], object]) -> None:
    """Call the step with --options converted by the given types; an error that speaks to the user is one sentence."""
    parser = argparse.ArgumentParser(description=description)
    for name, convert in arguments.items():
        parser.add_argument(f"--{name.replace('_', '-')}", dest=name, type=convert, required=True)
    try:
        step(**vars(parser.parse_args()))
    except (InputError, SourceError) as error:
        sys.exit(f"error: {error}")
