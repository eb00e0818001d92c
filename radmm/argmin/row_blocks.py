"""Blocks of rows that threads pass over by themselves, and the Hessians of their nodes.

How rows are cut depends on their number alone, and what is summed over blocks is added up in their order: results are
the same bytes with any number of threads.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import scipy

from radmm.argmin.margins import RowMargins
from radmm.base.arrays import Array
from radmm.base.threads import in_threads
from radmm.model.problem import Problem

BLOCK_ROWS = 8192  # at least, if rows are cut at all
MOST_BLOCKS = 32
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
        if mostly_nonzero(self.part):
            blocks = node_blocks(self.part, np.sqrt(curvature))
            dense: Array = np.swapaxes(blocks, 1, 2) @ blocks
            return dense
        features, design = self.part.features, self.margins.design
        product = (design.T @ (scipy.sparse.diags_array(curvature) @ design)).tocoo()
        hessian = np.zeros((self.part.nodes, features, features))
        node, feature = np.divmod(product.row, features)
        hessian[node, feature, product.col % features] = product.data
        return hessian


def cut_rows(problem: Problem) -> list[RowBlock]:
    """Cut a problem's rows into blocks of about the same size."""
    count = min(max(problem.rows.shape[0] // BLOCK_ROWS, 1), MOST_BLOCKS)
    if count == 1:
        return [RowBlock(slice(None), slice(None), problem)]
    edges = np.linspace(0, problem.rows.shape[0], count + 1).astype(np.int64)
    return [_block(problem, int(first), int(last)) for first, last in pairwise(edges)]


def _block(problem: Problem, first: int, last: int) -> RowBlock:
    start = problem.node_start
    nodes = slice(int(np.searchsorted(start, first, side="right")) - 1, int(np.searchsorted(start, last)))
    return RowBlock(slice(first, last), nodes, problem.of_rows(first, last, nodes))


def summed(
    threads: int, blocks: list[RowBlock], nodes: int, work: Callable[[RowBlock], tuple[Array, ...]]
) -> list[Array]:
    """Return the sums over all blocks of what the work makes of each, arrays of (node in the block, …)."""
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


def mostly_nonzero(problem: Problem) -> bool:
    """Return whether so few entries of the rows are zero that dense products are faster."""
    return bool(problem.rows.nnz > MOSTLY * problem.rows.shape[0] * problem.features)


def node_blocks(problem: Problem, factor: Array) -> Array:
    """Return each node's rows times their factors, (node, row, feature), with zeros for nodes that have fewer rows."""
    weighted = problem.rows.toarray() * factor[:, None]
    largest = int(problem.row_counts.max())
    if problem.row_counts.min() < largest:
        node = np.repeat(np.arange(problem.nodes), problem.row_counts)
        padded = np.zeros((problem.nodes, largest, problem.features))
        padded[node, np.arange(len(node)) - problem.node_start[node]] = weighted
        weighted = padded
    blocks: Array = weighted.reshape(problem.nodes, largest, problem.features)
    return blocks
