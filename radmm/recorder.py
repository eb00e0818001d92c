"""Measurement of a solve while it runs: loss, distances, errors, residual and passes of each run and iteration."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from radmm.algorithms.algorithm import State
from radmm.argmin.deferred_losses import DeferredLosses
from radmm.argmin.engine import Engine
from radmm.argmin.kernel import engine_for
from radmm.averages import next_average
from radmm.base.arrays import Array, Integers, Mask, blocks_of_nodes, dot
from radmm.base.errors import InputError, about
from radmm.base.inputs import shown
from radmm.metrics import METRICS
from radmm.model.problem import Problem, read_rows
from radmm.privacy.ledger import Ledger
from radmm.privacy.releases import DataOracle
from radmm.result import Result, RunStatus, TestSet


class Recorder:
    """Measures each state of a solve and stores the values by run and iteration."""

    def __init__(
        self,
        engine: Engine,
        ledger: Ledger | None,
        bound: Array | None,
        iterations: int,
        runs: int,
        test: TestSet | None,
        optimum: Array | None,
        keep_iterates: bool,
    ) -> None:
        self._engine, self._ledger, problem = engine, ledger, engine.problem
        self._deferred = DeferredLosses(engine)
        self._optimum, self._given_test = optimum, test
        self._shares = problem.node_weights / problem.C  # 1 where nodes count alike
        self._average: Array = np.empty(0)  # of the released iterates so far
        self._test = None if test is None else engine_for(_test_problem(test, problem))
        self._metrics = {name: np.full((runs, iterations + 1), np.nan) for name in METRICS}
        if bound is not None:
            self._metrics["privacy_loss"][:] = bound
        self._status = [RunStatus(run) for run in range(runs)]
        shape = (runs, iterations + 1, problem.nodes, problem.dimension)
        self._primal, self._dual = (np.full(shape, np.nan) if keep_iterates else None for _ in range(2))
        self._last, self._last_average = (np.full((runs, problem.nodes, problem.dimension), np.nan) for _ in range(2))

    def record(self, state: State, oracle: DataOracle) -> None:
        at, found, rows = (oracle.runs, state.iteration), oracle.findings, self._engine.problem.row_counts
        known = None if found is None or found.released is not state.primal else found.loss
        state.primal.setflags(write=False)  # it is kept: a step that wrote into it would change what was measured
        self._average = next_average(self._average, state.primal, state.iteration)
        fresh = self._average is state.primal
        self._record_loss(("loss", "loss_average") if fresh else ("loss",), at, state.primal, known)
        if not fresh:
            self._record_loss(("loss_average",), at, self._average)
        self._metrics["consensus"][at] = _furthest(state.primal, state.mean)
        if self._optimum is not None:
            self._metrics["distance"][at] = _furthest(state.primal, self._optimum[:, None])
        if self._test is not None:
            self._metrics["error_rate"][at] = rate = self._error_rate(state.mean)
            average = rate if fresh else self._error_rate(self._average.mean(axis=0))
            self._metrics["error_rate_average"][at] = average
        if found is not None:
            self._metrics["residual"][at] = found.residual.max(axis=0)
        self._metrics["passes"][at] = 0.0 if found is None else rows @ found.passes / rows.sum()
        if state.iteration == self._metrics["loss"].shape[1] - 1:
            self._last[oracle.runs] = np.moveaxis(state.primal, 2, 0)
            self._last_average[oracle.runs] = np.moveaxis(self._average, 2, 0)
        if self._primal is not None:
            self._primal[at] = np.moveaxis(state.primal, 2, 0)
        if self._dual is not None and state.dual is not None:
            self._dual[at] = np.moveaxis(state.dual, 2, 0)
        self._has_dual = state.dual is not None

    def _record_loss(
        self, metrics: Sequence[str], at: tuple[Integers, int], point: Array, known: Array | None = None
    ) -> None:
        """Record the mean loss a row at a point, as soon as the engine has computed it if it isn't known."""

        def tell(loss: Array) -> None:
            for metric in metrics:
                self._metrics[metric][at] = self._over_nodes(loss)

        if known is None:
            self._deferred.ask(point, tell)
        else:
            tell(known)

    def _over_nodes(self, loss: Array) -> Array:
        """Average every node's Σ L to the mean loss a row, one value a run."""
        mean: Array = (loss / self._engine.problem.row_counts[:, None] * self._shares[:, None]).mean(axis=0)
        return mean

    def _error_rate(self, classifier: Array) -> Array:
        """Return the test error of a (feature, run) classifier."""
        assert self._test is not None  # noqa: S101 (there are test rows)
        rate: Array = self._test.mistakes(classifier[None])[0] / self._test.problem.row_counts[0]
        return rate

    def keep(self, kept: Mask) -> None:
        """Continue with some of the runs only.

        Args:
            kept: Mask of the runs to keep, one entry for each that is left.
        """
        self._average = self._average[..., kept]

    def end(self, run: int, iteration: int, status: str, reason: str) -> None:
        """Record why a run ends at this iteration, whose values are not recorded."""
        self._status[run] = RunStatus(run, status, f"iteration {iteration}: {reason}")
        self._metrics["privacy_loss"][run, iteration:] = np.nan

    def result(self) -> Result:
        self._deferred.settle()
        runs, rows = self._metrics["loss"].shape
        index: dict[str, Integers] = {
            "run": np.repeat(np.arange(runs, dtype=np.int32), rows),
            "iteration": np.tile(np.arange(rows, dtype=np.int32), runs),
        }
        metrics = {name: values.ravel() for name, values in self._metrics.items()}
        return Result(
            {**index, **metrics},
            self._status,
            self._primal,
            self._dual if self._has_dual else None,
            self._ledger,
            self._last,
            self._engine.problem.loss,
            self._given_test,
            self._last_average,
        )


def _furthest(points: Array, centre: Array) -> Array:
    """Return the largest distance of any node's point from the (feature, run) centre, one a run."""
    squares: Array = np.zeros(points.shape[2])
    for block in blocks_of_nodes(points):
        away = points[block] - centre
        np.maximum(squares, dot(away, away).max(axis=0), out=squares)
    return np.sqrt(squares)


def _test_problem(test: TestSet, training: Problem) -> Problem:
    """Return all test rows as a problem of one node."""
    if not isinstance(test, tuple | list) or len(test) != 2:
        raise InputError(f"test = {shown(test)}: must be a pair of features and labels")
    with about("test"):
        features, labels = read_rows(*test)
        if features.shape[1] != training.features:
            wanted = f"must have {training.features}, as the training rows"
            raise InputError(f"features has {features.shape[1]} columns: {wanted}")
        loss = "logistic" if training.label is None else training.loss  # of margins, none of which is asked for
        return Problem(features, labels, np.zeros(len(labels), dtype=np.int64), loss, classes=training.classes)
