"""Oracles that contracts let an algorithm ask: with plain answers, with random ones, and with recorded ones."""

from abc import abstractmethod
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np

from radmm.algorithms.oracle import Oracle
from radmm.base.arrays import Array, per_node
from radmm.contract.contract_error import Broken, require
from radmm.contract.example_problem import NODES
from radmm.model.quadratic_model import QuadraticModel, pack
from radmm.privacy.query_log import ArgminQuery, GradientQuery, MomentsQuery, Query, QueryRecorder

RecordedAnswer = tuple[type[Query], Array | QuadraticModel]


class NarrowOracle(Oracle):
    """Base of oracles that have nothing but the questions that an algorithm could use; one method answers them all."""

    def argmin(self, linear: Array, weight: Array, start: Array) -> Array:
        """Answer a question for every node's argmin."""
        answer: Array = self._answer(ArgminQuery, linear=linear, weight=weight, start=start)
        return answer

    def gradient(self, point: Array) -> Array:
        """Answer a question for every node's gradient."""
        answer: Array = self._answer(GradientQuery, point=point)
        return answer

    def moments(self, point: Array) -> QuadraticModel:
        """Answer a question for every node's moments."""
        answer: QuadraticModel = self._answer(MomentsQuery, point=point)
        return answer

    @abstractmethod
    def _answer(self, kind: type[Query], **asked: Array) -> Any: ...

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise Broken(f"it asks the oracle for {name}: it must ask for argmin, gradient and moments only")


def _forward(oracle: Oracle, kind: type[Query], asked: dict[str, Array]) -> Any:
    methods: dict[type[Query], Callable[..., Any]] = {
        ArgminQuery: oracle.argmin,
        GradientQuery: oracle.gradient,
        MomentsQuery: oracle.moments,
    }
    return methods[kind](**asked)


class QuadraticOracle(NarrowOracle):
    """Answers for O_i(f) = ½‖f − c_i‖²: every number is computed by itself, so no run can move another's last bit."""

    def _answer(self, kind: type[Query], **asked: Array) -> Array | QuadraticModel:
        if kind is GradientQuery:
            return asked["point"] - _centres(asked["point"])
        if kind is MomentsQuery:
            nodes, features, runs = asked["point"].shape
            bend = np.tile(pack(np.eye(features))[:, None], (nodes, 1, runs))
            return QuadraticModel(np.tile(-_centres(asked["point"]), runs), bend, np.zeros(nodes))
        return (_centres(asked["linear"]) - asked["linear"]) / (1.0 + per_node(asked["weight"]))


def _centres(like: Array) -> Array:
    return np.cos(np.arange(like.shape[0] * like.shape[1], dtype=np.float64)).reshape(*like.shape[:2], 1)


class StrictOracle(NarrowOracle):
    """Passes questions on to another oracle, and breaks off where one has another shape than it must.

    Args:
        oracle: The oracle that answers.
        shape: Number of nodes, features and runs.
    """

    def __init__(self, oracle: Oracle, shape: tuple[int, ...]) -> None:
        self._oracle, self._shape = oracle, shape

    def _answer(self, kind: type[Query], **asked: Array) -> Any:
        for name, value in asked.items():
            found, shape = getattr(value, "shape", None), (NODES,) if name == "weight" else self._shape
            require(
                found == shape,
                f"{name} that the oracle is asked with has shape {found}: must be an array of shape {shape}",
            )
            require(np.all(np.isfinite(value)), f"{name} that the oracle is asked with is not finite")
        require(np.all(asked.get("weight", 0.0) >= 0.0), "the weight that argmin is asked with must not be negative")
        return _forward(self._oracle, kind, asked)


class RandomOracle(QueryRecorder):
    """Records queries, and answers at random with no regard to them.

    Args:
        seed: The seed of the answers.
        scale: Their standard deviation.
    """

    def __init__(self, seed: int, scale: float) -> None:
        super().__init__()
        self._source, self._scale = np.random.default_rng(seed), scale

    def argmin(self, linear: Array, weight: Array, start: Array) -> Array:
        """Record the weights, and answer at random."""
        return self._scale * self._source.standard_normal(super().argmin(linear, weight, start).shape)

    def gradient(self, point: Array) -> Array:
        """Record the query, and answer at random."""
        return self._scale * self._source.standard_normal(super().gradient(point).shape)

    def moments(self, point: Array) -> QuadraticModel:
        """Record the query, and answer at random."""
        zeros = super().moments(point)
        linear, matrix = (self._source.standard_normal(each.shape) for each in (zeros.linear, zeros.matrix))
        return QuadraticModel(self._scale * linear, self._scale * matrix, np.full(len(point), self._scale))


class RecordingOracle(NarrowOracle):
    """Passes questions on to another oracle, and keeps its answers.

    Args:
        oracle: The oracle that answers.
    """

    def __init__(self, oracle: Oracle) -> None:
        self.answers: list[RecordedAnswer] = []
        self.__answering = oracle

    def _answer(self, kind: type[Query], **asked: Array) -> Any:
        answer = _forward(self.__answering, kind, asked)
        self.answers.append((kind, deepcopy(answer)))
        return answer


class ReplayingOracle(NarrowOracle):
    """Gives recorded answers, and has nothing else.

    Args:
        answers: The answers in their order.
    """

    def __init__(self, answers: list[RecordedAnswer]) -> None:
        self._answers = iter(answers)

    def _answer(self, kind: type[Query], **asked: Array) -> Any:
        recorded, answer = next(self._answers, (None, np.zeros(0)))
        require(recorded is kind, f"it asks for {kind.asks_for} without data where it didn't with them")
        return answer
