"""The table that maps a setting's id to its parameters, what was asked for, and what the theorems say of it."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from radmm.base.arrays import Integers
from radmm.model.facts import PublicFacts
from radmm.privacy.accountants.pure import PaperAccountant
from radmm.privacy.accountants.renyi import RenyiAccountant
from radmm.privacy.calibration import Budget
from radmm.privacy.ledger import ledger_of
from radmm.privacy.relation import REPLACE_ONE
from radmm.results.tables import DELTA, with_one_type
from radmm.results.theory import describe
from radmm.study.public import facts_of, known_facts, notes_of
from radmm.study.settings import Parameters, StudySetting, build_noise, canonical


def settings_table(
    experiments: Mapping[str, Sequence[StudySetting]],
    calibrations: Mapping[str, Parameters],
    row_counts: Mapping[str, Integers] | None = None,
) -> pd.DataFrame:
    """One row for each setting of each experiment: its id, all its parameters, and what was asked for.

    Args:
        experiments: The settings of each.
        calibrations: The noise of those that ask for a budget, by id.
        row_counts: B_i of those of which only the data tell, by id.
    """
    counted = row_counts or {}
    every = [(name, setting) for name, settings in experiments.items() for setting in settings]
    known = [(setting.calibrated(calibrations).parameters, counted.get(setting.id)) for _, setting in every]
    rows = [
        {"id": setting.id, "experiment": name, "label": setting.label}
        | flatten(parameters)
        | _calibrated_to(setting, calibrations)
        | {"asked": canonical(setting.asked)}
        | describe(parameters, counts)
        | _nodes(parameters, counts)
        for (name, setting), (parameters, counts) in zip(every, known, strict=True)
    ]
    return with_one_type(pd.DataFrame(rows))


def _nodes(parameters: Parameters, row_counts: Integers | None) -> dict[str, int | None]:
    """The rows of the smallest and the largest node, and the node whose loss of privacy is the network's."""
    facts = known_facts(parameters) if row_counts is None else facts_of(parameters, row_counts)
    if facts is None:
        return dict.fromkeys(("rows.fewest", "rows.most", "bound.node"))
    fewest, most = int(facts.row_counts.min()), int(facts.row_counts.max())
    return {"rows.fewest": fewest, "rows.most": most, "bound.node": _worst_node(parameters, facts)}


def _worst_node(parameters: Parameters, facts: PublicFacts) -> int | None:
    """By the paper's bound or, where that says nothing, by Rényi divergences."""
    noise = build_noise(parameters)
    if noise is None:
        return None
    ledger = ledger_of(notes_of(parameters), facts, noise)
    for accountant, delta in ((PaperAccountant(), 0.0), (RenyiAccountant(), DELTA)):
        if accountant.refuses(ledger) is None:
            return accountant.worst_node(ledger, delta)
    return None


def _calibrated_to(setting: StudySetting, calibrations: Mapping[str, Parameters]) -> dict[str, Any]:
    """The budget, where one was asked for."""
    noise = setting.parameters["noise"]
    if setting.is_calibrated:
        return {"calibrated_to_total_bound": None}
    bound = calibrations[setting.id]["total_bound"]
    if "total_epsilon" not in noise:
        return {"calibrated_to_total_bound": bound}
    asked = {
        "total_epsilon": noise["total_epsilon"],
        "delta": noise.get("delta"),
        "accountant": noise.get("accountant", Budget._field_defaults["accountant"]),
        "each_node": noise.get("each_node", False),
        "neighbours": noise.get("neighbours", REPLACE_ONE.neighbours.value),
        "rows": noise.get("rows", REPLACE_ONE.rows),
    }
    return {"calibrated_to_total_bound": bound} | flatten(asked, "calibrated_to.")


def flatten(tree: dict[str, Any], above: str = "") -> dict[str, Any]:
    """Nested sections as dotted columns.

    Args:
        tree: Of sections.
        above: What the names begin with.
    """
    flat: dict[str, Any] = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            flat |= flatten(value, f"{above}{key}.")
        else:
            flat[above + key] = value
    return flat
