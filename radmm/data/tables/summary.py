"""Summary of a table for its user: what each column holds, and what becomes of it."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

import numpy as np

from radmm.base.arrays import Mask
from radmm.data.tables.columns import Column, Table
from radmm.data.tables.recipe import Recipe, Scale
from radmm.data.tables.survey import Numeric, OneHot, Survey

MOST_SHOWN = 5  # categories of a column


class ColumnSummary(NamedTuple):
    """What is in a column, and what becomes of it.

    Args:
        name: Name of the column.
        kind: Numbers, categories, or why it is no feature.
        values: Range or categories.
        becomes: What is made of it.
    """

    name: str
    kind: str
    values: str = ""
    becomes: str = ""


def summarise(
    table: Table, recipe: Recipe, found: Survey, ignored: Collection[str], unnamed: Collection[str]
) -> Iterator[ColumnSummary]:
    """Yield a summary of each column: features first, then what is none.

    Args:
        ignored: Columns that the user leaves out.
        unnamed: Columns that pandas wrote for an index, which are left out too.
    """
    for block in found.blocks:
        column = table[block.name]
        if isinstance(block, Numeric):
            yield ColumnSummary(block.name, "numbers", _range(column, found.kept), _scaling(block, recipe.scale))
        else:
            yield ColumnSummary(block.name, "categories", _categories(column, found.kept), _one_hot(block))
    if found.intercept:
        yield ColumnSummary("intercept", "ones", "1", "added before rows are scaled to norm at most 1")
    if recipe.node:
        yield ColumnSummary(recipe.node, "node", _categories(table[recipe.node], found.kept), "no feature")
    yield from (ColumnSummary(name, "left out", "", "as data.ignore says") for name in ignored)
    yield from (ColumnSummary(name, "left out", "", "an index without a name, as pandas writes it") for name in unnamed)


def _range(column: Column, kept: Mask) -> str:
    there = column.values[kept & ~column.missing]
    return f"{there.min():g} … {there.max():g}{_missing(column, kept)}" if len(there) else "all missing"


def _categories(column: Column, kept: Mask) -> str:
    used = [column.texts[code] for code in np.unique(column.codes[kept & ~column.missing])]
    more = ", …" if len(used) > MOST_SHOWN else ""
    return f"{len(used)}: {', '.join(used[:MOST_SHOWN])}{more}{_missing(column, kept)}"


def _missing(column: Column, kept: Mask) -> str:
    count = int((column.missing & kept).sum())
    return f", {count} missing" if count else ""


def _scaling(block: Numeric, scale: Scale) -> str:
    if scale == Scale.LARGEST:
        whose = "in the data" if block.found else "that its bounds allow"
        how = f"divided by {block.scale:g}, the largest value {whose}"
    else:
        low = block.centre if scale == Scale.UNIT else block.centre - block.scale
        how = f"[{low:g}, {block.centre + block.scale:g}] becomes {'[0, 1]' if scale == Scale.UNIT else '[-1, 1]'}"
    return how + "; another feature tells where it is missing" * block.indicator


def _one_hot(block: OneHot) -> str:
    number, whose = len(block.names), "found in the data" if block.found else "declared"
    return f"{number} feature{'s' * (number > 1)} of 0 and 1; categories {whose}"
