"""Rows of norm at most 1 from numbers with public bounds: each is made from its own numbers alone, and none is refused.

A number beyond its bounds becomes the bound, and a missing one (NaN) the value that is mapped to 0.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.base.inputs import as_number, as_real_array, shown
from radmm.base.json_object import JsonObject
from radmm.data.tables.option_checks import check_bounds
from radmm.data.tables.recipe import Scale
from radmm.publication.declared_table import to_norm_one, within_bounds

FROM_DATA = "from data"
LEAST, MOST = 1e-100, 1e100  # divisors of columns: weights in their units neither vanish nor overflow


@dataclass(frozen=True, eq=False)
class BoundedFeatures:
    """How the columns of a table of numbers become features, of which the last is the intercept.

    Args:
        low: Lower bound of each column.
        high: Upper bound of each column.
        centre: Number that is subtracted from those of each column.
        width: Number that the difference is divided by.
    """

    low: Array
    high: Array
    centre: Array
    width: Array

    @classmethod
    def declared(cls, bounds: Any, scale: str, columns: Sequence[str]) -> "BoundedFeatures":
        """Return the features of declared bounds, or refuse the bounds; no row is read.

        Args:
            bounds: Pair (lowest, highest), each a number or one number a column; or a pair for each column's name.
            scale: Name of a scale.
        """
        if scale not in list(Scale):
            raise InputError(f"scale = {shown(scale)}: must be one of {', '.join(Scale)}")
        if bounds is None or isinstance(bounds, str):
            raise InputError(
                f"bounds = {shown(bounds)}: must be the (lowest, highest) value that each column can have, known "
                f"without looking at the data; {FROM_DATA!r} looks at them, and voids the guarantee"
            )
        low, high = _named(bounds, columns) if isinstance(bounds, Mapping) else _pair(bounds, len(columns))
        mapped = [_centre_and_width(*each, Scale(scale)) for each in zip(columns, low, high, strict=True)]
        centre, width = np.array(mapped).T
        return cls(low, high, centre, width)

    def rows(self, table: Array) -> Array:
        """Return rows of norm at most 1, (row, column + 1).

        Args:
            table: Numbers, (row, column), of any size; NaN are missing.
        """
        scaled = within_bounds(table, self.low, self.high, self.centre, self.width)
        return to_norm_one(np.hstack([scaled, np.ones((len(table), 1))]))

    def in_units(self, weights: Array) -> tuple[Array, Array]:
        """Return coefficients and intercepts in the units of the table: (output, column) and (output,).

        Args:
            weights: Weights of the features, (output, column + 1).
        """
        coefficients: Array = weights[:, :-1] / self.width
        return coefficients, weights[:, -1] - coefficients @ self.centre

    def to_json(self, columns: Sequence[str]) -> JsonObject:
        """Return the bounds of each column as JSON can hold them."""
        return dict(zip(columns, np.stack([self.low, self.high], axis=1).tolist(), strict=True))


def bounds_of(table: Array) -> tuple[Array, Array]:
    """Return the least and the largest number of each column, which no ε covers; those of a constant one are apart.

    Args:
        table: Numbers, (row, column).
    """
    there = np.ma.masked_invalid(table)
    low, high = (np.ma.filled(each, 0.0) for each in (there.min(axis=0), there.max(axis=0)))
    return low, np.where(high > low, high, low + np.maximum(1.0, np.abs(low)))


def _centre_and_width(name: str, low: float, high: float, scale: Scale) -> tuple[float, float]:
    check_bounds({name: (low, high)}, scale, section="")
    centre, width = scale.centre_and_width(low, high)
    if not LEAST <= width <= MOST:
        raise InputError(f"bounds.{name} = [{low:g}, {high:g}]: must span from {LEAST:g} to {MOST:g}")
    return centre, width


def _pair(bounds: Any, columns: int) -> tuple[Array, Array]:
    if not isinstance(bounds, Sequence | np.ndarray) or len(bounds) != 2:
        raise InputError(f"bounds = {shown(bounds)}: must be a pair (lowest, highest)")
    low, high = (_one_each(each, columns) for each in bounds)
    return low, high


def _one_each(given: Any, columns: int) -> Array:
    """Return a bound of each column, given one for all or one for each."""
    if not isinstance(given, Sequence | np.ndarray | pd.Series) or isinstance(given, str):
        return np.full(columns, as_number("bounds", given))
    numbers: Array = as_real_array("bounds", given, ndim=1).astype(np.float64)
    if len(numbers) != columns:
        raise InputError(f"bounds has {len(numbers)} numbers on a side: must be one, or one for each of {columns}")
    if not np.isfinite(numbers).all():
        raise InputError(f"bounds = {shown(numbers.tolist())}: must be finite numbers")
    return numbers


def _named(bounds: Mapping[str, Any], columns: Sequence[str]) -> tuple[Array, Array]:
    if set(bounds) != set(columns):
        other = sorted(set(map(str, bounds)) ^ set(columns))
        raise InputError(f"bounds names {shown(list(bounds))}: must name each column of X once, see {shown(other[0])}")
    pairs = [_pair(bounds[name], 1) for name in columns]
    return np.concatenate([low for low, _ in pairs]), np.concatenate([high for _, high in pairs])
