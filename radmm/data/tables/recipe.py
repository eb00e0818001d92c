"""What is said about a table: how labels and features are to be made of its columns."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

COMPLETE = (
    "which rows are complete"  # a caveat: a row that misses a value is dropped, so the number of rows tells of it
)
FOUND = "found"  # in place of a list of categories: those that the data have


class Missing(StrEnum):
    """What becomes of a row that misses a value."""

    REFUSE = "refuse"
    DROP = "drop"
    CATEGORY = "category"


@dataclass(frozen=True)
class Recipe:
    """How a table becomes labels and features.

    Args:
        label: The column with the labels.
        positive: The label of class +1, if all others are −1.
        classes: All labels otherwise: the first of two is −1, the second +1; more are 0, 1, …
        categories: Columns that are one-hot, with their categories, or `found`. Others are numbers if all they hold
            spells numbers, and else categories that are found.
        bounds: Public bounds (lowest, highest) of columns of numbers, or one pair for all of them.
        missing: What becomes of a row that misses a value.
        node: A column that names the node of each row.
        intercept: Whether there is one more column, of ones.
    """

    label: str
    positive: str | None = None
    classes: Sequence[str] = ()
    categories: Mapping[str, Sequence[str] | str] = field(default_factory=dict)
    bounds: Mapping[str, Sequence[float]] | Sequence[float] = field(default_factory=dict)
    missing: Missing = Missing.REFUSE
    node: str | None = None
    intercept: bool = False

    def bounds_of(self, name: str) -> Sequence[float] | None:
        """The declared bounds of a column, if there are any.

        Args:
            name: The column's.
        """
        return self.bounds.get(name) if isinstance(self.bounds, Mapping) else self.bounds

    def named(self) -> Iterable[tuple[str, str]]:
        """Each field that names a column, with the column."""
        yield "label", self.label
        yield from (("categories", name) for name in self.categories)
        yield from (("bounds", name) for name in (self.bounds if isinstance(self.bounds, Mapping) else ()))
        yield from (("node", name) for name in [self.node] if name)


def caveat(maxima: int, categories: int, other: Sequence[str] = ()) -> str:
    """What was taken from the data although no noise protects it, as a sentence beside every ε; empty if nothing was.

    Args:
        maxima: How many columns of numbers were scaled by the largest absolute value that the data have.
        categories: How many columns have categories that were found in the data.
        other: Whatever else was found there.
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


def as_number(text: str) -> float | None:
    """The number that a text spells, or None.

    Args:
        text: Any.
    """
    try:
        return float(text)
    except ValueError:
        return None


def same_text(value: str) -> str:
    """One spelling for a label or a category: 1.0 and 1 are the same.

    Args:
        value: As a table or a config has it.
    """
    number = as_number(value)
    return str(int(number)) if number is not None and number.is_integer() else value.strip()
