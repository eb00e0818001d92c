"""Panels of a comparison: which settings stand in each, and what these have in common."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from radmm.privacy.guarantee import rounded_up
from radmm.results.figures.curves import at, axes_of, last_iteration, name_curves, of_metric, typeset
from radmm.results.figures.figure import BOUND, Material
from radmm.results.figures.fine_print import SHIFT
from radmm.results.figures.setting_parameters import is_private, value_at

BUDGETS = ("noise.total_bound", "noise.total_epsilon")
LEVELS = ("noise.alpha", *BUDGETS, "noise.sigma")
EQUAL = 1e-6  # bounds that differ by less, relatively, are the same
SAME_EPSILON = 0.01  # relative difference of ε that calibration leaves
LONGEST = 22  # characters of a level that still fits into a title


@dataclass(frozen=True)
class Panels:
    """An experiment's curves, one panel for each level of noise.

    Args:
        curves: The table, each row with its `curve` and `panel`, which is none for a setting that belongs to all.
        levels: The panels, from the largest level down; a single None if there is no grid of levels.
        axis: Axis of the grid that makes the panels.
        material: Table and parameters of the experiment.
    """

    curves: pd.DataFrame
    levels: list[Any]
    axis: str
    material: Material

    @classmethod
    def of(cls, material: Material) -> Panels:
        """Make the panels from the first level of noise that is a grid.

        Args:
            material: Table and parameters of an experiment.
        """
        table = material.table
        axis = next((axis for axis in LEVELS if axis in axes_of(table)), "")
        curves = table.assign(curve=name_curves(table, [axis]), panel=table[axis] if axis else np.nan)
        levels = list(curves["panel"].dropna().unique())
        numbers = all(isinstance(level, int | float) for level in levels)
        return cls(curves, (sorted(levels, reverse=True) if numbers else levels) or [None], axis, material)

    def rows(self, metric: str, level: Any) -> pd.DataFrame:
        """Return a panel's rows of a metric; a setting without a level belongs to every panel.

        Args:
            metric: Name of the metric.
            level: Level of the panel.
        """
        return _of_panel(of_metric(self.curves, metric), level)

    def lines(self, metric: str, level: Any) -> dict[str, pd.DataFrame]:
        """Return each curve of a panel over the iterations, by its name.

        Args:
            metric: Name of the metric.
            level: Level of the panel.
        """
        groups = self.rows(metric, level).groupby("curve", sort=False)
        return {str(name): part.sort_values("iteration") for name, part in groups}

    def title(self, level: Any) -> str:
        """Return the level of a panel, where it is short, and what is equal there: the total bound or the total ε.

        Args:
            level: Level of the panel.
        """
        named, equal = self._level(level), self._bound(level) or self._equal_epsilon(level)
        return ", ".join(filter(None, [named if len(named) <= LONGEST or not equal else "", equal]))

    def description(self, level: Any) -> str:
        """Return the title, and below it the level where that is too long for a title.

        Args:
            level: Level of the panel.
        """
        title, named = self.title(level), self._level(level)
        return title if named in title else f"{title}\n{named}"

    def epsilons(self, level: Any) -> dict[str, float]:
        """Return the total ε of each private curve of a panel by the default accountant, where it is known.

        Args:
            level: Level of the panel.
        """
        rows = pd.concat([_of_panel(of_metric(self.curves, metric), level) for metric in SHIFT])
        rows = rows[rows["setting"].map(lambda own: is_private(self.material.parameters[own])).astype(bool)]
        return {str(curve): float(part["mean"].max()) for curve, part in rows.groupby("curve", sort=False)}

    @property
    def note(self) -> str:
        """Sentence on what a panel's level is, where some of its settings were calibrated; empty if none was."""
        if self.levels == [None] or all(self._all_have(level) for level in self.levels):
            return ""
        symbol = self._level(self.levels[0]).split(" = ")[0]
        return f"{symbol}: of the algorithms that set it; the others' noise is calibrated to P(T) or ε."

    def _level(self, level: Any) -> str:
        return "" if level is None else typeset(at(self.axis, level))

    def _bound(self, level: Any) -> str:
        """Return the total bound after the last iteration, or the largest where they differ."""
        bounds = _of_panel(self._total_bounds, level)["mean"]
        if bounds.empty:
            return ""
        equal = bounds.max() - bounds.min() <= EQUAL * bounds.max()
        return f"P(T) {'=' if equal else '≤'} {rounded_up(bounds.max())}"

    def _equal_epsilon(self, level: Any) -> str:
        """Return the total ε of a panel's private curves, if they are equal; the level may be that budget itself."""
        found = self.epsilons(level)
        if len(found) < 2 or self.axis in BUDGETS or max(found.values()) > (1 + SAME_EPSILON) * min(found.values()):
            return ""
        return f"ε = {rounded_up(max(found.values()))}"

    @cached_property
    def _total_bounds(self) -> pd.DataFrame:
        """Total bounds of all panels."""
        return last_iteration(of_metric(self.curves, BOUND))

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
