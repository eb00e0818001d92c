"""The report's overview: the results in three sentences, with data sets and networks."""

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
from radmm.privacy.guarantee import EXACT_ARGMINS, EXACT_ARITHMETIC, rounded_up
from radmm.results.claims.verdict import Word
from radmm.results.report.display_names import PARAMETERS, budgets
from radmm.study.entries import Entry

TARGET = 1.0  # the total ε that the second sentence is about
MOST_NODES, MOST_NETWORKS = 150, 24  # that are drawn
FRONTIER = "frontier"  # the kind of figure that is about budgets
VERBS = {  # for one claim, and for more
    Word.HOLDS: ("holds", "hold"),
    Word.NO_DIFFERENCE: ("shows no difference", "show no difference"),
    Word.FAILS: ("fails", "fail"),
    Word.MIXED: ("is mixed", "are mixed"),
    Word.UNDECIDED: ("is undecided", "are undecided"),
    Word.NOT_TESTED: ("was not tested", "were not tested"),
}
ERRORS = {"error_rate": "", "error_rate_average": " of averaged iterates"}


def sentences(pages: Sequence[Mapping[str, Any]], claims: Mapping[str, Any] | None) -> list[str]:
    """Return the results in a few sentences.

    Args:
        pages: Pages of the experiments.
        claims: Content of claims.json, if it exists.
    """
    page = budget_page(pages)
    return [verdict_counts(claims) if claims else _counted(pages), *(_prices(page) if page else [])]


def budget_page(pages: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Return the page on which budgets are best compared: a frontier, or the one with the most settings with noise.

    Args:
        pages: Pages of the experiments.
    """
    spending = [page for page in pages if _spending(page)]
    return max(spending, key=lambda page: (page["kind"].startswith(FRONTIER), len(_spending(page))), default=None)


def _counted(pages: Sequence[Mapping[str, Any]]) -> str:
    settings = {setting["id"] for page in pages for setting in page["settings"]}
    ended = sum(page["runs_ended"] for page in pages)
    early = f"{ended} runs ended early" if ended else "no run ended early"
    return f"{len(pages)} experiments with {len(settings)} settings were run; {early}."


def verdict_counts(claims: Mapping[str, Any]) -> str:
    """Return how many claims have each verdict, in a sentence.

    Args:
        claims: Content of claims.json.
    """
    theirs = [claim["verdict"] for claim in claims["claims"] if not claim["ours"]]
    added = [claim["verdict"] for claim in claims["claims"] if claim["ours"]]
    text = f"Of {len(theirs)} claims of the paper {count_words(theirs)}"
    return text + (f"; of {len(added)} that we added {count_words(added)}." if added else ".")


def count_words(verdicts: Sequence[str]) -> str:
    """Count verdicts in words, like `2 hold and 1 is mixed`."""
    counted = Counter(verdicts)
    parts = [f"{counted[word]} {VERBS[word][counted[word] > 1]}" for word in Word if counted[word]]
    return ", ".join(parts[:-1]) + (" and " if parts[:-1] else "") + parts[-1]


def _spending(page: Mapping[str, Any]) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Return the settings that have a total ε and a test error, each with its last iteration."""
    both, totals = zip(page["settings"], page["ends"], strict=True), budgets().keys()
    return [(each, end) for each, end in both if "error_rate" in end and totals & end.keys()]


def _prices(page: Mapping[str, Any]) -> list[str]:
    """Return sentences on the best test error within the budget and on its cost, for settings of the same split."""
    split, where = _most_used_split(page)
    spending, totals = [pair for pair in _spending(page) if pair[0]["split"] == split], budgets()
    total = max(totals, key=lambda metric: sum(metric in end for _, end in spending))
    private = [(each, end) for each, end in spending if total in end]
    least = min(end[total] for _, end in private)
    limit = max(TARGET, least)
    best, end, metric = _best([pair for pair in private if pair[1][total] <= limit])
    at = f"at most {limit:g}" if least <= TARGET else f"{rounded_up(least)}, the smallest that was run"
    terms = f"{totals[total].terms}, {EXACT_ARITHMETIC}, {EXACT_ARGMINS}"
    said = " ".join(
        [
            f"At a total ε of {at} ({terms}), the lowest mean test error in {page['name']}{where} is "
            f"{_percent(end, metric)}{ERRORS[metric]}, by {_called(best)}, which spends {rounded_up(end[total])}.",
            *page["caveats"],
        ]
    )
    pairs = zip(page["settings"], page["ends"], strict=True)
    plain = [
        (each, end) for each, end in pairs if not each["private"] and "error_rate" in end and each["split"] == split
    ]
    cost = f"It touches the data at {end['K']} of {end['T']} iterations"
    if not plain:
        return [said, f"{cost}; nothing was run without noise there."]
    free, free_end, free_metric = _best(plain)
    lost = 100 * (end[metric] - free_end[free_metric])
    return [
        said,
        f"{cost}; without noise {_called(free)} has {_percent(free_end, free_metric)}{ERRORS[free_metric]}, so that "
        f"privacy costs {lost:.1f} percentage points.",
    ]


def _most_used_split(page: Mapping[str, Any]) -> tuple[str, str]:
    """Return the split of most settings with noise, and a phrase that names it if there are others.

    The best of several splits would be best by luck.
    """
    counted = Counter(each["split"] for each, _ in _spending(page))
    split = counted.most_common(1)[0][0]
    return split, f" on the split {split}" if len(counted) > 1 else ""


def _best(
    pairs: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]],
) -> tuple[Mapping[str, Any], Mapping[str, Any], str]:
    choices = [(each, end, metric) for each, end in pairs for metric in ERRORS if metric in end]
    return min(choices, key=lambda choice: choice[1][choice[2]])


def _percent(end: Mapping[str, Any], metric: str) -> str:
    spread = (end.get(f"{metric}_{edge}") for edge in ("min", "max"))
    low, high = ("" if value is None else f"{100 * value:.1f}" for value in spread)
    runs = f" ({low} to {high} % over {end['runs']} runs)" if low else ""
    return f"{100 * end[metric]:.1f} %{runs}"


def _called(setting: Mapping[str, Any]) -> str:
    point = ", ".join(f"{PARAMETERS.get(axis, axis)} = {value}" for axis, value in setting["point"].items())
    return f"{setting['label']} ({point})" if point else str(setting["label"])


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
