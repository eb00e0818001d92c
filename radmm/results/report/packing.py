"""Packing of curves into few bytes: base64 of 32-bit numbers, thinned out to the room that there is."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from radmm.base.arrays import Array, Integers
from radmm.base.json_object import JsonObject
from radmm.metrics.metric import metric_columns
from radmm.results.epsilon_terms import BOUND

BYTES = 4 / 3 * 4  # bytes of a 32-bit number in base64
OVERHEAD = 1500  # bytes of a setting beside its numbers
PASSES = "passes"  # the metric that is zero where an iteration touches no data
FEWEST = 6  # points of a curve, below which it says nothing
FOR_STATISTICS = 0.6  # share of the room that is for statistics; the rest is for single runs


@dataclass(frozen=True)
class Curves:
    """Curves of a setting's trace.

    Args:
        iterations: Length T + 1 of the trace.
        metrics: Metrics that it has, each as (run, iteration), NaN where a run has ended.
    """

    iterations: int
    metrics: dict[str, Array]

    @cached_property
    def along(self) -> dict[str, Array]:
        """Quantities for the horizontal axis that no metric has: data-touching iterations and passes so far."""
        if PASSES not in self.metrics:
            return {}
        there = ~np.isnan(self.metrics[PASSES]).all(axis=0)
        passes = np.nan_to_num(_over_runs(np.nanmean, self.metrics[PASSES], there))
        return {"data_steps": np.cumsum(passes > 0).astype(float), "passes_so_far": np.cumsum(passes)}

    @classmethod
    def of(cls, trace: pd.DataFrame) -> "Curves":
        """Make the curves of a trace.

        Args:
            trace: One row for each run and iteration.
        """
        run, iteration = np.asarray(trace["run"]), np.asarray(trace["iteration"])
        shape = run.max() + 1, iteration.max() + 1
        metrics = {}
        for metric in (metric for metric in metric_columns() if metric in trace):
            column = np.asarray(trace[metric], dtype=float)
            if np.unique(iteration[~np.isnan(column)]).size > 1:  # else there is no curve
                metrics[metric] = np.full(shape, np.nan)
                metrics[metric][run, iteration] = column
        return cls(int(shape[1]), metrics)

    @cached_property
    def varying(self) -> dict[str, Array]:
        """Metrics in which runs differ."""
        return {name: values for name, values in self.metrics.items() if not _same_in_all_runs(values)}


def _same_in_all_runs(values: Array) -> bool:
    return len(values) == 1 or bool(np.array_equal(values, np.broadcast_to(values[0], values.shape), equal_nan=True))


def pack(values: Array, rounds_up: bool = False) -> str:
    """Encode numbers as little-endian 32-bit floats in base64, row after row.

    Args:
        values: Array of any shape.
        rounds_up: Whether no number may become less, as a bound must not; else each becomes the nearest.
    """
    small = np.ascontiguousarray(values, dtype="<f4")
    if rounds_up:
        small = np.where(small < values, np.nextafter(small, np.float32(np.inf)), small)
    return base64.b64encode(small.tobytes()).decode()


def kept(length: int, points: int) -> Integers:
    """Return the iterations to keep: 0, the last, and between them pairs of an odd one and the next.

    Args:
        length: Number of iterations T + 1.
        points: About how many may be kept.
    """
    if points >= length:
        return np.arange(length)
    pairs = max(1, (points - 2) // 2)
    odd = 2 * np.unique(np.linspace(0, max(0, (length - 2) // 2), pairs).round().astype(int)) + 1
    chosen = np.unique(np.concatenate([[0, length - 1], odd, odd + 1]))
    return chosen[chosen < length]


def pack_all(traces: Mapping[str, Curves], room: float) -> JsonObject:
    """Pack every setting's curves: mean and range over the runs, and single runs where there is room for them.

    Args:
        traces: Curves by setting.
        room: Number of bytes that they may take together.
    """
    room -= OVERHEAD * len(traces)
    statistics = {
        name: len(trace.metrics) + 2 * len(trace.varying) + len(trace.along) for name, trace in traces.items()
    }
    points = _points(traces, statistics, FOR_STATISTICS * room)
    runs = {name: sum(len(values) for values in trace.varying.values()) for name, trace in traces.items()}
    used = BYTES * sum(statistics[name] * min(points, trace.iterations) for name, trace in traces.items())
    single = _points(traces, runs, room - used)
    return {name: _packed(trace, points, single) for name, trace in traces.items()}


def _points(traces: Mapping[str, Curves], curves: Mapping[str, int], room: float) -> int:
    """Return how many points a curve may have so that all fit; short curves leave room to others."""
    longest = max((trace.iterations for trace in traces.values()), default=FEWEST)
    few, many = FEWEST, max(FEWEST, longest)
    while few < many:
        points = (few + many + 1) // 2
        fits = BYTES * sum(curves[name] * min(points, trace.iterations) for name, trace in traces.items()) <= room
        few, many = (points, many) if fits else (few, points - 1)
    return few


def _packed(trace: Curves, points: int, single: int) -> JsonObject:
    at, at_single = kept(trace.iterations, points), kept(trace.iterations, single)
    packed: JsonObject = {"at": _iterations_of(at, trace.iterations), "statistics": {}, "runs": {}}
    packed["along"] = {name: pack(values[at]) for name, values in trace.along.items()}
    for name, values in trace.metrics.items():
        chosen = values[:, at]
        there = ~np.isnan(chosen).all(axis=0)
        found = {"mean": _over_runs(np.nanmean, chosen, there)}
        if name in trace.varying:
            found |= {"min": _over_runs(np.nanmin, chosen, there), "max": _over_runs(np.nanmax, chosen, there)}
        packed["statistics"][name] = {
            statistic: pack(values, rounds_up=name == BOUND) for statistic, values in found.items()
        }
    if single > FEWEST or trace.iterations <= FEWEST:
        packed["at_single"] = _iterations_of(at_single, trace.iterations)
        packed["runs"] = {
            name: pack(values[:, at_single], rounds_up=name == BOUND) for name, values in trace.varying.items()
        }
    return packed


def _iterations_of(at: Integers, length: int) -> int | list[int]:
    """Return the iterations of a curve's points, or only their number if no iteration is left out."""
    return length if len(at) == length else at.tolist()


def _over_runs(statistic: Any, values: Array, there: Any) -> Array:
    """Return a statistic over the runs, NaN where no run has a value."""
    found = np.full(values.shape[1], np.nan)
    found[there] = statistic(values[:, there], axis=0)
    return found
