"""Layout of the rows in the compiled kernel: codes of combinations, dense columns, and sparse entries for the rest."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from radmm.argmin.combinations import Combinations, find_combinations, no_combinations
from radmm.argmin.small_nodes import are_small
from radmm.base.arrays import Array, Integers, Mask
from radmm.model.losses.logistic import Logistic
from radmm.model.problem import Problem

# Fields of a struct in kernel.c by name: arrays, which it is given as pointers, and numbers.
KernelFields = dict[str, NDArray[Any] | float]

GROUP = 4  # as in kernel.c
DENSE_SHARE = 0.5  # of the rows have a column, on average over a group, for the group to be kept dense

SINGLE_FROM = 500  # rows of a node; with fewer there is little to gain
REACH = 0.1  # by which margins may change since the anchor: three terms of Taylor's series are then enough


def lay_out(problem: Problem, library: ctypes.CDLL) -> tuple[KernelFields, Integers | None]:
    """Return the fields of `struct rows` in kernel.c, and the rows' order there, or None if it is unchanged."""
    rows = problem.rows
    # Small nodes work in the space of their rows, where order has a meaning and rows are hardly read.
    small = bool(are_small(problem).all())
    as_they_are = small or problem.label is not None
    told = no_combinations(rows) if as_they_are else find_combinations(rows, problem.nodes, library)
    others = without_columns(rows, told.columns)
    columns = dense_columns(others)
    dense, rest = split_dense(others, columns)
    order = None if small or not rest.nnz else by_length(rest, problem.row_counts)
    if order is not None:
        dense, rest, told = np.take(dense, order, axis=1), rest[order], told.ordered(order)
    values = {"value": np.ascontiguousarray(rest.data), "dense": dense, "scale": told.scale}
    fields = {
        **values,
        "groups": len(dense),
        "dense_column": columns.astype(np.int32),
        "row_start": rest.indptr.astype(np.int64),
        "column": rest.indices.astype(np.int32),
        **_of_combinations(told),
        **_in_single_precision(problem, values),
    }
    return fields, order


def _of_combinations(told: Combinations) -> KernelFields:
    numbers = {"parts": told.code.shape[1], "combinations": len(told.start) - 1}
    names = {"part_start": told.part_start, "member_start": told.start, "member": told.member}
    return {**numbers, **names, "code": told.code}


def _in_single_precision(problem: Problem, values: dict[str, Array]) -> KernelFields:
    """Return copies in single precision, if the kernel has such passes for the loss and a node is large enough."""
    if not isinstance(problem.loss, Logistic) or problem.row_counts.max() < SINGLE_FROM:
        return {"single_from": 0}
    names = {"value": "single", "dense": "dense_single", "scale": "scale_single"}
    single = {names[name]: array.astype(np.float32) for name, array in values.items()}
    return {**single, "single_from": SINGLE_FROM, "reach": REACH / max(problem.longest_row.norm, REACH)}


def dense_columns(rows: scipy.sparse.csr_array) -> Integers:
    """Return the columns that most rows have, in whole groups."""
    share = np.bincount(rows.indices, minlength=rows.shape[1]) / rows.shape[0]
    densest = np.argsort(-share, kind="stable")[: rows.shape[1] // GROUP * GROUP]
    groups = int((share[densest].reshape(-1, GROUP).mean(axis=1) >= DENSE_SHARE).sum())
    return densest[: groups * GROUP]


def split_dense(rows: scipy.sparse.csr_array, columns: Integers) -> tuple[Array, scipy.sparse.csr_array]:
    """Split off the values of these columns, (group, row, column of the group), from the rest of the rows."""
    values = rows[:, columns].toarray().reshape(rows.shape[0], -1, GROUP)
    apart = np.zeros(rows.shape[1], dtype=bool)
    apart[columns] = True
    return np.ascontiguousarray(values.transpose(1, 0, 2)), without_columns(rows, apart)


def without_columns(rows: scipy.sparse.csr_array, apart: Mask) -> scipy.sparse.csr_array:
    """Return the rows with these columns emptied."""
    if not apart.any():
        return rows
    kept = np.flatnonzero(~apart.take(rows.indices))
    start = np.searchsorted(kept, rows.indptr)
    return scipy.sparse.csr_array((rows.data.take(kept), rows.indices.take(kept), start), shape=rows.shape)


def by_length(rows: scipy.sparse.csr_array, row_counts: Integers) -> Integers:
    """Return an order in which each node's rows with equally many entries follow each other.

    The CPU then predicts right where a row ends, which saves a sixth of a pass.
    """
    length = np.diff(rows.indptr)
    key = np.repeat(np.arange(len(row_counts)), row_counts) * (length.max() + 1) + length
    return np.argsort(
        key.astype(np.min_scalar_type(key.max())), kind="stable"
    )  # short integers are sorted by their digits
