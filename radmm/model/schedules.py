"""Schedules η_i(k) and α_i(k): values that may differ between nodes and between data-touching steps."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.base.inputs import shown

PerNode = float | Sequence[float]
LEAST, LARGEST = 1e-30, 1e30  # of values: far beyond what is of use, and their powers are floats


@dataclass(frozen=True)
class Geometric:
    """Geometric schedule: scale·ratio^k at the k-th data-touching step, k = 1, 2, …

    Args:
        scale: One number, or one for each node.
        ratio: One number, or one for each node; 1 is constant over the steps.
    """

    scale: PerNode
    ratio: PerNode = 1.0

    def __post_init__(self) -> None:
        for field in ("scale", "ratio"):
            value = getattr(self, field)
            if type(value) is float and 0 < value < float("inf"):
                continue  # without NumPy: a large grid makes very many of these
            if not _are_positive(value):
                raise InputError(f"{field} = {shown(value)}: must be a positive number, or one for each node")
            if np.ndim(value) == 1:
                object.__setattr__(self, field, tuple(float(v) for v in value))  # hashable, immutable

    def at(self, step: int, nodes: int) -> Array:
        """Return the values at a step, one a node.

        Args:
            step: Number k of the data-touching step, from 1.
            nodes: Number of nodes N.
        """
        if type(self.scale) is float and self.ratio == 1.0:  # the same at once: ledgers ask very often
            _refuse_extremes(self.scale, self.scale, step)
            return np.full(nodes, self.scale)
        scale, ratio = (self._spread(field, nodes) for field in ("scale", "ratio"))
        with np.errstate(over="ignore", under="ignore"):  # what overflows is infinite, and refused
            values = scale * ratio ** float(step)
        _refuse_extremes(values.min(), values.max(), step)
        return values

    def _spread(self, field: str, nodes: int) -> Array:
        value = np.asarray(getattr(self, field), dtype=np.float64)
        if value.ndim == 1 and value.size != nodes:
            raise InputError(f"{value.size} values are given, but the network has {nodes} nodes: must be one for each")
        return np.full(nodes, value)


def _refuse_extremes(least: float, largest: float, step: int) -> None:
    """Refuse values whose powers exceed the range of floats."""
    if not (least >= LEAST and largest <= LARGEST):
        extreme = largest if least >= LEAST else least
        raise InputError(f"{extreme:g} at data-touching step {step}: must be from {LEAST:g} to {LARGEST:g}")


Schedule = PerNode | Geometric


def as_schedule(value: Schedule) -> Geometric:
    """Return a schedule; a number, or one number per node, becomes a constant one.

    Args:
        value: A number, one a node, or a schedule.
    """
    return value if isinstance(value, Geometric) else Geometric(value)


def plain_schedule(field: str, value: Schedule) -> Schedule:
    """Return the value in an immutable form (number, tuple or schedule), or raise an InputError that names the field.

    Args:
        field: Field whose value it is.
        value: A number, one a node, or a schedule.
    """
    if isinstance(value, Geometric):
        return value
    if not _are_positive(value):
        raise InputError(f"{field} = {shown(value)}: must be positive, one number or one for each node")
    return tuple(float(each) for each in value) if np.ndim(value) == 1 else value  # type: ignore[union-attr]


def _are_positive(value: object) -> bool:
    """Return whether the value is one positive number or a list of them; text, booleans and masked arrays are not."""
    if isinstance(value, bool | str | np.ma.MaskedArray):
        return False
    try:
        numbers = np.asarray(value)
    except ValueError:  # lists of different lengths
        return False
    kind = numbers.dtype.kind
    return (
        kind in "iuf" and numbers.ndim <= 1 and numbers.size > 0 and bool(np.all(np.isfinite(numbers) & (numbers > 0)))
    )
