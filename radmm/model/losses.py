"""Margin losses L(z), z = y f·x, that meet the paper's Assumption 4: |L'| ≤ 1 and 0 < L'' ≤ c1."""

from typing import ClassVar, Protocol

import numpy as np

from radmm.base.arrays import Array
from radmm.base.errors import InputError


class Loss(Protocol):
    """What the primal solver and the privacy bounds need of a loss."""

    name: ClassVar[str]
    c1: ClassVar[float]  # the largest curvature
    monotone: ClassVar[bool]  # L' never changes sign: the (ε, δ) bounds rely on it

    def value(self, margin: Array) -> Array: ...

    def value_and_slope(self, margin: Array) -> tuple[Array, Array]: ...

    def curvature(self, margin: Array) -> Array: ...


class Logistic:
    """L(z) = log(1 + e^−z), written with e^−|z| so that no margin overflows."""

    name: ClassVar[str] = "logistic"
    c1: ClassVar[float] = 0.25
    monotone: ClassVar[bool] = True

    def value(self, margin: Array) -> Array:
        return np.maximum(-margin, 0.0) + np.log1p(np.exp(-np.abs(margin)))

    def value_and_slope(self, margin: Array) -> tuple[Array, Array]:
        decay = np.exp(-np.abs(margin))
        value = np.maximum(-margin, 0.0) + np.log1p(decay)
        slope = -np.where(margin >= 0, decay, 1.0) / (1.0 + decay)
        return value, slope

    def curvature(self, margin: Array) -> Array:
        decay = np.exp(-np.abs(margin))
        return decay / (1.0 + decay) ** 2


LOSSES: dict[str, Loss] = {Logistic.name: Logistic()}


def get_loss(loss: str | Loss) -> Loss:
    if not isinstance(loss, str):
        return loss
    if loss not in LOSSES:
        raise InputError(f"loss = {loss!r}: must be one of {', '.join(LOSSES)}")
    return LOSSES[loss]
