"""Passes over the data for all nodes and runs at once, with NumPy and SciPy; kernel.py is the compiled equivalent.

Arrays are (node, feature, run). Sums over rows are plain sums, without the weight C_i/B_i.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from radmm.argmin.lbfgs import Evaluate, Evaluation, minimise
from radmm.argmin.margins import RowMargins
from radmm.argmin.preconditioner import Preconditioner
from radmm.argmin.row_blocks import RowBlock, cut_rows, hessians, summed
from radmm.argmin.small_nodes import RowInverse, node_blocks
from radmm.base.arrays import Array, Integers, dot, per_node
from radmm.base.threads import in_threads
from radmm.model.problem import Problem

Inverse = Preconditioner | RowInverse  # the approximate inverse Hessian; the latter makes small nodes of all

FromSums = Callable[[Array, Array, Array], Evaluation]  # from a point, and Σ L and Σ ∇L there


@dataclass(frozen=True)
class Argmin:
    """Argmins of every node and run, with the gradient norms reached and the passes needed."""

    point: Array
    loss: Array  # Σ L, (node, run)
    residual: Array  # gradient norms of the subproblems, (node, run); those above the tolerance have failed
    passes: Integers  # over the node's rows until the run had converged, (node, run)


@dataclass(frozen=True)
class Solution(Argmin):
    """Argmins with all that is known at the end of a solve, so that the next one can start there."""

    slope: Array  # Σ ∇L, (node, feature, run); of small nodes each row's pull, (node, row, run)

    def keep(self, columns: Integers) -> "Solution":
        """Return the solution of some of the runs only."""
        return replace(self, **{name: value[..., columns] for name, value in vars(self).items()})


class Engine(Protocol):
    """Interface of everything that reads the rows."""

    problem: Problem
    threads: int  # among which it shares out nodes and rows
    runs_together: int  # so many are worked off best at once, where nobody waits for single ones
    small_nodes_together: int  # likewise: larger groups of them are cut

    def restricted(self, nodes: Integers) -> "Engine":
        """Return the engine of some of the nodes, given in ascending order."""

    def losses(self, point: Array) -> Array:
        """Return Σ L of each node and run, (node, run)."""

    def gradients(self, point: Array) -> Array:
        """Return Σ ∇L of each node and run, (node, entry of f, run): Σ L' y x with two classes."""

    def mistakes(self, point: Array) -> Array:
        """Count each node's misclassified rows, (node, run): a margin over another class is not positive."""

    def curvatures(self, point: Array) -> Array:
        """Return L'' of each row, averaged over the runs; the mean eigenvalue with more than two classes."""

    def hessians(self, curvature: Array) -> Array:
        """Return Σ curvature x xᵀ of each node, (node, feature, feature), which all classes share."""

    def minimise(
        self, linear: Array, curvature: Array, start: Array | Solution, precondition: Inverse, tolerance: float
    ) -> Solution:
        """Minimise (C_i/B_i) Σ L + linear·f + ½ q_i‖f‖², q_i = curvature, for every node and run."""


class NumpyEngine:
    """Engine in NumPy and SciPy, for any loss; `Engine` says what each method returns."""

    runs_together = 1  # every run takes room for all rows
    small_nodes_together = 256  # few enough to share them out, and enough not to wait for Python

    def __init__(self, problem: Problem, threads: int = 1) -> None:
        self.problem, self.threads = problem, threads
        self._blocks = cut_rows(problem)

    @cached_property
    def margins(self) -> RowMargins:
        """Computes margins of all rows at a point, and gradients from slopes there."""
        return self._blocks[0].margins if len(self._blocks) == 1 else RowMargins(self.problem)

    def restricted(self, nodes: Integers) -> "NumpyEngine":
        return NumpyEngine(self.problem.restricted(nodes), self.threads)

    def losses(self, point: Array) -> Array:
        value = self.problem.loss.value
        return self._summed(point, lambda block, margin: (block.node_sum(value(margin)),))[0]

    def gradients(self, point: Array) -> Array:
        return self._losses_and_gradients(point)[1]

    def mistakes(self, point: Array) -> Array:
        return self._summed(point, lambda block, margin: (block.node_sum(block.margins.are_wrong(margin)),))[0]

    def curvatures(self, point: Array) -> Array:
        def mean(block: RowBlock) -> Array:
            curvature = self.problem.loss.curvature(block.margins.of(point[block.nodes]))
            return np.asarray(curvature.mean(axis=1), np.float64)

        return np.concatenate(in_threads(self.threads, mean, self._blocks))

    def hessians(self, curvature: Array) -> Array:
        return hessians(self.threads, self._blocks, self.problem.nodes, curvature)

    def minimise(
        self, linear: Array, curvature: Array, start: Array | Solution, precondition: Inverse, tolerance: float
    ) -> Solution:
        if isinstance(precondition, RowInverse):
            return self._minimise_small(linear, curvature, start, precondition, tolerance)
        evaluate, complete = self.objective(linear, curvature)
        if isinstance(start, Solution):
            first, passes = complete(start.point, start.loss, start.slope), 0
        else:
            first, passes = evaluate(start), 1
        end, taken = minimise(evaluate, first, precondition, tolerance)
        weight = self.problem.row_weights
        slope = (end.gradient - linear - per_node(curvature) * end.point) / per_node(weight)
        return Solution(end.point, end.data / weight[:, None], end.residual, passes + taken, slope)

    def objective(self, linear: Array, curvature: Array) -> tuple[Evaluate, FromSums]:
        """Return two functions that evaluate large nodes' subproblems: at a point, and from known Σ L and Σ ∇L."""
        weight, q = self.problem.row_weights, per_node(curvature)

        def evaluate(point: Array) -> Evaluation:
            return complete(point, *self._losses_and_gradients(point))

        def complete(point: Array, loss: Array, slope: Array) -> Evaluation:
            gradient = per_node(weight) * slope + linear + q * point
            terms = weight[:, None] * loss, dot(linear, point), 0.5 * dot(point, q * point)
            return Evaluation.of(point, gradient, np.linalg.norm(gradient, axis=1), terms, self.problem.row_counts)

        return evaluate, complete

    def _minimise_small(
        self, linear: Array, curvature: Array, start: Array | Solution, precondition: RowInverse, tolerance: float
    ) -> Solution:
        """Solve in the space of the rows, from the pulls at which the last solve ended; see small_nodes.py."""
        nodes, q, weight = precondition.nodes, per_node(curvature), per_node(self.problem.row_weights)
        offset = -node_blocks(self.problem, self.margins.of(linear)) / q

        def evaluate(point: Array) -> Evaluation:
            margin, pull = np.split(point, 2, axis=1)
            loss, slope = self.problem.loss.value_and_slope(margin)
            gradient = weight * slope - pull
            square = np.abs(dot(gradient, nodes.gram @ gradient))  # which rounding may take below zero
            data = weight[:, 0] * loss.sum(axis=1)
            terms = data, 0.5 * dot(pull, offset), -0.5 * dot(pull, margin)  # the last two nearly cancel
            padded = np.concatenate([gradient, np.zeros_like(gradient)], axis=1)
            return Evaluation.of(point, padded, np.sqrt(square), terms, self.problem.row_counts)

        pull = start.slope if isinstance(start, Solution) else np.zeros_like(offset)
        first = evaluate(np.concatenate([offset - nodes.gram @ pull / q, pull], axis=1))
        end, passes = minimise(evaluate, first, precondition, tolerance)
        pull = np.split(end.point, 2, axis=1)[1]
        point = -(linear + self.margins.pull_back(pull.reshape(-1, pull.shape[2]))) / q
        return Solution(point, end.data / weight[:, 0], end.residual, 1 + passes, pull)

    def _losses_and_gradients(self, point: Array) -> list[Array]:
        """Return Σ L, (node, run), and Σ ∇L, (node, entry of f, run), from one pass over the rows."""

        def sums(block: RowBlock, margin: Array) -> tuple[Array, ...]:
            value, slope = self.problem.loss.value_and_slope(margin)
            return block.node_sum(value), block.margins.pull_back(slope)

        return self._summed(point, sums)

    def _summed(self, point: Array, work: Callable[[RowBlock, Array], tuple[Array, ...]]) -> list[Array]:
        """Sum over all blocks the arrays that a function returns for each block and its margins at a point."""

        def of_block(block: RowBlock) -> tuple[Array, ...]:
            return work(block, block.margins.of(point[block.nodes]))

        return summed(self.threads, self._blocks, self.problem.nodes, of_block)
