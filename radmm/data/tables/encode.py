"""Encoding of tables as features: columns scaled or one-hot, then each row scaled to norm at most 1.

Memory grows with the nonzero values, of which a row has at most two for each column of the table.
"""

from collections.abc import Iterator

import numpy as np
from scipy import sparse

from radmm.base.arrays import Array, Integers
from radmm.base.json_object import JsonObject
from radmm.data.source import Features
from radmm.data.tables.columns import Column, Table
from radmm.data.tables.labels import facts_of_labels, loss_labels
from radmm.data.tables.recipe import Recipe
from radmm.data.tables.survey import Numeric, OneHot, Survey


def encode(table: Table, recipe: Recipe, found: Survey) -> Features:
    """Return the features of the rows that are kept, with facts about how they were made."""
    rows = int(found.kept.sum())
    slots = list(_slots(table, found, rows))
    index = np.stack([place for place, _ in slots], axis=1).astype(np.int32)
    value = np.stack([number for _, number in slots], axis=1)
    starts = np.arange(rows + 1) * len(slots)
    matrix = sparse.csr_array((value.ravel(), index.ravel(), starts), shape=(rows, len(found.columns)))
    matrix.eliminate_zeros()
    scale_rows(matrix)
    labels = found.labels[found.kept]
    node, names = _nodes(table[recipe.node], found) if recipe.node else (None, [])
    facts = {**_facts(matrix, found), **facts_of_labels(labels, found.classes)}
    if node is not None:
        facts["rows_of_node"] = dict(zip(names, np.bincount(node, minlength=len(names)).tolist(), strict=True))
    return Features(matrix, found.columns, loss_labels(labels, len(found.classes)), facts, node, names)


def scale_rows(matrix: sparse.csr_array) -> None:
    """Divide each row by its norm where that is above 1, in place.

    Args:
        matrix: Rows to scale.
    """
    norms = np.sqrt(np.asarray(matrix.power(2).sum(axis=1)).ravel())
    matrix.data /= np.repeat(np.maximum(1.0, norms), np.diff(matrix.indptr))


def _slots(table: Table, found: Survey, rows: int) -> Iterator[tuple[Integers, Array]]:
    """Yield pairs of a feature's number and its value for each row, from left to right."""
    start = 0
    for block in found.blocks:
        yield from _block_slots(block, table[block.name], found, start)
        start += len(block.names)
    if found.intercept:
        yield np.full(rows, start), np.ones(rows)


def _block_slots(
    block: Numeric | OneHot, column: Column, found: Survey, start: int
) -> Iterator[tuple[Integers, Array]]:
    missing = column.missing[found.kept]
    last = np.full(len(missing), start + len(block.names) - 1)
    if isinstance(block, Numeric):
        centred = np.where(missing, 0.0, column.values[found.kept] - block.centre)
        yield np.full(len(missing), start), centred / block.scale
        if block.indicator:
            yield last, missing.astype(np.float64)
    else:
        place = start + block.place[column.codes[found.kept]]
        yield np.where(missing, last, place), np.ones(len(missing))


def _nodes(column: Column, found: Survey) -> tuple[Integers, list[str]]:
    used, node = np.unique(column.codes[found.kept], return_inverse=True)
    return node, [column.texts[code] for code in used]


def _facts(matrix: sparse.csr_array, found: Survey) -> JsonObject:
    used = np.bincount(matrix.indices, minlength=matrix.shape[1]) > 0
    return {
        "rows": matrix.shape[0],
        "dropped_rows": found.dropped,
        "features": matrix.shape[1],
        "scales": {block.name: block.scale for block in found.blocks if isinstance(block, Numeric)},
        "centres": {block.name: block.centre for block in found.blocks if isinstance(block, Numeric) and block.centre},
        "categories": {block.name: list(block.categories) for block in found.blocks if isinstance(block, OneHot)},
        "found_in_the_data": [block.name for block in found.blocks if block.found],
        "empty_columns": [name for name, is_used in zip(found.columns, used.tolist(), strict=True) if not is_used],
        "caveat": found.caveat,
    }
