"""What the nodes have sent so far: messages, and the numbers in them."""

from typing import ClassVar

import numpy as np

from radmm.base.arrays import Array
from radmm.metrics.metric import Metric
from radmm.metrics.snapshot import Snapshot


class Messages(Metric):
    """Number of messages that all nodes have sent to their neighbours until this iteration, gossip included."""

    name: ClassVar[str] = "messages"
    label: ClassVar[str] = "messages sent"
    is_public: ClassVar[bool] = True
    meaning: ClassVar[str] = "by all nodes to their neighbours, in all iterations so far"

    def measure(self, snapshot: Snapshot) -> Array:
        """Return the number of messages, the same for all runs."""
        return np.full(snapshot.runs, float(snapshot.sent.messages))


class FloatsSent(Metric):
    """Number of floating-point numbers in all messages until this iteration."""

    name: ClassVar[str] = "floats_sent"
    label: ClassVar[str] = "numbers sent"
    is_public: ClassVar[bool] = True
    meaning: ClassVar[str] = "in the messages of all nodes, in all iterations so far"

    def measure(self, snapshot: Snapshot) -> Array:
        """Return the number of numbers, the same for all runs."""
        return np.full(snapshot.runs, float(snapshot.sent.numbers))
