"""Test error of the averaged classifier, of the released iterates or of their running averages."""

from typing import ClassVar

from radmm.base.arrays import Array
from radmm.metrics.metric import Metric
from radmm.metrics.snapshot import Snapshot


class ErrorRate(Metric):
    """Share of test rows that the average of the nodes' classifiers misclassifies."""

    name: ClassVar[str] = "error_rate"
    label: ClassVar[str] = "test error"
    meaning: ClassVar[str] = "share of test rows that the average of the nodes' classifiers gets wrong"

    def measure(self, snapshot: Snapshot) -> Array | None:
        """Return the test error of the average of the nodes' iterates.

        Args:
            snapshot: State of the solve after an iteration.
        """
        return snapshot.test_error(snapshot.primal)


class AveragedErrorRate(Metric):
    """Test error of the average of the nodes' running averages of their iterates."""

    name: ClassVar[str] = "error_rate_average"
    label: ClassVar[str] = "test error, averaged iterates"
    meaning: ClassVar[str] = "test error of the average of the nodes' running averages of their iterates"

    def measure(self, snapshot: Snapshot) -> Array | None:
        """Return the test error of the average of the nodes' running averages.

        Args:
            snapshot: State of the solve after an iteration.
        """
        return snapshot.test_error(snapshot.average)
