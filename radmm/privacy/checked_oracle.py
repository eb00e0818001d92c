"""The oracle that a run's steps are given, which compares every query with the log from which the ledger was made."""

from typing import Any, Protocol

import numpy as np

from radmm.algorithms.algorithm import Algorithm
from radmm.algorithms.oracle import Oracle
from radmm.base.arrays import Array, Integers
from radmm.base.errors import InputError
from radmm.model.quadratic_model import QuadraticModel
from radmm.privacy.query_log import ArgminQuery, GradientQuery, MomentsQuery, Query, QueryLog


class AnsweringOracle(Protocol):
    """Interface of oracles that have data: they answer the three queries, for the runs that are left."""

    @property
    def runs(self) -> Integers:
        """Numbers of the runs that are left."""

    def argmin(self, linear: Array, weight: Array, start: Array) -> Array:
        """Release each node's argmin, as `Oracle.argmin` says."""

    def gradient(self, point: Array) -> Array:
        """Release each node's gradient, as `Oracle.gradient` says."""

    def moments(self, point: Array) -> QuadraticModel:
        """Release each node's moments, as `Oracle.moments` says."""


class CheckedOracle(Oracle):
    """Forwards a query to the data if it is the next one in the query log, and refuses it otherwise.

    An ε is computed from the query log, before anything is answered. If a query could depend on answers, the run would
    release something else than that ε was computed for. Nothing but the three queries is offered to an algorithm: what
    the data oracle knows beyond its answers is not perturbed.

    Args:
        answering: The oracle that has data.
        algorithm: Algorithm that queries; refusals name it.
        shape: Shape of every query but for the runs: (nodes, entries of f).
        query_log: Queries that the ledger was made of; None for a run without noise, which may ask anything.
    """

    def __init__(
        self, answering: AnsweringOracle, algorithm: Algorithm[Any], shape: tuple[int, int], query_log: QueryLog | None
    ) -> None:
        self.__answering, self._algorithm, self._shape, self._query_log = answering, algorithm, shape, query_log
        self._asked = 0
        self.iteration = 0  # t of the step that asks

    def argmin(self, linear: Array, weight: Array, start: Array) -> Array:
        """Return each node's argmin of O + linear·f + ½ w_i‖f‖², as the data oracle releases it.

        Args:
            weight: Quadratic weight w_i, one a node; they must be those in the query log.
        """
        linear, start, weight = (_plain(value) for value in (linear, start, weight))
        self._check_shapes(linear=linear, start=start)
        self._check_next(ArgminQuery, weight)
        return self.__answering.argmin(linear, weight, start)

    def gradient(self, point: Array) -> Array:
        """Return each node's gradient of O, as the data oracle releases it."""
        point = _plain(point)
        self._check_shapes(point=point)
        self._check_next(GradientQuery, np.zeros(self._shape[0]))
        return self.__answering.gradient(point)

    def moments(self, point: Array) -> QuadraticModel:
        """Return each node's moments as a quadratic model of O, as the data oracle releases them."""
        point = _plain(point)
        self._check_shapes(point=point)
        self._check_next(MomentsQuery, np.zeros(self._shape[0]))
        return self.__answering.moments(point)

    def check_all_asked(self) -> None:
        """Refuse, at the end of a run, an algorithm that has made fewer queries than its ledger says."""
        if self._query_log is not None and self._asked < len(self._query_log.queries):
            self._refuse("asks for nothing more")

    def _check_shapes(self, **given: Array) -> None:
        """Refuse queries of another shape.

        Several answers to one query would share their noise, and differences of them would have none.
        """
        shape = (*self._shape, len(self.__answering.runs))
        for field, value in given.items():
            if np.shape(value) != shape:
                raise InputError(
                    f"algorithm = {self._algorithm.name}: {field} has shape {np.shape(value)}: must be {shape}, "
                    "(node, entry of f, run)"
                )

    def _check_next(self, kind: type[Query], weight: Array) -> None:
        if self._query_log is None:
            return
        noted = self._query_log.queries[self._asked] if self._asked < len(self._query_log.queries) else None
        if noted is None or (type(noted), noted.iteration) != (kind, self.iteration):
            self._refuse(f"asks for {kind.asks_for} at iteration {self.iteration}")
        elif weight.shape != noted.weight.shape or not np.array_equal(weight, noted.weight):
            self._refuse(f"asks for {kind.asks_for} with the weights {_listed(weight)} at iteration {self.iteration}")
        self._asked += 1

    def _refuse(self, asks: str) -> None:
        expected = "nothing more"
        if self._query_log is not None and self._asked < len(self._query_log.queries):
            noted = self._query_log.queries[self._asked]
            weights = f" with the weights {_listed(noted.weight)}" if "weights" in asks else ""
            expected = f"{noted.asks_for}{weights} at iteration {noted.iteration}"
        raise InputError(
            f"algorithm = {self._algorithm.name}: must ask for the same whatever is answered, or its ε would not hold: "
            f"it {asks}, where its ledger has {expected}"
        )


def _plain(value: Array) -> Array:
    """Return a query's array as plain 64-bit numbers: noise doesn't reach masked entries or imaginary parts, and a
    coarser type rounds the weights that were checked.
    """
    if np.iscomplexobj(value):
        raise InputError("a query of complex numbers: must be real, as noise is added to the real part alone")
    return np.asarray(value, dtype=np.float64)


def _listed(weight: Array) -> str:
    values = weight.ravel().tolist()
    return ", ".join(f"{value:.17g}" for value in values[:4]) + (", …" if len(values) > 4 else "")
