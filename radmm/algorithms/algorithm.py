"""What an algorithm is: an immutable bag of parameters, a first state, and a step that asks the oracle."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from radmm.algorithms.oracle import Oracle
from radmm.base.arrays import Array, Mask
from radmm.base.inputs import check_fields
from radmm.base.registry import Component, Registry
from radmm.model.network import Network


@dataclass(frozen=True, kw_only=True)
class State:
    """Released values after iteration t, (node, feature, run) each; a family of algorithms adds what it carries on.

    Args:
        iteration: t, 0 at first.
        primal: f(t).
        dual: λ(t), None for algorithms that have no dual variable.
    """

    iteration: int
    primal: Array
    dual: Array | None = None

    @cached_property
    def mean(self) -> Array:
        """The nodes' average, (feature, run): finite where all of them are."""
        mean: Array = self.primal.mean(axis=0)
        return mean

    def keep(self, kept: Mask) -> Self:
        """The same with the other runs left out.

        Args:
            kept: Which runs stay, one entry a run.
        """
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        arrays: dict[str, Any] = {
            name: value[..., kept] for name, value in values.items() if isinstance(value, np.ndarray)
        }
        return replace(self, **arrays)


S = TypeVar("S", bound=State)


@dataclass(frozen=True)
class Algorithm(Component, ABC, Generic[S]):
    """One iteration after the other; its parameters are its fields."""

    registry: ClassVar[Registry[Any]]
    does_not_converge: ClassVar[str | None] = None  # why, where it isn't meant to come near the optimum without noise

    def __post_init__(self) -> None:
        """Refuse what the annotations of the fields rule out; one that has more to check does so after this."""
        check_fields("algorithm", self)

    @abstractmethod
    def first(self, primal: Array, network: Network) -> S:
        """The state before the first iteration.

        Args:
            primal: f(0), (node, feature, run), independent of the data.
            network: Who is whose neighbour.
        """

    @abstractmethod
    def step(self, state: S, network: Network, oracle: Oracle) -> S:
        """One iteration.

        Args:
            state: What was released until now.
            network: Who is whose neighbour.
            oracle: Asked for whatever needs data.
        """

    def advance(self, state: S, network: Network, oracle: Oracle) -> S:
        """What drivers call: `step`, unless an algorithm has a parameter of that name and overrides this instead.

        Args:
            state: What was released until now.
            network: Who is whose neighbour.
            oracle: Asked for whatever needs data.
        """
        return self.step(state, network, oracle)

    def doubt(self, curvature: float, network: Network) -> str | None:
        """Why the iterates may grow without bound even without noise, as a sentence with the number; None if not.

        Args:
            curvature: Of a node's objective, the largest that the public facts allow.
            network: Who is whose neighbour.
        """
        return None

    def check(self, nodes: int) -> None:
        """Refuse parameters that don't fit a network of that size, by an InputError.

        Args:
            nodes: N.
        """


ALGORITHMS: Registry[Algorithm[Any]] = Registry("algorithm", "radmm.algorithms")
Algorithm.registry = ALGORITHMS
