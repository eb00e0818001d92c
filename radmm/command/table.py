"""`radmm table`: print an experiment's settings side by side, with their total ε, also as LaTeX."""

import argparse
from pathlib import Path

import pandas as pd

from radmm.base.errors import InputError
from radmm.base.registry import one_of
from radmm.base.store import read_metadata, recognised
from radmm.command.parser import OK, Commands, add_command, tell
from radmm.results.experiment_summary import Summary

EXAMPLES = """\
  radmm table results --experiment fig5                                        after the last iteration
  radmm table results/my_study --experiment comparison --latex > table.tex     to include in a paper
  radmm table results --experiment fig5 --metric error_rate --metric consensus
"""
CODES = "0 if the table was printed, 2 if there is none or it can't be used"


def add(commands: Commands) -> None:
    """Add `radmm table` and its flags to the command line."""
    about = "Print the table of an experiment; it has the metrics and the total ε of each setting, as text or LaTeX."
    parser = add_command(commands, "table", run, about, EXAMPLES, CODES)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="results of a study: results or results/NAME")
    parser.add_argument("--experiment", required=True, metavar="NAME", help="name of the experiment")
    parser.add_argument(
        "--metric",
        action="append",
        default=[],
        metavar="NAME",
        help="metric; may be repeated (default: loss and error_rate)",
    )
    parser.add_argument("--latex", action="store_true", help="print LaTeX for the package booktabs")


def run(given: argparse.Namespace) -> int:
    """Read the experiment's table, and print its summary."""
    tables = {path.stem: path for path in sorted((given.folder / "tables").glob("*.parquet"))}
    if not tables:
        raise InputError(f"{given.folder}: must have tables, like the results of a run")
    if given.experiment not in tables:
        raise InputError(f"--experiment {given.experiment}: {one_of(given.experiment, list(tables))}")
    path = recognised(tables[given.experiment])
    stored = read_metadata(path)
    if "experiment" not in stored:
        raise InputError(f"--experiment {given.experiment}: must be an experiment, and {path} is of a tuned study")
    made = Summary(pd.read_parquet(path), stored, given.metric)
    facts = {"rows": made.rows.to_dict("records"), "sentences": made.sentences}
    tell(given, facts, made.to_latex().rstrip() if given.latex else str(made))
    return OK
