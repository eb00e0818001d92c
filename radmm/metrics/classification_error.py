"""Test error of the averaged classifier, of the released iterates or of their running averages, and of single nodes."""

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
        """Return the test error of the average of the nodes' iterates."""
        return snapshot.test_error(snapshot.primal)


class AveragedErrorRate(Metric):
    """Test error of the average of the nodes' running averages of their iterates."""

    name: ClassVar[str] = "error_rate_average"
    label: ClassVar[str] = "test error, averaged iterates"
    meaning: ClassVar[str] = "test error of the average of the nodes' running averages of their iterates"

    def measure(self, snapshot: Snapshot) -> Array | None:
        """Return the test error of the average of the nodes' running averages."""
        return snapshot.test_error(snapshot.average)


class WorstErrorRate(Metric):
    """Test error, after the last iteration, of the node whose own classifier errs most."""

    name: ClassVar[str] = "error_rate_worst"
    label: ClassVar[str] = "test error, worst node"
    meaning: ClassVar[str] = (
        "share of test rows that the worst node's own classifier gets wrong, after the last iteration"
    )

    def measure(self, snapshot: Snapshot) -> Array | None:
        """Return the largest test error of a node's own iterate, at the last iteration only.

        To classify the test rows once for every node would take longer than most iterations do.
        """
        return snapshot.worst_test_error(snapshot.primal) if snapshot.is_last else None


class AveragedWorstErrorRate(Metric):
    """Test error, after the last iteration, of the node whose own running average of its iterates errs most."""

    name: ClassVar[str] = "error_rate_worst_average"
    label: ClassVar[str] = "test error, worst node, averaged iterates"
    meaning: ClassVar[str] = (
        "share of test rows that the worst node's own running average of its iterates gets wrong, after the last "
        "iteration"
    )

    def measure(self, snapshot: Snapshot) -> Array | None:
        """Return the largest test error of a node's own running average, at the last iteration only."""
        return snapshot.worst_test_error(snapshot.average) if snapshot.is_last else None
