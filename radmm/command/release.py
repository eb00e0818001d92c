"""`radmm release`: train once on declared data and write a classifier that may be published, with its privacy label."""

import argparse
from pathlib import Path

from radmm.command.chosen_setting import written_setting
from radmm.command.parser import OK, Commands, add_command, lines, tell
from radmm.publication.declared_setting import plan_setting
from radmm.publication.public_release import check_output

EXAMPLES = """\
  radmm release --config study.yaml --setting mine/DGD --output classifier.json
  radmm release --config study.yaml --setting mine/DGD --output classifier.json --neighbours zero-out --delta 1e-6
"""
CODES = "0 if the release is written, 2 if it can't be made"


def add(commands: Commands) -> None:
    """Add `radmm release` and its flags to the command line."""
    about = "Train once and write a classifier that may be published; with its privacy label, and nothing else."
    parser = add_command(commands, "release", run, about, EXAMPLES, CODES)
    parser.add_argument(
        "--config", action="append", required=True, metavar="FILE", help="config; may be repeated, later ones override"
    )
    parser.add_argument("--setting", required=True, metavar="EXPERIMENT/LABEL", help="setting to release")
    parser.add_argument(
        "--output",
        type=Path,
        required=True,
        metavar="FILE.json",
        help="new file for the classifier; FILE.md beside it gets the privacy label",
    )
    parser.add_argument(
        "--plugin", action="append", default=[], metavar="FILE.py", help="Python file with an algorithm of your own"
    )
    parser.add_argument("--delta", type=float, metavar="δ", help="δ (default: that of the budget, or 1e-5)")
    parser.add_argument(
        "--neighbours", metavar="RELATION", help="replace or zero-out (default: that of the budget, or replace)"
    )
    parser.add_argument(
        "--person-rows", type=int, metavar="ROWS", help="largest number of rows that belong to one person (default: 1)"
    )


def run(given: argparse.Namespace) -> int:
    """Check everything, then read the rows, train and write."""
    file, page = check_output(given.output)
    planned = plan_setting(written_setting(given), given.delta, given.neighbours, given.person_rows)
    made = planned.run()
    made.save(file)
    facts = {"file": str(file), "label": str(page), "privacy": made.guarantee.facts()}
    tell(given, facts, lines({"released": str(file), "privacy label": str(page), "privacy": str(made.guarantee)}))
    return OK
