"""The result of a solve: the trace of every run, how each run ended and, if asked for, all iterates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import pandas as pd
import scipy
from numpy.typing import ArrayLike, NDArray

from radmm.averages import averages_of
from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.model.losses.loss import Loss
from radmm.outcome.classifier import Classifier
from radmm.privacy.guarantee import UNKNOWN_PREPARATION, Guarantee, guarantee_of
from radmm.privacy.ledger import Ledger
from radmm.privacy.relation import Relation

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DONE, DIVERGED, NOT_CONVERGED = "done", "diverged", "not converged"

TestSet: TypeAlias = tuple["ArrayLike | scipy.sparse.sparray", ArrayLike]


@dataclass(frozen=True)
class RunStatus:
    """Status of one run at its end: done, or why it stopped early.

    Args:
        run: Number of the run.
        status: done, diverged or not converged.
        reason: Why the run ended early; empty for a run that is done.
    """

    run: int
    status: str = DONE
    reason: str = ""


@dataclass(frozen=True)
class Result:
    """Result of a solve: trace, statuses, last iterates and, with noise, the ledger.

    Args:
        columns: The trace as plain arrays, one entry a run and iteration; NaN where a value doesn't exist.
        status: How each run ended.
        primal: Iterates f(t), (runs, iterations + 1, N, d), if iterates were kept.
        dual: Dual variables λ(t) in the same shape; None for algorithms without a dual variable.
        ledger: Ledger of what each run released; None without noise.
        last: Last iterates f(T), (runs, N, d); NaN where a run ended early.
        loss: Loss that was minimised.
        test: Features and labels of the test rows, if there were any.
        last_average: Running averages of each node's iterates after the last iteration, in the shape of `last`.
    """

    columns: dict[str, NDArray[np.generic]]
    status: list[RunStatus]
    primal: Array | None = None
    dual: Array | None = None
    ledger: Ledger | None = None
    last: Array | None = None
    loss: Loss | None = None
    test: TestSet | None = None
    last_average: Array | None = None

    def __repr__(self) -> str:
        iterations = int(self.columns["iteration"].max())
        ended = sum(status.status != DONE for status in self.status)
        kept = "" if self.primal is None else ", iterates kept"
        early = f", {ended} ended early" if ended else ""
        return f"Result({len(self.status)} runs of {iterations} iterations{early}{kept})"

    def epsilon(
        self, delta: float = 1e-5, accountant: str = "shift", neighbours: str = "replace", rows: int = 1
    ) -> Guarantee:
        """Return the total ε that one run has spent: a float that carries its conditions.

        Args:
            delta: δ; accountants of pure differential privacy (paper, pure) need none.
            accountant: Name of the accountant that computes the bound.
            neighbours: Neighbouring relation of the guarantee: replace or zero-out.
            rows: Largest number of rows that one person contributes.
        """
        if self.ledger is None:
            raise InputError("there is no ε: the runs had no noise")
        relation = Relation.named(neighbours, rows)
        return guarantee_of(self.ledger, delta, accountant, relation).under(UNKNOWN_PREPARATION)

    def classifier(self, run: int = 0, node: int | None = None, averaged: bool = False) -> Classifier:
        """Return the classifier that a run ended with; made of released values, it costs no privacy beyond the run's.

        Args:
            run: Number of the run.
            node: Node whose classifier to return; if not given the average over nodes, to which `error_rate` refers.
            averaged: Whether to average over the run's iterates, to which `error_rate_average` refers, not take the
                last.
        """
        if self.loss is None:
            raise InputError("this result has no loss: it must come from radmm.solve")
        last = self._last(run, averaged)
        if node is not None and not 0 <= node < len(last):
            raise InputError(f"node = {node}: must be from 0 to {len(last) - 1}")
        flat, outputs = last.mean(axis=0) if node is None else last[node], self.loss.outputs
        weights = flat if outputs == 1 else flat.reshape(outputs, -1)  # class by class
        return Classifier(weights, self.loss)

    def metrics(self, *names: str, test: TestSet | None = None, averaged: bool = False) -> pd.DataFrame:
        """Compute test metrics of each run's node-averaged classifier after the last iteration.

        The table has one row for each run that got there.

        Args:
            names: Any of error_rate, auc, log_loss and class_error; all that the loss allows if none is given.
            test: Features and labels; those that were given to `solve` if None.
            averaged: Whether to use the average over the run's iterates, not the last of them.
        """
        rows = test or self.test
        if rows is None:
            raise InputError("test = None: must be a pair of features and labels, as the solve had none")
        done = [status.run for status in self.status if status.status == DONE]
        measured = [self.classifier(run, averaged=averaged).metrics(*rows, *names) for run in done]
        return pd.DataFrame(measured, index=pd.Index(done, name="run"))

    def plot(self, *metrics: str) -> Figure:
        """Draw the trace: mean and range over the runs.

        Args:
            metrics: Columns of the trace; if none is given loss, test error and the paper's bound, as far as recorded.
        """
        from radmm.outcome.picture import draw  # with Matplotlib, which takes longer to import than all of radmm

        return draw(self.trace, metrics, repr(self))

    def _last(self, run: int, averaged: bool) -> Array:
        ends = self.last_average if averaged else self.last
        if ends is None:
            raise InputError("this result has no last iterates: it must come from radmm.solve")
        if not 0 <= run < len(ends):
            raise InputError(f"run = {run}: must be from 0 to {len(ends) - 1}")
        if self.status[run].status != DONE:
            raise InputError(
                f"run = {run}: must be one that is done, but it {self.status[run].status}, {self.status[run].reason}"
            )
        last: Array = ends[run]
        return last

    @property
    def average(self) -> Array | None:
        """Running averages of the released iterates, in the shape of `primal`, if iterates were kept."""
        return None if self.primal is None else averages_of(self.primal)

    @property
    def trace(self) -> pd.DataFrame:
        """The trace as a table, one row a run and iteration.

        `docs/formats.md` explains its columns, those of `radmm.metrics`.
        """
        return pd.DataFrame(self.columns)
