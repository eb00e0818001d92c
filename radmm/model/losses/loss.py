"""What a loss is: a function L(z) of the margin z = y f·x, and what is proved about its derivatives.

The privacy bounds rest on three facts, which a loss states itself: |L'| ≤ G, 0 ≤ L'' ≤ c1, and whether L' keeps its
sign. A loss that doesn't state them can be minimised, but never with a guarantee.
"""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np

from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.base.inputs import shown
from radmm.base.registry import Component, Registry

BOUNDED, LOGISTIC = "bounded", "logistic"  # how much is known of L'' where the slope is small or large


class Loss(Component, ABC):
    """A convex, smooth loss of the margin. Bounds that are None are not stated."""

    registry: ClassVar[Registry["Loss"]]
    G: ClassVar[float | None] = None  # the slope bound: |L'| ≤ G at every margin
    c1: ClassVar[float | None] = None  # the curvature bound: 0 ≤ L'' ≤ c1 at every margin
    monotone: ClassVar[bool | None] = None  # whether L' never changes its sign
    form: ClassVar[str] = BOUNDED  # logistic if L'' ≤ 4 c1 s(1 − s) with s = |L'|/G, at every margin

    @abstractmethod
    def value(self, margin: Array) -> Array:
        """L at each margin.

        Args:
            margin: y f·x, in any shape.
        """

    @abstractmethod
    def value_and_slope(self, margin: Array) -> tuple[Array, Array]:
        """L and L' at each margin.

        Args:
            margin: y f·x, in any shape.
        """

    @abstractmethod
    def curvature(self, margin: Array) -> Array:
        """L'' at each margin.

        Args:
            margin: y f·x, in any shape.
        """


def middle_curvature(loss: Loss) -> float:
    """The middle of what L'' can be, or L'' at margin 0 where the loss states no bound: for preconditioners only.

    Args:
        loss: Any loss.
    """
    bound = getattr(loss, "c1", None)
    return 0.5 * bound if bound is not None else float(loss.curvature(np.zeros(1))[0])


LOSSES: Registry[Loss] = Registry("loss", "radmm.model.losses")
Loss.registry = LOSSES
METHODS = ("value", "value_and_slope", "curvature")


def get_loss(loss: Any) -> Loss:
    """The loss of a name, or the one that is given.

    Args:
        loss: A registered name, a `Loss`, or any object that has a loss's three methods.
    """
    if isinstance(loss, str):
        return LOSSES[loss]()
    if isinstance(loss, type) or not all(callable(getattr(loss, method, None)) for method in METHODS):
        raise InputError(f"loss = {shown(loss)}: must be a name, or an object with the methods {', '.join(METHODS)}")
    return loss  # type: ignore[no-any-return]
