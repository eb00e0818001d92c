"""The report's pages of tuned studies: which method to use at which budget."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from radmm.base.json_object import JsonObject
from radmm.base.store import checked, read_metadata
from radmm.privacy.accountants.shift import ShiftAccountant
from radmm.privacy.guarantee import EXACT_ARGMINS, EXACT_ARITHMETIC
from radmm.privacy.relation import Neighbours, Relation
from radmm.results.frontier.answers import HALF_A_POINT, MODELS, answer, over_data_sets, under
from radmm.results.frontier.judgement import OTHER, SAME
from radmm.results.frontier.threats import threat_sentences
from radmm.results.report.display_names import PARAMETERS, TARGET, value_text
from radmm.results.report.experiments import picture
from radmm.results.report.plotly_styles import looks_of_methods

MOST_CELLS = 3  # cells that the overview's sentence is about
COLUMNS = {
    "data_set": "data set",
    "chosen_on": "chosen on",
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
    """Yield the table of each existing tuned study or replication, with its metadata.

    Args:
        field: Metadata field by which to choose: `epsilon` for tuned studies, `pairs` for replications.
    """
    for path in sorted((results / "tables").glob("*.parquet")):
        about = read_metadata(path)
        if about.get("said", {}).get(field):
            yield pd.read_parquet(checked(path)), about


def tuned_pages(results: Path) -> list[JsonObject]:
    """Return the page of each tuned study whose table exists."""
    return [_page(table, about, results) for table, about in studies(results, "epsilon")]


def _page(table: pd.DataFrame, about: Mapping[str, Any], results: Path) -> JsonObject:
    name, said = about["study"], about["said"]
    told = table.assign(
        reads=table["averaged"].map({True: "average", False: "last"}), chosen=table["point"].map(_chosen)
    )
    methods = table[table["best"].notna()].drop_duplicates("method")
    rows = [[None if value != value else value for value in row] for row in told[[*COLUMNS]].values.tolist()]
    return {
        "name": name,
        "page": f"{said['page'] or name}.md",
        "figure": picture(results / "figures" / f"{name}.svg"),
        "columns": list(COLUMNS.values()),
        "rows": rows,
        "looks": looks_of_methods(dict(zip(methods["method"], methods["setting"], strict=True))),
        "terms": {str(each): budget_terms(said["delta"], each) for each in Neighbours},
        "selection": len(said["selection"]),
        "judgement": len(said["judgement"]),
        "untuned": said["untuned"],
        "threats": about.get("threats", {}),  # tables of earlier versions don't say
        "assumed": about.get("assumed", []),
        "sentences": answers(table, said["delta"], about.get("threats", {})),
    }


def budget_terms(delta: float, neighbours: Neighbours) -> str:
    """Return the terms of a tuned study's budgets: accountant, δ and relation."""
    return f"{ShiftAccountant.name} accountant, δ = {delta:g}, {Relation(neighbours)}"


def _chosen(point: str) -> str:
    values: Mapping[str, Any] = json.loads(point)
    return ", ".join(f"{PARAMETERS.get(axis, axis)} = {value_text(value)}" for axis, value in values.items())


def answers(table: pd.DataFrame, delta: float, threats: Mapping[str, str]) -> list[str]:
    """Return which method to use at the target budget, in sentences; nothing if the study doesn't have that budget.

    Args:
        threats: Attackers against whom a method's ε holds, by method, where these are not all.
    """
    neighbours = Neighbours.REPLACE
    asked = table[(table["neighbours"] == neighbours) & (table["epsilon"] == TARGET) & table["best"].notna()]
    if asked.empty:
        return []
    chosen_on = OTHER if (asked["chosen_on"] == OTHER).any() else SAME
    read = asked[asked["chosen_on"] == chosen_on]
    means = over_data_sets(read.assign(by_seed=read["by_seed"].map(json.loads)))
    whose = f"{budget_terms(delta, neighbours)}, {EXACT_ARITHMETIC}, {EXACT_ARGMINS}"
    weaker = "".join(f" {sentence}" for sentence in threat_sentences(threats))
    models = [secrets for secrets in MODELS if not secrets or means["secrets"].any()]
    return [
        *(f"{MODELS[secrets]}, total ε of at most {TARGET:g}: {_best(under(means, secrets))}." for secrets in models),
        f"Every method was tuned on {chosen_on} and graphs. ε: {whose}.{weaker}",
    ]


def _best(means: pd.DataFrame) -> str:
    cells = [_answer(str(cell), part) for cell, part in means.groupby("cell", sort=False)]
    return ", ".join(cells[:MOST_CELLS])


def _answer(cell: str, part: pd.DataFrame) -> str:
    best, alike = answer(part)
    others = f" (within {100 * HALF_A_POINT:g} points: {'; '.join(alike)})" if alike else ""
    return f"{100 * best['error']:.1f} % by {best['method']} at {cell}{others}"
