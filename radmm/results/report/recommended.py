"""The overview's answer to "what do I use": the recommendations that radmm ships, with a command for each."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from radmm.base.json_object import JsonObject
from radmm.privacy.guarantee import EXACT_ARGMINS, EXACT_ARITHMETIC
from radmm.privacy.relation import Neighbours, Relation
from radmm.results.frontier.answers import MODELS
from radmm.results.frontier.lookup import (
    Question,
    calibration,
    is_skewed,
    looked_up,
    meaning_of_errors,
    read_table,
    training,
)
from radmm.results.report.display_names import PARAMETERS, TARGET, value_text
from radmm.results.report.tuned import budget_terms
from radmm.results.tables import DELTA


def recommendations(features: int, folder: str) -> JsonObject:
    """Return what `radmm recommend` answers for each threat model, network, relation and budget of its table.

    Args:
        features: Number of features of a row, for the commands.
        folder: Folder of the programs, with a slash at its end; empty if they are on the path.
    """
    table = read_table()
    asked = {
        Question(
            json.loads(row["network"])["nodes"],
            int(row["train"]),
            features,
            row["epsilon"],
            row["neighbours"],
            is_skewed(row["partition"]),
        ): None
        for row in table.to_dict("records")
    }
    rows = [_row(question, looked_up(table, question, secrets), folder) for secrets in MODELS for question in asked]
    return {
        "sentence": _sentence([row for row in rows if row["epsilon"] == TARGET]),
        "meaning": meaning_of_errors(rows[0]["data_sets"]),
        "rows": rows,
        "target": TARGET,
        "relations": {each: str(Relation(Neighbours(each))) for each in sorted(set(table["neighbours"]))},
        "terms": {
            each: f"{budget_terms(DELTA, Neighbours(each))}, {EXACT_ARITHMETIC}, {EXACT_ARGMINS}"
            for each in sorted(set(table["neighbours"]))
        },
    }


def _sentence(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return what to use on the first network: without secrets between nodes, and where neighbours can keep some."""
    row, secret = rows[0], next(each for each in rows if each["trust"] != rows[0]["trust"])
    plural = "" if row["iterations"] == 1 else "s"
    return (
        f"At a total ε of {row['epsilon']:g} at δ = {DELTA:g} ({row['network']}; mean over {row['data_sets']}), use "
        f"{row['method']} with {row['iterations']} iteration{plural}. Its test error is {_error(row)}. Where "
        f"neighbours can keep the random draws that they share secret, use {secret['method']}: {_error(secret)}."
    )


def _error(row: Mapping[str, Any]) -> str:
    free = "" if row["free"] is None else f" and {_difference(row['error'] - row['free'])} that without privacy"
    return f"{100 * row['error']:.1f} %, {_difference(row['above'])} that of a trusted curator{free}"


def _difference(above: float) -> str:
    return f"{100 * abs(above):.1f} points {'above' if above > 0 else 'below'}"


def _row(asked: Question, found: Mapping[str, Any], folder: str) -> JsonObject:
    flags = [f"--nodes {asked.nodes} --rows {asked.rows} --features {asked.features} --epsilon {asked.epsilon:g}"]
    flags += [f"--neighbours {asked.neighbours}"] * (asked.neighbours != "replace") + ["--skewed"] * asked.skewed
    numbers = {
        f"{section}.{name}": value
        for section in ("algorithm", "noise", "problem")
        for name, value in found[section].items()
        if isinstance(value, float | int) and value
    }
    return {
        "epsilon": asked.epsilon,
        "neighbours": asked.neighbours,
        "trust": MODELS[found["secrets"]],
        "network": found["cell"],
        "data_sets": found["data_sets"],
        "method": found["method"],
        **{name: found[name] for name in ("error", "low", "high", "above")},
        "free": None if math.isnan(found["free"]) else found["free"],
        "iterations": found["rounds"],
        "reads": "average of all iterates" if found["averaged"] else "last iterate",
        "parameters": ", ".join(
            f"{PARAMETERS.get(path, path.split('.')[1])} = {value_text(value)}" for path, value in numbers.items()
        ),
        "recommend": " ".join([f"{folder}radmm recommend", *flags]),
        "calibrate": folder + " ".join(calibration(found, asked)),
        "train": folder + " ".join(training(found, asked, DELTA)),
    }
