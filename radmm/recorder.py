"""Measurement of a solve while it runs: loss, distances, errors, residual and passes of each run and iteration."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from radmm.algorithms.algorithm import Sent, State
from radmm.argmin.deferred_losses import DeferredLosses
from radmm.argmin.engine import Engine
from radmm.argmin.engine_choice import engine_for
from radmm.averages import next_average
from radmm.base.arrays import Array, Integers, Mask
from radmm.base.errors import InputError, about
from radmm.base.inputs import shown
from radmm.distributed.gathered_losses import GatheredLosses
from radmm.distributed.ranks import OneProcess
from radmm.metrics.metric import all_metrics
from radmm.metrics.snapshot import Snapshot
from radmm.model.problem import Problem, read_rows
from radmm.privacy.data_oracle import DataOracle
from radmm.privacy.ledger import Ledger
from radmm.result import Result, RunStatus, TestSet


class Recorder:
    """Measures each state of a solve and stores the values by run and iteration.

    Args:
        engine: Engine of the own nodes.
        problem: Constants and numbers of rows of all nodes.
        ranks: Who owns which nodes; with metrics, their values are gathered here.
        ledger: Ledger of what each run releases; None without noise.
        bound: The paper's bound P(t) for t = 0 … T; None where its theorem doesn't cover the run.
        sent: Messages and numbers sent by all nodes after t = 0 … T iterations, (T + 1, 2).
        iterations: Number of iterations T.
        runs: Number of runs.
        test: Test rows and their labels; None if there are none.
        optimum: Centralised optimum; None if it isn't known.
        keep_iterates: Whether to keep all iterates.
        metrics: Whether to measure what only data or iterates tell; without, nothing of other nodes is known here.
    """

    def __init__(
        self,
        *,
        engine: Engine,
        problem: Problem,
        ranks: OneProcess,
        ledger: Ledger | None,
        bound: Array | None,
        sent: Integers,
        iterations: int,
        runs: int,
        test: TestSet | None,
        optimum: Array | None,
        keep_iterates: bool,
        metrics: bool,
    ) -> None:
        self._ledger, self._problem, self._ranks, self._with_metrics = ledger, problem, ranks, metrics
        self._deferred = DeferredLosses(engine) if ranks.own_all else GatheredLosses(engine, ranks)
        self._optimum, self._given_test, self._bound, self._sent = optimum, test, bound, sent
        self._average: Array = np.empty(0)  # of the released iterates so far
        self._test = None if test is None else engine_for(_test_problem(test, problem), engine.threads)
        self._metrics = all_metrics(public_alone=not metrics)
        self._shape = runs, iterations + 1
        self._values = {name: np.full(self._shape, np.nan) for name in self._metrics}
        self._status = [RunStatus(run) for run in range(runs)]
        shape = (runs, iterations + 1, problem.nodes, problem.dimension)
        self._primal, self._dual = (np.full(shape, np.nan) if keep_iterates else None for _ in range(2))
        self._last, self._last_average = (np.full((runs, problem.nodes, problem.dimension), np.nan) for _ in range(2))

    def record(self, state: State, oracle: DataOracle) -> None:
        """Measure all metrics after an iteration, and put them into the trace."""
        found, is_last = oracle.findings, state.iteration == self._shape[1] - 1
        state.primal.setflags(write=False)  # it is kept: a step that wrote into it would change what was measured
        known_loss = None if found is None or found.released is not state.primal else found.loss
        nodes = self._ranks.own
        if self._with_metrics:
            state, nodes = self._ranks.whole(state, self._dual is not None), np.arange(self._problem.nodes)
        self._average = next_average(self._average, state.primal, state.iteration)
        snapshot = Snapshot(
            state=state,
            average=self._average,
            problem=self._problem,
            optimum=self._optimum,
            bound=None if self._bound is None else float(self._bound[state.iteration]),
            residual=None if found is None else self._gathered(found.residual),
            passes=None if found is None else self._gathered(found.passes),
            losses=self._deferred,
            known_loss=self._gathered(known_loss),
            test=self._test,
            sent=Sent(*self._sent[state.iteration].tolist()),
            is_last=is_last,
        )
        at = oracle.runs, state.iteration
        for name, metric in self._metrics.items():
            metric.record(snapshot, partial(self._store, name, at))
        if is_last:
            self._last[np.ix_(oracle.runs, nodes)] = np.moveaxis(state.primal, 2, 0)
            self._last_average[np.ix_(oracle.runs, nodes)] = np.moveaxis(self._average, 2, 0)
        here = np.ix_(oracle.runs, np.array([state.iteration]), nodes)
        if self._primal is not None:
            self._primal[here] = np.moveaxis(state.primal, 2, 0)[:, None]
        if self._dual is not None and state.dual is not None:
            self._dual[here] = np.moveaxis(state.dual, 2, 0)[:, None]
        self._has_dual = state.dual is not None

    def _gathered(self, values: NDArray[Any] | None) -> NDArray[Any] | None:
        return None if values is None or not self._with_metrics else self._ranks.gather(values)

    def failure(self, residual: Array, column: int, tolerance: float) -> str:
        """Return which node's argmin of a run missed the tolerance, as far as that may be known here.

        Args:
            residual: Gradient norms of the own nodes' argmins, (node, run).
            column: Column of the run.
            tolerance: Gradient norm that was to be reached.
        """
        if not (self._with_metrics or self._ranks.own_all):
            return f"the argmin of a node did not reach gradient norm {tolerance:g}"
        norms = self._ranks.gather(residual[:, column])
        return f"the argmin of node {norms.argmax()} reached gradient norm {norms.max():.1e}, not {tolerance:g}"

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
        self._deferred.settle_all()
        runs, rows = self._shape
        index: dict[str, Integers] = {
            "run": np.repeat(np.arange(runs, dtype=np.int32), rows),
            "iteration": np.tile(np.arange(rows, dtype=np.int32), runs),
        }
        metrics = {name: values.ravel() for name, values in self._values.items()}
        return Result(
            columns={**index, **metrics},
            status=self._status,
            primal=self._primal,
            dual=self._dual if self._has_dual else None,
            ledger=self._ledger,
            last=self._last,
            loss=self._problem.loss,
            test=self._given_test,
            last_average=self._last_average,
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
