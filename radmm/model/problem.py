"""The regularised empirical risk that is spread over the nodes.

Node i minimises O(f, D_i) = (C/B_i) Σ_n L(y_n f·x_n) + (ρ/N)·½‖f‖² over its own B_i rows.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from radmm.base.arrays import Array, Integers
from radmm.base.errors import InputError
from radmm.model.losses import Loss, get_loss

NORM_SLACK = 1e-12  # rows scaled to norm 1 may exceed it by rounding


class LongestRow(NamedTuple):
    """The row of largest norm, as numbered in the data given."""

    row: int
    node: int
    norm: float


class Problem:
    """Data rows, the node each belongs to, and the objective's constants."""

    def __init__(
        self,
        features: ArrayLike | sparse.sparray,
        labels: ArrayLike,
        node: ArrayLike,
        loss: str | Loss = "logistic",
        C: float = 1.0,  # noqa: N803 (the paper's name)
        rho: float = 1.0,
    ) -> None:
        if np.ndim(features) != 2:
            raise InputError(f"features has {np.ndim(features)} dimensions: must have two, a row for each record")
        rows = sparse.csr_array(features, dtype=np.float64)
        label = np.asarray(labels, dtype=np.float64)
        owner = np.asarray(node)
        _check_data(rows, label, owner)
        order = np.argsort(owner, kind="stable")
        self.rows = sparse.csr_array(sparse.diags_array(label[order]) @ rows[order])  # y_n x_n, sorted by node
        self.loss = get_loss(loss)
        self.C, self.rho = float(C), float(rho)
        self.row_counts = np.bincount(owner)  # the paper's B_i
        self.nodes, self.dimension = len(self.row_counts), rows.shape[1]
        self.node_start = np.concatenate(([0], np.cumsum(self.row_counts)))  # of each node's rows
        norms = np.sqrt(self.rows.multiply(self.rows).sum(axis=1))
        self.longest_row = LongestRow(int(order[norms.argmax()]), int(owner[order][norms.argmax()]), float(norms.max()))
        check_constants(self.C, self.rho, self.row_counts)

    def restricted(self, nodes: Integers) -> "Problem":
        """The rows of some of the nodes, given in ascending order, which are then numbered from zero."""
        owner = np.repeat(np.arange(self.nodes), self.row_counts)
        kept = np.isin(owner, nodes)
        signs = np.ones(int(kept.sum()))  # the labels are in the rows
        return Problem(self.rows[kept], signs, np.searchsorted(nodes, owner[kept]), self.loss, self.C, self.rho)


def check_constants(C: float, rho: float, row_counts: Integers) -> None:  # noqa: N803
    """Both positive, and C ≤ B_i at every node."""
    for field, value in (("C", C), ("rho", rho)):
        if not (np.isfinite(value) and value > 0):
            raise InputError(f"{field} = {value:g}: must be a positive number")
    node = int(row_counts.argmin())
    if row_counts[node] < C:
        raise InputError(
            f"C = {C:g} is more than the {row_counts[node]} rows of node {node}: must be at most B_i everywhere"
        )


def check_rows(rows: sparse.csr_array, label: Array) -> None:
    """Finite features, and a label of +1 or −1 for each row."""
    if label.shape != (rows.shape[0],):
        raise InputError(f"labels has shape {label.shape}: must have one entry for each of {rows.shape[0]} rows")
    if not np.all(np.isfinite(rows.data)):
        bad = int(np.searchsorted(rows.indptr, np.flatnonzero(~np.isfinite(rows.data))[0], side="right")) - 1
        raise InputError(f"features of row {bad} are not finite: every value must be a finite number")
    if not np.all(np.isin(label, (-1.0, 1.0))):
        bad = int(np.flatnonzero(~np.isin(label, (-1.0, 1.0)))[0])
        raise InputError(f"labels[{bad}] = {label[bad]:g}: must be +1 or -1")


def _check_data(rows: sparse.csr_array, label: Array, owner: Integers) -> None:
    check_rows(rows, label)
    count = rows.shape[0]
    if owner.shape != (count,):
        raise InputError(f"node has shape {owner.shape}: must have one entry for each of {count} rows")
    if not (np.issubdtype(owner.dtype, np.integer) and count and owner.min() >= 0):
        raise InputError("node must hold the number (0, 1, …) of the node that each row belongs to")
    empty = np.flatnonzero(np.bincount(owner) == 0)
    if len(empty):
        raise InputError(f"node {empty[0]} has no rows: every node from 0 to {owner.max()} needs at least one")
