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
from radmm.results.figures.setting_parameters import is_private, value_at

BUDGETS = ("noise.total_bound", "noise.total_epsilon")
LEVELS = ("noise.alpha", *BUDGETS, "noise.sigma")
EQUAL = 1e-6  # bounds that differ by less, relatively, are the same
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
        """Return what all private curves of a panel share: the level, where it is short and all have it, and the bound.

        Args:
            level: Level of the panel.
        """
        named = self._level(level) if self._all_have(level) else ""
        bound = self._bound(level)
        return ", ".join(filter(None, [named if len(named) <= LONGEST or not bound else "", bound]))

    def description(self, level: Any) -> str:
        """Return the title, and below it the level where the title doesn't name it.

        Args:
            level: Level of the panel.
        """
        title = self.title(level)
        named = self._level(level)
        if named in title:
            return title
        return f"{title}\n{named}" + ("" if self._all_have(level) else " where not calibrated")

    def _level(self, level: Any) -> str:
        return "" if level is None else typeset(at(self.axis, level))

    def _bound(self, level: Any) -> str:
        """Return the total bound after the last iteration, or the largest where they differ."""
        bounds = _of_panel(self._total_bounds, level)["mean"]
        if bounds.empty:
            return ""
        equal = bounds.max() - bounds.min() <= EQUAL * bounds.max()
        return f"P(T) {'=' if equal else '≤'} {rounded_up(bounds.max())}"

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
