"""The report's overview: what was run and found, in a sentence, with data sets and networks."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import networkx as nx
import pandas as pd

from radmm.base.json_object import JsonObject
from radmm.base.store import checked
from radmm.data.prepared_files import read_edges
from radmm.results.claims.tally import VERBS
from radmm.results.claims.verdict import Word
from radmm.study.entries import Entry

MOST_NODES, MOST_NETWORKS = 150, 24  # largest network that is drawn, and number of networks


def run_counts(pages: Sequence[Mapping[str, Any]]) -> str:
    """Return how much was run, in a sentence."""
    settings = {setting["id"] for page in pages for setting in page["settings"]}
    ended = sum(page["runs_ended"] for page in pages)
    early = f"Runs that ended early: {ended}" if ended else "No run ended early"
    return f"Experiments in this report: {len(pages)}; settings: {len(settings)}. {early}."


def count_words(verdicts: Sequence[str]) -> str:
    """Count verdicts in words, like `2 hold and 1 is mixed`."""
    counted = Counter(verdicts)
    parts = [f"{counted[word]} {VERBS[word][counted[word] > 1]}" for word in Word if counted[word]]
    return ", ".join(parts[:-1]) + (" and " if parts[:-1] else "") + parts[-1]


def data_facts(experiments: Mapping[str, Sequence[Entry]], data: Path) -> list[JsonObject]:
    """Return how each data set in use was made and split.

    Args:
        experiments: Entries of each experiment.
        data: Folder of prepared data.
    """
    used: dict[str, set[tuple[Any, Any]]] = {}
    for setting in (entry.setting for entries in experiments.values() for entry in entries):
        used.setdefault(setting.data_name, set()).add((setting.split.train, setting.split.test))
    facts = []
    for name, splits in used.items():
        path = data / f"{name}.json"
        stored = json.loads(checked(path).read_text(encoding="utf-8")) if path.is_file() else {}
        single = {key.replace("_", " "): value for key, value in stored.items() if _is_told(value)}
        parts = sorted(f"{train} for training, {test or 'the rest'} for testing" for train, test in splits)
        facts.append({"name": name, "facts": {**single, "split": "; ".join(parts)}})
    return facts


def _is_told(value: Any) -> bool:
    return not isinstance(value, dict | list) and value not in ("", None)


def network_drawings(
    experiments: Mapping[str, Sequence[Entry]], table: pd.DataFrame, networks: Path
) -> list[JsonObject]:
    """Return the positions of each network's nodes, and for how many settings each node determines the bound.

    Args:
        experiments: Entries of each experiment.
        table: Table of settings, with `bound.node`.
        networks: Folder of edge lists.
    """
    used: dict[str, set[str]] = {}
    for setting in (entry.setting for entries in experiments.values() for entry in entries):
        used.setdefault(setting.network_name, set()).add(setting.id)
    setters = table.drop_duplicates("id").set_index("id").get("bound.node", pd.Series(dtype=float)).dropna()
    drawings = []
    for name, ids in list(used.items())[:MOST_NETWORKS]:
        edges = read_edges(networks / f"{name}.edges")
        bound = Counter(int(node) for node in setters[setters.index.isin(ids)])
        nodes = int(edges.max()) + 1 if len(edges) else 1
        drawing: JsonObject = {"name": name, "nodes": nodes, "edges": len(edges), "bound": dict(bound)}
        if nodes <= MOST_NODES:
            graph: nx.Graph[int] = nx.empty_graph(nodes)  # in order, so that a ring is laid out as one
            graph.add_edges_from(edges.tolist())
            at = nx.kamada_kawai_layout(graph) if nodes > 1 else {0: (0.0, 0.0)}
            drawing["places"] = [[round(float(place), 3) for place in at[node]] for node in range(nodes)]
            drawing["pairs"] = edges.tolist()
        drawings.append(drawing)
    return drawings
