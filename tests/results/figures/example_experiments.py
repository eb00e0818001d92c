"""Experiments that never ran: settings as a config would give them, and a table as if they had."""

import hashlib
import json
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from radmm.results.figures.figure import Material
from radmm.study.grids import expand, merge

DEFAULTS = {
    "data": "adult",
    "split": {"train": 200, "seed": 0},
    "network": {"law": "ring", "nodes": 5},
    "partition": {"law": "even"},
    "problem": {"loss": "logistic", "C": 10.0, "rho": 0.22},
    "noise": None,
    "iterations": 4,
    "runs": 4,
    "seed": 0,
}
ADMM = {"algorithm": {"name": "admm", "penalty": 1.0}}
M_ADMM = {"algorithm": {"name": "m-admm", "penalty": {"scale": 1.0, "ratio": 1.04}, "dual_step": 1.0}}
R_ADMM = {"algorithm": {"name": "r-admm", "penalty": 1.0, "gamma": 0.5}}
MR_ADMM = {"algorithm": {"name": "mr-admm", "penalty": {"scale": 1.0, "ratio": 1.04}, "gamma": 0.5}}
ALWAYS = ("loss", "error_rate", "consensus", "residual", "distance", "passes", "loss_average", "error_rate_average")
ALWAYS += ("error_rate_worst", "messages", "floats_sent", "error_rate_worst_average")
TOTALS = (
    "epsilon_shift_delta_1e-05",
    "epsilon_pure",
    "epsilon_optimal-pure_delta_1e-05",
    "epsilon_renyi_delta_1e-05",
    "epsilon_pld_delta_1e-05",
)


def noise(alpha=1.0, **options):
    return {"noise": {"kind": "objective", "alpha": alpha, **options}}


@dataclass(frozen=True)
class Made:
    """A setting, and what it would be measured to have: `values` by metric, a number or one for each iteration."""

    label: str
    grid_point: dict
    parameters: dict
    values: dict = field(default_factory=dict)

    @property
    def id(self):
        text = json.dumps(self.parameters, sort_keys=True)
        return f"{self.parameters['algorithm']['name']}-{hashlib.sha256(text.encode()).hexdigest()[:10]}"

    @property
    def data_steps(self):
        iterations = self.parameters["iterations"]
        return -(-iterations // 2) if "gamma" in self.parameters["algorithm"] else iterations


def settings(written, defaults=None):
    """Grids expanded, as the config does it; `values` beside the sections is what the settings are measured to have."""
    made = []
    for label, own in written.items():
        own = dict(own)
        values = own.pop("values", {})
        for parameters, point in expand(merge(merge(DEFAULTS, defaults or {}), own)):
            made.append(Made(label, point, parameters, values))
    return made


def with_values(made, read):
    """The same settings with values that follow from their parameters."""
    return [replace(setting, values=read(setting.parameters)) for setting in made]


def material(made, seconds=None):
    """A table in the form of the tables step; `seconds` by label, for timings of two repeats."""
    table = pd.concat([_rows(setting) for setting in made], ignore_index=True)
    statistics = ["iteration", "metric", "n", "mean", "min", "max", "range", "std"]
    table = table[[name for name in table if name not in statistics] + statistics]
    timings = [
        {"label": setting.label, "setting": setting.id, "repeat": repeat, "seconds": least + repeat}
        for repeat in (0, 1)
        for setting in made
        for least in [(seconds or {}).get(setting.label, 1.0)]
    ]
    return Material(
        table,
        {setting.id: setting.parameters for setting in made},
        {setting.id: setting.data_steps for setting in made},
        pd.DataFrame(timings),
    )


def _rows(setting):
    parameters = setting.parameters
    private = parameters["noise"] is not None
    metrics = [*ALWAYS, *(["privacy_loss"] if private and "sigma" not in parameters["noise"] else [])]
    iterations = np.arange(parameters["iterations"] + 1)
    named = {"label": setting.label, "setting": setting.id}
    for axis, value in setting.grid_point.items():
        named[axis] = json.dumps(value, sort_keys=True) if isinstance(value, dict) else value
    rows = [
        {**named, "iteration": t, "metric": metric, "mean": _value(setting, metric, t)}
        for metric in metrics
        for t in iterations
    ]
    last = int(iterations[-1])
    rows += [
        {**named, "iteration": last, "metric": metric, "mean": _value(setting, metric, last)}
        for metric in (TOTALS if private else ())
    ]
    table = pd.DataFrame(rows)
    return table.assign(n=parameters["runs"], min=table["mean"] - 0.1, max=table["mean"] + 0.1, range=0.2, std=0.1)


def _value(setting, metric, iteration):
    value = setting.values.get(metric, 0.5)
    return value[iteration] if isinstance(value, list) else value
