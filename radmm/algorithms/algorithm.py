"""Interface of algorithms: a frozen dataclass of hyper-parameters, a first state, and a step that asks the oracle."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

import numpy as np

from radmm.algorithms.oracle import Oracle
from radmm.base.arrays import Array, Integers, Mask
from radmm.base.inputs import check_fields
from radmm.base.registry import Component, Registry
from radmm.model.losses.loss import Loss
from radmm.model.network import Network
from radmm.model.schedules.schedule import Schedule, of_nodes


@dataclass(frozen=True, kw_only=True)
class State:
    """Released values after iteration t, (node, feature, run) each; families of algorithms add their own.

    Args:
        iteration: Iteration t, 0 for the initial state.
        primal: Primal variables f(t).
        dual: Dual variables λ(t); None for algorithms without a dual variable.
    """

    iteration: int
    primal: Array
    dual: Array | None = None

    @cached_property
    def mean(self) -> Array:
        """Average of f(t) over the nodes, (feature, run); finite where all nodes' values are."""
        mean: Array = self.primal.mean(axis=0)
        return mean

    def keep(self, kept: Mask) -> Self:
        """Return the state of some of the runs only.

        Args:
            kept: Mask of the runs to keep, one entry a run.
        """
        return self._indexed((..., kept))

    def of_nodes(self, nodes: Integers) -> Self:
        """Return the state of some of the nodes only.

        Args:
            nodes: Numbers of the nodes.
        """
        return self._indexed(nodes)

    def _indexed(self, index: Any) -> Self:
        """Return the state with this index taken of all its arrays."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        arrays: dict[str, Any] = {name: value[index] for name, value in values.items() if isinstance(value, np.ndarray)}
        return replace(self, **arrays)


S = TypeVar("S", bound=State)


class Sent(NamedTuple):
    """What a node sends to each of its neighbours at an iteration.

    Args:
        messages: Number of messages, one after the other: what is sent together is one.
        numbers: Number of numbers in all of them.
    """

    messages: int
    numbers: int


@dataclass(frozen=True)
class Algorithm(Component, ABC, Generic[S]):
    """Base class of algorithms: a frozen dataclass of hyper-parameters whose `step` maps a state to the next."""

    registry: ClassVar[Registry[Any]]
    does_not_converge: ClassVar[str | None] = None  # why, where it isn't meant to come near the optimum without noise
    by_processes: ClassVar[bool] = False  # whether the step that this class defines needs no nodes but neighbours

    def __post_init__(self) -> None:
        """Refuse values that the fields' annotations rule out; subclasses with further checks call this first."""
        check_fields("algorithm", self)

    @abstractmethod
    def first(self, primal: Array, network: Network) -> S:
        """Return the state before the first iteration.

        Args:
            primal: Initial values f(0), (node, feature, run), independent of the data.
            network: Graph over which the nodes exchange values.
        """

    @abstractmethod
    def step(self, state: S, network: Network, oracle: Oracle) -> S:
        """Compute the next state: one iteration.

        Args:
            state: State after the previous iteration.
            network: Graph over which the nodes exchange values.
            oracle: Answers every query that needs data.
        """

    def advance(self, state: S, network: Network, oracle: Oracle) -> S:
        """Compute the next state for the driver.

        It is `step`, unless a hyper-parameter has that name and the subclass overrides `advance` instead.

        Args:
            state: State after the previous iteration.
            network: Graph over which the nodes exchange values.
            oracle: Answers every query that needs data.
        """
        return self.step(state, network, oracle)

    def doubt(self, curvature: float, network: Network) -> str | None:
        """Return a sentence that says why the iterates may diverge even without noise, or None if nothing suggests so.

        Args:
            curvature: Largest curvature of a node's objective that the public facts allow.
            network: Graph over which the nodes exchange values.
        """
        return None

    def check(self, nodes: int) -> None:
        """Refuse, by an InputError, hyper-parameters that don't fit a network of this size.

        Args:
            nodes: Number of nodes N.
        """

    def sends(self, iteration: int, features: int) -> Sent:
        """Return what a node sends to each of its neighbours at an iteration: its f, unless a subclass says otherwise.

        f(0) is not sent: it is drawn from a seed that all nodes know.

        Args:
            iteration: Iteration t, from 1.
            features: Number of entries of f.
        """
        return Sent(1, features)

    def numbers_kept(self, features: int) -> int:
        """Return how many numbers a node keeps for each run, besides some multiples of f: as many as f has, or more.

        Args:
            features: Number of entries of f.
        """
        return features

    def restricted(self, nodes: Integers, network: Network) -> Self:
        """Return the algorithm of some of the nodes, with their own values of what differs between nodes.

        Args:
            nodes: Numbers of the nodes.
            network: Graph over which all nodes exchange values.
        """
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        changed: dict[str, Any] = {
            name: of_nodes(value, nodes, network.nodes)
            for name, value in given.items()
            if isinstance(value, Schedule) or np.ndim(value) > 0
        }
        return replace(self, **changed)

    def refusal_by_processes(self, network: Network) -> str | None:
        """Return why nodes that run this algorithm can't be spread over processes, or None if they can.

        Whether they can is said by the class that defines the step, as one that overrides it may need more.

        Args:
            network: Graph over which the nodes exchange values.
        """
        steps = next(each for each in type(self).__mro__ if {"step", "advance"} & vars(each).keys())
        if vars(steps).get("by_processes"):
            return None
        return f"algorithm = {self.name}: must be one whose steps are known to need neighbours' values alone"

    def check_problem(self, loss: Loss, features: int) -> None:
        """Refuse, by an InputError, a problem that the algorithm can't solve.

        Args:
            loss: Loss of the problem.
            features: Number of entries of f.
        """


def refusal_of_rounds(rounds: int, network: Network) -> str | None:
    """Return why rounds of gossip can't be exchanges between processes, or None if they can.

    A network of few nodes takes many rounds in one product, for which a process would need the values of all nodes.

    Args:
        rounds: Number of rounds of gossip in an iteration.
    """
    if rounds <= network.most_rounds:
        return None
    return (
        f"gossip = {rounds}: must be at most {network.most_rounds} on this network, as one process takes more rounds "
        "in one product, which rounds in another way"
    )


ALGORITHMS: Registry[Algorithm[Any]] = Registry("algorithm", "radmm.algorithms")
Algorithm.registry = ALGORITHMS
