"""The contract of a kind of figure: it refuses in a sentence, or draws."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from io import BytesIO
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from radmm.argmin.optimum import centralised_optimum
from radmm.base.json_object import JsonObject
from radmm.contract.contract_error import calling, require
from radmm.contract.example_problem import example_network, example_problem
from radmm.jobs.steps.solve import run_setting
from radmm.metrics.metric import METRICS, metric_columns
from radmm.privacy.query_log import record_queries
from radmm.results.figures.figure import TOTAL, FigureKind, Material
from radmm.results.figures.style import use_style
from radmm.results.tables import setting_statistics, total_epsilons
from radmm.study.grids import GridPoint, expand, merge
from radmm.study.settings import Setting

ITERATIONS = 6
SOURCES = ("table", "timings")
PLAIN: JsonObject = {
    "data": "adult",
    "split": {"train": 400, "test": 200, "seed": 0},
    "network": {"law": "erdos-renyi", "nodes": 4, "probability": 0.5, "seed": 0},
    "partition": {"law": "even"},
    "problem": {"loss": "logistic", "C": 5.0, "rho": 0.4},
    "algorithm": {"name": "r-admm", "penalty": 1.0, "gamma": 0.5},
    "noise": None,
    "iterations": ITERATIONS,
    "runs": 2,
    "seed": 0,
    "initial_scale": 1.0,
}
NOISES: JsonObject = {
    "without noise": None,
    "exponential": {"kind": "objective", "alpha": 1.0},
    "Gaussian": {"kind": "objective", "sigma": 2.0},
}
VALUES: dict[str, list[Any]] = {  # of axes that don't take 0.3 and 0.6
    "split.seed": [0, 1],
    "network.nodes": [4, 6],
    "iterations": [4, 6],
    "noise.alpha": [0.5, 1.0],
}


@dataclass(frozen=True)
class ExampleSetting:
    """Setting as a figure kind sees it before anything has run.

    Args:
        label: The legend's text.
        grid_point: The setting's values on the axes of its grid.
        parameters: The setting's parameters, section by section.
    """

    label: str
    grid_point: GridPoint
    parameters: Mapping[str, Any]

    @property
    def id(self) -> str:
        """Text that is the same for the same label and grid point."""
        return json.dumps([self.label, dict(self.grid_point)])


def check_figure(figure: FigureKind) -> str | None:
    """Raise Broken if a kind of figure breaks its contract, with experiments of one setting, several, and a grid."""
    _check_declarations(figure)
    drawn, reasons = 0, []
    for settings in _experiments(figure):
        with calling("refusal"):
            faults = [f"{option}: {fault}" for option, fault in figure.option_faults(settings)]
            reason = faults[0] if faults else figure.refusal(settings)
        require(
            reason is None or (isinstance(reason, str) and reason),
            f"refusal must give a sentence or None, not {reason!r}",
        )
        if reason is None:
            _check_drawing(figure, settings)
            drawn += 1
        else:
            reasons.append(reason)
    require(
        drawn, f"it refuses every experiment that was tried, with grids over its axes too: {' '.join(reasons[-1:])}"
    )
    return None


def _check_declarations(figure: FigureKind) -> None:
    for name in ("axes", "metrics", "sources"):
        value = getattr(figure, name)
        typed = isinstance(value, tuple) and all(isinstance(entry, str) for entry in value)
        require(typed, f"{name} = {value!r}: must be a tuple of texts")
    unknown = [metric for metric in figure.metrics if metric not in METRICS and not metric.startswith(TOTAL)]
    require(not unknown, f"metrics names {', '.join(unknown)}: must be of {', '.join(metric_columns())}, {TOTAL}…")
    strange = [source for source in figure.sources if source not in SOURCES]
    require(not strange, f"sources names {', '.join(strange)}: must be of {', '.join(SOURCES)}")


def _experiments(figure: FigureKind) -> Iterator[list[ExampleSetting]]:
    """Yield settings without noise and with, each alone and all together, on a grid where the kind needs one.

    Options of the kind's example that name a parameter are axes of the grid, too.
    """
    named = [value for value in getattr(figure, "example", {}).values() if value in VALUES]
    each = {label: list(_grid([*figure.axes, *named], label, noise)) for label, noise in NOISES.items()}
    yield from (settings for settings in each.values() if settings)
    yield [setting for settings in each.values() for setting in settings]


def _grid(axes: Sequence[str], label: str, noise: Any) -> Iterator[ExampleSetting]:
    """Yield the settings of a grid over the axes; none if the noise has no such field."""
    if any(axis.startswith("noise.") and axis.removeprefix("noise.") not in (noise or {}) for axis in axes):
        return
    written: JsonObject = {**PLAIN, "noise": noise}
    for axis in axes:
        values: Any = VALUES.get(axis, [0.3, 0.6])
        written = merge(written, reduce(lambda inner, name: {name: inner}, reversed(axis.split(".")), values))
    for parameters, point in expand(written):
        yield ExampleSetting(label, point, parameters)


def _check_drawing(figure: FigureKind, settings: Sequence[ExampleSetting]) -> None:
    use_style()
    noises = sorted({setting.label for setting in settings})
    with calling(f"draw, of {len(settings)} settings ({', '.join(noises)}),"):
        drawn = figure.draw(_material(figure, settings))
    require(isinstance(drawn, Figure), f"draw must give a Matplotlib figure, not a {type(drawn).__name__}")
    with calling("drawing what draw gave"):
        drawn.savefig(BytesIO(), format="png")  # a figure's own canvas may be one that draws nothing
    plt.close(drawn)


def _material(figure: FigureKind, settings: Sequence[ExampleSetting]) -> Material:
    parts = [
        _statistics(setting).assign(label=setting.label, setting=setting.id, **setting.grid_point)
        for setting in settings
    ]
    table = pd.concat(parts, ignore_index=True)
    first = ["label", "setting", *dict.fromkeys(axis for setting in settings for axis in setting.grid_point)]
    timings = [
        {"setting": setting.id, "repeat": repeat, "seconds": 1.0 + repeat}
        for setting in settings
        for repeat in range(2)
    ]
    return Material(
        table[[*first, *(name for name in table if name not in first)]],
        {setting.id: setting.parameters for setting in settings},
        {setting.id: _data_steps(setting.parameters) for setting in settings},
        pd.DataFrame(timings) if "timings" in figure.sources else None,
    )


def _data_steps(parameters: Mapping[str, Any]) -> int:
    setting = Setting.from_json(parameters)
    return int(record_queries(setting.algorithm, example_network(), setting.iterations).data_steps[-1])


def _statistics(setting: ExampleSetting) -> pd.DataFrame:
    """Return the statistics of a solve of the example problem, with every metric that such a setting has."""
    problem, planned = example_problem(), Setting.from_json(setting.parameters)
    known = {"optimum": centralised_optimum(problem), "test": (problem.rows, np.ones(problem.rows.shape[0]))}
    result = run_setting(planned, problem, example_network(), **known)
    parts = [setting_statistics(result.trace), *([] if result.ledger is None else [total_epsilons(result.ledger)])]
    return pd.concat(parts, ignore_index=True)
