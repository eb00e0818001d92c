"""Layout of the rows in the compiled kernel: codes of combinations, dense columns, and sparse entries for the rest."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from radmm.argmin.combinations import find_combinations, no_combinations
from radmm.argmin.small_nodes import are_small
from radmm.base.arrays import Array, Integers, Mask
from radmm.model.problem import Problem

# Fields of a struct in kernel.c by name: arrays, which it is given as pointers, and numbers.
KernelFields = dict[str, NDArray[Any] | float]

GROUP = 4  # as in kernel.c
DENSE_SHARE = 0.5  # of the rows have a column, on average over a group, for the group to be kept dense


def lay_out(problem: Problem, library: ctypes.CDLL) -> KernelFields:
    """Return the fields of `struct rows` in kernel.c."""
    rows = problem.rows
    # Small nodes hardly read their rows, and the kernel's passes with several classes know no codes.
    as_they_are = bool(are_small(problem).all()) or problem.label is not None
    told = no_combinations(rows) if as_they_are else find_combinations(rows, problem.nodes, library)
    others = without_columns(rows, told.columns)
    columns = dense_columns(others, np.flatnonzero(~told.columns))
    dense, rest = split_dense(others, columns)
    return {
        "groups": len(dense),
        "dense_column": columns.astype(np.int32),
        "dense": dense,
        "row_start": rest.indptr.astype(np.int64),
        "column": rest.indices.astype(np.int32),
        "value": np.ascontiguousarray(rest.data),
        "parts": told.code.shape[1],
        "combinations": len(told.start) - 1,
        "code": told.code,
        "scale": told.scale,
        "part_start": told.part_start,
        "member_start": told.start,
        "member": told.member,
    }


def dense_columns(rows: scipy.sparse.csr_array, eligible: Integers) -> Integers:
    """Return the columns that most rows have, in whole groups.

    Args:
        rows: Rows without the columns of combinations.
        eligible: Columns that stand in no combination: products of a combination's column are not kept with a group's.
    """
    share = np.bincount(rows.indices, minlength=rows.shape[1]) / rows.shape[0]
    densest = eligible[np.argsort(-share[eligible], kind="stable")][: len(eligible) // GROUP * GROUP]
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
