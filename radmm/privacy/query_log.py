"""Query logs: what an algorithm asks of the oracle, recorded by running it against an oracle without data.

The steps are those of a real run, with one feature and one run. So the log can't disagree with what runs; ledgers,
calibration and estimates of time need nothing else.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from radmm.algorithms.algorithm import Algorithm, State
from radmm.algorithms.oracle import Oracle
from radmm.base.arrays import Array, Integers
from radmm.base.errors import InputError
from radmm.base.plugin_faults import definition, plugin_fault
from radmm.model.network import Network
from radmm.model.quadratic_model import QuadraticModel, entries_of

AXES = "(node, feature, run), here with one feature and one run"


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

    Refuse, by an InputError, a plug-in whose code fails here, and steps that don't return the next state.

    Args:
        algorithm: Any algorithm that fits the network.
    """
    oracle, shape, asked = QueryRecorder(), (network.nodes, 1, 1), [0]
    with _refusing_faults(algorithm, "first"):
        state = algorithm.first(np.zeros(shape), network)
    _check_state(algorithm, "first", state, 0, shape)
    method = "step" if type(algorithm).advance is Algorithm.advance else "advance"
    with _refusing_faults(algorithm, method):
        for iteration in range(1, iterations + 1):
            oracle.iteration = iteration
            state = algorithm.advance(state, network, oracle)
            _check_state(algorithm, method, state, iteration, shape)
            asked.append(len(oracle.queries))
    return QueryLog(tuple(oracle.queries), np.array(asked), network)


@contextmanager
def _refusing_faults(algorithm: Algorithm[Any], method: str) -> Iterator[None]:
    """Raise an InputError that names the plug-in in place of whatever its code raises within the block."""
    try:
        yield
    except (InputError, MemoryError):
        raise
    except Exception as error:
        wanted = "must not fail while a run is planned, with one feature, one run and an oracle that answers zeros"
        if fault := plugin_fault(error, (type(algorithm), method), wanted):
            raise InputError(fault) from error
        raise


def _check_state(algorithm: Algorithm[Any], method: str, state: Any, iteration: int, shape: tuple[int, ...]) -> None:
    """Refuse what is no state, or not the next one: a run would never end, or fail far from the cause."""
    if not isinstance(state, State):
        told = f"a {type(state).__name__}: must be a radmm.State"
    elif state.iteration != iteration:
        told = f"a state of iteration {state.iteration}: must be of iteration {iteration}"
    elif np.shape(state.primal) != shape:
        told = f"a primal of shape {np.shape(state.primal)} at iteration {iteration}: must be {shape}, {AXES}"
    elif state.dual is not None and np.shape(state.dual) != shape:
        told = f"a dual of shape {np.shape(state.dual)} at iteration {iteration}: must be {shape}, {AXES}"
    else:
        return
    raise InputError(f"{definition(type(algorithm), method)} returned {told}")
