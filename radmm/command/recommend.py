"""`radmm recommend`: recommend a method for a network and a budget, and what to expect, from the frontier's table."""

import argparse
import math
from collections.abc import Mapping
from typing import Any

from radmm.base.errors import InputError
from radmm.command.parser import OK, Commands, add_command, tell
from radmm.privacy.guarantee import rounded_up
from radmm.privacy.relation import Neighbours, Relation
from radmm.results.frontier.answers import MODELS, in_points
from radmm.results.frontier.lookup import Question, calibration, looked_up, meaning_of_errors, read_table, training
from radmm.results.tables import DELTA

EXAMPLES = """\
  radmm recommend --nodes 20 --rows 40000 --features 105 --epsilon 0.5
  radmm recommend --nodes 100 --rows 20000 --features 50 --epsilon 1 --skewed
"""
CODES = "0 if there is a recommendation, 2 if a flag can't be used"


def add(commands: Commands) -> None:
    """Add `radmm recommend` and its flags to the command line."""
    about = "Recommend a method for a network and a total ε; it prints the parameters and the test error to expect."
    parser = add_command(commands, "recommend", run, about, EXAMPLES, CODES)
    parser.add_argument("--nodes", type=int, required=True, metavar="N", help="number of nodes")
    parser.add_argument(
        "--rows", type=int, required=True, metavar="ROWS", help="number of training rows, all nodes together"
    )
    parser.add_argument("--features", type=int, required=True, metavar="D", help="number of features")
    parser.add_argument("--epsilon", type=float, required=True, metavar="ε", help="total ε that the run may spend")
    parser.add_argument("--neighbours", default="replace", metavar="RELATION", help="replace or zero-out one row")
    parser.add_argument("--skewed", action="store_true", help="the shares of the classes differ between nodes")


def run(given: argparse.Namespace) -> int:
    """Look up and print the recommendation under each threat model."""
    for name in ("nodes", "rows", "features", "epsilon"):
        if not getattr(given, name) > 0:
            raise InputError(f"{name} = {getattr(given, name)}: must be above 0")
    if given.rows < given.nodes:
        raise InputError(f"rows = {given.rows}: must be at least {given.nodes}, one for each node")
    asked = Question(*(getattr(given, name) for name in Question._fields))
    found = [looked_up(read_table(), asked, secrets) for secrets in MODELS]
    relation = Relation(Neighbours(given.neighbours))
    conditions = (
        f"Each ε is a total over all messages at δ = {DELTA:g}, for {relation}, by the shift accountant, in exact "
        "arithmetic and with exact argmins."
    )
    meaning = meaning_of_errors(found[0]["data_sets"])
    tell(given, found, "\n".join([*(_text(each, asked) for each in found), meaning, conditions]))
    return OK


def _free(found: Mapping[str, Any]) -> str:
    """Return what privacy costs, if the study was run without it, too."""
    cost = found["error"] - found["free"]
    return "" if math.isnan(cost) else f", {in_points(cost)} against no privacy"


def _text(found: Mapping[str, Any], asked: Question) -> str:
    model = MODELS[found["secrets"]]
    rounds = f"{found['rounds']} iteration{'s' * (found['rounds'] != 1)}"
    reads = "the average of all iterates" if found["averaged"] else "the last iterate"
    less = "" if found["within_range"] else "; the study has no budget that small, so expect a larger error"
    return (
        f"{model}: {found['method']}, {rounds}, read {reads}\n"
        f"  expected: test error {found['error']:.3f} ({found['low']:.3f} to {found['high']:.3f}), "
        f"{in_points(found['above'])} points against a trusted curator{_free(found)}; as at {found['cell']}, "
        f"ε = {rounded_up(found['epsilon'])}, mean over {found['data_sets']}{less}\n"
        f"  find its noise: {' '.join(calibration(found, asked))}\n"
        f"  train once, on Adult: {' '.join(training(found, asked, DELTA))}"
    )
