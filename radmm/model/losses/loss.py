"""Interface of losses: a function L(z) of the margin z = y f·x, with proved bounds on its derivatives.

With more than two classes f has a column for each, and a row a margin for each class k: by how much the score f_y·x of
the row's own class y exceeds f_k·x (0 for its own). So either way a row is classified correctly where all margins over
other classes are positive, and a loss never sees a label.

The privacy bounds rest on what a loss states of itself: |L'| ≤ G, 0 ≤ L'' ≤ c1, whether L' keeps its sign, and how L''
depends on L'. A loss that doesn't state the first two can be minimised, but never with a guarantee.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.polynomial import Chebyshev, Polynomial

from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.base.inputs import check_fields, shown
from radmm.base.registry import Component, Registry

# What is known of L'' as a function of L': a bound, a logistic curve, or that of the cross-entropy of many classes.
BOUNDED, LOGISTIC, SOFTMAX = "bounded", "logistic", "softmax"
CHEBYSHEV_DEGREE = 200  # of the interpolant from which a quadratic is taken


class Loss(Component, ABC):
    """Base class of convex, smooth losses of the margins; a bound that is None is not stated."""

    registry: ClassVar[Registry["Loss"]]
    bends_abruptly: ClassVar[bool] = False  # whether L'' jumps, so that L-BFGS may need Newton's method to get there
    multiclass: ClassVar[bool] = False  # whether a row has a margin for each class, on the last axis but one
    G: float | None = None  # the slope bound: |L'| ≤ G at every margin; multiclass: of the gradient in the scores
    c1: float | None = None  # the curvature bound: 0 ≤ L'' ≤ c1; multiclass: of the Hessian in the scores
    monotone: bool | None = None  # whether L' never changes its sign
    form: str = BOUNDED  # logistic if L'' ≤ 4 c1 s(1 − s) with s = |L'|/G, at every margin
    outputs: int = 1  # columns of f
    quadratic: tuple[float, float] | None = None  # q1 and q2, if q1 z + ½ q2 z² may stand for L up to a constant

    def __post_init__(self) -> None:
        """Refuse values that the fields' annotations rule out; subclasses with further checks call this first."""
        check_fields("loss", self)

    @abstractmethod
    def value(self, margin: Array) -> Array:
        """Return L at each margin.

        Args:
            margin: Margins y f·x, in any shape; multiclass: (…, class, run), of which the result has no class axis.
        """

    @abstractmethod
    def value_and_slope(self, margin: Array) -> tuple[Array, Array]:
        """Return L and L' at each margin.

        Args:
            margin: Margins as for `value`; the slope has their shape in either case.
        """

    @abstractmethod
    def curvature(self, margin: Array) -> Array:
        """Return L'' at each margin.

        With several classes it is the mean of its Hessian's eigenvalues, without the one that is always 0.

        Args:
            margin: Margins as for `value`; the result has the value's shape.
        """

    def for_classes(self, classes: int) -> "Loss":
        """Return this loss for data with so many classes, or raise an InputError.

        Args:
            classes: Number of classes.
        """
        if classes > 2:
            raise InputError(f"loss = {self.name}: must be softmax, as the data have {classes} classes and not two")
        return self


def middle_curvature(loss: Loss) -> float:
    """Return the middle of the range of L'', or L'' at margin 0 where the loss states no bound.

    It serves preconditioners only.
    """
    bound = getattr(loss, "c1", None)
    if is_multiclass(loss):
        return float(loss.curvature(np.zeros((loss.outputs, 1)))[0])
    if bound is None:
        return float(loss.curvature(np.zeros(1))[0])
    least = float(loss.curvature(np.array([-1e4, 1e4])).min())
    return 0.5 * (least + float(bound))


def fitted_quadratic(value: Callable[[Array], Array], reach: float) -> tuple[float, float]:
    """Return q1 and q2 of the quadratic q0 + q1 z + ½ q2 z² that fits L best at many Chebyshev nodes of an interval.

    By the discrete orthogonality of Chebyshev's polynomials, that least-squares fit is what is left of an interpolant
    of high degree if its series is cut.

    Args:
        value: L as a function of the margin z.
        reach: Largest margin of the interval, which begins at the negative of it.
    """
    series = Chebyshev.interpolate(value, CHEBYSHEV_DEGREE, [-reach, reach]).truncate(3)
    _, slope, half = np.asarray(series.convert(kind=Polynomial).coef, dtype=np.float64)
    return float(slope), float(2.0 * half)


def quadratic_of(loss: Loss) -> tuple[float, float]:
    """Return q1 and q2 of the quadratic q1 z + ½ q2 z² that stands for a loss, or raise an InputError."""
    quadratic = getattr(loss, "quadratic", None)
    if quadratic is None:
        known = " or ".join(name for name, kind in LOSSES.items() if kind.quadratic is not None)
        name = getattr(loss, "name", type(loss).__name__)
        raise InputError(f"loss = {name}: must be {known} where moments are released, as no quadratic stands for it")
    slope, curvature = quadratic
    return float(slope), float(curvature)


LOSSES: Registry[Loss] = Registry("loss", "radmm.model.losses")
Loss.registry = LOSSES
METHODS = ("value", "value_and_slope", "curvature")


def get_loss(loss: Any) -> Loss:
    """Return the loss of a registered name; a loss is returned as it is.

    Args:
        loss: A registered name, a `Loss`, or any object that has a loss's three methods.
    """
    if isinstance(loss, str):
        return LOSSES[loss]()
    if isinstance(loss, type) or not all(callable(getattr(loss, method, None)) for method in METHODS):
        raise InputError(f"loss = {shown(loss)}: must be a name, or an object with the methods {', '.join(METHODS)}")
    return loss  # type: ignore[no-any-return]


def is_multiclass(loss: Loss) -> bool:
    """Return whether the loss takes a margin for each class; objects that don't say take one margin."""
    return bool(getattr(loss, "multiclass", False))
