"""The table that maps a setting's id to its parameters, its overrides, and the theorems' statements about it."""

from collections.abc import Mapping, Sequence

import pandas as pd

from radmm.base.arrays import Integers
from radmm.model.public_facts import PublicFacts
from radmm.privacy.accountants.pure import PaperAccountant
from radmm.privacy.accountants.renyi import RenyiAccountant
from radmm.privacy.ledger import ledger_of
from radmm.results.paper_theorems import describe
from radmm.results.tables import DELTA, with_one_type
from radmm.study.budgets import Calibration, budget_of
from radmm.study.component_json import canonical
from radmm.study.entries import Entry
from radmm.study.noise_budget import NoiseBudget
from radmm.study.setting_facts import facts_of, known_facts, query_log_of
from radmm.study.settings import Setting


def settings_table(
    experiments: Mapping[str, Sequence[Entry]],
    calibrations: Mapping[str, Calibration],
    row_counts: Mapping[str, Integers] | None = None,
) -> pd.DataFrame:
    """Return a table with one row for each setting of each experiment: id, all parameters, and overrides.

    Args:
        experiments: Entries of each experiment.
        calibrations: Calibrated noise of settings with a budget, by id.
        row_counts: Number of rows B_i of each node, for settings where these depend on the data, by id.
    """
    counted = row_counts or {}
    rows = []
    for name, entries in experiments.items():
        for entry in entries:
            found, counts = calibrations.get(entry.id), counted.get(entry.id)
            setting = entry.setting.with_noise(found.noise) if found else entry.setting
            rows.append(
                {"id": entry.id, "experiment": name, "label": entry.label}
                | flatten(setting.to_json())
                | _calibrated_to(setting.calibrated_to, found)
                | {"asked": canonical(setting.overrides)}
                | describe(setting, counts)
                | _nodes(setting, counts)
            )
    return with_one_type(pd.DataFrame(rows))


def _nodes(setting: Setting, row_counts: Integers | None) -> dict[str, int | None]:
    """Return the rows of the smallest and the largest node, and the node that determines the privacy bound."""
    facts = known_facts(setting) if row_counts is None else facts_of(setting, row_counts)
    if facts is None:
        return dict.fromkeys(("rows.fewest", "rows.most", "bound.node"))
    fewest, most = int(facts.row_counts.min()), int(facts.row_counts.max())
    return {"rows.fewest": fewest, "rows.most": most, "bound.node": _worst_node(setting, facts)}


def _worst_node(setting: Setting, facts: PublicFacts) -> int | None:
    """Return the node that spends most, by the paper's bound or, where that says nothing, by Rényi divergences."""
    noise = setting.known_noise
    if noise is None:
        return None
    ledger = ledger_of(query_log_of(setting), facts, noise)
    for accountant, delta in ((PaperAccountant(), 0.0), (RenyiAccountant(), DELTA)):
        if accountant.refuses(ledger) is None:
            return accountant.worst_node(ledger, delta)
    return None


def _calibrated_to(request: NoiseBudget | None, found: Calibration | None) -> dict[str, object]:
    """Return the columns of the budget to which a noise was calibrated."""
    bound: dict[str, object] = {"calibrated_to_total_bound": None if found is None else found.total_bound}
    if request is None or request.total_epsilon is None:
        return bound
    budget = budget_of(request)
    columns = {
        "total_epsilon": budget.epsilon,
        "delta": request.delta,
        "accountant": budget.accountant,
        "each_node": request.each_node,
        "neighbours": budget.relation.neighbours.value,
        "rows": budget.relation.rows,
    }
    return bound | flatten(columns, "calibrated_to.")


def flatten(tree: Mapping[str, object], above: str = "") -> dict[str, object]:
    """Flatten nested sections to dotted columns.

    Args:
        above: Prefix of the names.
    """
    flat: dict[str, object] = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            flat |= flatten(value, f"{above}{key}.")
        else:
            flat[above + key] = value
    return flat
