"""A quick picture of a trace: what is measured against the iterations, mean and range over the runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.metrics import METRICS

SHOWN = ("loss", "error_rate", "privacy_loss")
NAMES = {
    "loss": "training loss",
    "error_rate": "test error",
    "privacy_loss": "total ε by the paper's bound\n(δ = 0, for replacing one row)",
}


def draw(columns: Mapping[str, NDArray[Any]], runs: int, metrics: Sequence[str], title: str) -> Figure:
    """One panel a metric.

    Args:
        columns: Of a trace, one run after the other.
        runs: How many there are.
        metrics: Which to show; loss, test error and the paper's bound, as far as there are any, if not given.
        title: Of all of them.
    """
    tables = {name: columns[name].reshape(runs, -1) for name in METRICS if name in columns}
    there = [name for name, table in tables.items() if np.isfinite(table).any()]
    for name in metrics:
        if name not in there:
            raise InputError(f"metric = {name!r}: must be one of {', '.join(there)}, which this trace has")
    chosen = list(metrics) or [name for name in SHOWN if name in there]
    figure = Figure(figsize=(3.6 * len(chosen), 3.0), layout="constrained")
    for place, name in enumerate(chosen):
        axes = figure.add_subplot(1, len(chosen), place + 1)
        _panel(axes, tables[name])
        axes.set(xlabel="iteration", ylabel=NAMES.get(name, name))
    figure.suptitle(title, fontsize="medium")
    return figure


def metadata_of(suffix: str, provenance: Mapping[str, Sequence[str]], disclaimer: str) -> dict[str, str | None]:
    """What a picture's file says of itself, without a date: the same data give the same bytes.

    Args:
        suffix: That of its name: .pdf, .png or .svg.
        provenance: Lists of names or hashes, by what they are of.
        disclaimer: What its ε rest on, and what they don't cover.
    """
    source = "; ".join(f"{key}: {', '.join(value)}" for key, value in provenance.items())
    if suffix == ".pdf":
        return {"CreationDate": None, "Keywords": source, "Subject": disclaimer}
    if suffix == ".svg":
        return {"Date": None, "Source": source, "Description": disclaimer}
    return {"Software": None, "Source": source, "Disclaimer": disclaimer}


def _panel(axes: Any, table: Array) -> None:
    """Mean, least and largest of the runs that got there."""
    iterations = np.flatnonzero(np.isfinite(table).any(axis=0))
    reached = table[:, iterations]
    low, high = np.nanmin(reached, axis=0), np.nanmax(reached, axis=0)
    axes.plot(iterations, np.nanmean(reached, axis=0), color="C0", label=f"mean of {len(table)} runs")
    if np.any(high > low):
        axes.fill_between(iterations, low, high, color="C0", alpha=0.2, linewidth=0, label="range")
        axes.legend(frameon=False)
    axes.grid(visible=True, alpha=0.3)
