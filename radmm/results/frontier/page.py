"""The page of a tuned study: which method to use at which ε and N, with what error."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from radmm.privacy.guarantee import rounded_up
from radmm.results.frontier.threats import threat_sentences

RELATIONS = {
    "replace": "Neighbours differ in one row, which is replaced by another",
    "zero-out": "Neighbours differ in one row, which is replaced by the zero row",
}


def page(
    table: pd.DataFrame,
    references: pd.DataFrame,
    study: Mapping[str, Any],
    fixed: Sequence[str],
    threats: Mapping[str, str],
    assumed: Sequence[str],
) -> str:
    """Return the page as Markdown.

    Args:
        table: Judged methods, each compared with the best of its cell and budget.
        references: Judged references that have no cell, like a trusted curator.
        study: The study's metadata.
        fixed: Methods that were shown as published, and not tuned.
        threats: Attackers against whom a method's ε holds, by method, where these are not all.
        assumed: Conditions of every ε, each as the end of a sentence.
    """
    lines = [*_preface(study, fixed, threats), f"\nOf every ε: {'; '.join(assumed)}."]
    for neighbours, title in RELATIONS.items():
        own, theirs = (part[part["neighbours"] == neighbours] for part in (table, references))
        if len(own):
            lines += [f"\n## {title}\n", *_answers(own, theirs, study["epsilon"]), *_at_edges(own), *_details(own)]
    return "\n".join(lines) + "\n"


def _preface(study: Mapping[str, Any], fixed: Sequence[str], threats: Mapping[str, str]) -> Iterator[str]:
    judged, selected = len(study["judgement"]), len(study["selection"])
    yield "# Which method, at which budget\n"
    yield (
        "Nodes of a network, each with rows of its own, fit one linear classifier together. Whoever reads all their "
        "messages shall learn little about any one row: that is the total budget ε over all messages of a run, at "
        f"δ = {study['delta']:g}, by the `shift` accountant, met on every network of the study. Look up your network "
        "and your ε in the first table: it names the method of least test error, what error to expect, and what "
        "a trusted curator who holds all rows would get. Further down is how each method was run.\n"
    )
    yield (
        f"Every method is at its best: hyper-parameters, rounds, and whether the last iterate or the average of all is "
        f"used, were chosen for each budget on {selected} splits and graphs; errors are means over {judged} others, "
        "with 95 % intervals over these. All are splits of the same rows, so intervals speak of other splits of these "
        "rows. Methods after *or* can't be told from the best, by intervals in pairs that allow for all "
        "methods; the best is named on the judged splits themselves, which flatters it a little. To choose "
        "hyper-parameters on private data would itself cost budget, which is not counted here."
    )
    if fixed:
        yield f"\nNot tuned, but run as published: {', '.join(fixed)}."
    yield from (f"\n{sentence}" for sentence in threat_sentences(threats))


def _answers(table: pd.DataFrame, references: pd.DataFrame, asked: Sequence[float]) -> Iterator[str]:
    budgets = sorted(asked)
    yield _row(["use", *(f"ε = {rounded_up(each)}" for each in budgets)])
    yield _row(["---"] * (len(budgets) + 1))
    for cell, part in table.groupby("cell", sort=False):
        yield _row([str(cell), *(_answer(part[part["epsilon"] == each]) for each in budgets)])
    for method, part in references.groupby("method", sort=False):
        by_budget = part.set_index("epsilon")
        cells = [_error(by_budget.loc[each]) if each in by_budget.index else "–" for each in budgets]
        yield _row([f"*{method}*", *cells])
    unmet = [f"ε = {rounded_up(each)}" for each in budgets if each not in set(table["epsilon"])]
    if unmet:
        yield f"\nNo method meets {', '.join(unmet)} with any noise that was tried."


def _answer(part: pd.DataFrame) -> str:
    """Return a phrase that names the best method, and those that can't be distinguished from it."""
    if part.empty:
        return "–"
    best, alike = best_and_alike(part)
    others = f"<br>or {'; '.join(alike)}" if alike else ""
    return f"**{best['method']}** {_error(best)}{others}"


def best_and_alike(part: pd.DataFrame) -> tuple[Any, list[str]]:
    """Return the row of the lowest error, and the methods that can't be distinguished from it.

    Args:
        part: Rows of one cell, relation and budget.
    """
    best = part.iloc[int(part["error"].to_numpy().argmin())]
    alike = part[(part["method"] != best["method"]) & (part["difference_low"] <= 0)]["method"]
    return best, alike.tolist()


def _details(table: pd.DataFrame) -> Iterator[str]:
    for cell, part in table.groupby("cell", sort=False):
        yield f"\n### {cell}\n"
        yield _row(["ε", "method", "test error", "more than the best", "rounds", "reads", "chosen", "ε spent"])
        yield _row(["---"] * 8)
        for _, found in part.sort_values(["epsilon", "error"]).iterrows():
            more = f"{found['difference']:.4f} ({found['difference_low']:.4f} to {found['difference_high']:.4f})"
            chosen = ", ".join(_choice(axis, value, found["edge"]) for axis, value in found["point"].items())
            reads = "average" if found["averaged"] else "last"
            cells = [rounded_up(found["epsilon"]), found["method"], _error(found), more, str(found["rounds"]), reads]
            yield _row([*cells, chosen, rounded_up(found["spent"])])


def _choice(axis: str, value: Any, edge: Mapping[str, str]) -> str:
    """Format a chosen value, marked where it is the least or the largest that was tried."""
    tried = f" ({edge[axis]} tried)" if axis in edge else ""
    return f"{axis.rpartition('.')[2]} = {_number(value)}{tried}"


def _at_edges(table: pd.DataFrame) -> Iterator[str]:
    """Yield the best choices at an edge of their grid, but for noise, which the budget determines."""
    places: dict[tuple[str, str, str], list[str]] = {}
    for _, part in table.groupby(["cell", "epsilon"], sort=False):
        best, _ = best_and_alike(part)
        for axis, which in best["edge"].items():
            if not axis.startswith("noise."):
                key = best["method"], which, axis.rpartition(".")[2]
                places.setdefault(key, []).append(f"{best['cell']}, ε = {rounded_up(best['epsilon'])}")
    if places:
        yield "\nOf the best, these lie at an edge of what was tried, beyond which there may be better choices:\n"
    for (method, which, axis), where in places.items():
        yield f"- {method} with the {which} {axis}: {'; '.join(where)}"


def _error(found: Any) -> str:
    return f"{found['error']:.4f} ({found['low']:.4f} to {found['high']:.4f})"


def _number(value: Any) -> str:
    return f"{value:g}" if isinstance(value, int | float) else str(value)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
