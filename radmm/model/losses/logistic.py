"""The logistic loss, which the paper uses."""

from typing import ClassVar

import numpy as np

from radmm.base.arrays import Array
from radmm.model.losses.loss import LOGISTIC, Loss, fitted_quadratic

REACH = 3.0  # of the margins on which a quadratic stands for the loss


class Logistic(Loss):
    """L(z) = log(1 + e^−z), written with e^−|z| so that no margin overflows."""

    name: ClassVar[str] = "logistic"
    G = 1.0
    c1 = 0.25
    monotone = True
    form = LOGISTIC
    quadratic = fitted_quadratic(lambda margin: np.logaddexp(0.0, -margin), REACH)

    def value(self, margin: Array) -> Array:
        """Return L at each margin."""
        return np.maximum(-margin, 0.0) + np.log1p(np.exp(-np.abs(margin)))

    def value_and_slope(self, margin: Array) -> tuple[Array, Array]:
        """Return L and L' at each margin."""
        decay = np.exp(-np.abs(margin))
        value = np.maximum(-margin, 0.0) + np.log1p(decay)
        slope = -np.where(margin >= 0, decay, 1.0) / (1.0 + decay)
        return value, slope

    def curvature(self, margin: Array) -> Array:
        """Return L'' at each margin."""
        decay = np.exp(-np.abs(margin))
        return decay / (1.0 + decay) ** 2
