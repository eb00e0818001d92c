"""The shipped table of recommendations: which method to use on a network at a budget, and what to expect of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from radmm.base.errors import InputError
from radmm.base.json_object import JsonObject

TABLE = "recommended.csv"  # `python docs/refresh.py frontier` writes it, from the study
TOLD = ("method", "error", "low", "high", "above", "free", "epsilon", "cell", "data_sets")
SECTIONS = {"algorithm": "name", "network": "law", "noise": "kind"}  # and the field that a flag begins with


class Question(NamedTuple):
    """Network, data and budget for which a method is recommended.

    Args:
        nodes: Number of nodes of the network.
        rows: Number of training rows of all nodes together.
        features: Number of features of a row.
        epsilon: Total ε that may be spent.
        neighbours: Neighbouring relation: `replace` or `zero-out`.
        skewed: Whether nodes have different shares of the classes.
    """

    nodes: int
    rows: int
    features: int
    epsilon: float
    neighbours: str = "replace"
    skewed: bool = False


def read_table() -> pd.DataFrame:
    """Return the table of recommendations that radmm ships."""
    with (files("radmm.results.frontier") / TABLE).open(encoding="utf-8") as stream:
        return pd.read_csv(stream)


def looked_up(table: pd.DataFrame, asked: Question, secrets: bool) -> JsonObject:
    """Return the recommendation for the study's network and budget that are nearest.

    Noise is small beside the data if rows times ε is large, so half of the rows at twice the ε count as the same.

    Args:
        table: Table that `read_table` returned.
        asked: Network, data and budget.
        secrets: Whether neighbours keep the draws that they share.
    """
    relations = sorted(set(table["neighbours"]))
    if asked.neighbours not in relations:
        raise InputError(f"neighbours = {asked.neighbours}: must be one of {', '.join(relations)}")
    nodes = table["network"].map(lambda section: json.loads(section)["nodes"])
    kept = table[(table["secrets"] == secrets) & (table["neighbours"] == asked.neighbours)]
    kept = kept[kept["partition"].map(is_skewed) == asked.skewed]
    if kept.empty:
        raise InputError(f"skewed = {asked.skewed}: the study has no such partition, so there is nothing to recommend")
    distance = np.abs(np.log(nodes[kept.index] / asked.nodes))
    kept = kept[distance == distance.min()]
    kept = kept[kept["cell"] == kept["cell"].iloc[0]]  # of several networks of that size the study's first one
    equivalent = asked.epsilon * asked.rows / kept["train"]
    met = kept[kept["epsilon"] <= equivalent]
    best = met.loc[met["epsilon"].idxmax()] if len(met) else kept.loc[kept["epsilon"].idxmin()]
    sections = {name: json.loads(best[name]) for name in (*SECTIONS, "problem", "partition")}
    sections["problem"]["rho"] *= asked.nodes / sections["network"]["nodes"]  # so that ρ/N is the study's
    sections["network"]["nodes"] = asked.nodes
    told = {name: best[name] for name in TOLD}
    reads = {"rounds": int(best["rounds"]), "averaged": bool(best["averaged"]), "within_range": bool(len(met))}
    return {"secrets": secrets, **told, **reads, **sections}


def meaning_of_errors(data_sets: str) -> str:
    """Return a sentence on what the test errors of recommendations are, and how to compute them again.

    Args:
        data_sets: Names of the study's data sets, as the table has them.
    """
    again = "`make frontier` computes it again."
    if "," not in data_sets:
        return f"Each test error is that on other splits of {data_sets} than those that chose the parameters; {again}"
    judged = "each judged with the parameters that the other data sets choose"
    return f"Each test error is the mean over the study's data sets ({data_sets}), {judged}; {again}"


def is_skewed(partition: str) -> bool:
    """Return whether nodes have different shares of the classes.

    Args:
        partition: Section of the config, as JSON.
    """
    return bool(json.loads(partition)["law"] != "even")


def calibration(found: Mapping[str, Any], asked: Question) -> list[str]:
    """Return the command that finds the noise for the budget, which needs no data.

    Args:
        found: What `looked_up` returned.
        asked: Network, data and budget.
    """
    size = ["--rows-per-node", str(asked.rows // asked.nodes), "--dimension", str(asked.features)]
    total = ["--epsilon", f"{asked.epsilon:g}", "--law", "gaussian", "--neighbours", asked.neighbours]
    return ["radmm", "calibrate", *total, *_setting(found, found["noise"]), *size]


def training(found: Mapping[str, Any], asked: Question, delta: float) -> list[str]:
    """Return the command that finds the noise for the budget and trains once, on Adult in place of one's own data.

    Args:
        found: What `looked_up` returned.
        asked: Network, data and budget.
        delta: δ of the budget.
    """
    budget = {"law": "gaussian", "total_epsilon": asked.epsilon, "delta": delta, "neighbours": asked.neighbours}
    rows = ["--data", "adult", "--train", str(asked.rows), "--partition", _section(found["partition"], "law")]
    return ["radmm", "solve", *rows, *_setting(found, found["noise"] | budget), "--runs", "1"]


def _setting(found: Mapping[str, Any], noise: Mapping[str, Any]) -> list[str]:
    """Return the flags of the recommended setting, with a noise."""
    sections = {name: found[name] for name in SECTIONS} | {"noise": noise}
    flags = [word for name, first in SECTIONS.items() for word in (f"--{name}", _section(sections[name], first))]
    problem = found["problem"]
    weights = ["--C", f"{problem['C']:g}", "--rho", f"{problem['rho']:g}"]
    weighting = ["--weighting", problem.get("weighting", "nodes")]
    return [*flags, *weights, *weighting, "--iterations", str(found["rounds"])]


def _section(section: Mapping[str, Any], first: str) -> str:
    fields = [
        f"{name}={value if isinstance(value, str) else format(value, 'g')}"
        for name, value in section.items()
        if name != first and value
    ]
    return ",".join([section[first], *fields])
