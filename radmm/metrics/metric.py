"""Interface of metrics: a trace's columns after `run` and `iteration`, and how each is computed, named and drawn."""

from abc import ABC, abstractmethod
from typing import ClassVar, Literal

from radmm.base.arrays import Array
from radmm.base.registry import Component, Registry
from radmm.metrics.snapshot import Snapshot, Tell


class Metric(Component, ABC):
    """Base class of metrics: a value of each run at each iteration, recorded in the trace's column `name`."""

    registry: ClassVar[Registry["Metric"]]
    label: ClassVar[str]  # on axes and in heads of tables, like "training loss"
    meaning: ClassVar[str]  # in half a sentence
    unit: ClassVar[str] = ""  # of the values; empty for plain numbers
    better: ClassVar[Literal["lower", "higher"] | None] = "lower"  # None where neither is
    is_public: ClassVar[bool] = False  # whether it follows from what was asked for, without the data or the iterates
    of_outcome: ClassVar[bool] = True  # whether its last value tells how a run ended, not what one iteration did

    @abstractmethod
    def measure(self, snapshot: Snapshot) -> Array | None:
        """Return a value for each run that is left, or None where there is nothing to measure.

        Args:
            snapshot: State of the solve after an iteration.
        """

    def record(self, snapshot: Snapshot, tell: Tell) -> None:
        """Hand over the values of all runs, if there are any; a subclass may do so later.

        Args:
            snapshot: State of the solve after an iteration.
            tell: Function that receives one value for each run that is left.
        """
        values = self.measure(snapshot)
        if values is not None:
            tell(values)

    @property
    def axis_label(self) -> str:
        """Label of an axis: what it shows, in which unit, and that higher is better where it is."""
        unit = f", {self.unit}" if self.unit else ""
        return f"{self.label}{unit}" + (" (higher is better)" if self.better == "higher" else "")


METRICS: Registry[Metric] = Registry("metric", "radmm.metrics")
Metric.registry = METRICS

# The columns of every trace in their order; those of plug-ins follow by name.
FIRST = (
    "loss",
    "error_rate",
    "privacy_loss",
    "consensus",
    "residual",
    "distance",
    "passes",
    "loss_average",
    "error_rate_average",
    "error_rate_worst",
    "messages",
    "floats_sent",
    "error_rate_worst_average",
)


def metric_columns() -> tuple[str, ...]:
    """Return the names of a trace's columns after `run` and `iteration`, in their order."""
    return tuple(sorted(METRICS, key=lambda name: (FIRST.index(name) if name in FIRST else len(FIRST), name)))


def all_metrics(public_alone: bool = False) -> dict[str, Metric]:
    """Return every metric by name, in the order of a trace's columns.

    Args:
        public_alone: Whether to leave out those for which data or iterates are read.
    """
    return {name: METRICS[name]() for name in metric_columns() if METRICS[name].is_public or not public_alone}
