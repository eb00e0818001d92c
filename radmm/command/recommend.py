"""`radmm recommend`: which method to use on a network at a budget, and what to expect, from the frontier's table."""

import argparse
import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

import numpy as np
import pandas as pd

from radmm.base.errors import InputError
from radmm.base.json_object import JsonObject
from radmm.command.parser import OK, Commands, add_command, tell
from radmm.privacy.guarantee import rounded_up
from radmm.privacy.relation import Neighbours, Relation
from radmm.results.frontier.answers import MODELS
from radmm.results.tables import DELTA

EXAMPLES = """\
  radmm recommend --nodes 20 --rows 40000 --features 105 --epsilon 0.5
  radmm recommend --nodes 100 --rows 20000 --features 50 --epsilon 1 --skewed
"""
CODES = "0 if there is a recommendation, 2 if a flag can't be used"
TABLE = "recommended.csv"  # `python docs/refresh.py frontier` writes it, from the study
SECTIONS = {"algorithm": "name", "network": "law", "noise": "kind"}  # and the field that a flag begins with


def add(commands: Commands) -> None:
    """Add `radmm recommend` and its flags to the command line.

    Args:
        commands: Commands of the main parser.
    """
    about = "Recommend a method for a network and a total ε; with its parameters, and the price that a study found."
    parser = add_command(commands, "recommend", run, about, EXAMPLES, CODES)
    parser.add_argument("--nodes", type=int, required=True, metavar="N", help="nodes of the network")
    parser.add_argument("--rows", type=int, required=True, metavar="ROWS", help="training rows of all nodes together")
    parser.add_argument("--features", type=int, required=True, metavar="D", help="features of a row")
    parser.add_argument("--epsilon", type=float, required=True, metavar="ε", help="the total that may be spent")
    parser.add_argument("--neighbours", default="replace", metavar="RELATION", help="replace or zero-out")
    parser.add_argument("--skewed", action="store_true", help="nodes have different shares of the classes")


def run(given: argparse.Namespace) -> int:
    """Look up and print the recommendation under each threat model.

    Args:
        given: Parsed flags.
    """
    for name in ("nodes", "rows", "features", "epsilon"):
        if not getattr(given, name) > 0:
            raise InputError(f"{name} = {getattr(given, name)}: must be above 0")
    if given.rows < given.nodes:
        raise InputError(f"rows = {given.rows}: must be at least {given.nodes}, one for each node")
    found = [looked_up(read_table(), given, secrets) for secrets in MODELS]
    relation = Relation(Neighbours(given.neighbours))
    conditions = (
        f"Each ε is a total over all messages at δ = {DELTA:g}, for {relation}, by the shift accountant, in exact "
        "arithmetic and with exact argmins."
    )
    tell(given, found, "\n".join([*(_text(each, given) for each in found), conditions]))
    return OK


def read_table() -> pd.DataFrame:
    """Return the table of recommendations that radmm ships."""
    with (files("radmm.command") / TABLE).open(encoding="utf-8") as stream:
        return pd.read_csv(stream)


def looked_up(table: pd.DataFrame, given: argparse.Namespace, secrets: bool) -> JsonObject:
    """Return the recommendation for the study's network and budget that are nearest.

    Noise is small beside the data if rows times ε is large, so half of the rows at twice the ε count as the same.

    Args:
        table: Table that `read_table` returned.
        given: Parsed flags.
        secrets: Whether neighbours keep the draws that they share.
    """
    relations = sorted(set(table["neighbours"]))
    if given.neighbours not in relations:
        raise InputError(f"neighbours = {given.neighbours}: must be one of {', '.join(relations)}")
    law = table["partition"].map(lambda section: json.loads(section)["law"])
    nodes = table["network"].map(lambda section: json.loads(section)["nodes"])
    kept = table[(table["secrets"] == secrets) & (table["neighbours"] == given.neighbours)]
    kept = kept[(law[kept.index] != "even") == given.skewed]
    if kept.empty:
        raise InputError(f"skewed = {given.skewed}: the study has no such partition, so there is nothing to recommend")
    distance = np.abs(np.log(nodes[kept.index] / given.nodes))
    kept = kept[distance == distance.min()]
    equivalent = given.epsilon * given.rows / kept["train"]
    met = kept[kept["epsilon"] <= equivalent]
    best = met.loc[met["epsilon"].idxmax()] if len(met) else kept.loc[kept["epsilon"].idxmin()]
    sections = {name: json.loads(best[name]) for name in (*SECTIONS, "problem")}
    sections["network"]["nodes"] = given.nodes
    told = {name: best[name] for name in ("method", "above", "error", "epsilon", "cell", "data_sets")}
    reads = {"rounds": int(best["rounds"]), "averaged": bool(best["averaged"]), "within_range": bool(len(met))}
    return {"secrets": secrets, **told, **reads, **sections}


def _text(found: Mapping[str, Any], given: argparse.Namespace) -> str:
    model = MODELS[found["secrets"]]
    reads = "the average of all iterates" if found["averaged"] else "the last iterate"
    less = "" if found["within_range"] else "; the study has no such small budget, so expect more"
    return (
        f"{model}: {found['method']}, {found['rounds']} iterations, read {reads}\n"
        f"  expected: {100 * found['above']:+.1f} points of test error against a trusted curator, as at "
        f"{found['cell']}, ε = {rounded_up(found['epsilon'])}, mean over {found['data_sets']}{less}\n"
        f"  its noise: {' '.join(command(found, given))}"
    )


def command(found: Mapping[str, Any], given: argparse.Namespace) -> Sequence[str]:
    """Return the command that finds the noise for the budget, which needs no data.

    Args:
        found: What `looked_up` returned.
        given: Parsed flags.
    """
    flags = [word for name, first in SECTIONS.items() for word in (f"--{name}", _section(found[name], first))]
    problem = found["problem"]
    shared = ["--weighting", problem.get("weighting", "nodes")]
    weights = ["--C", f"{problem['C']:g}", "--rho", f"{problem['rho']:g}", *shared]
    size = ["--rows-per-node", str(given.rows // given.nodes), "--dimension", str(given.features)]
    total = ["--epsilon", f"{given.epsilon:g}", "--law", "gaussian", "--neighbours", given.neighbours]
    return ["radmm", "calibrate", *total, *flags, *weights, "--iterations", str(found["rounds"]), *size]


def _section(section: Mapping[str, Any], first: str) -> str:
    fields = [f"{name}={value:g}" for name, value in section.items() if name != first and value]
    return ",".join([section[first], *fields])
