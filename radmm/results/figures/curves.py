"""From an experiment's table to named curves, and from a drawing to its files."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from radmm.base.store import read_metadata
from radmm.jobs.steps.command import run
from radmm.results.figures.style import save, use_style

SYMBOLS = {
    "algorithm.gamma": "γ",
    "algorithm.penalty": "η",
    "algorithm.penalty.ratio": "q₁",
    "algorithm.penalty.scale": "η",
    "iterations": "T",
    "network.nodes": "N",
    "noise.alpha": "α",
    "problem.rho": "ρ",
    "split.seed": "split",
}


def axes_of(table: pd.DataFrame) -> list[str]:
    """The axes of the experiment's grids: columns between the setting's id and the statistics."""
    columns = list(table.columns)
    return columns[columns.index("setting") + 1 : columns.index("iteration")]


def name_curves(table: pd.DataFrame, apart_from: Iterable[str] = ()) -> "pd.Series[str]":
    """Each row's curve: its label, with what else varies under that label, but for axes that are shown otherwise."""
    names = table["label"].copy()
    for axis in [axis for axis in axes_of(table) if axis not in set(apart_from)]:
        varies = table.groupby("label")[axis].transform("nunique") > 1
        written = table[axis].map(lambda value, axis=axis: at(axis, value), na_action="ignore")
        names = names.where(~varies, names + ", " + written)
    return names


def at(axis: str, value: Any) -> str:
    """A point on an axis in words: γ = 0.5, or α_i = 1, 0.8, 1.2 for one value a node."""
    symbol = SYMBOLS.get(axis, axis.split(".")[-1])
    if isinstance(value, str) and value.startswith('{"per_node"'):
        return f"{symbol}_i = " + ", ".join(f"{item:g}" for item in json.loads(value)["per_node"])
    return f"{symbol} = {value if isinstance(value, str) else f'{value:g}'}"


def last_iteration(table: pd.DataFrame) -> pd.DataFrame:
    """What each setting ends with."""
    return table[table["iteration"] == table.groupby("setting")["iteration"].transform("max")]


def of_metric(table: pd.DataFrame, metric: str) -> pd.DataFrame:
    return table[table["metric"] == metric]


def mean_of_runs(table: pd.DataFrame) -> str:
    """Over how many runs a mean is taken, in words."""
    runs = of_metric(table, "loss")["n"]
    fewer = f" ({runs.min()} where runs ended early)" if runs.min() < runs.max() else ""
    return f"mean of {runs.max()} runs{fewer}"


def half_range(curve: pd.DataFrame) -> "pd.Series[float] | None":
    """Of a bar that is centred on the mean and as long as the range, as in the paper."""
    return curve["range"] / 2 if curve["n"].max() > 1 else None


def provenance_of(table: Path) -> dict[str, list[str]]:
    """Of which settings, data and code a table was made."""
    stored = read_metadata(table)
    return {key: stored[key] for key in ("settings", "data", "code")}


def draw_files(draw: Callable[[pd.DataFrame], Figure], description: str | None) -> None:
    """A figure's command: its table drawn into both files, which say where they come from."""

    def figure(table: Path, pdf: Path, png: Path) -> None:
        use_style()
        save(draw(pd.read_parquet(table)), pdf, png, provenance_of(table))

    run(figure, description, table=Path, pdf=Path, png=Path)
