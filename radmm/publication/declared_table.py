"""Tables whose bounds, categories and classes are declared: features are made row by row, and no row is refused.

A number beyond its bounds becomes the bound; what is no number or no declared category counts as missing, which is a
feature of its own; a row whose label is missing or not declared becomes a row of zeros. So a row decides nothing but
its own features.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from radmm.base.arrays import Array
from radmm.base.json_object import JsonObject
from radmm.data.sources.table import OwnTable
from radmm.data.tables.recipe import Scale, number_spelled, same_text

INTERCEPT = "intercept"
MISSING = "missing"


@dataclass(frozen=True)
class DeclaredTable:
    """How features and labels are made of texts, by declared values alone.

    Args:
        label: Column with the labels.
        positive: Label of class +1, if all others are −1.
        classes: All labels otherwise: the first of two is −1, the second +1; more are 0, 1, …
        bounds: Bounds (lowest, highest) of each column of numbers.
        categories: Categories of each other column.
        scale: How a number within its bounds becomes a feature.
        missing_values: Texts that stand for a missing value, besides an empty one.
        intercept: Whether there is one more feature, of ones.
    """

    label: str
    positive: str | None
    classes: Sequence[str]
    bounds: Mapping[str, Sequence[float]]
    categories: Mapping[str, Sequence[str]]
    scale: str
    missing_values: Sequence[str]
    intercept: bool

    @classmethod
    def of(cls, table: OwnTable) -> "DeclaredTable":
        """Return what a table declares; `check_table` has seen that nothing is left to the data.

        Args:
            table: Data section of a setting.
        """
        recipe = table.recipe
        return cls(
            label=recipe.label,
            positive=recipe.positive,
            classes=list(recipe.classes),
            bounds=dict(recipe.bounds) if isinstance(recipe.bounds, Mapping) else {},
            categories={name: list(listed) for name, listed in recipe.categories.items()},
            scale=recipe.scale.value,
            missing_values=list(table.missing_values),
            intercept=recipe.intercept,
        )

    def to_json(self) -> JsonObject:
        """Return the declarations as JSON can hold them; all of them are public."""
        return asdict(self)

    @property
    def columns(self) -> list[str]:
        """Names of the table's columns that features are made of."""
        return [*self.bounds, *self.categories]

    @property
    def features(self) -> list[str]:
        """Names of the features, in order."""
        listed = {name: [name, f"{name}={MISSING}"] for name in self.bounds}
        listed |= {name: [f"{name}={each}" for each in (*known, MISSING)] for name, known in self.categories.items()}
        return [*(feature for names in listed.values() for feature in names), *[INTERCEPT] * self.intercept]

    @property
    def class_names(self) -> list[str]:
        """Names of the classes, in the order of their numbers."""
        return [f"not {self.positive}", str(self.positive)] if self.positive is not None else list(self.classes)

    def encode(self, columns: Mapping[str, Sequence[str]]) -> Array:
        """Return the features of each row, scaled to norm at most 1.

        Args:
            columns: Texts of each row, for every column that has bounds or categories.
        """
        blocks = [self._numbers(columns[name], *pair) for name, pair in self.bounds.items()]
        blocks += [self._one_hot(columns[name], known) for name, known in self.categories.items()]
        if self.intercept:
            blocks.append(np.ones((len(blocks[0]) if blocks else len(columns[self.label]), 1)))
        return to_norm_one(np.hstack(blocks))

    def labels(self, texts: Sequence[str]) -> tuple[Array, Array]:
        """Return each row's label as losses take it, and 1, or 0 where the label is missing or not declared.

        Args:
            texts: Labels of the rows.
        """
        known = {same_text(name): place for place, name in enumerate(self.class_names)}
        other = -1
        if self.positive is not None:
            known, other = {same_text(self.positive): 1}, 0
        found = [-1 if self._is_missing(text) else known.get(same_text(text), other) for text in texts]
        place = np.array(found, dtype=np.float64)
        number = np.maximum(place, 0.0)
        return (2.0 * number - 1.0 if len(self.class_names) == 2 else number), (place >= 0).astype(np.float64)

    def _is_missing(self, text: str) -> bool:
        return text.strip() == "" or text.strip() in self.missing_values

    def _numbers(self, texts: Sequence[str], low: float, high: float) -> Array:
        found = [None if self._is_missing(text) else number_spelled(text) for text in texts]
        value = np.array([np.nan if number is None else number for number in found], dtype=np.float64)
        scaled = within_bounds(value, low, high, *Scale(self.scale).centre_and_width(low, high))
        return np.stack([scaled, np.isnan(value)], axis=1)

    def _one_hot(self, texts: Sequence[str], known: Sequence[str]) -> Array:
        place = {same_text(each): index for index, each in enumerate(known)}
        found = [len(known) if self._is_missing(text) else place.get(same_text(text), len(known)) for text in texts]
        block = np.zeros((len(texts), len(known) + 1))
        block[np.arange(len(texts)), found] = 1.0
        return block


def within_bounds(
    values: Array, low: float | Array, high: float | Array, centre: float | Array, width: float | Array
) -> Array:
    """Return numbers as features: those beyond their bounds become the bound, and NaN 0.

    Args:
        values: Numbers, (row,) or (row, column).
        low: Lower bound, or one for each column.
        high: Upper bound, or one for each column.
        centre: Number that is subtracted, as `Scale.centre_and_width` returns it.
        width: Number that the difference is divided by.
    """
    return np.where(np.isnan(values), 0.0, (np.clip(values, low, high) - centre) / width)


def to_norm_one(rows: Array) -> Array:
    """Return the rows, each divided by its norm where that is above 1.

    Args:
        rows: Numbers, (row, feature).
    """
    scaled: Array = rows / np.maximum(1.0, np.sqrt((rows * rows).sum(axis=1)))[:, None]
    return scaled
