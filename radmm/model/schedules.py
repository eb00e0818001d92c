"""Values that may differ from node to node and from one data-touching step to the next: η_i(k) and α_i(k)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from radmm.base.arrays import Array
from radmm.base.errors import InputError

PerNode = float | Sequence[float]


@dataclass(frozen=True)
class Geometric:
    """scale·ratio^k at the k-th data-touching step, k = 1, 2, …; both may be one number or one per node."""

    scale: PerNode
    ratio: PerNode = 1.0

    def __post_init__(self) -> None:
        for field in ("scale", "ratio"):
            value = getattr(self, field)
            if type(value) is float and 0 < value < float("inf"):
                continue  # without NumPy: a large grid makes very many of these
            if not np.issubdtype(np.asarray(value).dtype, np.number) or not (
                np.all(np.isfinite(value)) and np.all(np.asarray(value) > 0) and np.ndim(value) <= 1
            ):
                raise InputError(f"{field} = {value}: must be a positive number, or one for each node")
            if np.ndim(value) == 1:
                object.__setattr__(self, field, tuple(float(v) for v in value))  # hashable, immutable

    def at(self, step: int, nodes: int) -> Array:
        """(nodes,): the values at the given step."""
        scale, ratio = (self._spread(field, nodes) for field in ("scale", "ratio"))
        return scale * ratio ** float(step)

    def _spread(self, field: str, nodes: int) -> Array:
        value = np.asarray(getattr(self, field), dtype=np.float64)
        if value.ndim == 1 and value.size != nodes:
            raise InputError(f"{value.size} values are given, but the network has {nodes} nodes: must be one for each")
        return np.full(nodes, value)


Schedule = PerNode | Geometric


def as_schedule(value: Schedule) -> Geometric:
    """A plain number, or one number per node, is constant over the steps."""
    return value if isinstance(value, Geometric) else Geometric(value)
