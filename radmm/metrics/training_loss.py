"""Training loss of the released iterates, and of their running averages."""

from typing import ClassVar

from radmm.base.arrays import Array
from radmm.metrics.metric import Metric
from radmm.metrics.snapshot import Snapshot, Tell


class TrainingLoss(Metric):
    """Average of the nodes' training losses at their own iterates, a mean over each node's rows."""

    name: ClassVar[str] = "loss"
    label: ClassVar[str] = "training loss"
    meaning: ClassVar[str] = "average of the nodes' training losses at their own iterates"

    def points(self, snapshot: Snapshot) -> Array:
        """Return the points at which the loss is taken, (node, feature, run)."""
        return snapshot.primal

    def record(self, snapshot: Snapshot, tell: Tell) -> None:
        """Request the loss, which is computed together with those of other iterations."""
        snapshot.training_loss(self.points(snapshot), tell)

    def measure(self, snapshot: Snapshot) -> None:
        """Return nothing, as `record` requests the loss."""


class AveragedTrainingLoss(TrainingLoss):
    """Average of the nodes' training losses at the running averages of their released iterates."""

    name: ClassVar[str] = "loss_average"
    label: ClassVar[str] = "training loss, averaged iterates"
    meaning: ClassVar[str] = "training loss of each node's running average of its released iterates"

    def points(self, snapshot: Snapshot) -> Array:
        """Return the running averages, (node, feature, run)."""
        return snapshot.average
