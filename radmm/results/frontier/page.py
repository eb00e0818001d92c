"""The page of a tuned study: which method to use at which ε and N, with what error, under which threat model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from radmm.privacy.guarantee import rounded_up
from radmm.results.frontier.answers import HALF_A_POINT, MODELS, answer, in_points, over_data_sets, under
from radmm.results.frontier.judgement import OTHER, SAME
from radmm.results.frontier.threats import threat_sentences
from radmm.results.markdown import markdown_row

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
        table: Judged methods, priced, and each compared with the best of its cell and budget.
        references: Judged references that have no cell, like a trusted curator.
        fixed: Methods that were shown as published, and not tuned.
        threats: Attackers against whom a method's ε holds, by method, where these are not all.
        assumed: Conditions of every ε, each as the end of a sentence.
    """
    data_sets = sorted(set(table["data_set"]))
    lines = [*_preface(study, fixed, threats, data_sets), f"\nOf every ε: {'; '.join(assumed)}."]
    means, theirs = over_data_sets(table), over_data_sets(references)
    for neighbours, title in RELATIONS.items():
        own = means[means["neighbours"] == neighbours]
        if len(own):
            alone = theirs[theirs["neighbours"] == neighbours]
            lines += [f"\n## {title}\n", *_models(own, alone, study["epsilon"])]
            lines += _at_edges(table[table["neighbours"] == neighbours])
    return "\n".join(lines) + "\n"


def _preface(
    study: Mapping[str, Any], fixed: Sequence[str], threats: Mapping[str, str], data_sets: Sequence[str]
) -> Iterator[str]:
    judged, selected = len(study["judgement"]), len(study["selection"])
    yield "# Which method, at which budget\n"
    yield (
        "Nodes of a network, each with rows of its own, fit one linear classifier together. Whoever reads all their "
        "messages shall learn little about any one row: that is the total budget ε over all messages of a run, at "
        f"δ = {study['delta']:g}, by the `shift` accountant, met on every network of the study. Look up your network "
        "and your ε: a cell names the method of least test error, that error, and by how many points (hundredths) it "
        "is above that of the best trusted curator, who holds all rows and is tuned alike. Methods after *or* are "
        f"within {100 * HALF_A_POINT:g} points of it. How each method was run is in the study's table (CSV).\n"
    )
    yield (
        f"Every method is at its best: hyper-parameters, rounds, and whether the last iterate or the average of all is "
        f"used, were chosen for each budget on {selected} splits and graphs; errors are means over {judged} others, "
        "with 95 % intervals over these. All are splits of the same rows, so intervals speak of other splits of these "
        "rows. The best is named on the judged splits themselves, which flatters it a little. To choose "
        "hyper-parameters on private data would itself cost budget, which is not counted here."
    )
    if len(data_sets) > 1:
        yield (
            f"\nErrors are means over {len(data_sets)} data sets: {', '.join(data_sets)}. Where choices were made on "
            "*other data sets*, nothing was chosen on the rows that are judged, so that choosing costs no budget."
        )
    if fixed:
        yield f"\nNot tuned, but run as published: {', '.join(fixed)}."
    yield from (f"\n{sentence}" for sentence in threat_sentences(threats))


def _models(table: pd.DataFrame, references: pd.DataFrame, asked: Sequence[float]) -> Iterator[str]:
    """Yield a table for each threat model, and for each of what choices were made on."""
    for secrets, title in MODELS.items():
        if secrets not in set(table["secrets"]):
            continue
        yield f"### {title}\n"
        for chosen_on in (OTHER, SAME):
            own = table[table["chosen_on"] == chosen_on]
            if len(own):
                alone = references[references["chosen_on"] == chosen_on]
                yield f"Chosen on {chosen_on}:\n"
                yield from _answers(under(own, secrets), alone, asked)
                yield ""


def _answers(table: pd.DataFrame, references: pd.DataFrame, asked: Sequence[float]) -> Iterator[str]:
    budgets = sorted(asked)
    yield markdown_row(["use", *(f"ε = {rounded_up(each)}" for each in budgets)])
    yield markdown_row(["---"] * (len(budgets) + 1))
    for cell, part in table.groupby("cell", sort=False):
        yield markdown_row([str(cell), *(_answer(part[part["epsilon"] == each]) for each in budgets)])
    for method, part in references.groupby("method", sort=False):
        by_budget = part.set_index("epsilon")
        cells = [_error(by_budget.loc[each]) if each in by_budget.index else "–" for each in budgets]
        yield markdown_row([f"*{method}*", *cells])
    unmet = [f"ε = {rounded_up(each)}" for each in budgets if each not in set(table["epsilon"])]
    if unmet:
        yield f"\nNo method meets {', '.join(unmet)} with any noise that was tried."


def _answer(part: pd.DataFrame) -> str:
    """Return a phrase that names the best method, its price, and methods that are as good in practice."""
    if part.empty:
        return "–"
    best, alike = answer(part)
    price = f", {in_points(best['above'])}" if best["above"] == best["above"] else ""
    others = f"<br>or {'; '.join(alike)}" if alike else ""
    return f"**{best['method']}** {_error(best)}{price}{others}"


def _at_edges(table: pd.DataFrame) -> Iterator[str]:
    """Yield the best choices at an edge of their grid, but for noise, which the budget determines."""
    places: dict[tuple[str, str, str], list[str]] = {}
    for _, part in table[table["chosen_on"] == SAME].groupby(["data_set", "cell", "epsilon", "secrets"], sort=False):
        best, _ = answer(part)
        for axis, which in best["edge"].items():
            if not axis.startswith("noise.") or axis == "noise.cancelling":
                key = best["method"], which, axis.rpartition(".")[2]
                named = [name for name in (best["data_set"], best["cell"]) if name]
                places.setdefault(key, []).append(f"{', '.join(named)}, ε = {rounded_up(best['epsilon'])}")
    if places:
        yield "\nOf the best, these lie at an edge of what was tried, beyond which there may be better choices:\n"
    for (method, which, axis), where in places.items():
        yield f"- {method} with the {which} {axis}: {'; '.join(where)}"


def _error(found: Any) -> str:
    return f"{found['error']:.4f} ({found['low']:.4f} to {found['high']:.4f})"
