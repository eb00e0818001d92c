"""Measurement of a solve while it runs: loss, distances, errors, residual and passes of each run and iteration."""

from __future__ import annotations

from functools import partial

import numpy as np

from radmm.algorithms.algorithm import Sent, State
from radmm.argmin.deferred_losses import DeferredLosses
from radmm.argmin.engine import Engine
from radmm.argmin.engine_choice import engine_for
from radmm.averages import next_average
from radmm.base.arrays import Array, Integers, Mask
from radmm.base.errors import InputError, about
from radmm.base.inputs import shown
from radmm.metrics.metric import all_metrics
from radmm.metrics.snapshot import Snapshot
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
        sent: Integers,
        iterations: int,
        runs: int,
        test: TestSet | None,
        optimum: Array | None,
        keep_iterates: bool,
    ) -> None:
        self._engine, self._ledger, problem = engine, ledger, engine.problem
        self._deferred = DeferredLosses(engine)
        self._optimum, self._given_test, self._bound, self._sent = optimum, test, bound, sent
        self._average: Array = np.empty(0)  # of the released iterates so far
        self._test = None if test is None else engine_for(_test_problem(test, problem), engine.threads)
        self._metrics = all_metrics()
        self._values = {name: np.full((runs, iterations + 1), np.nan) for name in self._metrics}
        self._status = [RunStatus(run) for run in range(runs)]
        shape = (runs, iterations + 1, problem.nodes, problem.dimension)
        self._primal, self._dual = (np.full(shape, np.nan) if keep_iterates else None for _ in range(2))
        self._last, self._last_average = (np.full((runs, problem.nodes, problem.dimension), np.nan) for _ in range(2))

    def record(self, state: State, oracle: DataOracle) -> None:
        """Measure all metrics after an iteration, and put them into the trace."""
        found, is_last = oracle.findings, state.iteration == self._values["loss"].shape[1] - 1
        state.primal.setflags(write=False)  # it is kept: a step that wrote into it would change what was measured
        self._average = next_average(self._average, state.primal, state.iteration)
        snapshot = Snapshot(
            state=state,
            average=self._average,
            problem=self._engine.problem,
            optimum=self._optimum,
            bound=None if self._bound is None else float(self._bound[state.iteration]),
            residual=None if found is None else found.residual,
            passes=None if found is None else found.passes,
            losses=self._deferred,
            known_loss=None if found is None or found.released is not state.primal else found.loss,
            test=self._test,
            sent=Sent(*self._sent[state.iteration].tolist()),
            is_last=is_last,
        )
        at = oracle.runs, state.iteration
        for name, metric in self._metrics.items():
            metric.record(snapshot, partial(self._store, name, at))
        snapshot.ask_losses()
        if is_last:
            self._last[oracle.runs] = np.moveaxis(state.primal, 2, 0)
            self._last_average[oracle.runs] = np.moveaxis(self._average, 2, 0)
        if self._primal is not None:
            self._primal[at] = np.moveaxis(state.primal, 2, 0)
        if self._dual is not None and state.dual is not None:
            self._dual[at] = np.moveaxis(state.dual, 2, 0)
        self._has_dual = state.dual is not None

    def _store(self, name: str, at: tuple[Integers, int], values: Array) -> None:
        self._values[name][at] = values

    def keep(self, kept: Mask) -> None:
        """Continue with some of the runs only.

        Args:
            kept: Mask of the runs to keep, one entry for each that is left.
        """
        self._average = self._average[..., kept]

    def end(self, run: int, iteration: int, status: str, reason: str) -> None:
        """Record why a run ends at this iteration, whose values are not recorded."""
        self._status[run] = RunStatus(run, status, f"iteration {iteration}: {reason}")

    def result(self) -> Result:
        """Compute the losses that still wait, and return the trace of all runs with how each ended."""
        self._deferred.settle()
        runs, rows = self._values["loss"].shape
        index: dict[str, Integers] = {
            "run": np.repeat(np.arange(runs, dtype=np.int32), rows),
            "iteration": np.tile(np.arange(rows, dtype=np.int32), runs),
        }
        metrics = {name: values.ravel() for name, values in self._values.items()}
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
