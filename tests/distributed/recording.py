"""A communicator that keeps a copy of every message, with the channel it went by."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

CHANNELS = ("edges", "control", "research")  # in the order in which a solve opens them


@dataclass
class Recording:
    """Wraps a communicator of mpi4py; what it has no method for, nobody can send."""

    comm: Any
    channel: str = "world"
    kept: list[tuple[str, str, int | None, Any]] = field(default_factory=list)  # (channel, method, other rank, payload)
    opened: int = 0

    @property
    def rank(self):
        return self.comm.rank

    @property
    def size(self):
        return self.comm.size

    def Dup(self):  # noqa: N802 (mpi4py's name)
        self.opened += 1
        return Recording(self.comm.Dup(), CHANNELS[self.opened - 1], self.kept)

    def Isend(self, values, dest):  # noqa: N802
        self.kept.append((self.channel, "sent", dest, values.copy()))
        return self.comm.Isend(values, dest=dest)

    def Irecv(self, values, source):  # noqa: N802
        self.kept.append((self.channel, "received", source, values))  # filled when it has arrived
        return self.comm.Irecv(values, source=source)

    def Allgatherv(self, values, into):  # noqa: N802
        self.comm.Allgatherv(values, into)
        self.kept.append((self.channel, "gathered", None, into[0].copy()))

    def allgather(self, value):
        told = self.comm.allgather(value)
        self.kept.append((self.channel, "told", None, told))
        return told

    def of(self, channel, kind=None):
        """Payloads of a channel, with the other rank, in their order."""
        return [
            (other, payload)
            for where, method, other, payload in self.kept
            if where == channel and kind in (None, method)
        ]

    def arrays(self):
        """All floating-point arrays that were sent or received."""
        payloads = [payload for *_, payload in self.kept]
        flat = [each for payload in payloads for each in (payload if isinstance(payload, list) else [payload])]
        return [each for each in flat if isinstance(each, np.ndarray) and each.dtype.kind == "f"]
