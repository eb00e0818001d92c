"""Statistics over the runs of each setting, for every iteration and metric."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from radmm.resolve import ResolvedSetting
from radmm.setting import canonical
from radmm.trace import METRICS

STATISTICS = ["n", "mean", "min", "max", "range", "std"]


def setting_statistics(trace: pd.DataFrame) -> pd.DataFrame:
    """Long form: one row for each iteration and metric that the setting has; n counts the runs with a value there."""
    measured = [metric for metric in METRICS if trace[metric].notna().any()]
    long = trace.melt(["run", "iteration"], measured, "metric")
    groups = long.groupby(["metric", "iteration"], sort=False)["value"]
    table = groups.agg(n="count", mean="mean", min="min", max="max", std="std").reset_index()
    table["range"] = table["max"] - table["min"]
    return table[["iteration", "metric", *STATISTICS]]


def experiment_table(settings: Iterable[ResolvedSetting], traces: Path) -> pd.DataFrame:
    """The settings' statistics one below the other, with label, id and the point on the experiment's grid."""
    parts = []
    for setting in settings:
        part = setting_statistics(pd.read_parquet(traces / f"{setting.id}.parquet"))
        point = {axis: canonical(value) if isinstance(value, dict) else value for axis, value in setting.point.items()}
        described: dict[str, Any] = {"label": setting.label, "setting": setting.id, **point}
        parts.append(part.assign(**described)[[*described, *part.columns]])
    table = pd.concat(parts, ignore_index=True)
    statistics = ["iteration", "metric", *STATISTICS]
    return table[[name for name in table if name not in statistics] + statistics]


def settings_table(experiments: dict[str, list[ResolvedSetting]]) -> pd.DataFrame:
    """One row for each setting of each experiment: its id and all its parameters."""
    rows = [
        {"id": setting.id, "experiment": name, "label": setting.label}
        | _flatten(setting.parameters)
        | {"calibrated_to_total_bound": setting.calibrated_to}
        | _flatten(setting.budget or {}, "calibrated_to.")
        for name, settings in experiments.items()
        for setting in settings
    ]
    table = pd.DataFrame(rows)
    for name, column in table.items():
        if column.map(
            lambda value: isinstance(value, list)
        ).any():  # one value per node: text, as a column has one type
            table[name] = column.map(str, na_action="ignore")
    return table


def _flatten(tree: dict[str, Any], above: str = "") -> dict[str, Any]:
    """Nested sections as dotted columns."""
    flat: dict[str, Any] = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            flat |= _flatten(value, f"{above}{key}.")
        else:
            flat[above + key] = value
    return flat
