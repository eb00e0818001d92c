"""`radmm check`: whether a plug-in's components keep their contracts."""

import argparse
from dataclasses import asdict
from pathlib import Path

from radmm.command.parser import NO, OK, Commands, add_command, tell

EXAMPLES = """\
  radmm check my_algorithm.py              a line for each component of the file: ok, or what fails
  radmm check --json my_algorithm.py       the same for programs to read
  radmm check --raw data/raw my_data.py    builds the features of a data source, too
"""
CODES = "0 if every contract is kept, 1 if one is broken, 2 if the file can't be used"


def add(commands: Commands) -> None:
    """Declare the command.

    Args:
        commands: Of the main parser.
    """
    about = "Try a plug-in's components; load it, and try the contract of each on small made data."
    parser = add_command(commands, "check", run, about, EXAMPLES, CODES)
    parser.add_argument("file", type=Path, metavar="FILE", help="a Python file that defines components; it is executed")
    parser.add_argument("--raw", type=Path, metavar="FOLDER", help="the raw files of a data source that has some")


def run(given: argparse.Namespace) -> int:
    """Load the plug-in and tell how each of its components fares.

    Args:
        given: The flags.
    """
    from radmm.contract import check_plugin  # which imports all of radmm

    verdicts = check_plugin(given.file, given.raw)
    facts = [asdict(verdict) | {"ok": verdict.broken is None} for verdict in verdicts]
    tell(given, facts, "\n".join(str(verdict) for verdict in verdicts))
    return NO if any(verdict.broken for verdict in verdicts) else OK
