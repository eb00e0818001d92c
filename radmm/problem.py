"""The regularised empirical risk that is spread over the nodes.

Node i minimises O(f, D_i) = (C/B_i) Σ_n L(y_n f·x_n) + (ρ/N)·½‖f‖² over its own B_i rows.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from radmm.arrays import Array, Integers
from radmm.errors import InputError
from radmm.losses import Loss, get_loss

NORM_SLACK = 1e-12  # rows scaled to norm 1 may exceed it by rounding


class Problem:
    """Data rows, the node each belongs to, and the objective's constants.

    The rows y_n x_n stand in one block-diagonal matrix, a block of columns for each node, so that one sparse product
    gives the margins of all nodes and all runs.
    """

    def __init__(
        self,
        features: ArrayLike | sparse.sparray,
        labels: ArrayLike,
        node: ArrayLike,
        loss: str | Loss = "logistic",
        C: float = 1.0,  # noqa: N803 (the paper's name)
        rho: float = 1.0,
    ) -> None:
        rows = sparse.csr_array(features, dtype=np.float64)
        label = np.asarray(labels, dtype=np.float64)
        owner = np.asarray(node)
        _check_data(rows, label, owner)
        order = np.argsort(owner, kind="stable")
        signed = sparse.csr_array(sparse.diags_array(label[order]) @ rows[order])
        self.loss = get_loss(loss)
        self.C, self.rho = float(C), float(rho)
        self.row_counts = np.bincount(owner)  # the paper's B_i
        self.nodes, self.dimension = len(self.row_counts), rows.shape[1]
        self._starts = np.concatenate(([0], np.cumsum(self.row_counts)[:-1]))
        self._design = _block_diagonal(signed, owner[order], self.nodes)
        self.largest_row_norm = float(np.sqrt(signed.multiply(signed).sum(axis=1).max()))
        check_constants(self.C, self.rho, self.row_counts)

    def margins(self, point: Array) -> Array:
        """y_n f·x_n, (row, run), each row with its own node's f; rows are sorted by node."""
        margins: Array = self._design @ point.reshape(-1, point.shape[2])
        return margins

    def data_value_and_gradient(self, point: Array) -> tuple[Array, Array]:
        """(C/B_i) Σ L of each node and run, (node, run), and its gradient, (node, feature, run)."""
        value, slope = self.loss.value_and_slope(self.margins(point))
        weight = self.C / self.row_counts
        gradient = (self._design.T @ slope).reshape(point.shape)
        return weight[:, None] * self._node_sum(value), weight[:, None, None] * gradient

    def data_hessian(self, point: Array) -> Array:
        """(C/B_i) Σ L'' x xᵀ of each node, (node, feature, feature), the curvature averaged over the runs."""
        curvature = self.loss.curvature(self.margins(point)).mean(axis=1)
        curvature *= np.repeat(self.C / self.row_counts, self.row_counts)
        product = (self._design.T @ (sparse.diags_array(curvature) @ self._design)).tocoo()
        hessian = np.zeros((self.nodes, self.dimension, self.dimension))
        node, feature = np.divmod(product.row, self.dimension)
        hessian[node, feature, product.col % self.dimension] = product.data
        return hessian

    def average_loss(self, point: Array) -> Array:
        """The paper's L(t) of each run: the mean over nodes of each node's mean loss on its own rows."""
        per_node = self._node_sum(self.loss.value(self.margins(point))) / self.row_counts[:, None]
        average: Array = per_node.mean(axis=0)
        return average

    def _node_sum(self, values: Array) -> Array:
        return np.add.reduceat(values, self._starts, axis=0)


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


def _block_diagonal(rows: sparse.csr_array, owner: Integers, nodes: int) -> sparse.csr_array:
    """Move the columns of each row into its node's block."""
    dimension = rows.shape[1]
    shift = np.repeat(owner.astype(np.int64), np.diff(rows.indptr)) * dimension
    return sparse.csr_array((rows.data, rows.indices + shift, rows.indptr), shape=(rows.shape[0], nodes * dimension))


def _check_data(rows: sparse.csr_array, label: Array, owner: Integers) -> None:
    count = rows.shape[0]
    if label.shape != (count,) or owner.shape != (count,):
        raise InputError(
            f"labels {label.shape} and node {owner.shape}: must both have one entry for each of {count} rows"
        )
    if not np.all(np.isfinite(rows.data)):
        bad = int(np.searchsorted(rows.indptr, np.flatnonzero(~np.isfinite(rows.data))[0], side="right")) - 1
        raise InputError(f"features of row {bad} are not finite: every value must be a finite number")
    if not np.all(np.isin(label, (-1.0, 1.0))):
        bad = int(np.flatnonzero(~np.isin(label, (-1.0, 1.0)))[0])
        raise InputError(f"labels[{bad}] = {label[bad]:g}: must be +1 or -1")
    if not (np.issubdtype(owner.dtype, np.integer) and count and owner.min() >= 0):
        raise InputError("node must hold the number (0, 1, …) of the node that each row belongs to")
    empty = np.flatnonzero(np.bincount(owner) == 0)
    if len(empty):
        raise InputError(f"node {empty[0]} has no rows: every node from 0 to {owner.max()} needs at least one")
