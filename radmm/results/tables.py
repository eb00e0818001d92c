"""Statistics over the runs of each setting, for every iteration and metric."""

from collections.abc import Hashable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from radmm.base.arrays import Array, Integers
from radmm.base.columns import column_of, read_columns
from radmm.base.errors import InputError
from radmm.base.store import checked
from radmm.metrics import METRICS
from radmm.privacy.accountants.accountant import ACCOUNTANTS, Accountant
from radmm.privacy.accountants.pure import PaperAccountant
from radmm.privacy.accountants.shift import ShiftAccountant
from radmm.privacy.curves.row import PLAIN
from radmm.privacy.ledger import Ledger
from radmm.privacy.relation import REPLACE_ONE, Neighbours, Relation
from radmm.study.settings import StudySetting, canonical

Columns = dict[str, NDArray[Any]]  # of one length, by name

ZEROED = Relation(Neighbours.ZERO_OUT)
MOST_CURVES = 250  # of a table; one that needs more has epsilon_shift-cap, by the cap of Theorem B, which is quick
DELTA = 1e-5  # at which total budgets are told
FIRST = ("pure", "optimal-pure", "renyi", "pld")  # the order in which they are told; others follow by name


def told() -> dict[str, Accountant]:
    """The accountants by metric; the paper's own is `privacy_loss`, which the trace has.

    A metric is for replacing one row unless it names another relation.
    """
    names = sorted(ACCOUNTANTS, key=lambda name: (FIRST.index(name) if name in FIRST else len(FIRST), name))
    accountants = [ACCOUNTANTS[name]() for name in names if name != PaperAccountant.name]
    zeroed = [type(each)(ZEROED) for each in accountants if Neighbours.ZERO_OUT in each.relations and not each.pure]
    return {_metric(each): each for each in [*accountants, *zeroed]}


def _metric(accountant: Accountant) -> str:
    relation = "" if accountant.relation == REPLACE_ONE else f"_{accountant.relation.neighbours}"
    return f"epsilon_{accountant.name}{relation}" + ("" if accountant.pure else f"_delta_{DELTA:g}")


def setting_statistics(trace: Mapping[str, NDArray[Any]]) -> Columns:
    """Long form: one row for each iteration and metric that the setting has; n counts the runs with a value there.

    Args:
        trace: Of a setting, one run after the other.
    """
    runs = len(np.unique(trace["run"]))
    measured = [metric for metric in METRICS if not np.isnan(trace[metric]).all()]
    values = np.stack(
        [np.reshape(np.asarray(trace[metric]), (runs, -1)) for metric in measured], axis=1
    )  # (run, metric, iteration)
    number, mean, std = _moments(values)
    least, most = np.fmin.reduce(values), np.fmax.reduce(values)
    columns = {"n": number, "mean": mean, "min": least, "max": most, "range": most - least, "std": std}
    iterations = np.asarray(trace["iteration"])[: values.shape[2]]
    metrics = np.repeat(np.array(measured, dtype=object), len(iterations))
    flat = {name: column.ravel() for name, column in columns.items()}
    return {"iteration": np.tile(iterations, len(measured)), "metric": metrics, **flat}


def _moments(values: Array) -> tuple[Integers, Array, Array]:
    """How many runs have a value, their mean and their standard deviation.

    One run after the other, with Kahan's and Welford's sums as in pandas: values that are equal have no deviation.
    """
    number = np.zeros(values.shape[1:], dtype=np.int64)
    total, lost, centre, squares = np.zeros((4, *values.shape[1:]))
    for of_run in values:
        there = ~np.isnan(of_run)
        number += there
        value = np.where(there, of_run, 0.0)
        more = value - lost
        new = total + more
        lost, total = np.where(there, [new - total - more, new], [lost, total])
        off = value - centre
        moved = centre + off / np.maximum(number, 1)
        centre, squares = np.where(there, [moved, squares + (value - moved) * off], [centre, squares])
    with np.errstate(invalid="ignore", divide="ignore"):
        return number, total / number, np.where(number > 1, np.sqrt(squares / (number - 1)), np.nan)


def budgets(ledger: Ledger, capped: bool = False) -> Columns:
    """In the same form, the total ε after the last iteration by every accountant that can bound these releases.

    Args:
        ledger: Of all releases.
        capped: Whether an accountant that takes long is told by its quick and larger bound, as a metric of its own.
    """
    spent = {}
    for full, slow in told().items():
        quick = slow.quick() if capped else None
        metric = full.replace(slow.name, f"{slow.name}-cap", 1) if quick else full
        accountant = quick or slow
        try:
            spent[metric] = accountant.epsilon(ledger, 0.0 if accountant.pure else DELTA)
        except InputError:  # an accountant that refuses has no number to show
            continue
    value, none = np.array(list(spent.values()), dtype=np.float64), np.zeros(len(spent))
    return {
        "iteration": np.full(len(spent), ledger.iterations),
        "metric": np.array(list(spent), dtype=object),
        "n": np.ones(len(spent), dtype=np.int64),
        **dict.fromkeys(("mean", "min", "max"), value),
        **dict.fromkeys(("range", "std"), none),
    }


def curves_needed(ledgers: Iterable[Ledger]) -> int:
    """How many curves, of seconds each, the shift accountant's totals need, whether they were made before or not.

    Args:
        ledgers: Of an experiment.
    """
    accountant = ShiftAccountant()
    bounded = (ledger for ledger in ledgers if not accountant.refuses(ledger))
    return len({row for ledger in bounded for row in accountant.rows_of(ledger) if row.form != PLAIN})


def read_ledger(path: Path) -> Ledger:
    """A ledger from its file.

    Args:
        path: The file.
    """
    return Ledger.from_columns(read_columns(path))


def experiment_table(settings: Iterable[StudySetting], traces: Path, ledgers: Path) -> Columns:
    """The settings' statistics one below the other, with label, id and the point on the experiment's grid.

    Args:
        settings: Of an experiment.
        traces: The folder of their traces.
        ledgers: The folder of the ledgers of those with noise.
    """
    parts: list[Columns] = []
    chosen = list(settings)
    kept = {
        setting.id: read_ledger(checked(ledgers / f"{setting.id}.parquet", traces / f"{setting.id}.parquet"))
        for setting in chosen
        if setting.parameters["noise"] is not None
    }
    capped = curves_needed(kept.values()) > MOST_CURVES
    known: dict[Hashable, Columns] = {}  # budgets by releases, which γ, seed and the like don't change
    for setting in chosen:
        part = setting_statistics(
            read_columns(checked(traces / f"{setting.id}.parquet"), ["run", "iteration", *METRICS])
        )
        if setting.id in kept:
            ledger = kept[setting.id]
            key = (ledger.releases, ledger.which.tobytes(), ledger.data_steps.tobytes())
            if key not in known:
                known[key] = budgets(ledger, capped)
            part = {name: np.concatenate([column, known[key][name]]) for name, column in part.items()}
        parts.append(part)
    rows = [len(part["n"]) for part in parts]
    described: dict[str, list[Any]] = {
        "label": [setting.label for setting in chosen],
        "setting": [setting.id for setting in chosen],
    }
    axes = dict.fromkeys(axis for setting in chosen for axis in setting.point)
    described |= {axis: [_plain(setting.point.get(axis)) for setting in chosen] for axis in axes}
    return {name: np.repeat(column_of(values), rows) for name, values in described.items()} | {
        name: np.concatenate([part[name] for part in parts]) for name in parts[0]
    }


def _plain(value: Any) -> Any:
    return canonical(value) if isinstance(value, dict) else value
