"""The node that each row belongs to, as a problem is given it."""

from typing import Any

import numpy as np
import scipy

from radmm.base.arrays import Integers
from radmm.base.errors import InputError
from radmm.base.inputs import as_real_array


def read_owner(node: Any, rows: int, row_counts: Any) -> Integers:
    """Return the node of each row, or raise an InputError that says what is wrong.

    Args:
        node: Number of the node that each row belongs to, as the user gave it.
        row_counts: Number of rows of every node, where some nodes have none here; None where all have theirs.
    """
    owner: Integers = as_real_array("node", node, ndim=1)
    if owner.shape != (rows,):
        raise InputError(f"node has shape {owner.shape}: must have one entry for each of {rows} rows")
    if owner.dtype.kind not in "iu" or scipy.sparse.issparse(owner) or owner.min() < 0:
        raise InputError("node must hold the number (0, 1, …) of the node that each row belongs to")
    # Not counted in an array as long as the largest number, which may be anything.
    named, counts = np.unique(owner, return_counts=True)
    if row_counts is not None:
        _check_counts(as_real_array("row_counts", row_counts, ndim=1), named, counts)
        return owner.astype(np.int64)
    missing = np.flatnonzero(named != np.arange(len(named)))
    if len(missing):
        raise InputError(f"node {missing[0]} has no rows: every node from 0 to {named[-1]} needs at least one")
    return owner.astype(np.int64)


def _check_counts(stated: Integers, named: Integers, counts: Integers) -> None:
    if stated.dtype.kind not in "iu" or scipy.sparse.issparse(stated) or not len(stated) or stated.min() < 1:
        raise InputError("row_counts must hold the number of rows of every node, each at least 1")
    if named[-1] >= len(stated):
        raise InputError(f"node {named[-1]} has rows, but row_counts is for {len(stated)} nodes: must be for all")
    wrong = np.flatnonzero(stated[named] != counts)
    if len(wrong):
        node, here = named[wrong[0]], counts[wrong[0]]
        raise InputError(
            f"row_counts has {stated[node]} for node {node}: must be {here}, the rows that are given of it"
        )
