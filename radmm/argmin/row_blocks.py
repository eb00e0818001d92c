"""Blocks of rows that threads pass over by themselves, and the Hessians of their nodes.

How a node's rows are cut depends on their number alone, and what is summed over blocks is added up in their order:
results are the same bytes with any number of threads, and whichever other nodes there are.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import scipy

from radmm.argmin.margins import RowMargins
from radmm.base.arrays import Array, Mask
from radmm.base.threads import in_threads
from radmm.model.problem import Problem

BLOCK_ROWS = 8192  # of a node, at least, if its rows are cut at all; of several nodes, at most
MOST_BLOCKS = 32  # of a node
MOSTLY = 0.3  # of the entries are nonzero, for data to count as dense


@dataclass(frozen=True)
class RowBlock:
    """Consecutive rows, of one node or of several."""

    rows: slice  # of all rows
    nodes: slice  # of all nodes, those that have rows in the block
    part: Problem  # with these rows alone

    @cached_property
    def margins(self) -> RowMargins:
        """Margins of the block's rows."""
        return RowMargins(self.part)

    def node_sum(self, values: Array) -> Array:
        """Sum one value a row over each node's rows."""
        sums: Array = np.add.reduceat(values, self.part.node_start[:-1], axis=0)
        return sums

    def hessians(self, curvature: Array) -> Array:
        """Return Σ curvature x xᵀ of each node; by BLAS, which is far faster, where most entries are nonzero."""
        dense = are_dense(self.part)
        hessian = np.zeros((self.part.nodes, self.part.features, self.part.features))
        if not dense.all():
            self._add_products(curvature, hessian)
        for node in np.flatnonzero(dense):
            own = slice(self.part.node_start[node], self.part.node_start[node + 1])
            weighted = self.part.rows[own].toarray() * np.sqrt(curvature[own, None])
            np.matmul(weighted.T, weighted, out=hessian[node])
        return hessian

    def _add_products(self, curvature: Array, hessian: Array) -> None:
        features, design = self.part.features, self.margins.design
        product = (design.T @ (scipy.sparse.diags_array(curvature) @ design)).tocoo()
        node, feature = np.divmod(product.row, features)
        hessian[node, feature, product.col % features] = product.data


def cut_rows(problem: Problem) -> list[RowBlock]:
    """Cut a problem's rows into blocks: large nodes by the number of their own rows alone, small ones put together."""
    edges = [0]
    for first, count in zip(problem.node_start.tolist(), problem.row_counts.tolist(), strict=False):
        pieces = min(max(count // BLOCK_ROWS, 1), MOST_BLOCKS)
        if pieces > 1 or first + count - edges[-1] > BLOCK_ROWS:
            edges.append(first)  # where the nodes before end
        edges += (first + np.linspace(0, count, pieces + 1).astype(np.int64)[1:-1]).tolist()
        if pieces > 1:
            edges.append(first + count)
    edges = sorted({*edges, problem.rows.shape[0]})
    if len(edges) == 2:
        return [RowBlock(slice(None), slice(None), problem)]
    return [_block(problem, first, last) for first, last in pairwise(edges)]


def _block(problem: Problem, first: int, last: int) -> RowBlock:
    start = problem.node_start
    nodes = slice(int(np.searchsorted(start, first, side="right")) - 1, int(np.searchsorted(start, last)))
    return RowBlock(slice(first, last), nodes, problem.of_rows(first, last, nodes))


def summed(
    threads: int, blocks: list[RowBlock], nodes: int, work: Callable[[RowBlock], tuple[Array, ...]]
) -> list[Array]:
    """Sum over all blocks the arrays, (node of the block, …), that a function returns for each block."""
    parts = in_threads(threads, work, blocks)
    if len(blocks) == 1:
        return list(parts[0])
    totals = [np.zeros((nodes, *part.shape[1:])) for part in parts[0]]
    for block, own in zip(blocks, parts, strict=True):
        for total, part in zip(totals, own, strict=True):
            total[block.nodes] += part
    return totals


def hessians(threads: int, blocks: list[RowBlock], nodes: int, curvature: Array) -> Array:
    """Return Σ curvature x xᵀ of each node, (node, feature, feature)."""
    return summed(threads, blocks, nodes, lambda block: (block.hessians(curvature[block.rows]),))[0]


def are_dense(problem: Problem) -> Mask:
    """Return a mask of the nodes most of whose entries are nonzero."""
    entries = np.diff(problem.rows.indptr[problem.node_start])
    dense: Mask = entries > MOSTLY * problem.features * np.diff(problem.node_start)
    return dense
