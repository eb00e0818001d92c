"""What an iteration's argmins took: where the solver stopped, and how often it read the rows."""

from typing import ClassVar

import numpy as np

from radmm.base.arrays import Array
from radmm.metrics.metric import Metric
from radmm.metrics.snapshot import Snapshot


class Residual(Metric):
    """Largest gradient norm, over the nodes, at which an argmin of this iteration ended."""

    name: ClassVar[str] = "residual"
    label: ClassVar[str] = "argmin's residual"
    meaning: ClassVar[str] = "norm of the gradient where the solver stopped"
    of_outcome: ClassVar[bool] = False

    def measure(self, snapshot: Snapshot) -> Array | None:
        """Return the largest residual of an iteration that touches data."""
        return None if snapshot.residual is None else snapshot.residual.max(axis=0)


class Passes(Metric):
    """Number of passes over the training rows in this iteration, averaged over the rows."""

    name: ClassVar[str] = "passes"
    label: ClassVar[str] = "passes over the data"
    meaning: ClassVar[str] = "of one node, on average, in this iteration"
    of_outcome: ClassVar[bool] = False

    def measure(self, snapshot: Snapshot) -> Array:
        """Return the mean number of passes, which is zero where an iteration touches no data."""
        if snapshot.passes is None:
            return np.zeros(snapshot.runs)
        rows = snapshot.problem.row_counts
        mean: Array = rows @ snapshot.passes / rows.sum()
        return mean
