"""Geometric growth or decay from one data-touching step to the next, the paper's law of penalties."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.base.inputs import shown
from radmm.model.schedules.schedule import PerNode, Schedule, are_positive, one_a_node


@dataclass(frozen=True)
class Geometric(Schedule):
    """Geometric schedule: scale·ratio^k at the k-th data-touching step, k = 1, 2, …

    Args:
        scale: One number, or one for each node.
        ratio: One number, or one for each node; 1 is constant over the steps, and penalties need at least 1.
    """

    scale: PerNode = 1.0
    ratio: PerNode = 1.0
    name: ClassVar[str] = "geometric"

    def __post_init__(self) -> None:
        for field in ("scale", "ratio"):
            if not are_positive(value := getattr(self, field)):
                raise InputError(f"{field} = {shown(value)}: must be a positive number, or one for each node")
        super().__post_init__()

    def values(self, step: int, nodes: int) -> Array:
        """Return scale·ratio^k, which is infinite, and refused, where it overflows."""
        scale, ratio = one_a_node(self.scale, nodes), one_a_node(self.ratio, nodes)
        with np.errstate(over="ignore", under="ignore"):
            return scale * ratio ** float(step)
