"""Recipes: how labels and features are to be made of a table's columns."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

COMPLETE = (
    "which rows are complete"  # a caveat: a row that misses a value is dropped, so the number of rows tells of it
)
FOUND = "found"  # in place of a list of categories: those that the data have


class Missing(StrEnum):
    """Treatment of a row with a missing value."""

    REFUSE = "refuse"
    DROP = "drop"
    CATEGORY = "category"


class Scale(StrEnum):
    """How a number becomes a feature, given the bounds of its column."""

    LARGEST = "largest"  # divided by the largest absolute value within the bounds: zero stays zero
    UNIT = "unit"  # the bounds become 0 and 1
    SYMMETRIC = "symmetric"  # the bounds become −1 and 1

    def centre_and_width(self, low: float, high: float) -> tuple[float, float]:
        """Return what is subtracted from a number, and what the difference is then divided by.

        Args:
            low: Lower bound of the column.
            high: Upper bound of the column.
        """
        if self == Scale.UNIT:
            return low, high - low
        if self == Scale.SYMMETRIC:
            return low / 2 + high / 2, high / 2 - low / 2
        return 0.0, max(abs(low), abs(high))


@dataclass(frozen=True)
class Recipe:
    """Recipe by which a table becomes labels and features.

    Args:
        label: Column with the labels.
        positive: Label of class +1, if all others are −1.
        above: Number above which a label is +1, if all others are −1.
        classes: All labels otherwise: the first of two is −1, the second +1; more are 0, 1, …
        categories: Columns to encode one-hot, with their categories, or `found`. Other columns are numbers if all
            their texts spell numbers, and else categories that are found in the data.
        bounds: Public bounds (lowest, highest) of columns of numbers, or one pair for all of them.
        missing: What happens to a row with a missing value.
        node: Column that names the node of each row.
        intercept: Whether there is one more column, of ones.
        scale: How numbers become features; all but `largest` need bounds for every column of numbers.
    """

    label: str
    positive: str | None = None
    classes: Sequence[str] = ()
    categories: Mapping[str, Sequence[str] | str] = field(default_factory=dict)
    bounds: Mapping[str, Sequence[float]] | Sequence[float] = field(default_factory=dict)
    missing: Missing = Missing.REFUSE
    node: str | None = None
    intercept: bool = False
    scale: Scale = Scale.LARGEST
    above: float | None = None

    def bounds_of(self, name: str) -> Sequence[float] | None:
        """Return the declared bounds of a column, or None."""
        return self.bounds.get(name) if isinstance(self.bounds, Mapping) else self.bounds

    def named(self) -> Iterable[tuple[str, str]]:
        """Yield each field that names a column, with the column."""
        yield "label", self.label
        yield from (("categories", name) for name in self.categories)
        yield from (("bounds", name) for name in (self.bounds if isinstance(self.bounds, Mapping) else ()))
        yield from (("node", name) for name in [self.node] if name)


def caveat(maxima: int, categories: int, other: Sequence[str] = ()) -> str:
    """Return the sentence, beside every ε, on what was taken from the data although no noise protects it; may be empty.

    Args:
        maxima: Number of columns that were scaled by the largest absolute value in the data.
        categories: Number of columns whose categories were found in the data.
        other: Phrases for anything else that was found there.
    """
    parts = [
        *([f"the {'maximum' if maxima == 1 else 'maxima'} of {_columns(maxima)}"] if maxima else []),
        *([f"the categories of {_columns(categories)}"] if categories else []),
        *other,
    ]
    listed = " and ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)
    was = "were" if len(parts) > 1 or maxima > 1 or categories else "was"
    return f"Not covered by ε: {listed} {was} taken from the data." if parts else ""


def _columns(number: int) -> str:
    return "one column" if number == 1 else f"{number} columns"


def number_spelled(text: str) -> float | None:
    """Return the number that a text spells, or None."""
    try:
        return float(text)
    except ValueError:
        return None


def same_text(value: str) -> str:
    """Return one spelling for equal labels or categories: 1.0 and 1 are the same.

    Args:
        value: Label or category as a table or a config has it.
    """
    number = number_spelled(value)
    return str(int(number)) if number is not None and number.is_integer() else value.strip()
