"""The softmax loss: the cross-entropy of more than two classes."""

from dataclasses import dataclass, replace
from functools import reduce
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Le

from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.model.losses.loss import LOGISTIC, SOFTMAX, Loss


@dataclass(frozen=True)
class Softmax(Loss):
    """L = log Σ_k e^−z_k, z_k the margin over class k: −log of the own class's probability p_y, p_k ∝ e^(f_k·x).

    Its gradient in the scores is p − e_y, of norm at most √2, and its Hessian diag p − p pᵀ, at most ½. With two
    classes it is the logistic loss of √2 times the margin of the row (x, −x)/√2, and all that is proved of that holds.

    Args:
        classes: How many, numbered 0, 1, …; as many as the data have if not given.
    """

    classes: Annotated[int, Ge(2), Le(10_000)] | None = None
    name: ClassVar[str] = "softmax"
    multiclass: ClassVar[bool] = True
    G = float(np.sqrt(2.0))
    c1 = 0.5
    monotone = False
    form = SOFTMAX

    def __post_init__(self) -> None:
        """Set the bounds, which depend on the number of classes."""
        super().__post_init__()
        object.__setattr__(self, "outputs", self.classes or 2)
        if self.classes == 2:
            object.__setattr__(self, "monotone", True)
            object.__setattr__(self, "form", LOGISTIC)

    def for_classes(self, classes: int) -> "Softmax":
        """Return this loss for data with so many classes, or raise an InputError."""
        if self.classes not in (None, classes):
            raise InputError(f"loss.classes = {self.classes}: must be {classes}, as many as the data have")
        return replace(self, classes=classes)

    def value(self, margin: Array) -> Array:
        """Return L at each row's margins."""
        return _shares(margin)[1]

    def value_and_slope(self, margin: Array) -> tuple[Array, Array]:
        """Return L and its derivatives −p_k in the margins."""
        probability, value = _shares(margin)
        return value, -probability

    def curvature(self, margin: Array) -> Array:
        """Return the mean of the q − 1 eigenvalues of diag p − p pᵀ that can differ from 0."""
        probability, _ = _shares(margin)
        mean: Array = _over_classes(np.add, probability * (1.0 - probability)) / (margin.shape[-2] - 1)
        return mean


def _shares(margin: Array) -> tuple[Array, Array]:
    """Return the classes' probabilities and log Σ e^−z; factoring out the largest term avoids overflow."""
    least = _over_classes(np.minimum, margin)
    weight = np.exp(least[..., None, :] - margin)
    total = _over_classes(np.add, weight)
    weight /= total[..., None, :]
    value: Array = np.log(total) - least
    return weight, value


def _over_classes(combine: np.ufunc, values: Array) -> Array:
    """Reduce over the class axis one class at a time: NumPy is several times slower on a short middle axis."""
    combined: Array = reduce(combine, np.moveaxis(values, -2, 0))
    return combined
