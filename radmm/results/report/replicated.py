"""The report's pages of replications: which of two methods is more accurate at equal budgets."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from radmm.base.json_object import JsonObject
from radmm.results.frontier.replicated_page import EQUAL, METRIC, RULE, named, preface
from radmm.results.frontier.replication import EVERY, verdicts
from radmm.results.report.experiments import picture
from radmm.results.report.overview import count_words
from radmm.results.report.tuned import studies

POINTS = 100.0  # percentage points
COLUMNS = {
    "cell": "cell",
    "equal": "equal",
    "left": "method",
    "right": "less",
    "kind": "η",
    "penalty_left": "η of the method",
    "penalty_right": "η of the other",
    "difference": "difference, points",
    "low": "low",
    "high": "high",
    "outcome": "outcome",
}


def replicated_pages(results: Path) -> list[JsonObject]:
    """Return the page of each replication whose table exists."""
    return [_page(table, about, results) for table, about in studies(results, "pairs")]


def _page(table: pd.DataFrame, about: Mapping[str, Any], results: Path) -> JsonObject:
    name, said, threats = about["study"], about["said"], about.get("threats", {})
    own = table[table["metric"] == METRIC]
    equal = [named(axis, budget) for axis, budget in zip(own["axis"], own["budget"], strict=True)]
    points = {name: POINTS * own[name] for name in ("difference", "low", "high")}
    rows = own.assign(equal=equal, **points)[[*COLUMNS]].astype(object)
    judged = verdicts(own[own["kind"] != EVERY], METRIC)
    return {
        "name": name,
        "page": f"{said['page'] or name}.md",
        "figure": picture(results / "figures" / f"{name}.svg"),
        "columns": list(COLUMNS.values()),
        "rows": rows.where(rows.notna(), None).values.tolist(),
        "verdicts": [[each.word, each.left, each.right, EQUAL[each.axis], *each.counts.values()] for each in judged],
        "rule": RULE,
        "said": [text.strip().replace("`", "") for text in preface(said, threats)],
        "assumed": about.get("assumed", []),
        "sentences": [_counted(said, judged)],
    }


def _counted(said: Mapping[str, Any], judged: list[Any]) -> str:
    """Return how the comparisons came out, in a sentence for the overview."""
    told = [
        f"at {EQUAL[axis]}, {count_words([each.word for each in judged if each.axis == axis])}"
        for axis in dict.fromkeys(each.axis for each in judged)
    ]
    pairs = f"{len(said['pairs'])} pairs of algorithms" if len(said["pairs"]) > 1 else "One pair of algorithms"
    return f"{pairs}, compared over {len(said['judgement'])} splits and graphs: {'; '.join(told)}."
