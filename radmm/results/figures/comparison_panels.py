"""Panels of a comparison: which settings stand in each, and what these have in common."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from radmm.privacy.guarantee import rounded_up
from radmm.results.figures.captions import SHIFT
from radmm.results.figures.curves import at, axes_of, last_iteration, name_curves, of_metric, typeset
from radmm.results.figures.figure import BOUND, Material
from radmm.results.figures.setting_parameters import is_private, value_at

BUDGETS = ("noise.total_bound", "noise.total_epsilon")
LEVELS = ("noise.alpha", *BUDGETS, "noise.sigma")
P, EPSILON = "P(T)", "ε"
EQUAL = {P: 1e-6, EPSILON: 0.01}  # relative differences that are none; calibration leaves some of ε


@dataclass(frozen=True)
class Panels:
    """An experiment's curves, one panel for each level of noise.

    Args:
        curves: The table, each row with its `curve` and `panel`, which is none for a setting that belongs to all.
        levels: The panels, in the order of the config; a single None if there is no grid of levels.
        axis: Axis of the grid that makes the panels.
        material: Table and parameters of the experiment.
    """

    curves: pd.DataFrame
    levels: list[Any]
    axis: str
    material: Material

    @classmethod
    def of(cls, material: Material) -> Panels:
        """Make the panels from the first level of noise that is a grid."""
        table = material.table
        axis = next((axis for axis in LEVELS if axis in axes_of(table)), "")
        curves = table.assign(curve=name_curves(table, [axis]), panel=table[axis] if axis else np.nan)
        levels = list(curves["panel"].dropna().unique())
        return cls(curves, levels or [None], axis, material)

    def rows(self, metric: str, level: Any) -> pd.DataFrame:
        """Return a panel's rows of a metric; a setting without a level belongs to every panel."""
        return _of_panel(of_metric(self.curves, metric), level)

    def lines(self, metric: str, level: Any) -> dict[str, pd.DataFrame]:
        """Return each curve of a panel over the iterations, by its name."""
        groups = self.rows(metric, level).groupby("curve", sort=False)
        return {str(name): part.sort_values("iteration") for name, part in groups}

    def ends(self, metric: str, levels: Sequence[Any]) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return the last iterations of several panels, each row with its panel's place in `at`.

        Settings without noise, where others have it, come apart: they are the same in all panels.
        """
        parts = [last_iteration(self.rows(metric, level)).assign(at=place) for place, level in enumerate(levels)]
        rows = pd.concat(parts)
        private = self.material.tell(rows, is_private).astype(bool)
        if not private.any():
            return rows, rows[:0]
        return rows[private], rows[~private].drop_duplicates("curve")

    def title(self, level: Any) -> str:
        """Return the level of a panel, and what its curves cost where that is equal: the total bound, the total ε."""
        equal = {row: self.costs(row, level) for row in (P, EPSILON) if row not in self.rows_of_costs()}
        told = [f"{row} = {rounded_up(max(found.values()))}" for row, found in equal.items() if found]
        own = "" if level is None else typeset(at(self.axis, level))
        return ", ".join(filter(None, [own, *told]))

    def costs(self, row: str, level: Any) -> dict[str, float]:
        """Return what each private curve of a panel costs, where it is known.

        Args:
            row: `P(T)`, the published bound, or `ε`, the total by the default accountant.
        """
        metrics = [BOUND] if row == P else [*SHIFT]
        rows = pd.concat([_of_panel(of_metric(self._last, metric), level) for metric in metrics])
        rows = rows[self.material.tell(rows, is_private).astype(bool)]
        return {str(curve): float(part["mean"].max()) for curve, part in rows.groupby("curve", sort=False)}

    def rows_of_costs(self) -> list[str]:
        """Return those of P(T) and ε in which curves of a panel differ: each curve has its own then."""
        return [row for row in (P, EPSILON) if any(_differ(self.costs(row, level), row) for level in self.levels)]

    @property
    def has_epsilon(self) -> bool:
        """Whether a total ε of some curve is known."""
        return any(self.costs(EPSILON, level) for level in self.levels)

    @property
    def note(self) -> list[str]:
        """Sentence on what a panel's level is, where some of its settings were calibrated; none if none was."""
        if self.levels == [None] or all(self._all_have(level) for level in self.levels):
            return []
        symbol = typeset(at(self.axis, self.levels[0])).split(" = ")[0]
        return [f"{symbol} is that of the algorithms that set it; the others' noise is calibrated to P(T) or ε."]

    @cached_property
    def _last(self) -> pd.DataFrame:
        """Last iterations of all panels."""
        return last_iteration(self.curves)

    def _all_have(self, level: Any) -> bool:
        """Return whether each private setting of a panel was asked for this level, and none for another's bound.

        A setting that asked for a budget has the noise that meets it, and stands in no panel but the budget's.
        """
        if self.axis in BUDGETS:
            return True
        settings = self.curves.loc[self.curves["panel"] == level, "setting"].unique()
        private = [own for own in map(self.material.parameters.__getitem__, settings) if is_private(own)]
        asked = [value_at(own, self.axis) for own in private]
        written = [json.dumps(value) if isinstance(value, dict) else value for value in asked]
        return all(at(self.axis, value) == at(self.axis, level) for value in written)


def _of_panel(rows: pd.DataFrame, level: Any) -> pd.DataFrame:
    there: pd.Series[bool] = rows["panel"].isna() | (rows["panel"] == level)
    return rows[there]


def _differ(found: Mapping[str, float], row: str) -> bool:
    return len(found) > 1 and max(found.values()) > (1 + EQUAL[row]) * min(found.values())
