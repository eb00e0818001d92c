"""What a loss is: a function L(z) of the margin z = y f·x, and what is proved about its derivatives.

With more than two classes f has a column for each, and a row a margin for each class k: by how much the score f_y·x of
the row's own class y exceeds f_k·x (0 for its own). So either way a row is classified well where no margin but its own
is at most 0, and a loss never sees a label.

The privacy bounds rest on what a loss states of itself: |L'| ≤ G, 0 ≤ L'' ≤ c1, whether L' keeps its sign, and how L''
depends on L'. A loss that doesn't state the first two can be minimised, but never with a guarantee.
"""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np

from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.base.inputs import check_fields, shown
from radmm.base.registry import Component, Registry

# What is known of L'' as a function of L': a bound, a logistic curve, or that of the cross-entropy of many classes.
BOUNDED, LOGISTIC, SOFTMAX = "bounded", "logistic", "softmax"


class Loss(Component, ABC):
    """A convex, smooth loss of the margins. Bounds that are None are not stated."""

    registry: ClassVar[Registry["Loss"]]
    bends_abruptly: ClassVar[bool] = False  # whether L'' jumps, so that L-BFGS may need Newton's method to get there
    multiclass: ClassVar[bool] = False  # whether a row has a margin for each class, on the last axis but one
    G: float | None = None  # the slope bound: |L'| ≤ G at every margin; multiclass: of the gradient in the scores
    c1: float | None = None  # the curvature bound: 0 ≤ L'' ≤ c1; multiclass: of the Hessian in the scores
    monotone: bool | None = None  # whether L' never changes its sign
    form: str = BOUNDED  # logistic if L'' ≤ 4 c1 s(1 − s) with s = |L'|/G, at every margin
    outputs: int = 1  # columns of f

    def __post_init__(self) -> None:
        """Refuse what the annotations of the fields rule out; a loss that has more to check does so after this."""
        check_fields("loss", self)

    @abstractmethod
    def value(self, margin: Array) -> Array:
        """L at each margin.

        Args:
            margin: y f·x, in any shape; multiclass: (…, class, run), of which the result has no class.
        """

    @abstractmethod
    def value_and_slope(self, margin: Array) -> tuple[Array, Array]:
        """L and L' at each margin.

        Args:
            margin: As for `value`; the slope has its shape in either case.
        """

    @abstractmethod
    def curvature(self, margin: Array) -> Array:
        """L'' at each margin; multiclass: the mean of its Hessian's eigenvalues, without the one that is always 0.

        Args:
            margin: As for `value`; the result has the value's shape.
        """

    def for_classes(self, classes: int) -> "Loss":
        """This loss for data of so many classes, or an InputError.

        Args:
            classes: How many.
        """
        if classes > 2:
            raise InputError(f"loss = {self.name}: must be softmax, as the data have {classes} classes and not two")
        return self


def middle_curvature(loss: Loss) -> float:
    """The middle of what L'' can be, or L'' at margin 0 where the loss states no bound: for preconditioners only.

    Args:
        loss: Any loss.
    """
    bound = getattr(loss, "c1", None)
    if is_multiclass(loss):
        return float(loss.curvature(np.zeros((loss.outputs, 1)))[0])
    if bound is None:
        return float(loss.curvature(np.zeros(1))[0])
    least = float(loss.curvature(np.array([-1e4, 1e4])).min())
    return 0.5 * (least + float(bound))


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


def is_multiclass(loss: Loss) -> bool:
    """Whether its rows have a margin for each class; objects that don't say have one margin.

    Args:
        loss: Any loss.
    """
    return bool(getattr(loss, "multiclass", False))
