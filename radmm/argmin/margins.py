"""Margins of the rows at a point, and gradients from slopes at the margins: where losses and rows meet.

A point has f of every node, (node, entry of f, run), where f has a column for each class one after the other. One
sparse product gives the scores of all rows, classes and runs; a margin is by how much the own class's score exceeds
another's. With two classes the labels are multiplied into the rows, and the single score is the margin.
"""

from functools import reduce

import numpy as np
import scipy

from radmm.base.arrays import Array, Mask
from radmm.model.problem import Problem


class RowMargins:
    """Computes margins and gradients with one sparse product, as all nodes' rows form one block-diagonal matrix.

    Args:
        problem: Problem whose rows are used.
        together: Whether all rows share one f, as if they were at one node.
    """

    def __init__(self, problem: Problem, together: bool = False) -> None:
        rows, counts = problem.rows, problem.row_counts.sum(keepdims=True) if together else problem.row_counts
        self._nodes, self._features, self._outputs = len(counts), problem.features, problem.outputs
        owner = np.repeat(np.arange(self._nodes), counts)
        shifted = rows.indices + np.repeat(owner, np.diff(rows.indptr)) * problem.features
        self.design = scipy.sparse.csr_array(
            (rows.data, shifted, rows.indptr), shape=(rows.shape[0], self._nodes * problem.features)
        )
        self._own = None if problem.label is None else (np.arange(rows.shape[0]), problem.label)

    def of(self, point: Array) -> Array:
        """Return every row's margins at its own node's f: (row, run), or (row, class, run).

        Args:
            point: Values of f, (node, entry of f, run).
        """
        if self._own is None:
            margins: Array = self.design @ point.reshape(-1, point.shape[2])
            return margins
        by_class = point.reshape(self._nodes, self._outputs, self._features, -1).swapaxes(1, 2)
        columns = self._outputs * point.shape[2]
        scores: Array = (self.design @ by_class.reshape(-1, columns)).reshape(-1, self._outputs, point.shape[2])
        np.subtract(scores[self._own][:, None], scores, out=scores)
        return scores

    def pull_back(self, slope: Array) -> Array:
        """Return Σ slope ∂(margin)/∂f of each node, (node, entry of f, run).

        Args:
            slope: Derivative of the loss in every margin; it is overwritten.
        """
        if self._own is None:
            sums: Array = (self.design.T @ slope).reshape(self._nodes, self._features, slope.shape[1])
            return sums
        runs, total = slope.shape[2], reduce(np.add, slope.swapaxes(0, 1))
        np.negative(slope, out=slope)
        slope[self._own] += total
        by_class: Array = self.design.T @ slope.reshape(len(slope), -1)
        separate = by_class.reshape(self._nodes, self._features, self._outputs, runs)
        return separate.swapaxes(1, 2).reshape(self._nodes, -1, runs)

    def are_wrong(self, margin: Array) -> Array:
        """Return 1 for every row and run that is misclassified: a margin over another class is not positive.

        Args:
            margin: Margins as `of` returns them.
        """
        if self._own is None:
            wrong: Mask = margin <= 0
        else:
            wrong = np.count_nonzero(margin <= 0, axis=1) > 1  # that over the own class is 0
        return wrong.astype(np.float64)
