"""Survey of a table by a recipe: which rows are kept, which features there will be, and what is invalid."""

import difflib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from radmm.base.arrays import Integers, Mask
from radmm.base.errors import Complaints, InputError
from radmm.base.inputs import shown
from radmm.data.tables.columns import Column, Table, first_without_number
from radmm.data.tables.labels import code_labels
from radmm.data.tables.recipe import COMPLETE, FOUND, Missing, Recipe, Scale, caveat, same_text
from radmm.data.tables.spelling import other_spelling

MOST_FOUND = 100  # categories of a column that nobody said is one


@dataclass(frozen=True)
class Numeric:
    """A numeric feature: the column less its centre, divided by its scale; 0 where the value is missing.

    Args:
        name: Name of the column.
        scale: Largest absolute value, or distance from the centre, that its bounds allow; without bounds, that it has.
        found: Whether the scale was taken from the data.
        indicator: Whether a further feature indicates missing values.
        centre: Number that is subtracted first.
    """

    name: str
    scale: float
    found: bool
    indicator: bool
    centre: float = 0.0

    @property
    def names(self) -> list[str]:
        """Return the names of the column's features."""
        return [self.name, f"{self.name}=missing"] if self.indicator else [self.name]


@dataclass(frozen=True)
class OneHot:
    """One-hot features, one for each category of a column.

    Args:
        name: Name of the column.
        categories: The categories.
        found: Whether they were taken from the data.
        indicator: Whether a further feature indicates missing values.
        place: Index of the category of each of the column's texts.
    """

    name: str
    categories: Sequence[str]
    found: bool
    indicator: bool
    place: Integers

    @property
    def names(self) -> list[str]:
        """Return the names of the column's features."""
        return [f"{self.name}={category}" for category in [*self.categories, *["missing"] * self.indicator]]


@dataclass(frozen=True)
class Survey:
    """All that is known of a table before its features are made.

    Args:
        kept: Mask of the rows that are kept.
        blocks: Features that the columns become, in order.
        labels: Number of each row's class, also of rows that are dropped.
        classes: Names of the classes.
        dropped: Number of rows dropped for a missing value.
        intercept: Whether there is one more feature, of ones.
        drops: Whether the recipe drops rows with missing values, even if there are none.
    """

    kept: Mask
    blocks: Sequence[Numeric | OneHot]
    labels: Integers
    classes: Sequence[str]
    dropped: int
    intercept: bool
    drops: bool

    @property
    def columns(self) -> list[str]:
        """Names of all features."""
        return [name for block in self.blocks for name in block.names] + ["intercept"] * self.intercept

    @property
    def caveat(self) -> str:
        """Sentence on values taken from the data without the protection of noise; empty if there are none."""
        found = [block for block in self.blocks if block.found]
        maxima = sum(isinstance(block, Numeric) for block in found)
        missing = sum(block.indicator for block in self.blocks if not (isinstance(block, OneHot) and block.found))
        other = [*(["which columns miss values"] if missing else []), *([COMPLETE] if self.drops else [])]
        return caveat(maxima, len(found) - maxima, other)


def survey(table: Table, recipe: Recipe, place: str) -> Survey:
    """Find out all that can be known before features are made, or raise an InputError that names row and column."""
    _check_names(table, recipe, place)
    kept, dropped = _kept(table, recipe, place)
    names = [name for name in table if name not in (recipe.label, recipe.node)]
    blocks: list[Numeric | OneHot] = []
    problems = Complaints()
    for name in names:
        with problems.collect():
            blocks.append(_block(name, table[name], kept, recipe, f"{place}: the column {name!r}"))
    with problems.collect():
        label = f"{place}: the label column {recipe.label!r}"
        coded = code_labels(table[recipe.label], kept, recipe, label)
    if not names and not recipe.intercept:
        problems.add(f"{place}: there is no column besides the label: must have at least one feature")
    problems.raise_if_any()
    return Survey(kept, blocks, *coded, dropped, recipe.intercept, recipe.missing == Missing.DROP)


def _check_names(table: Table, recipe: Recipe, place: str) -> None:
    problems = Complaints()
    for field, name in recipe.named():
        if name not in table:
            near = difflib.get_close_matches(name, list(table), n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"its columns are {shown(list(table))}"
            problems.add(f"data.{field} names the column {name!r}, which {place} doesn't have: {hint}")
    for name in recipe.categories:
        if name == recipe.label or (isinstance(recipe.bounds, Mapping) and name in recipe.bounds):
            problems.add(f"data.categories names the column {name!r}: must not be the label, nor have bounds too")
    problems.raise_if_any()


def _kept(table: Table, recipe: Recipe, place: str) -> tuple[Mask, int]:
    """Return a mask of the rows to keep, and the number of those dropped."""
    problems = Complaints()
    missing = {name: column.missing for name, column in table.items()}
    allowed: Collection[str] = () if recipe.missing == Missing.REFUSE else table
    if recipe.missing == Missing.CATEGORY:
        allowed = [name for name in table if name not in (recipe.label, recipe.node)]
    for name, absent in missing.items():
        if name not in allowed and absent.any():
            row = int(np.flatnonzero(absent)[0]) + 1
            problems.add(
                f"{place}: row {row} has no value in the column {name!r}: must have one, or data.missing must be "
                f"{' or '.join(each for each in Missing if each not in ('refuse', recipe.missing))}"
            )
    problems.raise_if_any()
    kept = np.ones(len(next(iter(missing.values()))), dtype=bool)
    if recipe.missing == Missing.DROP:
        for absent in missing.values():
            kept &= ~absent
        if not kept.any():
            raise InputError(f"{place}: every row misses a value: must have complete rows, or data.missing = category")
    return kept, int((~kept).sum())


def _block(name: str, column: Column, kept: Mask, recipe: Recipe, place: str) -> Numeric | OneHot:
    indicator = bool((column.missing & kept).any())
    declared, bounds = recipe.categories.get(name), recipe.bounds_of(name)
    numeric = column.numbers is not None and declared is None
    if not numeric and isinstance(recipe.bounds, Mapping) and name in recipe.bounds:
        row, text = first_without_number(column)
        raise InputError(f"{place} has {text} in row {row}: must be a number, as the column has bounds")
    if numeric:
        return _numeric(name, column, kept, bounds, indicator, place, recipe.scale)
    return _one_hot(name, column, kept, declared, indicator, place)


def _numeric(
    name: str, column: Column, kept: Mask, bounds: Sequence[float] | None, indicator: bool, place: str, scale: Scale
) -> Numeric:
    values = column.values
    wrong = ~np.isfinite(values) & kept
    if wrong.any():
        row, text = column.first(wrong)
        raise InputError(f"{place} has {text} in row {row}: must be a finite number")
    if not bounds:
        if scale != Scale.LARGEST:
            raise InputError(f"{place} has no bounds: must have some in data.bounds, as data.scale = {scale} maps them")
        largest = float(np.abs(values[kept]).max())
        return Numeric(name, largest or 1.0, found=True, indicator=indicator)
    low, high = bounds
    wrong = ((values < low) | (values > high)) & kept & ~column.missing
    if wrong.any():
        row, text = column.first(wrong)
        raise InputError(f"{place} has {text} in row {row}: must be within its declared bounds [{low:g}, {high:g}]")
    centre, width = scale.centre_and_width(low, high)
    return Numeric(name, width, found=False, indicator=indicator, centre=centre)


def _one_hot(
    name: str, column: Column, kept: Mask, declared: Sequence[str] | str | None, indicator: bool, place: str
) -> OneHot:
    used = np.unique(column.codes[kept & ~column.missing])
    if declared is None and len(used) > MOST_FOUND:
        row, text = first_without_number(column)
        spelled = f", as {answer} would read them" if (answer := other_spelling(column.texts)) else ""
        raise InputError(
            f"{place} has {text} in row {row}, which is no number, and {len(used)} different values: must hold "
            f"numbers{spelled}, be named in data.categories, or be among data.ignore"
        )
    place_of = np.full(len(column.texts) + 1, -1)
    if declared is None or declared == FOUND:
        place_of[used] = np.arange(len(used))
        return OneHot(name, [column.texts[code] for code in used], True, indicator, place_of)
    known = {spelling: index for index, text in enumerate(declared) for spelling in (same_text(text), str(text))}
    for code in used:
        text = column.texts[code]
        found = known.get(text, known.get(same_text(text), -1))
        if found < 0:
            row, _ = column.first((column.codes == code) & kept)
            near = difflib.get_close_matches(text, list(known), n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise InputError(
                f"{place} has {text!r} in row {row}, a category that is not declared: must be one of "
                f"{shown(list(declared))}{hint}"
            )
        place_of[code] = found
    return OneHot(name, [str(text) for text in declared], False, indicator, place_of)
