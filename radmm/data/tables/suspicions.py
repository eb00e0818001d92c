"""Suspicions: what can be used as it is, but may not be what was meant; each is a sentence with its answer."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from radmm.base.arrays import Integers, Mask
from radmm.data.tables.columns import Column, Table
from radmm.data.tables.recipe import Recipe
from radmm.data.tables.spelling import other_spelling
from radmm.data.tables.survey import Survey

FEWEST_ROWS = 20  # with fewer rows, all of this happens by chance
MANY_LABELS = 20  # numbers of a label that is rather a quantity
MOST_LISTED = 4  # names of columns in a sentence
DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}([ T].*)?|\d{1,2}([./-])\d{1,2}\2(\d{4}|\d{2})")


class Suspicion(NamedTuple):
    """Something about a table that may not be what was meant.

    Args:
        name: Name by which `data.accepted` accepts it.
        sentence: What was seen, and the option that answers it.
    """

    name: str
    sentence: str


def suspicions_of(table: Table, recipe: Recipe, found: Survey, place: str) -> list[Suspicion]:
    """Return all suspicions about a table that can be used."""
    declared = {name for field, name in recipe.named() if field in ("bounds", "categories")}
    label = table[recipe.label]
    columns = {name: table[name] for name in (block.name for block in found.blocks) if name not in declared}
    return [
        *_suspicions_of_columns(columns, found.kept, place),
        *suspicions_of_labels(label, found.labels, found.kept, recipe, f"{place}: the label {recipe.label!r}"),
    ]


def suspicions_of_labels(
    column: Column, labels: Integers, kept: Mask, recipe: Recipe, place: str
) -> Iterator[Suspicion]:
    """Yield a suspicion if labels are a quantity, or if rows are sorted by them.

    Args:
        kept: Mask of the rows that are kept.
        recipe: Which label is positive, or which classes there are.
    """
    if column.numbers is not None and len(column.texts) > MANY_LABELS and recipe.above is None:
        middle = float(np.median(column.values[kept]))
        yield Suspicion(
            "quantity",
            f"{place} has {len(column.texts)} different numbers, like a quantity: radmm classifies, so say with "
            f"data.above which are +1, for example above: {middle:g}",
        )
    if kept.sum() >= FEWEST_ROWS and any(_is_grouped(codes[kept]) for codes in (column.codes, labels)):
        yield Suspicion(
            "sorted",
            f"{place} is sorted, so that a column which tells where a row stood tells its label: leave such columns "
            "out by data.ignore, and accept this by data.accepted: [sorted]",
        )


class _Kind(NamedTuple):
    """A kind of suspicion about columns: its name, when it applies, what is seen, and what answers it."""

    name: str
    applies: Callable[[Column, Mask], bool]
    seen: str
    answer: str


def _suspicions_of_columns(columns: Mapping[str, Column], kept: Mask, place: str) -> Iterator[Suspicion]:
    """Yield a suspicion for each kind that applies to some columns; a column is mentioned once."""
    spelled: dict[str, list[str]] = {}
    for name, column in columns.items():
        if column.numbers is None and (answer := other_spelling(column.texts)):
            spelled.setdefault(answer, []).append(name)
    for answer, names in spelled.items():
        seen = "texts that look like numbers, each of which becomes a feature"
        yield Suspicion("numbers", f"{place}: {_listed(names)} {seen}: {answer} would read them")
    mentioned = {name for names in spelled.values() for name in names}
    for kind in KINDS:
        names = [name for name, column in columns.items() if name not in mentioned and kind.applies(column, kept)]
        mentioned.update(names)
        if names:
            yield Suspicion(kind.name, f"{place}: {_listed(names)} {kind.seen}: {kind.answer}")


def _is_index(column: Column, kept: Mask) -> bool:
    used, numbers = column.codes[kept & ~column.missing], column.numbers
    different = len(used) >= FEWEST_ROWS and len(used) == len(np.unique(used))
    return different and numbers is not None and bool((numbers == np.floor(numbers)).all())


def _is_constant(column: Column, kept: Mask) -> bool:
    return len(np.unique(column.codes[kept])) == 1


def _is_date(column: Column, _: Mask) -> bool:
    return column.numbers is None and all(DATE.fullmatch(text) for text in column.texts)


def _has_many_texts(column: Column, kept: Mask) -> bool:
    used = column.codes[kept & ~column.missing]
    return column.numbers is None and len(np.unique(used)) > max(FEWEST_ROWS, len(used) / 2)


KINDS = (
    _Kind(
        "index",
        _is_index,
        "a different whole number in every row, as an index or id has",
        "leave out by data.ignore, or declare data.bounds of a measurement",
    ),
    _Kind("constant", _is_constant, "the same value in all rows", "leave out by data.ignore"),
    _Kind(
        "dates",
        _is_date,
        "dates, each of which becomes a feature",
        "turn into numbers, like the year, or leave out by data.ignore",
    ),
    _Kind(
        "texts",
        _has_many_texts,
        "nearly as many texts as rows, each of which becomes a feature",
        "leave out by data.ignore, or list them in data.categories",
    ),
)


def _is_grouped(codes: Integers) -> bool:
    """Return whether equal values stand together, of which there must be some."""
    values = len(np.unique(codes))
    return values <= len(codes) / 2 and int((np.diff(codes) != 0).sum()) == values - 1


def _listed(names: list[str]) -> str:
    first = ", ".join(repr(name) for name in names[:MOST_LISTED])
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return f"the columns {first}{more} have" if len(names) > 1 else f"the column {first} has"
