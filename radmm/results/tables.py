"""Statistics over the runs of each setting, for every iteration and metric."""

from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from radmm.base.errors import InputError
from radmm.metrics import METRICS
from radmm.privacy.accountants.all import ACCOUNTANTS
from radmm.privacy.ledger import Ledger
from radmm.results.theory import describe
from radmm.study.resolution import ResolvedSetting
from radmm.study.settings import canonical

STATISTICS = ["n", "mean", "min", "max", "range", "std"]
DELTA = 1e-5  # at which total budgets are told
TOLD = {name: f"epsilon_{name}" if name == "pure" else f"epsilon_{name}_delta_{DELTA:g}" for name in ACCOUNTANTS}
del TOLD["paper"]  # that is `privacy_loss`


def setting_statistics(trace: pd.DataFrame) -> pd.DataFrame:
    """Long form: one row for each iteration and metric that the setting has; n counts the runs with a value there."""
    measured = [metric for metric in METRICS if trace[metric].notna().any()]
    long = trace.melt(["run", "iteration"], measured, "metric")
    groups = long.groupby(["metric", "iteration"], sort=False)["value"]
    table = groups.agg(n="count", mean="mean", min="min", max="max", std="std").reset_index()
    table["range"] = table["max"] - table["min"]
    return table[["iteration", "metric", *STATISTICS]]


def budgets(ledger: Ledger) -> pd.DataFrame:
    """In the same form, the total ε after the last iteration by every accountant that can bound these releases."""
    spent = {}
    for name, metric in TOLD.items():
        try:
            spent[metric] = ACCOUNTANTS[name].epsilon(ledger, 0.0 if ACCOUNTANTS[name].pure else DELTA)
        except InputError:  # an accountant that refuses has no number to show
            continue
    value = list(spent.values())
    table = pd.DataFrame({"iteration": ledger.iterations, "metric": list(spent), "n": 1, "mean": value})
    return table.assign(min=value, max=value, range=0.0, std=0.0)[["iteration", "metric", *STATISTICS]]


def read_ledger(path: Path) -> Ledger:
    stored = pd.read_parquet(path)
    return Ledger.from_columns({str(name): column.to_numpy() for name, column in stored.items()})


def experiment_table(settings: Iterable[ResolvedSetting], traces: Path, ledgers: Path) -> pd.DataFrame:
    """The settings' statistics one below the other, with label, id and the point on the experiment's grid."""
    parts = []
    known: dict[Hashable, pd.DataFrame] = {}  # budgets by releases, which γ, seed and the like don't change
    for setting in settings:
        part = setting_statistics(pd.read_parquet(traces / f"{setting.id}.parquet"))
        if setting.parameters["noise"] is not None:
            ledger = read_ledger(ledgers / f"{setting.id}.parquet")
            key = (ledger.releases, ledger.which.tobytes(), ledger.data_steps.tobytes())
            if key not in known:
                known[key] = budgets(ledger)
            part = pd.concat([part, known[key]], ignore_index=True)
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
        | describe(setting.parameters)
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
