"""`radmm epsilon`: compute a run's total ε from public parameters, without data."""

import argparse

from radmm.base.inputs import as_number
from radmm.command.flags import add_setting_flags
from radmm.command.guarantee import add_guarantee_flags, printed_total
from radmm.command.parser import NO, OK, Commands, add_command, tell
from radmm.command.public_run import public_ledger
from radmm.privacy.accountants.accountant import ACCOUNTANTS

EXAMPLES = """\
  radmm epsilon --network ring,nodes=5 --rows-per-node 8000 --dimension 105 --C 1750 --rho 0.22 \\
      --algorithm r-admm,gamma=0.5 --noise objective,alpha=1 --iterations 50
  radmm epsilon … --accountant all          by every accountant
  radmm epsilon … --at-most 1               whether it is within a budget, by the exit code
  radmm epsilon --setting fig5/R-ADMM --noise alpha=1      an entry of config/config.yaml
"""
CODES = "0 if there is a finite ε, and it is within --at-most; 1 if not; 2 if the flags can't be used"
ALL = "all"


def add(commands: Commands) -> None:
    """Declare the command.

    Args:
        commands: Commands of the main parser.
    """
    about = "Compute a run's total ε from public parameters; no data are needed, and nothing is solved."
    parser = add_command(commands, "epsilon", run, about, EXAMPLES, CODES)
    add_setting_flags(parser)
    add_public_flags(parser)
    add_guarantee_flags(parser)
    parser.add_argument("--at-most", type=float, metavar="ε", help="exit with 1 if more is spent")


def add_public_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags for the size of data that are not read.

    Args:
        parser: Parser of a command.
    """
    group = parser.add_argument_group("the size of the data")
    group.add_argument("--rows-per-node", metavar="B", help="one number, or one for each node: 8000,6000,9000")
    group.add_argument("--dimension", type=int, metavar="D", help="how many features a row has")


def run(given: argparse.Namespace) -> int:
    """Print the total ε, and whether it is within the limit given."""
    ledger, prepared = public_ledger(given)
    names = sorted(ACCOUNTANTS) if given.accountant == ALL else [given.accountant]
    totals = [printed_total(given, ledger, prepared, name) for name in names]
    width = max(map(len, names))
    tell(
        given,
        [each.facts() for each in totals] if given.accountant == ALL else totals[0].facts(),
        "\n".join(f"{each.accountant:{width}}  {each}" for each in totals) if len(totals) > 1 else str(totals[0]),
    )
    limit = float("inf") if given.at_most is None else as_number("--at-most", given.at_most)
    return OK if any(each.guarantee is not None and each.guarantee <= limit for each in totals) else NO
