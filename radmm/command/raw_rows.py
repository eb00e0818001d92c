"""Preparation of raw tables like the training rows: numbers over their scales, categories one-hot, norm at most 1."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.data.tables.libsvm import INTERCEPT, SparseRows, scaled
from radmm.data.tables.recipe import same_text

# What a classifier takes along of a data set's facts; numbers of rows stay at home.
KEPT = ("scales", "centres", "categories")
MISSING = "missing"  # end of a feature's name, after the column's: the feature is 1 where the column has no value


def is_raw(prepared: Mapping[str, Any], table: pd.DataFrame, columns: list[str]) -> bool:
    """Return whether a table has the columns that features were made of, and not the features.

    Args:
        prepared: How the training rows were prepared, as far as the classifier knows.
        columns: Names of the features.
    """
    named = [*prepared.get("scales", {}), *prepared.get("categories", {})]
    return bool(named) and all(name in table for name in named) and not all(name in table for name in columns)


def raw_rows(prepared: Mapping[str, Any], table: pd.DataFrame, columns: list[str], path: Path) -> Array:
    """Return the features of each row of a raw table.

    Args:
        prepared: `scales` and `centres` of columns of numbers, and `categories` of the others.
        columns: Names of the features, in the classifier's order.
        path: File that the table was read from, for messages.
    """
    for name, known in prepared["categories"].items():
        texts = table[name].map(lambda value: same_text(str(value)))
        unknown = np.flatnonzero(~texts.isin(known) & ~_told_missing(table, name, columns))
        if len(unknown):
            row = int(unknown[0])
            wrong = "no value" if table[name].isna().iloc[row] else repr(texts.iloc[row])
            raise InputError(f"{path} has {wrong} in row {row + 1}, column {name!r}: must be one of {', '.join(known)}")
    rows: Array = np.column_stack([_feature(prepared, table, name, columns, path) for name in columns])
    norms: Array = np.linalg.norm(rows, axis=1)
    return np.asarray(rows / np.maximum(1.0, norms)[:, None])


def _told_missing(table: pd.DataFrame, name: str, columns: list[str]) -> Any:
    """Return which rows miss a value of the column, none if no feature tells this."""
    return table[name].isna().to_numpy() & (f"{name}={MISSING}" in columns)


def _feature(prepared: Mapping[str, Any], table: pd.DataFrame, name: str, columns: list[str], path: Path) -> Array:
    column, _, category = name.partition("=")
    if name in prepared["scales"]:
        values = pd.to_numeric(table[name], errors="coerce").to_numpy(dtype=np.float64)
        absent = _told_missing(table, name, columns)
        wrong = np.flatnonzero(~np.isfinite(values) & ~absent)
        if len(wrong):
            raise InputError(
                f"{path} has no finite number in row {wrong[0] + 1}, column {name!r}: every value must be one"
            )
        centred = np.where(absent, 0.0, values - prepared.get("centres", {}).get(name, 0.0))
        return np.asarray(centred / prepared["scales"][name])
    if category == MISSING and category not in prepared["categories"].get(column, []) and column in table:
        return np.asarray(table[column].isna(), dtype=np.float64)
    if column in prepared["categories"]:
        return np.asarray(table[column].map(lambda value: same_text(str(value)) == category), dtype=np.float64)
    if name == "intercept":
        return np.ones(len(table))
    raise InputError(f"{path} can't tell the feature {name!r}: must have it as a column, with all others like it")


def libsvm_rows(prepared: Mapping[str, Any], rows: SparseRows, columns: list[str], path: Path) -> sparse.csr_array:
    """Return the features of each row of a LIBSVM file, which stay sparse.

    Args:
        prepared: `scales` of its columns.
        rows: Rows that were read.
        columns: Names of the features, in the classifier's order.
        path: File that the rows were read from, for messages.
    """
    scales = prepared.get("scales") or {}
    if [name for name in columns if name != INTERCEPT] != [str(index + 1) for index in range(len(scales))]:
        raise InputError(f"{path} has columns without names: must be a table like that of the training rows")
    if rows.matrix.shape[1] > len(scales):
        raise InputError(f"{path} has the index {rows.matrix.shape[1]}: must have none above {len(scales)}")
    return scaled(rows.matrix, np.array(list(scales.values())), INTERCEPT in columns)
