"""Features from LIBSVM files, which have a label and then index:value pairs on each line."""

import gzip
import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import sparse

from radmm.base.arrays import Array, Integers
from radmm.base.errors import InputError
from radmm.data.source import Features
from radmm.data.tables.columns import column_of_numbers
from radmm.data.tables.encode import scale_rows
from radmm.data.tables.labels import code_labels, facts_of_labels, loss_labels
from radmm.data.tables.recipe import Recipe, caveat

INTERCEPT = "intercept"  # the name of the constant column


@dataclass(frozen=True)
class SparseRows:
    """Content of a LIBSVM file.

    Args:
        matrix: Values as they stand in the file; index 1 is column 0.
        labels: One number a row.
    """

    matrix: sparse.csr_array
    labels: Array


@dataclass(frozen=True)
class SparseSurvey:
    """All that is known of a LIBSVM file's rows before they are scaled.

    Args:
        scales: Divisor of each column.
        labels: Number of each row's class.
        classes: Names of the classes.
        caveat: What was taken from the data although no noise protects it.
    """

    scales: Array
    labels: Integers
    classes: list[str]
    caveat: str


def read_libsvm(file: Path) -> SparseRows:
    """Read the rows of a LIBSVM file, gzipped or not."""
    try:
        with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as stream:
            content = re.sub(rb"#[^\n]*", b"", stream.read()) + b"\n"
    except OSError as error:
        raise InputError(f"{file}: {error.strerror or error}: must be a LIBSVM file") from None
    characters = np.frombuffer(content, dtype=np.uint8)
    blank = np.isin(characters, np.frombuffer(b" \t\r\n", dtype=np.uint8))
    starts = np.flatnonzero(~blank & np.append(True, blank[:-1]))
    if not len(starts):
        raise InputError(f"{file} has no rows: must have a label and index:value pairs on each line")
    line = np.searchsorted(np.flatnonzero(characters == ord("\n")), starts)
    first = np.append(True, np.diff(line) > 0)
    colons = np.bincount(
        np.searchsorted(starts, np.flatnonzero(characters == ord(":")), side="right") - 1, minlength=len(starts)
    )
    wrong = colons != ~first
    if wrong.any():
        _refuse(file, content, int(starts[wrong.argmax()]), int(line[wrong.argmax()]))
    numbers = _numbers(file, content, starts, line)
    at = np.arange(len(starts)) + np.cumsum(colons) - colons  # of each token's first number
    index, value = numbers[at[~first]], numbers[at[~first] + 1]
    row = np.cumsum(first)[~first] - 1
    ascending = np.append(True, (np.diff(index) > 0) | (np.diff(row) > 0))
    for fits, what in (
        ((index >= 1) & (index < 2**31) & (index % 1 == 0), "an index that is no whole number from 1 on"),
        (ascending, "indices that don't ascend"),
        (np.isfinite(value), "a value that is not a finite number"),
    ):
        if not fits.all():
            raise InputError(f"{file}: row {row[fits.argmin()] + 1} has {what}: must be ascending index:value pairs")
    pointers = np.append(0, np.cumsum(np.bincount(row, minlength=int(first.sum()))))
    shape = (int(first.sum()), int(index.max(initial=0)))
    matrix = sparse.csr_array((value, index.astype(np.int32) - 1, pointers), shape=shape)
    return SparseRows(matrix, numbers[at[first]])


def _numbers(file: Path, content: bytes, starts: Integers, line: Integers) -> Array:
    """Return all numbers of the file, in order."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return np.fromstring(content.replace(b":", b" ").decode("latin-1"), sep=" ")
    except (ValueError, DeprecationWarning):
        for start, number in zip(starts.tolist(), line.tolist(), strict=True):
            if not re.fullmatch(rb"[-+.\deE:]+", _token(content, start)):
                _refuse(file, content, start, number)
        raise InputError(f"{file} holds what is no number: must be a label and index:value pairs") from None


def _token(content: bytes, start: int) -> bytes:
    return content[start : start + 80].split()[0]


def _refuse(file: Path, content: bytes, start: int, line: int) -> None:
    token = _token(content, start).decode("latin-1")
    raise InputError(f"{file}: line {line + 1} has {token!r}: must be a label, then index:value pairs of numbers")


def survey_rows(rows: SparseRows, recipe: Recipe, place: str) -> SparseSurvey:
    """Find out all that can be known before features are made, or raise an InputError that names row and column."""
    matrix, width = rows.matrix, rows.matrix.shape[1]
    low, high = np.full(width, -np.inf), np.full(width, np.inf)
    if isinstance(recipe.bounds, Mapping):
        for name, pair in recipe.bounds.items():
            if not (name.isdecimal() and 1 <= int(name) <= width):
                raise InputError(f"data.bounds names the column {name!r}: {place} has the indices 1 to {width}")
            low[int(name) - 1], high[int(name) - 1] = pair
    else:
        low[:], high[:] = recipe.bounds
    wrong = (matrix.data < low[matrix.indices]) | (matrix.data > high[matrix.indices])
    if wrong.any():
        at = int(wrong.argmax())
        row, column = int(np.searchsorted(matrix.indptr, at, side="right")), int(matrix.indices[at])
        raise InputError(
            f"{place}: the column {str(column + 1)!r} has {matrix.data[at]:g} in row {row}: must be within its "
            f"declared bounds [{low[column]:g}, {high[column]:g}]"
        )
    largest = np.zeros(width)
    np.maximum.at(largest, matrix.indices, np.abs(matrix.data))
    declared = np.isfinite(low)
    scales = np.where(declared, np.maximum(np.abs(low), np.abs(high)), np.where(largest > 0, largest, 1.0))
    every = np.ones(matrix.shape[0], dtype=bool)
    labels, classes = code_labels(column_of_numbers(rows.labels), every, recipe, f"{place}: the labels")
    sentence = caveat(int((~declared).sum()), 0, ["the number of columns"])
    return SparseSurvey(scales, labels, list(classes), sentence)


def encode_rows(rows: SparseRows, recipe: Recipe, found: SparseSurvey) -> Features:
    """Return the features, with facts about how they were made."""
    matrix = scaled(rows.matrix, found.scales, recipe.intercept)
    names = [str(index + 1) for index in range(len(found.scales))]
    columns = [*names, *([INTERCEPT] if recipe.intercept else [])]
    facts = {
        "rows": matrix.shape[0],
        "features": matrix.shape[1],
        **facts_of_labels(found.labels, found.classes),
        "caveat": found.caveat,
        "scales": dict(zip(names, found.scales.tolist(), strict=True)),
        "categories": {},
    }
    return Features(matrix, columns, loss_labels(found.labels, len(found.classes)), facts)


def scaled(matrix: sparse.csr_array, scales: Array, intercept: bool) -> sparse.csr_array:
    """Divide values by the scales of their columns, add a constant column if wanted, and scale rows to norm at most 1.

    Args:
        matrix: Values of a file; columns that it doesn't reach are zero.
        scales: Divisor of each column.
        intercept: Whether to append the constant column.
    """
    values = matrix.data / scales[matrix.indices]
    rows = sparse.csr_array((values, matrix.indices, matrix.indptr), shape=(matrix.shape[0], len(scales)))
    if intercept:
        rows = sparse.csr_array(sparse.hstack([rows, np.ones((rows.shape[0], 1))]))
    scale_rows(rows)
    return rows
