"""Tuned studies: which method at which budget, from the tables that they left."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from radmm.base.store import checked, read_metadata
from radmm.privacy.accountants.shift import ShiftAccountant
from radmm.privacy.guarantee import EXACT_ARGMINS, EXACT_ARITHMETIC
from radmm.privacy.relation import Neighbours, Relation
from radmm.results.frontier.page import best_and_alike
from radmm.results.frontier.threats import threat_sentences
from radmm.results.report.experiments import picture
from radmm.results.report.words import PARAMETERS, value_text

TARGET = 1.0  # the total ε that the overview's sentence is about
MOST_CELLS = 3  # that it tells of
COLUMNS = {
    "cell": "cell",
    "neighbours": "neighbours",
    "epsilon": "ε at most",
    "method": "method",
    "error": "test error",
    "low": "low",
    "high": "high",
    "difference": "more than the best",
    "difference_low": "more, low",
    "difference_high": "more, high",
    "rounds": "rounds",
    "reads": "reads",
    "chosen": "chosen",
    "spent": "ε spent",
    "setting": "setting",
}


def studies(results: Path, field: str) -> Iterator[tuple[pd.DataFrame, Mapping[str, Any]]]:
    """The table of each tuned study or replication that is there, and what it says of itself.

    Args:
        results: The folder of all results.
        field: Which a study must give to be one: `epsilon` those that budgets are read off, `pairs` replications.
    """
    for path in sorted((results / "tables").glob("*.parquet")):
        about = read_metadata(path)
        if about.get("said", {}).get(field):
            yield pd.read_parquet(checked(path)), about


def tuned_pages(results: Path) -> list[dict[str, Any]]:
    """Of each tuned study whose table is there.

    Args:
        results: The folder of all results.
    """
    return [_page(table, about, results) for table, about in studies(results, "epsilon")]


def _page(table: pd.DataFrame, about: Mapping[str, Any], results: Path) -> dict[str, Any]:
    name, said = about["study"], about["said"]
    told = table.assign(
        reads=table["averaged"].map({True: "average", False: "last"}), chosen=table["point"].map(_chosen)
    )
    rows = [[None if value != value else value for value in row] for row in told[[*COLUMNS]].values.tolist()]
    return {
        "name": name,
        "page": f"{said['page'] or name}.md",
        "figure": picture(results / "figures" / f"{name}.png"),
        "columns": list(COLUMNS.values()),
        "rows": rows,
        "terms": {str(each): terms(said["delta"], each) for each in Neighbours},
        "selection": len(said["selection"]),
        "judgement": len(said["judgement"]),
        "untuned": said["untuned"],
        "threats": about.get("threats", {}),  # tables of earlier versions don't say
        "assumed": about.get("assumed", []),
        "sentences": answers(name, table, said["delta"], about.get("threats", {})),
    }


def terms(delta: float, neighbours: Neighbours) -> str:
    """What budgets of a tuned study are good for: accountant, δ and relation.

    Args:
        delta: δ.
        neighbours: Which data sets are neighbours.
    """
    return f"{ShiftAccountant.name} accountant, δ = {delta:g}, {Relation(neighbours)}"


def _chosen(point: str) -> str:
    values: Mapping[str, Any] = json.loads(point)
    return ", ".join(f"{PARAMETERS.get(axis, axis)} = {value_text(value)}" for axis, value in values.items())


def answers(name: str, table: pd.DataFrame, delta: float, threats: Mapping[str, str]) -> list[str]:
    """What to use at the target, in a sentence; nothing if the study doesn't have that budget.

    Args:
        name: The study's.
        table: As its file has it.
        delta: δ.
        threats: By method against whom its ε holds, where that is not everybody.
    """
    neighbours = Neighbours.REPLACE
    asked = table[(table["neighbours"] == neighbours) & (table["epsilon"] == TARGET) & table["best"].notna()]
    cells = [_answer(str(cell), part) for cell, part in asked.groupby("cell", sort=False)]
    if not cells:
        return []
    whose = f"{terms(delta, neighbours)}, {EXACT_ARITHMETIC}, {EXACT_ARGMINS}"
    weaker = "".join(f" {sentence}" for sentence in threat_sentences(threats))
    return [
        f"With every method tuned for its budget on other splits and graphs ({name}), the lowest mean test error at a "
        f"total ε of at most {TARGET:g} ({whose}) is {'; '.join(cells[:MOST_CELLS])}.{weaker}"
    ]


def _answer(cell: str, part: pd.DataFrame) -> str:
    best, alike = best_and_alike(part)
    others = f" (not told apart from it: {'; '.join(alike)})" if alike else ""
    return f"{100 * best['error']:.1f} % by {best['method']}{others} at {cell}"
