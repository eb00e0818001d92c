"""What an algorithm asks of the oracle, found by running it against one that only takes notes.

The steps are those of a real run, with one feature, one run and no data. So what is noted can't disagree with what
runs; ledgers, calibration and estimates of time need nothing else.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from radmm.algorithms.algorithm import Algorithm
from radmm.algorithms.oracle import Oracle
from radmm.base.arrays import Array, Integers
from radmm.model.network import Network


@dataclass(frozen=True, eq=False)
class Call:
    """One question to the oracle, answered by all nodes.

    Args:
        iteration: t at which it was asked.
        weight: w_i of the argmin's quadratic, one a node; zero for a gradient.
    """

    iteration: int
    weight: Array
    asks_for: ClassVar[str]


class ArgminCall(Call):
    """For every node's argmin."""

    asks_for: ClassVar[str] = "argmins"


class GradientCall(Call):
    """For every node's gradient."""

    asks_for: ClassVar[str] = "gradients"


@dataclass(frozen=True, eq=False)
class Notes:
    """All questions of a run, in their order.

    Args:
        calls: The questions.
        data_steps: K(t) for t = 0 … T: how many of them were asked until then.
        network: Who is whose neighbour; without it no noise can cancel.
    """

    calls: tuple[Call, ...]
    data_steps: Integers
    network: Network | None = None

    @property
    def weights(self) -> Array:
        """(call, node): w_i of each."""
        nodes = len(self.calls[0].weight) if self.calls else 0
        return np.array([call.weight for call in self.calls]).reshape(len(self.calls), nodes)


class NotingOracle(Oracle):
    """Answers nothing but zeros, and remembers what it was asked."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.iteration = 0

    def argmin(self, linear: Array, weight: Array, start: Array) -> Array:
        """Note the weights.

        Args:
            linear: The linear term, of which only the shape matters.
            weight: w_i, one a node.
            start: Not used.
        """
        self._note(ArgminCall, np.broadcast_to(np.asarray(weight, dtype=np.float64), linear.shape[:1]))
        return np.zeros_like(linear)

    def gradient(self, point: Array) -> Array:
        """Note that there was a question.

        Args:
            point: Of which only the shape matters.
        """
        self._note(GradientCall, np.zeros(len(point)))
        return np.zeros_like(point)

    def _note(self, kind: type[Call], weight: Array) -> None:
        last = self.calls[-1].weight if self.calls else None
        same = last is not None and np.array_equal(last, weight)
        self.calls.append(kind(self.iteration, last if same and last is not None else weight.copy()))  # kept once


@lru_cache(maxsize=4096)
def take_notes(algorithm: Algorithm[Any], network: Network, iterations: int) -> Notes:
    """Run the algorithm without data and write down what it asks.

    Args:
        algorithm: Any algorithm that fits the network.
        network: Who is whose neighbour.
        iterations: T.
    """
    oracle = NotingOracle()
    state = algorithm.first(np.zeros((network.nodes, 1, 1)), network)
    asked = [0]
    for iteration in range(1, iterations + 1):
        oracle.iteration = iteration
        state = algorithm.advance(state, network, oracle)
        asked.append(len(oracle.calls))
    return Notes(tuple(oracle.calls), np.array(asked), network)
