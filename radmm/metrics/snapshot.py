"""What can be measured after an iteration: the released iterates, and what the solve knows besides."""

from collections.abc import Callable
from functools import partial

import numpy as np

from radmm.algorithms.algorithm import Sent, State
from radmm.argmin.deferred_losses import DeferredLosses
from radmm.argmin.engine import Engine
from radmm.base.arrays import Array, Integers
from radmm.model.problem import Problem

POINTS = 1000  # classifiers that are tried on the test rows at a time
Tell = Callable[[Array], None]  # takes a metric's values, one a run


class Snapshot:
    """State of a solve after an iteration, from which metrics are computed; all runs that are left go together.

    A trace is not for release, so a metric may read the data.

    Args:
        state: Released values after the iteration.
        average: Running averages of the released iterates, (node, feature, run); the primal itself until iteration 1.
        problem: Training rows and constants of the objective.
        optimum: Centralised optimum, one number for each entry of f; None if it isn't known.
        bound: The paper's bound P(t) so far; None if its theorem doesn't cover the run.
        residual: Gradient norms at which this iteration's argmins ended, (node, run); None if it touched no data.
        passes: Number of passes over a node's rows in this iteration, (node, run); None if it touched no data.
        losses: Computes training losses, some of them later.
        known_loss: Σ L of each node and run at the primal; None if it isn't known yet.
        test: Engine of the test rows, as a problem of one node; None if there are none.
        sent: Messages of all nodes to all their neighbours so far, and the numbers in them.
        is_last: Whether no iteration follows.
    """

    def __init__(
        self,
        *,
        state: State,
        average: Array,
        problem: Problem,
        optimum: Array | None,
        bound: float | None,
        residual: Array | None,
        passes: Array | Integers | None,
        losses: DeferredLosses,
        known_loss: Array | None,
        test: Engine | None,
        sent: Sent,
        is_last: bool,
    ) -> None:
        self.iteration, self.primal, self.average = state.iteration, state.primal, average
        self.problem, self.optimum, self.bound = problem, optimum, bound
        self.residual, self.passes, self.sent, self.is_last = residual, passes, sent, is_last
        self._state, self._losses, self._known_loss, self._test = state, losses, known_loss, test

    @property
    def mean(self) -> Array:
        """Average of the nodes' iterates, (feature, run)."""
        return self._state.mean

    @property
    def runs(self) -> int:
        """Number of runs that are left."""
        return int(self.primal.shape[2])

    def test_error(self, points: Array) -> Array | None:
        """Return the share of test rows that the average of the nodes' points misclassifies, one a run.

        It is None if there are no test rows.

        Args:
            points: Point of each node, (node, feature, run), like `primal` or `average`.
        """
        mean = self.mean if points is self.primal else points.mean(axis=0)
        errors = self._test_errors(mean[None])
        return None if errors is None else errors[0]

    def worst_test_error(self, points: Array) -> Array | None:
        """Return the largest share of test rows that a node's own point misclassifies, one a run.

        It is None if there are no test rows.

        Args:
            points: Point of each node, (node, feature, run), like `primal` or `average`.
        """
        errors = self._test_errors(points)
        return None if errors is None else errors.max(axis=0)

    def _test_errors(self, points: Array) -> Array | None:
        """Return the share of test rows that each point misclassifies, (node, run); None if there are no test rows."""
        if self._test is None:
            return None
        length = max(1, POINTS // points.shape[2])
        mistakes = []
        for block in (points[start : start + length] for start in range(0, len(points), length)):
            together = np.moveaxis(block, 1, 0).reshape(1, points.shape[1], -1)  # nodes and runs alike
            mistakes.append(self._test.mistakes(together).reshape(len(block), -1))
        errors: Array = np.concatenate(mistakes) / self._test.problem.row_counts[0]
        return errors

    def training_loss(self, points: Array, tell: Tell) -> None:
        """Request the mean training loss a row of the nodes' points, one a run; `tell` is called with it, maybe later.

        Args:
            points: Point of each node, (node, feature, run), which nobody may overwrite.
            tell: Function that receives the losses.
        """
        tell_mean = partial(_tell_mean, tell, self.problem)  # without the snapshot, which need not wait
        if points is self.primal and self._known_loss is not None:
            tell_mean(self._known_loss)
        else:
            self._losses.ask(points, tell_mean)


def _tell_mean(tell: Tell, problem: Problem, loss: Array) -> None:
    """Average every node's Σ L to the mean loss a row, and hand it over."""
    shares = problem.node_weights / problem.C  # 1 where nodes count alike
    mean: Array = (loss / problem.row_counts[:, None] * shares[:, None]).mean(axis=0)
    tell(mean)
