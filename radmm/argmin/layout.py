"""Layout of the rows in the compiled kernel: codes of combinations, dense columns, and sparse entries for the rest.

Each node's layout depends on its own rows alone. It decides in which order a sum is taken, and so how it is rounded:
what a node releases must not depend on other nodes' rows, not even in its last bit.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from radmm.argmin.combinations import find_combinations, no_combinations
from radmm.argmin.small_nodes import are_small
from radmm.base.arrays import Array, Integers, Mask
from radmm.model.problem import Problem

# The fields of `struct rows` in kernel.c: numbers, and addresses of arrays.
NUMBERS = ("count", "groups", "parts", "combinations")
CODES = ("code", "part_start", "scale", "member_start", "member")
ENTRIES = ("start", "column", "value", "dense_column", "dense")
ROWS = np.dtype([(name, np.int64) for name in (*NUMBERS, *CODES, *ENTRIES)])

GROUP = 4  # as in kernel.c
WORTH_CODES = 1024  # rows of a node: with fewer, to find combinations takes longer than they save
DENSE_SHARE = 0.5  # of the rows have a column, on average over a group, for the group to be kept dense


@dataclass(frozen=True)
class Layout:
    """Layouts of all nodes' rows.

    Args:
        rows: A `struct rows` of kernel.c for each node.
        kept: Arrays whose addresses stand in the structs.
    """

    rows: NDArray[np.void]
    kept: list[NDArray[Any]]

    def restricted(self, nodes: Integers) -> Layout:
        """Return the layouts of some of the nodes; their rows are neither read nor copied."""
        return Layout(np.ascontiguousarray(self.rows[nodes]), self.kept)


def lay_out(problem: Problem, library: ctypes.CDLL) -> Layout:
    """Lay out every node's rows: those of small nodes, which are hardly read, as they are."""
    start, rows = problem.node_start, problem.rows
    shared = {"start": rows.indptr.astype(np.int64), "column": rows.indices.astype(np.int32, copy=False)}
    shared["value"] = np.ascontiguousarray(rows.data)
    layout = Layout(np.zeros(problem.nodes, ROWS), list(shared.values()))
    layout.rows["count"] = problem.row_counts
    for name, array in shared.items():
        layout.rows[name] = array.ctypes.data
    layout.rows["start"] += shared["start"].itemsize * start[:-1]
    for node in np.flatnonzero(~are_small(problem)):
        # The kernel's passes with several classes know no codes.
        fields = _node_fields(rows[start[node] : start[node + 1]], library, with_codes=problem.label is None)
        for name, value in fields.items():
            layout.rows[name][node] = value.ctypes.data if isinstance(value, np.ndarray) else value
            layout.kept.append(np.asarray(value))
    return layout


def _node_fields(rows: scipy.sparse.csr_array, library: ctypes.CDLL, with_codes: bool) -> dict[str, NDArray[Any] | int]:
    """Return fields of `struct rows` in kernel.c for one node, arrays instead of their addresses."""
    with_codes &= rows.shape[0] >= WORTH_CODES
    compressed = find_combinations(rows, library) if with_codes else no_combinations(rows)
    others = without_columns(rows, compressed.columns)
    columns = dense_columns(others, np.flatnonzero(~compressed.columns))
    dense, rest = split_dense(others, columns)
    return {
        "groups": len(dense),
        "dense_column": columns.astype(np.int32),
        "dense": dense,
        "start": rest.indptr.astype(np.int64),
        "column": rest.indices.astype(np.int32),
        "value": np.ascontiguousarray(rest.data),
        "parts": compressed.code.shape[1],
        "combinations": len(compressed.start) - 1,
        "code": compressed.code,
        "scale": compressed.scale,
        "part_start": compressed.part_start,
        "member_start": compressed.start,
        "member": compressed.member,
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
