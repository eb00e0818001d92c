"""`radmm epsilon`: compute a run's total ε from public parameters, without data."""

import argparse
from math import inf

from radmm.base.inputs import as_number
from radmm.command.parser import NO, OK, Commands, add_command, note, tell
from radmm.command.printed_totals import add_guarantee_flags, printed_total, table_of_totals
from radmm.command.public_run import public_ledger
from radmm.command.setting_flags import add_setting_flags
from radmm.privacy.accountants.accountant import ACCOUNTANTS
from radmm.privacy.guarantee import Guarantee, rounded_up

EXAMPLES = """\
  radmm epsilon --network ring,nodes=5 --rows-per-node 8000 --dimension 105 --C 1750 --rho 0.22 \\
      --algorithm r-admm,gamma=0.5 --noise objective,alpha=1 --iterations 50
  radmm epsilon … --accountant all          # by every accountant
  radmm epsilon … --at-most 1               # how far ε is from a budget; exit code 1 if above
  radmm epsilon --setting fig5/R-ADMM --noise alpha=1      # an entry of config/config.yaml
"""
CODES = "0 if ε is finite and within --at-most, 1 if not, 2 if the flags can't be used"
ALL = "all"


def add(commands: Commands) -> None:
    """Add `radmm epsilon` and its flags to the command line."""
    about = "Compute a run's total ε from public parameters; no data are needed, and nothing is solved."
    parser = add_command(commands, "epsilon", run, about, EXAMPLES, CODES)
    add_setting_flags(parser)
    add_public_flags(parser)
    add_guarantee_flags(parser)
    parser.add_argument(
        "--at-most",
        type=float,
        metavar="ε",
        help="budget: print how far ε is from it, and exit with 1 if ε is above it",
    )


def add_public_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags for the size of data that are not read."""
    group = parser.add_argument_group("size of the data")
    group.add_argument("--rows-per-node", metavar="B", help="rows of every node, or of each: 8000,6000,9000")
    group.add_argument("--dimension", type=int, metavar="D", help="number of features")


def run(given: argparse.Namespace) -> int:
    """Print the total ε, and whether it is within the limit given."""
    ledger, prepared = public_ledger(given)
    names = sorted(ACCOUNTANTS) if given.accountant == ALL else [given.accountant]
    totals = [printed_total(given, ledger, prepared, name) for name in names]
    asked_for_all = given.accountant == ALL
    facts = [each.facts() for each in totals] if asked_for_all else totals[0].facts()
    tell(given, facts, table_of_totals(totals) if asked_for_all else str(totals[0]))
    limit = inf if given.at_most is None else as_number("--at-most", given.at_most)
    least = min((each.guarantee for each in totals if each.guarantee is not None), default=None)
    if least is not None and limit < inf:
        note(_distance(least, limit))
    return OK if least is not None and least <= limit else NO


def _distance(guarantee: Guarantee, limit: float) -> str:
    """Return the sentence that says how far a total is from a budget, with the number of the total as it is printed."""
    over = float(rounded_up(guarantee)) - limit
    return f"The total is {abs(over):.4g} {'above' if guarantee > limit else 'below'} --at-most {limit:g}."
