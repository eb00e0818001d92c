"""Interface of schedules: values that may differ between nodes and between data-touching steps, like η_i(k) or α_i(k).

A field that takes a schedule takes a plain number or one number for each node as well, which are constant over the
steps.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from radmm.base.arrays import Array, Integers
from radmm.base.errors import InputError
from radmm.base.inputs import check_fields, shown
from radmm.base.registry import Component, Registry

PerNode = float | Sequence[float]
LEAST, LARGEST = 1e-30, 1e30  # of values: far beyond what is of use, and their powers are floats


@dataclass(frozen=True)
class Schedule(Component, ABC):
    """Base class of schedules: a frozen dataclass whose `values` are a function of the step's number alone.

    A ledger asks for the values before a run does, and ε is computed from that answer. So the values must depend on
    nothing but the fields and the step: not on data, on chance, or on what was asked before.
    """

    registry: ClassVar[Registry["Schedule"]]

    def __post_init__(self) -> None:
        """Refuse values that the fields' annotations rule out; subclasses with further checks call this first."""
        check_fields("schedule", self)
        for field in self.__dataclass_fields__:
            value = getattr(self, field)
            if isinstance(value, list | np.ndarray):
                object.__setattr__(self, field, tuple(float(each) for each in value))  # hashable, immutable

    @abstractmethod
    def values(self, step: int, nodes: int) -> float | Array:
        """Return the value at a step: a positive number for all nodes, or an array with one for each.

        Args:
            step: Number k of the data-touching step, from 1.
            nodes: Number of nodes N.
        """

    def at(self, step: int, nodes: int) -> Array:
        """Return the values at a step, one a node, after checking that they are positive and neither tiny nor huge.

        Args:
            step: Number k of the data-touching step, from 1.
            nodes: Number of nodes N.
        """
        return _checked(one_a_node(self.values(step, nodes), nodes), step)


ScheduleLike = PerNode | Schedule
SCHEDULES: Registry[Schedule] = Registry("schedule", "radmm.model.schedules", tag="schedule")
Schedule.registry = SCHEDULES


@dataclass(frozen=True)
class ScheduleOfNodes(Schedule):
    """Schedule of some of the nodes, with the values that it has for them among all.

    Args:
        whole: Schedule of all nodes.
        chosen: Numbers of the nodes.
        of: Number of all nodes.
    """

    whole: Schedule
    chosen: tuple[int, ...]
    of: int

    def values(self, step: int, nodes: int) -> Array:
        """Return the values of the chosen nodes."""
        return self.whole.at(step, self.of)[list(self.chosen)]


def of_nodes(value: ScheduleLike, chosen: Integers, nodes: int) -> ScheduleLike:
    """Return a schedule, or constant numbers, of some of the nodes.

    Args:
        value: A number, one a node, or a schedule.
        chosen: Numbers of the nodes.
        nodes: Number of all nodes.
    """
    if isinstance(value, Schedule):
        return ScheduleOfNodes(value, tuple(chosen.tolist()), nodes)
    return tuple(one_a_node(value, nodes)[chosen].tolist()) if np.ndim(value) else value


def values_at(value: ScheduleLike, step: int, nodes: int) -> Array:
    """Return the values of a schedule, or of constant numbers, at a step, one a node.

    Args:
        value: A number, one a node, or a schedule.
    """
    if isinstance(value, Schedule):
        return value.at(step, nodes)
    return _checked(one_a_node(value, nodes), step)


def one_a_node(value: PerNode | Array, nodes: int) -> Array:
    """Return an array with one number for each node, of one number or of one for each.

    Args:
        value: A number, or one a node.
    """
    numbers = np.asarray(value, dtype=np.float64)
    if numbers.ndim == 1 and numbers.size != nodes:
        raise InputError(f"{numbers.size} values are given, but the network has {nodes} nodes: must be one for each")
    return np.full(nodes, numbers)


def _checked(values: Array, step: int) -> Array:
    """Return the values, or refuse those whose powers exceed the range of floats."""
    least, largest = values.min(), values.max()
    if not (least >= LEAST and largest <= LARGEST):
        extreme = largest if least >= LEAST else least
        raise InputError(f"{extreme:g} at data-touching step {step}: must be from {LEAST:g} to {LARGEST:g}")
    return values


def plain_schedule(field: str, value: ScheduleLike) -> ScheduleLike:
    """Return the value in an immutable form (number, tuple or schedule), or raise an InputError that names the field.

    Args:
        value: A number, one a node, or a schedule.
    """
    if isinstance(value, Schedule):
        return value
    if not are_positive(value):
        raise InputError(f"{field} = {shown(value)}: must be positive, one number or one for each node")
    return tuple(float(each) for each in value) if np.ndim(value) == 1 else value  # type: ignore[union-attr]


def are_positive(value: object) -> bool:
    """Return whether the value is one positive number or a list of them; text, booleans and masked arrays are not.

    Args:
        value: What a user gave for a number, or for one number a node.
    """
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
