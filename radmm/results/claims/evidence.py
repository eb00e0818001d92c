"""Evidence for claims: the traces of a setting, by experiment, label and grid point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pandas as pd

from radmm.base.arrays import Array
from radmm.base.store import checked
from radmm.privacy.accountants.shift import ShiftAccountant
from radmm.results.figures.setting_parameters import value_at
from radmm.results.tables import DELTA, read_ledger
from radmm.study.component_json import content_key
from radmm.study.entries import Entry
from radmm.study.grids import GridPoint

# Axes of the experiments' grids.
ALPHA, GAMMA, RATIO = "noise.alpha", "algorithm.gamma", "algorithm.penalty.ratio"
NODES, RHO, SPLIT = "network.nodes", "problem.rho", "split.seed"

# What two settings must have in common for their runs to be pairs.
SHARED = ("data", "split", "network", "partition", "seed", "initial_scale")


class EvidenceError(Exception):
    """Raised when runs lack values that a statistic needs; the message names them."""


@dataclass(frozen=True)
class Runs:
    """All runs of one setting, each metric as a (run, iteration) array; NaN from where a run ended early."""

    entry: Entry
    path: Path
    ledger: Path | None = None  # of what a run released

    @cached_property
    def total_epsilon(self) -> float:
        """Total ε of the whole run, for replacing one row at δ = DELTA, by the default accountant."""
        if self.ledger is None or not self.ledger.is_file():
            raise EvidenceError(f"{self.name} has no ledger, so its total ε isn't known")
        return ShiftAccountant().epsilon(read_ledger(checked(self.ledger)), DELTA)

    @cached_property
    def _trace(self) -> dict[str, Array]:
        trace = pd.read_parquet(checked(self.path))
        runs = trace["run"].nunique()  # one after the other
        return {str(name): column.to_numpy().reshape(runs, -1) for name, column in trace.items()}

    def __getitem__(self, metric: str) -> Array:
        return self._trace[metric]

    @property
    def name(self) -> str:
        return f"{self.entry.experiment}, {self.entry.label}"

    def odd(self, metric: str) -> Array:
        """Return a metric at iterations 1, 3, 5, …: those that touch the data in R-ADMM and MR-ADMM."""
        return self[metric][:, 1::2]

    def even(self, metric: str) -> Array:
        """Return a metric at iterations 2, 4, 6, …"""
        return self[metric][:, 2::2]


class Evidence:
    """The runs that one claim reads; it records which were read, and which are missing.

    Args:
        experiments: Entries of each experiment, by its name.
        traces: Folder of their traces.
        ledgers: Folder of their ledgers, without which no total ε is known.
        read: Cache of runs by setting, shared with other claims.
    """

    def __init__(
        self,
        experiments: Mapping[str, list[Entry]],
        traces: Path,
        ledgers: Path | None = None,
        read: dict[str, Runs] | None = None,
    ) -> None:
        self._experiments, self._traces, self._ledgers = experiments, traces, ledgers
        self._runs = {} if read is None else read
        self._found: set[str] = set()
        self.missing: list[str] = []

    @property
    def settings(self) -> list[str]:
        """Ids of the settings that were used."""
        return sorted(self._found)

    def note(self, missing: str) -> None:
        if missing not in self.missing:
            self.missing.append(missing)

    def values(self, experiment: str, label: str, axis: str) -> list[Any]:
        """Return the values of a label's settings on an axis: numbers ascending, others as in the config."""
        found: list[Any] = []
        for entry in self._entries(experiment, label):
            value = _value(entry, axis)
            if value is None:
                self.note(f"{experiment}: {label} has no {axis}")
            elif value not in found:
                found.append(value)
        return sorted(found) if all(isinstance(value, float | int) for value in found) else found

    def steps(self, experiment: str, label: str, axis: str) -> list[tuple[Any, Any]]:
        """Return the steps from each value on an axis to the next."""
        values = self.values(experiment, label, axis)
        if len(values) == 1:
            self.note(f"{experiment}: {label} has one {axis}, and a comparison takes two")
        return list(pairwise(values))

    def find(self, experiment: str, label: str, point: GridPoint | None = None) -> list[Runs]:
        """Return the runs of the setting at a grid point as a list, which is empty if there is none; that is recorded.

        A setting that doesn't vary along an axis serves at all values of that axis.
        """
        wanted = point or {}
        entries = self._entries(experiment, label)
        matching = [
            entry
            for entry in entries
            if all(entry.grid_point.get(axis, value) == value for axis, value in wanted.items())
        ]
        if len(matching) == 1:
            return [self._read(matching[0])]
        if entries:
            number = "several settings" if matching else "no setting"
            self.note(f"{experiment}: {label} has {number} at {_text(wanted)}")
        return []

    def together(self, experiment: str, *wanted: tuple[str, GridPoint]) -> list[tuple[Runs, ...]]:
        """Return several settings of an experiment, by label and point, or nothing if one is missing."""
        return list(product(*[self.find(experiment, label, point) for label, point in wanted]))

    def total_epsilon(self, runs: Runs) -> list[float]:
        """Return the total ε of a setting as a list, which is empty if none is known; that is recorded."""
        try:
            return [runs.total_epsilon]
        except EvidenceError as reason:
            self.note(str(reason))
            return []

    def _entries(self, experiment: str, label: str) -> list[Entry]:
        found = [entry for entry in self._experiments.get(experiment, []) if entry.label == label]
        if not found:
            known = experiment in self._experiments
            self.note(f"{experiment} has no setting {label}" if known else f"{experiment} is not in the config")
        return found

    def _read(self, entry: Entry) -> Runs:
        file = f"{entry.id}.parquet"
        ledger = None if self._ledgers is None else self._ledgers / file
        self._found.add(entry.id)
        return self._runs.setdefault(entry.id, Runs(entry, self._traces / file, ledger))


def name_of(value: Any) -> str:
    """Format a value for people: 2 and not 2.0, and the centre of values that differ between nodes."""
    if isinstance(value, Mapping):
        (values,) = value.values()
        return f"around {sum(values) / len(values):g}"
    return f"{value:g}" if isinstance(value, int | float) else str(value)


def check_pair(left: Runs, right: Runs) -> None:
    """Refuse runs that are no pairs: run r of both must start from the same point, on the same split and graph."""
    for field in SHARED:
        if content_key(getattr(left.entry.setting, field)) != content_key(getattr(right.entry.setting, field)):
            raise EvidenceError(f"{left.name} and {right.name} differ in {field}, so their runs are no pairs")


def _value(entry: Entry, axis: str) -> Any:
    """Return the value on the grid's axis, or the field of that name where it is no axis, or None."""
    return entry.grid_point.get(axis, value_at(entry.parameters, axis))


def _text(point: GridPoint) -> str:
    return ", ".join(f"{axis} = {name_of(value)}" for axis, value in point.items()) or "all"
