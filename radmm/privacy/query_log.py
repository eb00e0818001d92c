"""Query logs: what an algorithm asks of the oracle, recorded by running it against an oracle without data.

The steps are those of a real run, with one feature and one run. So the log can't disagree with what runs; ledgers,
calibration and estimates of time need nothing else.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from radmm.algorithms.algorithm import Algorithm
from radmm.algorithms.oracle import Oracle
from radmm.base.arrays import Array, Integers
from radmm.model.network import Network
from radmm.model.quadratic_model import QuadraticModel, entries_of


@dataclass(frozen=True, eq=False)
class Query:
    """One query of the oracle, answered by all nodes.

    Args:
        iteration: Iteration t at which it was made.
        weight: Quadratic weight w_i of the argmin, one a node; zero for a gradient or moments.
    """

    iteration: int
    weight: Array
    asks_for: ClassVar[str]


class ArgminQuery(Query):
    """Query for every node's argmin."""

    asks_for: ClassVar[str] = "argmins"


class GradientQuery(Query):
    """Query for every node's gradient."""

    asks_for: ClassVar[str] = "gradients"


class MomentsQuery(Query):
    """Query for every node's moments."""

    asks_for: ClassVar[str] = "moments"


@dataclass(frozen=True, eq=False)
class QueryLog:
    """All queries of a run, in their order.

    Args:
        queries: The queries.
        data_steps: Number K(t) of queries until iteration t, for t = 0 … T.
        network: Graph over which the nodes exchange values; without it no noise can cancel.
    """

    queries: tuple[Query, ...]
    data_steps: Integers
    network: Network | None = None

    @property
    def weights(self) -> Array:
        """Quadratic weights w_i of all queries, (query, node)."""
        nodes = len(self.queries[0].weight) if self.queries else 0
        return np.array([query.weight for query in self.queries]).reshape(len(self.queries), nodes)

    def of_nodes(self, nodes: Integers) -> "QueryLog":
        """Return the queries of some of the nodes.

        Args:
            nodes: Numbers of the nodes.
        """
        return replace(self, queries=tuple(replace(query, weight=query.weight[nodes]) for query in self.queries))


class QueryRecorder(Oracle):
    """Oracle without data: it answers zeros, and records the queries."""

    def __init__(self) -> None:
        self.queries: list[Query] = []
        self.iteration = 0

    def argmin(self, linear: Array, weight: Array, start: Array) -> Array:
        """Record a query for an argmin, and answer zeros."""
        self._note(ArgminQuery, np.broadcast_to(np.asarray(weight, dtype=np.float64), linear.shape[:1]))
        return np.zeros_like(linear)

    def gradient(self, point: Array) -> Array:
        """Record a query for a gradient, and answer zeros."""
        self._note(GradientQuery, np.zeros(len(point)))
        return np.zeros_like(point)

    def moments(self, point: Array) -> QuadraticModel:
        """Record a query for moments, and answer zeros."""
        nodes, features, runs = point.shape
        self._note(MomentsQuery, np.zeros(nodes))
        return QuadraticModel(np.zeros_like(point), np.zeros((nodes, entries_of(features), runs)), np.zeros(nodes))

    def _note(self, kind: type[Query], weight: Array) -> None:
        last = self.queries[-1].weight if self.queries else None
        same = last is not None and np.array_equal(last, weight)
        self.queries.append(kind(self.iteration, last if same and last is not None else weight.copy()))  # kept once


@lru_cache(maxsize=4096)
def record_queries(algorithm: Algorithm[Any], network: Network, iterations: int) -> QueryLog:
    """Run the algorithm without data and return its queries.

    Args:
        algorithm: Any algorithm that fits the network.
    """
    oracle = QueryRecorder()
    state = algorithm.first(np.zeros((network.nodes, 1, 1)), network)
    asked = [0]
    for iteration in range(1, iterations + 1):
        oracle.iteration = iteration
        state = algorithm.advance(state, network, oracle)
        asked.append(len(oracle.queries))
    return QueryLog(tuple(oracle.queries), np.array(asked), network)
