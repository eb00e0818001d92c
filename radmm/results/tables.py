"""Statistics over the runs of each setting, for every iteration and metric."""

from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from radmm.base.errors import InputError
from radmm.base.store import checked
from radmm.metrics.metric import metric_columns
from radmm.privacy.accountants.accountant import ACCOUNTANTS, Accountant
from radmm.privacy.accountants.pure import PaperAccountant
from radmm.privacy.ledger import Ledger
from radmm.privacy.relation import REPLACE_ONE, Neighbours, Relation
from radmm.results.planned_curves import is_calibrated_by_curves
from radmm.study.component_json import canonical
from radmm.study.entries import Entry

ZEROED = Relation(Neighbours.ZERO_OUT)
DELTA = 1e-5  # δ at which total budgets are printed
FIRST = (
    "pure",
    "optimal-pure",
    "renyi",
    "pld",
)  # accountants in the order in which they are listed; others follow by name


STATISTICS = ("iteration", "metric", "n", "mean", "min", "max", "range", "std")  # columns, after those of the setting


def accountants_by_metric() -> dict[str, Accountant]:
    """Return the accountants by metric; the paper's own is `privacy_loss`, which the trace has.

    A metric is for replacing one row unless it names another relation.
    """
    names = sorted(ACCOUNTANTS, key=lambda name: (FIRST.index(name) if name in FIRST else len(FIRST), name))
    accountants = [ACCOUNTANTS[name]() for name in names if name != PaperAccountant.name]
    zeroed = [type(each)(ZEROED) for each in accountants if Neighbours.ZERO_OUT in each.relations and not each.pure]
    return {_metric(each): each for each in [*accountants, *zeroed]}


def _metric(accountant: Accountant) -> str:
    relation = "" if accountant.relation == REPLACE_ONE else f"_{accountant.relation.neighbours}"
    return f"epsilon_{accountant.name}{relation}" + ("" if accountant.pure else f"_delta_{DELTA:g}")


def setting_statistics(trace: pd.DataFrame) -> pd.DataFrame:
    """Return statistics over the runs of a setting, one row for each metric that it has and each iteration.

    Args:
        trace: One row for each run and iteration; n counts the runs that have a value there.
    """
    measured = [metric for metric in metric_columns() if trace[metric].notna().any()]
    values = trace.melt("iteration", measured, var_name="metric").groupby(["iteration", "metric"], sort=False)["value"]
    found = values.agg(["count", "mean", "min", "max", "std"]).rename(columns={"count": "n"}).reset_index()
    return found.assign(range=found["max"] - found["min"])[list(STATISTICS)]


def total_epsilons(ledger: Ledger, capped: bool = False) -> pd.DataFrame:
    """Return rows of statistics with the total ε of a run, by every accountant that can bound its releases.

    Args:
        capped: Whether a slow accountant is replaced by its quick and larger bound, as a metric of its own.
    """
    spent = {}
    for full, slow in accountants_by_metric().items():
        quick = slow.quick() if capped else None
        metric = full.replace(slow.name, f"{slow.name}-cap", 1) if quick else full
        accountant = quick or slow
        try:
            spent[metric] = accountant.epsilon(ledger, 0.0 if accountant.pure else DELTA)
        except InputError:  # an accountant that refuses has no number to show
            continue
    totals = pd.Series(spent, dtype=float)
    columns = {"iteration": ledger.iterations, "metric": totals.index, "n": 1}
    return pd.DataFrame(columns | dict.fromkeys(("mean", "min", "max"), totals.array) | {"range": 0.0, "std": 0.0})


def read_ledger(path: Path) -> Ledger:
    """Read a ledger from its file."""
    return Ledger.from_columns({str(name): column.to_numpy() for name, column in pd.read_parquet(path).items()})


def experiment_table(entries: Iterable[Entry], traces: Path, ledgers: Path, capped: bool = False) -> pd.DataFrame:
    """Return the statistics of an experiment's settings, one below the other, with label, id and grid point.

    Args:
        traces: Folder of their traces.
        ledgers: Folder of the ledgers of settings with noise.
        capped: Whether the quick bound replaces a slow accountant, but for settings that were calibrated by it.
    """
    chosen = list(entries)
    kept = {
        entry.id: read_ledger(checked(ledgers / f"{entry.id}.parquet", traces / f"{entry.id}.parquet"))
        for entry in chosen
        if entry.setting.noise is not None
    }
    known: dict[Hashable, pd.DataFrame] = {}  # budgets by releases, which γ, seed and the like don't change
    parts = []
    for entry in chosen:
        trace = pd.read_parquet(
            checked(traces / f"{entry.id}.parquet"), columns=["run", "iteration", *metric_columns()]
        )
        part = setting_statistics(trace)
        if entry.id in kept:
            ledger, quick = kept[entry.id], capped and not is_calibrated_by_curves(entry.setting)
            key = (quick, ledger.releases, ledger.which.tobytes(), ledger.data_steps.tobytes())
            if key not in known:
                known[key] = total_epsilons(ledger, quick)
            part = pd.concat([part, known[key]])
        parts.append(part)
    points = [{axis: _plain(value) for axis, value in entry.grid_point.items()} for entry in chosen]
    named = [{"label": entry.label, "setting": entry.id} for entry in chosen]
    described = with_one_type(pd.DataFrame([name | point for name, point in zip(named, points, strict=True)]))
    beside = described.loc[described.index.repeat([len(part) for part in parts])]
    return pd.concat([beside.reset_index(drop=True), pd.concat(parts, ignore_index=True)], axis="columns")


def with_one_type(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with text throughout in columns that have texts or lists: in a file, a column has one type."""
    mixed = [str(name) for name in table if any(isinstance(value, str | list) for value in table[name])]
    return table.assign(**{name: table[name].map(str, na_action="ignore") for name in mixed})


def _plain(value: Any) -> Any:
    return canonical(value) if isinstance(value, dict) else value
