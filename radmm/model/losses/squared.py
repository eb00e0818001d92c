"""The squared loss: least squares on labels ±1."""

from typing import ClassVar

import numpy as np

from radmm.base.arrays import Array
from radmm.model.losses.loss import Loss


class Squared(Loss):
    """L(z) = ½(1 − z)², which is ½(y − f·x)². Its slope has no bound, so only its moments can be private."""

    name: ClassVar[str] = "squared"
    c1 = 1.0
    monotone = False
    quadratic = (-1.0, 1.0)

    def value(self, margin: Array) -> Array:
        """Return L at each margin."""
        return 0.5 * (1.0 - margin) ** 2

    def value_and_slope(self, margin: Array) -> tuple[Array, Array]:
        """Return L and L' at each margin."""
        return 0.5 * (1.0 - margin) ** 2, margin - 1.0

    def curvature(self, margin: Array) -> Array:
        """Return L'' at each margin, which is 1."""
        return np.ones_like(margin)
