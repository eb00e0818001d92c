"""The Huberised hinge loss: the loss of a support vector machine with its corner rounded off."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Gt

from radmm.base.arrays import Array
from radmm.model.losses.loss import Loss


@dataclass(frozen=True)
class HuberHinge(Loss):
    """max(0, 1 − z) with a parabola in place of its corner, on |1 − z| ≤ width.

    Args:
        width: Half the length h of the parabola; the largest curvature is 1/(2h).
    """

    width: Annotated[float, Gt(0)] = 0.5
    name: ClassVar[str] = "huber-hinge"
    bends_abruptly: ClassVar[bool] = True
    G = 1.0
    monotone = True

    def __post_init__(self) -> None:
        """Set the bound c1 on the curvature, which follows from the width."""
        super().__post_init__()
        object.__setattr__(self, "c1", 0.5 / self.width)

    def value(self, margin: Array) -> Array:
        """Return L at each margin."""
        return self.value_and_slope(margin)[0]

    def value_and_slope(self, margin: Array) -> tuple[Array, Array]:
        """Return L = h s² + max(0, 1 − h − z) and L' = −s, where s is the share of the parabola to the right of z."""
        share = np.clip((1.0 + self.width - margin) / (2.0 * self.width), 0.0, 1.0)
        return self.width * share**2 + np.maximum(1.0 - self.width - margin, 0.0), -share

    def curvature(self, margin: Array) -> Array:
        """Return L'' at each margin; it jumps at both ends of the parabola."""
        return np.where(np.abs(1.0 - margin) < self.width, 0.5 / self.width, 0.0)
