"""The table that maps a setting's id to its parameters, what was asked for, and what the theorems say of it."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from radmm.privacy.calibration import Budget
from radmm.privacy.relation import REPLACE_ONE
from radmm.results.theory import describe
from radmm.study.settings import Parameters, StudySetting, canonical


def settings_table(
    experiments: Mapping[str, Sequence[StudySetting]], calibrations: Mapping[str, Parameters]
) -> pd.DataFrame:
    """One row for each setting of each experiment: its id, all its parameters, and what was asked for.

    Args:
        experiments: The settings of each.
        calibrations: The noise of those that ask for a budget, by id.
    """
    rows = [
        {"id": setting.id, "experiment": name, "label": setting.label}
        | flatten(setting.calibrated(calibrations).parameters)
        | _calibrated_to(setting, calibrations)
        | {"asked": canonical(setting.asked)}
        | describe(setting.calibrated(calibrations).parameters)
        for name, settings in experiments.items()
        for setting in settings
    ]
    table = pd.DataFrame(rows)
    for name, column in table.items():
        # One value for each node becomes text, as a column has one type.
        if column.map(lambda value: isinstance(value, list)).any():
            table[name] = column.map(str, na_action="ignore")
    return table


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
