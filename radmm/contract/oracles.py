"""Oracles for contracts: with plain answers, with random ones, and one that records what another answers."""

from typing import Any

import numpy as np

from radmm.algorithms.oracle import Oracle
from radmm.base.arrays import Array, per_node
from radmm.contract.broken import Broken, require
from radmm.contract.made import NODES
from radmm.privacy.notes import ArgminCall, Call, GradientCall

Answer = tuple[type[Call], Array]
Question = tuple[int, type[Call], tuple[float, ...]]  # iteration, kind, weights


class Narrow(Oracle):
    """Has nothing but an oracle's two methods that an algorithm could use."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise Broken(f"it asks the oracle for {name}: it must ask for argmin and gradient only")


class Quadratic(Narrow):
    """O_i(f) = ½‖f − c_i‖²: every number is computed by itself, so that no run can move another's last bit."""

    def argmin(self, linear: Array, weight: Array, start: Array) -> Array:
        """In closed form.

        Args:
            linear: The linear term.
            weight: w_i, one a node.
            start: Not used.
        """
        return (_centres(linear) - linear) / (1.0 + per_node(weight))

    def gradient(self, point: Array) -> Array:
        """In closed form.

        Args:
            point: Where.
        """
        return point - _centres(point)


def _centres(like: Array) -> Array:
    return np.cos(np.arange(like.shape[0] * like.shape[1], dtype=np.float64)).reshape(*like.shape[:2], 1)


class Strict(Narrow):
    """Passes questions on, and breaks off where one has another shape than it must.

    Args:
        oracle: That answers.
        shape: (node, feature, run).
    """

    def __init__(self, oracle: Oracle, shape: tuple[int, ...]) -> None:
        self._oracle, self._shape = oracle, shape

    def argmin(self, linear: Array, weight: Array, start: Array) -> Array:
        """With all three looked at.

        Args:
            linear: The linear term.
            weight: w_i, one a node, not negative.
            start: A released point.
        """
        self._check(linear=(linear, self._shape), weight=(weight, (NODES,)), start=(start, self._shape))
        require(np.all(weight >= 0), "the weight that argmin is asked with must not be negative")
        return self._oracle.argmin(linear, weight, start)

    def gradient(self, point: Array) -> Array:
        """With the point looked at.

        Args:
            point: Where.
        """
        self._check(point=(point, self._shape))
        return self._oracle.gradient(point)

    @staticmethod
    def _check(**given: tuple[Any, tuple[int, ...]]) -> None:
        for name, (value, shape) in given.items():
            found = getattr(value, "shape", None)
            require(
                found == shape,
                f"{name} that the oracle is asked with has shape {found}: must be an array of shape {shape}",
            )
            require(np.all(np.isfinite(value)), f"{name} that the oracle is asked with is not finite")


class Asking(Narrow):
    """Notes the questions; how they are answered is left open."""

    def __init__(self) -> None:
        self.iteration = 0
        self.asked: list[Question] = []

    def _note(self, kind: type[Call], weight: Any) -> None:
        values = np.broadcast_to(np.asarray(weight, dtype=np.float64), (NODES,))
        self.asked.append((self.iteration, kind, tuple(values.tolist())))


class Random(Asking):
    """Answers at random, with no regard to the question.

    Args:
        seed: Of the answers.
        scale: Their standard deviation.
    """

    def __init__(self, seed: int, scale: float) -> None:
        super().__init__()
        self._source, self._scale = np.random.default_rng(seed), scale

    def argmin(self, linear: Array, weight: Array, start: Array) -> Array:
        """Anything.

        Args:
            linear: Of which only the shape matters.
            weight: Noted.
            start: Not used.
        """
        self._note(ArgminCall, weight)
        return self._scale * self._source.standard_normal(linear.shape)

    def gradient(self, point: Array) -> Array:
        """Anything.

        Args:
            point: Of which only the shape matters.
        """
        self._note(GradientCall, 0.0)
        return self._scale * self._source.standard_normal(point.shape)


class Recording(Narrow):
    """Passes questions on and keeps the answers.

    Args:
        oracle: That answers.
    """

    def __init__(self, oracle: Oracle) -> None:
        self.answers: list[Answer] = []
        self.__passed_on = oracle

    def argmin(self, linear: Array, weight: Array, start: Array) -> Array:
        """The other's answer.

        Args:
            linear: The linear term.
            weight: w_i, one a node.
            start: A released point.
        """
        return self._keep(ArgminCall, self.__passed_on.argmin(linear, weight, start))

    def gradient(self, point: Array) -> Array:
        """The other's answer.

        Args:
            point: Where.
        """
        return self._keep(GradientCall, self.__passed_on.gradient(point))

    def _keep(self, kind: type[Call], answer: Array) -> Array:
        self.answers.append((kind, answer.copy()))
        return answer


class Replaying(Narrow):
    """Has recorded answers and nothing else.

    Args:
        answers: In their order.
    """

    def __init__(self, answers: list[Answer]) -> None:
        self._answers = iter(answers)

    def argmin(self, linear: Array, weight: Array, start: Array) -> Array:
        """The next answer.

        Args:
            linear: Not used.
            weight: Not used.
            start: Not used.
        """
        return self._next(ArgminCall)

    def gradient(self, point: Array) -> Array:
        """The next answer.

        Args:
            point: Not used.
        """
        return self._next(GradientCall)

    def _next(self, kind: type[Call]) -> Array:
        recorded, answer = next(self._answers, (None, np.zeros(0)))
        require(recorded is kind, f"it asks for {kind.asks_for} without data where it didn't with them")
        return answer
