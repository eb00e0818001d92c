"""Classes of the rows of a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from radmm.base.arrays import Array, Integers, Mask
from radmm.base.errors import InputError
from radmm.base.inputs import shown
from radmm.base.json_object import JsonObject
from radmm.data.tables.columns import Column, first_without_number
from radmm.data.tables.recipe import Recipe, same_text


def code_labels(column: Column, kept: Mask, recipe: Recipe, place: str) -> tuple[Integers, Sequence[str]]:
    """Return the number of each row's class, and the names of the classes.

    Args:
        kept: Mask of the rows that are kept.
        recipe: Which label is positive, or which classes there are.
    """
    used = np.unique(column.codes[kept])
    texts = {int(code): same_text(column.texts[code]) for code in used}
    if len(texts) < 2:
        raise InputError(f"{place} has {next(iter(texts.values()))!r} in every row: must have at least two classes")
    if recipe.above is not None:
        return _code_numbers(column, kept, recipe.above, place)
    if recipe.positive is not None:
        wanted = same_text(recipe.positive)
        others = [text for text in texts.values() if text != wanted]
        if len(others) == len(texts):
            raise InputError(
                f"{place} has no {wanted!r}, which data.positive names: it has {shown(list(texts.values()))}"
            )
        classes = [others[0] if len(others) == 1 else f"not {wanted}", wanted]
        place_of = {code: int(text == wanted) for code, text in texts.items()}
    else:
        classes = [same_text(name) for name in recipe.classes]
        known = {name: index for index, name in enumerate(classes)}
        place_of = {code: known.get(text, -1) for code, text in texts.items()}
        for code, found in place_of.items():
            if found < 0:
                row, text = column.first((column.codes == code) & kept)
                raise InputError(f"{place} has {text} in row {row}: must be one of data.classes, {shown(classes)}")
        absent = [name for name in classes if known[name] not in place_of.values()]
        if absent:
            raise InputError(f"{place} has no row of the class {absent[0]!r}: must have one of each of data.classes")
    coded = np.full(len(column.texts) + 1, -1 if recipe.positive is None else 0)
    coded[list(place_of)] = list(place_of.values())
    return coded[column.codes], classes


def _code_numbers(column: Column, kept: Mask, above: float, place: str) -> tuple[Integers, Sequence[str]]:
    if column.numbers is None:
        row, text = first_without_number(column)
        raise InputError(f"{place} has {text} in row {row}: must be a number, as data.above compares it")
    larger = column.values > above
    if larger[kept].all() or not larger[kept].any():
        raise InputError(f"data.above = {above:g}: must have rows on both sides, but {place} has them on one")
    return larger.astype(np.int64), [f"at most {above:g}", f"above {above:g}"]


def loss_labels(labels: Integers, classes: int) -> Array:
    """Return the labels that losses take: −1 and +1 for two classes, else 0, 1, …"""
    numbers = labels.astype(np.float64)
    return 2.0 * numbers - 1.0 if classes == 2 else numbers


def facts_of_labels(labels: Integers, classes: Sequence[str]) -> JsonObject:
    """Return the number of rows of each class, as facts for people to read."""
    return {"classes": len(classes), "rows_of_class": rows_of_classes(labels, classes)}


def rows_of_classes(labels: Integers, classes: Sequence[str]) -> dict[str, int]:
    """Return the number of rows of each class."""
    return dict(zip(classes, np.bincount(labels, minlength=len(classes)).tolist(), strict=True))
