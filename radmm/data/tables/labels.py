"""Which class each row of a table belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from radmm.base.arrays import Array, Integers, Mask
from radmm.base.errors import InputError
from radmm.base.inputs import shown
from radmm.data.tables.columns import Column
from radmm.data.tables.recipe import Recipe, same_text


def code_labels(column: Column, kept: Mask, recipe: Recipe, place: str) -> tuple[Integers, Sequence[str]]:
    """The number of each row's class, and what the classes are called.

    Args:
        column: The labels.
        kept: Whether each row stays.
        recipe: Which label is positive, or which classes there are.
        place: The file and the column, for messages.
    """
    used = np.unique(column.codes[kept])
    texts = {int(code): same_text(column.texts[code]) for code in used}
    if len(texts) < 2:
        raise InputError(f"{place} has {next(iter(texts.values()))!r} in every row: must have at least two classes")
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


def as_numbers(labels: Integers, classes: int) -> Array:
    """−1 and +1 for two classes, else 0, 1, …

    Args:
        labels: The number of each row's class.
        classes: How many there are.
    """
    numbers = labels.astype(np.float64)
    return 2.0 * numbers - 1.0 if classes == 2 else numbers


def facts_of_labels(labels: Integers, classes: Sequence[str]) -> dict[str, Any]:
    """How many rows each class has.

    Args:
        labels: The number of each row's class.
        classes: What they are called.
    """
    counts = np.bincount(labels, minlength=len(classes)).tolist()
    return {"classes": len(classes), "rows_of_class": dict(zip(classes, counts, strict=True))}
