"""Named curves from an experiment's table: the queries that figures share."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from radmm.base.arrays import Array
from radmm.results.figures.figure import Material
from radmm.results.figures.setting_parameters import network_text, penalty_grows, value_at
from radmm.study.figure_style import Style
from radmm.study.grids import PER_NODE

MOST_VALUES = 8  # written out


def _centred(values: pd.Series[float]) -> tuple[float, float]:
    """Return the ends of a bar that is centred on the mean and as long as the range."""
    half = (values.max() - values.min()) / 2
    return values.mean() - half, values.mean() + half


REACH: dict[Style, Any] = {
    Style.CLEAR: ("pi", 100),
    Style.PAPER: _centred,
}  # reach of bars, as seaborn's `errorbar` takes it
GREEK = {"α": "alpha", "η": "eta", "θ": "theta", "λ": "lambda", "σ": "sigma"}
SYMBOLS = {
    "algorithm.dual_step": "θ",
    "algorithm.gamma": "γ",
    "algorithm.gossip": "rounds of gossip",
    "algorithm.penalty": "η",
    "algorithm.penalty.ratio": "q₁",
    "algorithm.penalty.scale": "η",
    "iterations": "T",
    "network.nodes": "N",
    "noise.alpha": "α",
    "noise.sigma": "σ",
    "noise.total_bound": "total bound",
    "noise.total_epsilon": "total ε",
    "problem.rho": "ρ",
    "split.seed": "split",
}


def axes_of(table: pd.DataFrame) -> list[str]:
    """Return the axes of the experiment's grids: columns between the setting's id and the statistics."""
    columns = list(table.columns)
    return columns[columns.index("setting") + 1 : columns.index("iteration")]


def name_curves(table: pd.DataFrame, apart_from: Iterable[str] = ()) -> pd.Series[str]:
    """Return each row's curve: its label, with what else varies under that label and isn't shown otherwise.

    The names are as `typeset` returns them, to be printed.

    Args:
        apart_from: Axes that don't distinguish curves.
    """
    names = table["label"].copy()
    for axis in [axis for axis in axes_of(table) if axis not in set(apart_from)]:
        varies = table.groupby("label")[axis].transform(lambda values: values.nunique(dropna=False)) > 1
        written = table[axis].map(lambda value, axis=axis: at(axis, value))
        names = names.where(~varies, names + ", " + written)
    return names.map({name: typeset(name) for name in names.unique()})


def typeset(text: str) -> str:
    """Return a text that Matplotlib prints as it was written, but for indices such as α_i, which are lowered.

    Without it, what stands between two `$` would be taken for a formula, and a legend leaves out what begins with `_`.
    """
    safe = re.sub(r"^_", r"$\\_$", text.replace("$", r"\$"))
    return re.sub(rf"\b([{''.join(GREEK)}])_i\b", lambda found: rf"$\{GREEK[found[1]]}_i$", safe)


def at(axis: str, value: Any) -> str:
    """Format a point on an axis: γ = 0.5, or α_i = 1, 0.8, 1.2 for one value a node.

    Args:
        axis: Dotted path in a setting.
        value: Value in the table: a number or a text; a section is written as JSON, and null is NaN or None.
    """
    symbol = SYMBOLS.get(axis, axis.split(".")[-1])
    section = json.loads(value) if isinstance(value, str) and value.startswith("{") else None
    if section is not None and PER_NODE in section:
        return f"{symbol}_i" + _of_nodes(section[PER_NODE])
    if section is not None:
        return network_text(section) if "law" in section else _fields(symbol, section)
    if value is None or value != value:  # NaN
        return f"no {symbol}"
    return f"{symbol} = {value if isinstance(value, str) else f'{value:g}'}"


def _of_nodes(values: list[float]) -> str:
    """Format each node's value or, where these are too many, their range and a mark that distinguishes them."""
    if len(values) <= MOST_VALUES:
        return " = " + ", ".join(f"{value:g}" for value in values)
    mark = zlib.crc32(json.dumps(values).encode())
    return f" from {min(values):g} to {max(values):g} (#{mark:08x})"


def _fields(symbol: str, section: Mapping[str, object]) -> str:
    return f"{symbol}: " + ", ".join(f"{key} = {value}" for key, value in section.items())


def last_iteration(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of each setting's last iteration."""
    return table[table["iteration"] == table.groupby("setting")["iteration"].transform("max")]


def of_metric(table: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Return the rows of one metric."""
    return table[table["metric"] == metric]


def mean_of_runs(table: pd.DataFrame) -> str:
    """Return over how many runs a mean is taken, in words."""
    runs = of_metric(table, "loss")["n"]
    fewer = f" ({runs.min()} where runs ended early)" if runs.min() < runs.max() else ""
    return f"mean of {runs.max()} runs{fewer}" if runs.max() > 1 else "one run"


def growth(material: Material) -> list[str]:
    """Return a sentence that says what q₁ is, where a penalty grows geometrically by it."""
    grows = any(
        penalty_grows(parameters) and value_at(parameters, "algorithm.penalty.schedule") is None
        for parameters in material.parameters.values()
    )
    return ["Growing penalties are η_i(k) = η_i·q₁^k at the k-th argmin."] if grows else []


def bars(curve: pd.DataFrame, style: Style) -> Array | None:
    """Return how far bars reach below and above the mean; None for a single run.

    Args:
        curve: Rows with statistics.
    """
    if not curve["n"].max() > 1:
        return None
    if style is Style.PAPER:
        return np.array([curve["range"] / 2] * 2)
    # Of equal values, the mean may be a rounding error beyond the largest.
    return np.maximum([curve["mean"] - curve["min"], curve["max"] - curve["mean"]], 0.0)
