"""Which settings stand in one panel of a comparison, and what these have in common."""

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
from radmm.results.figures.meaning import is_private, value_at

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
        axis: Of the grid that makes the panels.
        material: What all is taken from.
    """

    curves: pd.DataFrame
    levels: list[Any]
    axis: str
    material: Material

    @classmethod
    def of(cls, material: Material) -> Panels:
        """The first level of noise that is a grid makes the panels.

        Args:
            material: An experiment's.
        """
        table = material.table
        axis = next((axis for axis in LEVELS if axis in axes_of(table)), "")
        curves = table.assign(curve=name_curves(table, [axis]), panel=table[axis] if axis else np.nan)
        levels = list(curves["panel"].dropna().unique())
        numbers = all(isinstance(level, int | float) for level in levels)
        return cls(curves, (sorted(levels, reverse=True) if numbers else levels) or [None], axis, material)

    def rows(self, metric: str, level: Any) -> pd.DataFrame:
        """What is measured in a panel; a setting without a level belongs to every one.

        Args:
            metric: Its name.
            level: The panel.
        """
        return _of_panel(of_metric(self.curves, metric), level)

    def lines(self, metric: str, level: Any) -> dict[str, pd.DataFrame]:
        """Each curve of a panel over the iterations, by its name.

        Args:
            metric: Its name.
            level: The panel.
        """
        groups = self.rows(metric, level).groupby("curve", sort=False)
        return {str(name): part.sort_values("iteration") for name, part in groups}

    def title(self, level: Any) -> str:
        """What all private curves of a panel share: the level, where it is short and all have it, and the bound.

        Args:
            level: The panel.
        """
        named = self._level(level) if self._all_have(level) else ""
        bound = self._bound(level)
        return ", ".join(filter(None, [named if len(named) <= LONGEST or not bound else "", bound]))

    def description(self, level: Any) -> str:
        """The title, and below it the level where the title doesn't name it.

        Args:
            level: The panel.
        """
        title = self.title(level)
        named = self._level(level)
        if named in title:
            return title
        return f"{title}\n{named}" + ("" if self._all_have(level) else " where not calibrated")

    def _level(self, level: Any) -> str:
        return "" if level is None else typeset(at(self.axis, level))

    def _bound(self, level: Any) -> str:
        """The total bound after the last iteration, or the largest where they differ."""
        bounds = _of_panel(self._total_bounds, level)["mean"]
        if bounds.empty:
            return ""
        equal = bounds.max() - bounds.min() <= EQUAL * bounds.max()
        return f"P(T) {'=' if equal else '≤'} {rounded_up(bounds.max())}"

    @cached_property
    def _total_bounds(self) -> pd.DataFrame:
        """Of all panels."""
        return last_iteration(of_metric(self.curves, BOUND))

    def _all_have(self, level: Any) -> bool:
        """Whether each private setting of a panel was asked for this level, and none for another's bound.

        What asked for a budget has the noise that meets it in its place, and stands in no panel but the budget's.
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
