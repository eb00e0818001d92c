"""The contract of a metric: a finite number a run, which depends on no other run, and words for figures and tables."""

from typing import Any

import numpy as np

from radmm.algorithms.recycled import RADMM
from radmm.argmin.optimum import centralised_optimum
from radmm.base.arrays import Array
from radmm.contract.contract_error import calling, require
from radmm.contract.example_problem import example_network, example_problem
from radmm.driver import solve
from radmm.metrics.metric import Metric
from radmm.privacy.noises.objective import ObjectiveNoise

ITERATIONS, RUNS = 4, 3
TEXTS = ("label", "meaning", "unit")
DIRECTIONS = ("lower", "higher", None)
TAKEN = ("run", "iteration", "metric", "label", "setting")  # columns that traces and tables have of their own
ABOUT_ONE = 1e-9  # relative: sums over fewer runs may have another order


def check_metric(metric: Metric) -> str | None:
    """Raise Broken if a metric breaks its contract; else return a remark."""
    _check_declarations(metric)
    with calling("axis_label"):
        require(isinstance(metric.axis_label, str), f"axis_label = {metric.axis_label!r}: must be text")
    values = _recorded(metric, RUNS)
    require(np.array_equal(_recorded(metric, RUNS), values, equal_nan=True), "the same run is measured differently")
    alone = _recorded(metric, 1)
    near = np.allclose(alone, values[:1], rtol=ABOUT_ONE, atol=ABOUT_ONE, equal_nan=True)
    require(near, "a run's values depend on which other runs there are")
    require(not np.any(np.isinf(values)), "measure gives values that are not finite")
    there = ~np.isnan(values)
    require(np.any(there), "measure gives no value at any iteration of a run with noise, test rows and a known optimum")
    require(np.all(there.all(axis=0) | ~there.any(axis=0)), "measure gives values to some of the runs only")
    return None if np.all(there) else "it has no value at some iterations"


def _check_declarations(metric: Metric) -> None:
    for name in TEXTS:
        text: Any = getattr(metric, name, None)
        fits = isinstance(text, str) and (text or name == "unit")
        require(fits, f"{name} = {text!r}: must be text, for figures and tables")
    require(metric.better in DIRECTIONS, f"better = {metric.better!r}: must be 'lower', 'higher' or None")
    require(isinstance(metric.of_outcome, bool), f"of_outcome = {metric.of_outcome!r}: must be True or False")
    require(metric.name not in TAKEN, f"name = {metric.name!r}: must be another, as tables have a column of that name")
    total = metric.name.startswith("epsilon_")
    require(not total, f"name = {metric.name!r}: must not begin with epsilon_, as totals by accountants do")


def _recorded(metric: Metric, runs: int) -> Array:
    """Return the metric's column of a small run, (run, iteration)."""
    problem = example_problem()
    with calling("measure"):
        result = solve(
            problem,
            example_network(),
            RADMM(),
            noise=ObjectiveNoise(1.0),
            iterations=ITERATIONS,
            runs=runs,
            optimum=centralised_optimum(problem),
            test=(problem.rows, np.where(np.arange(problem.rows.shape[0]) % 2, 1.0, -1.0)),
        )
    require(metric.name in result.columns, "it is not recorded: its class must be the one of this name")
    column: Array = np.asarray(result.columns[metric.name], dtype=np.float64)
    return column.reshape(runs, ITERATIONS + 1)
