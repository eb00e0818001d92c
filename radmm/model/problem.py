"""The regularised empirical risk that is spread over the nodes.

Node i minimises O(f, D_i) = (C_i/B_i) Σ_n L(y_n f·x_n) + (ρ/N)·½‖f‖² over its own B_i rows; in the paper C_i is C. With
more than two classes f is a matrix with a column for each, kept flat, class by class, and ‖f‖ is the norm of all its
entries.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any, NamedTuple, TypeVar

import numpy as np
import scipy
from numpy.typing import ArrayLike

from radmm.base.arrays import Array, Integers
from radmm.base.errors import InputError
from radmm.base.inputs import as_number, as_real_array, as_vector
from radmm.model.labels import read_classes, read_signs
from radmm.model.losses.loss import Loss, get_loss, is_multiclass
from radmm.model.owners import read_owner
from radmm.model.weighting import Weighting, check_constants, node_weights, read_weighting

NORM_SLACK = 1e-12  # rows scaled to norm 1 may exceed it by rounding
SINGLE_SLACK = 1e-6  # likewise in single precision
Kept = TypeVar("Kept")


class LongestRow(NamedTuple):
    """The row of largest norm, as numbered in the data given."""

    row: int
    node: int
    norm: float


class Problem:
    """Data rows, the node each belongs to, and the objective's constants.

    A privacy bound needs rows of norm at most 1. Rows that were scaled to norm 1 in single precision exceed it by
    rounding, so a row whose values are all single-precision numbers and whose norm is at most 1 + 10⁻⁶ is scaled, in
    double precision, to just below norm 1. This looks at one row at a time, so that a row's neighbours never change it.

    Args:
        features: A row for each record: a two-dimensional array, dense or sparse, of finite numbers.
        labels: +1 or −1 for each row; for the softmax loss the number (0, 1, …) of its class.
        node: The number (0, 1, …) of the node that each row belongs to; every node has at least one.
        loss: A registered name, a `radmm.Loss`, or any object with the methods `value`, `value_and_slope`, `curvature`.
        C: The weight of the loss, above 0 and at most the number of rows of any node (on average with weighting rows).
        rho: The weight ρ of the regulariser, above 0.
        weighting: `nodes`, as in the paper, gives every node's data term the weight C; `rows` gives node i the weight
            C_i = C·N·B_i/ΣB_j, so that every row counts alike.
        classes: How many there are, for the softmax loss; if not given, as many as the labels name.
        row_counts: Number of rows B_i of every node, where rows of some nodes only are given, as each process of a
            distributed solve holds those of its own; if not given, the rows are those of all nodes.
    """

    def __init__(
        self,
        features: ArrayLike | scipy.sparse.sparray,
        labels: ArrayLike,
        node: ArrayLike,
        loss: str | Loss = "logistic",
        C: float = 1.0,  # noqa: N803 (the paper's name)
        rho: float = 1.0,
        weighting: str = Weighting.NODES,
        classes: int | None = None,
        row_counts: ArrayLike | None = None,
    ) -> None:
        rows, given = read_rows(features, labels)
        owner = read_owner(node, rows.shape[0], row_counts)
        order = np.argsort(owner, kind="stable")
        self.loss = get_loss(loss)
        # The labels are in the rows y_n x_n; classes stand beside the rows x_n. All are sorted by node.
        self.label: Integers | None = None
        if is_multiclass(self.loss):
            label, self.classes = read_classes(given, classes or getattr(self.loss, "classes", None))
            self.loss, self.label = self.loss.for_classes(self.classes), label[order]
            sorted_rows = rows[order]
        else:
            self.classes = 2
            sorted_rows = scipy.sparse.csr_array(scipy.sparse.diags_array(read_signs(given)[order]) @ rows[order])
        self.rows, norms = _within_norm_one(sorted_rows)
        self.C, self.rho = as_number("C", C), as_number("rho", rho)
        here = np.bincount(owner)
        self.row_counts = here if row_counts is None else np.asarray(row_counts, dtype=np.int64)  # the paper's B_i
        self.weighting = read_weighting(weighting)
        check_constants(self.C, self.rho, self.row_counts, self.weighting)
        self.node_weights = node_weights(self.C, self.row_counts, self.weighting)  # C_i
        self.nodes, self.features = len(self.row_counts), rows.shape[1]
        self.dimension = self.features * self.outputs  # the number of entries of f
        self.held: Integers = np.flatnonzero(here)  # the nodes whose rows are here
        here = np.append(here, np.zeros(self.nodes - len(here), dtype=here.dtype))
        self.node_start = np.concatenate(([0], np.cumsum(here)))  # of each node's rows
        self.longest_norms: Array = np.zeros(self.nodes)  # of a row, one a node
        self.longest_norms[self.held] = np.maximum.reduceat(norms, self.node_start[self.held])
        self.longest_row = LongestRow(int(order[norms.argmax()]), int(owner[order][norms.argmax()]), float(norms.max()))
        self._kept: dict[str, Any] = {}

    @property
    def outputs(self) -> int:
        """Number of columns of f: one, or one for each class."""
        return int(getattr(self.loss, "outputs", 1))

    def __repr__(self) -> str:
        loss = getattr(self.loss, "name", type(self.loss).__name__)
        size = f"{self.rows.shape[0]} rows, {self.features} features, {self.nodes} nodes"
        return f"<Problem: {size}, {loss} loss, C = {self.C:g}, rho = {self.rho:g}>"

    @property
    def row_weights(self) -> Array:
        """Weight C_i/B_i of each row, one a node."""
        weights: Array = self.node_weights / self.row_counts
        return weights

    def with_rho(self, rho: float) -> Problem:
        """Return the problem with another weight of the regulariser; nothing is read, checked or computed again.

        Args:
            rho: The weight ρ, above 0.
        """
        other = copy(self)
        other.rho = as_number("rho", rho)
        check_constants(other.C, other.rho, other.row_counts, other.weighting)
        return other

    def once(self, name: str, make: Callable[[], Kept]) -> Kept:
        """Return a value that doesn't depend on ρ.

        It is computed once for this problem and all that `with_rho` returns.

        Args:
            name: Name under which the value is kept.
            make: Function that computes the value.
        """
        if name not in self._kept:
            self._kept[name] = make()
        kept: Kept = self._kept[name]
        return kept

    def restricted(self, nodes: Integers) -> Problem:
        """Return the problem of some of the nodes, which are renumbered from zero.

        Args:
            nodes: Their numbers, in any order; a number given twice becomes two nodes.
        """
        part = copy(self)  # the weights stay what they are among all nodes
        part._kept = {}
        counts = self.row_counts[nodes]
        kept = np.arange(counts.sum()) + np.repeat(self.node_start[nodes] - np.cumsum(counts) + counts, counts)
        part.rows, part.label = self.rows[kept], None if self.label is None else self.label[kept]
        part.row_counts, part.node_weights, part.nodes = counts, self.node_weights[nodes], len(nodes)
        part.longest_norms, part.held = self.longest_norms[nodes], np.arange(len(nodes))
        part.node_start = np.concatenate(([0], np.cumsum(part.row_counts)))
        return part

    def of_rows(self, first: int, last: int, nodes: slice) -> Problem:
        """Return the problem of the rows from `first` to before `last`; their entries are not copied.

        Args:
            first: Number of the first row, as they are sorted by node.
            last: Number after that of the last row.
            nodes: Nodes that these rows belong to, which are renumbered from zero.
        """
        part = copy(self)  # the weights stay what they are among all rows
        part._kept = {}
        start, end = self.rows.indptr[[first, last]]
        arrays = self.rows.data[start:end], self.rows.indices[start:end], self.rows.indptr[first : last + 1] - start
        part.rows = scipy.sparse.csr_array(arrays, shape=(last - first, self.features))
        part.label = None if self.label is None else self.label[first:last]
        edges = self.node_start[nodes.start : nodes.stop + 1].clip(first, last) - first
        part.node_start, part.row_counts, part.nodes = edges, np.diff(edges), len(edges) - 1
        part.node_weights, part.longest_norms = self.node_weights[nodes], self.longest_norms[nodes]
        return part


def read_rows(features: Any, labels: Any) -> tuple[scipy.sparse.csr_array, Array]:
    """Return features as a sparse matrix and labels as an array, or raise an InputError that says what is wrong.

    Args:
        features: A row for each record: a two-dimensional array, dense or sparse, of finite numbers.
        labels: A finite number for each row.
    """
    given = as_real_array("features", features, ndim=2)
    if 0 in given.shape:
        raise InputError(f"features has shape {given.shape}: must have at least one row and one column")
    with np.errstate(over="ignore"):  # what double precision can't hold becomes infinite, and is refused as such
        rows = scipy.sparse.csr_array(given, dtype=np.float64)
        if not rows.has_canonical_format:
            rows = rows.copy()
            rows.sum_duplicates()
    label = as_vector("labels", labels, rows.shape[0])
    if not np.all(np.isfinite(rows.data)):
        bad = int(np.searchsorted(rows.indptr, np.flatnonzero(~np.isfinite(rows.data))[0], side="right")) - 1
        raise InputError(f"features of row {bad} are not finite: every value must be a finite number")
    return rows, label


def _within_norm_one(rows: scipy.sparse.csr_array) -> tuple[scipy.sparse.csr_array, Array]:
    """Return the rows and their norms.

    Single-precision rows that exceed norm 1 by rounding are scaled to just below it.
    """
    norms = _norms(rows)
    above = (norms > 1.0 + NORM_SLACK) & (norms <= 1.0 + SINGLE_SLACK)
    if not above.any():
        return rows, norms
    with np.errstate(over="ignore"):
        finer = rows.data != rows.data.astype(np.float32)
    above &= (
        scipy.sparse.csr_array((finer.astype(np.int64), rows.indices, rows.indptr), shape=rows.shape).sum(axis=1) == 0
    )
    scale = np.where(above, 1.0 / (np.maximum(norms, 1.0) * (1.0 + NORM_SLACK)), 1.0)
    scaled = scipy.sparse.csr_array(scipy.sparse.diags_array(scale) @ rows)
    return scaled, _norms(scaled)


def _norms(rows: scipy.sparse.csr_array) -> Array:
    norms: Array = np.sqrt(rows.multiply(rows).sum(axis=1))
    return norms
