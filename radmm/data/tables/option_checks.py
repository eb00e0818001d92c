"""Checks of what a user says of a table that need no look at the table."""

import codecs
from collections.abc import Mapping, Sequence
from typing import Any

from radmm.base.errors import InputError
from radmm.data.tables.recipe import Scale

Bounds = Mapping[str, Sequence[float]] | Sequence[float]


def check_labels(positive: Any, classes: Sequence[Any] | None, above: float | None) -> None:
    """Refuse labels that are told in no way or in several ways, and classes that are no list of different labels.

    Args:
        above: Number above which labels are +1.
    """
    if sum(given is not None for given in (positive, classes, above)) != 1:
        raise InputError(
            "data must have either positive, the label that is +1, or classes, the list of all labels, or above, the "
            "number above which labels are +1"
        )
    if classes is not None and (len(classes) < 2 or len({str(one) for one in classes}) < len(classes)):
        raise InputError(f"data.classes = {classes}: must be at least two labels, each once")


def check_values(field: str, values: Sequence[Any]) -> None:
    """Refuse labels or categories that are neither texts nor numbers."""
    for value in values:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise InputError(
                f"data.{field} = {value!r}: must be a text or a number; YAML reads yes and no as true and false, so "
                "quote them"
            )


def check_characters(separator: str, decimal: str, thousands: str, encoding: str) -> None:
    """Refuse what no CSV file can have between fields and in numbers, and encodings that nobody knows.

    Args:
        thousands: Character between groups of three digits, or nothing.
    """
    for name, text in {"separator": separator, "decimal": decimal, "thousands": thousands or " "}.items():
        if len(text) != 1:
            raise InputError(f"data.{name} = {text!r}: must be one character")
    if decimal == thousands:
        raise InputError(f"data.thousands = {thousands!r}: must be another character than data.decimal")
    try:
        codecs.lookup(encoding)
    except LookupError:
        raise InputError(f"data.encoding = {encoding}: must be one that Python knows, like cp1252") from None


def check_bounds(bounds: Bounds, scale: Scale, section: str = "data.") -> None:
    """Refuse bounds that are no pair of a lower and an upper one, or that the scale can't map.

    Args:
        bounds: Bounds by column, or one pair for all.
        section: What stands before the names of fields in messages.
    """
    for name, (low, high) in (bounds if isinstance(bounds, Mapping) else {"": bounds}).items():
        where = f"{section}bounds.{name}".rstrip(".") + f" = [{low:g}, {high:g}]"
        if not low <= high or max(abs(low), abs(high)) == 0:
            raise InputError(f"{where}: must be [lowest, highest], not both 0")
        if low == high and scale != Scale.LARGEST:
            raise InputError(f"{where}: must be two numbers with {section}scale = {scale}, which keeps them apart")
