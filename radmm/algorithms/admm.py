"""ADMM and M-ADMM: every iteration touches the data, by a perturbed argmin followed by the dual ascent."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, TypeVar

import numpy as np
from annotated_types import Gt

from radmm.algorithms.algorithm import Algorithm, State
from radmm.algorithms.oracle import Oracle
from radmm.base.arrays import Array, combine
from radmm.base.errors import InputError, about
from radmm.base.inputs import as_number
from radmm.model.network import Network
from radmm.model.schedules.schedule import Schedule, ScheduleLike, plain_schedule, values_at

Positive = Annotated[float, Gt(0)]


@dataclass(frozen=True, kw_only=True)
class ADMMState(State):
    """State that all forms of ADMM share.

    Args:
        dual: Dual variables λ(t).
        total: Sums S(f_i + f_j) over the neighbours at f(t); S(f_i − f_j) is 2V_i f_i less this sum.
        data_steps: The paper's k, the number of data-touching steps so far.
    """

    dual: Array
    total: Array
    data_steps: int


A = TypeVar("A", bound=ADMMState)


@dataclass(frozen=True)
class Penalised(Algorithm[A]):
    """Base class of all forms of ADMM: the penalty and the data-touching step.

    Args:
        penalty: η, the weight of disagreement with the neighbours.
    """

    penalty: ScheduleLike = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "penalty", plain_schedule("penalty", self.penalty))

    def penalties(self, step: int, nodes: int) -> Array:
        """Return the penalties η_i of the k-th data-touching step, one a node.

        Args:
            step: Number k of the data-touching step, from 1.
            nodes: Number of nodes N.
        """
        with about("penalty"):
            return values_at(self.penalty, step, nodes)

    def dual_steps(self, step: int, nodes: int) -> Array:
        """Return the dual steps θ_i of the k-th data-touching step: η_i, unless the algorithm has its own.

        Args:
            step: Number k of the data-touching step, from 1.
            nodes: Number of nodes N.
        """
        return self.penalties(step, nodes)

    def check(self, nodes: int) -> None:
        """Refuse penalties that don't fit a network of this size."""
        self.penalties(1, nodes)

    def _data_step(self, state: ADMMState, network: Network, oracle: Oracle) -> tuple[Array, Array, Array]:
        """Solve the perturbed argmin, then ascend the dual; return f, its neighbour sums, and λ.

        f_i ← argmin O + 2λ_i·f + η_i S‖½(f_i + f_j) − f‖²;  λ_i += (θ_i/2) S(f_i − f_j).
        """
        k = state.data_steps + 1
        eta, theta = self.penalties(k, network.nodes), self.dual_steps(k, network.nodes)
        linear = combine((2.0, state.dual), (-eta, state.total))
        primal = oracle.argmin(linear, 2.0 * eta * network.degrees, state.primal)
        total = network.neighbour_sum(primal)
        dual = combine((1.0, state.dual), (theta * network.degrees, primal), (-theta / 2.0, total))
        return primal, total, dual


class OnePenalty(Penalised[A]):
    """Base class of the forms of ADMM whose penalty η is one constant number."""

    def check(self, nodes: int) -> None:
        """Refuse a penalty that grows or differs between nodes."""
        if isinstance(self.penalty, Schedule) or np.ndim(self.penalty) > 0:
            raise InputError(
                f"penalty = {self.penalty}: {self.name} has one constant penalty; "
                "m-admm and mr-admm let it grow or differ between nodes"
            )
        super().check(nodes)


class GrowingPenalty(Penalised[A]):
    """Base class of the forms of ADMM whose penalties η_i(k) may differ between nodes but must not decrease.

    The dual step may be one common θ, at most η_i at every node.
    """

    dual_step: float | None

    def penalties(self, step: int, nodes: int) -> Array:
        """Return the penalties η_i of the k-th data-touching step, one a node, none below that of the step before."""
        penalties = super().penalties(step, nodes)
        if step > 1 and isinstance(self.penalty, Schedule):
            before = super().penalties(step - 1, nodes)
            if np.any(penalties < before):
                node = int(np.flatnonzero(penalties < before)[0])
                raise InputError(
                    f"penalty decreases at node {node}, from {before[node]:g} to {penalties[node]:g}: "
                    "it must not, so a ratio must be at least 1"
                )
        return penalties

    def dual_steps(self, step: int, nodes: int) -> Array:
        """Return the common dual step θ at every node where it is given, else η_i."""
        if self.dual_step is None:
            return self.penalties(step, nodes)
        return np.full(nodes, float(self.dual_step))

    def check(self, nodes: int) -> None:
        """Refuse penalties that decrease, and a dual step above any of them."""
        super().check(nodes)
        first = self.penalties(1, nodes)
        self.penalties(2, nodes)  # of the later ones a run's query log tells
        if self.dual_step is not None and not 0 < as_number("dual_step", self.dual_step) <= first.min():
            raise InputError(
                f"dual_step = {self.dual_step:g}: must be positive and at most the penalty at every node; "
                f"node {int(first.argmin())} starts at {first.min():g}"
            )


class Conventional(Penalised[ADMMState]):
    """Base class of the forms of ADMM in which every iteration touches the data."""

    by_processes: ClassVar[bool] = True

    def first(self, primal: Array, network: Network) -> ADMMState:
        """Return the initial state: f(0) as given, λ(0) = 0."""
        total = network.neighbour_sum(primal)
        return ADMMState(iteration=0, primal=primal, dual=np.zeros_like(primal), total=total, data_steps=0)

    def step(self, state: ADMMState, network: Network, oracle: Oracle) -> ADMMState:
        """Take one iteration of ADMM: an argmin at every node, then a dual step."""
        primal, total, dual = self._data_step(state, network, oracle)
        now, k = state.iteration + 1, state.data_steps + 1
        return ADMMState(iteration=now, primal=primal, dual=dual, total=total, data_steps=k)


@dataclass(frozen=True)
class ADMM(OnePenalty[ADMMState], Conventional):
    """Conventional decentralised ADMM.

    Args:
        penalty: η, the same for all nodes and iterations.
    """

    penalty: Positive = 1.0
    name: ClassVar[str] = "admm"


@dataclass(frozen=True)
class MADMM(GrowingPenalty[ADMMState], Conventional):
    """M-ADMM: growing per-node penalties η_i(t) in the argmin, one dual step θ for all nodes.

    Args:
        penalty: η_i(k), a number or a schedule, one for all nodes or one for each.
        dual_step: θ, one dual step for all nodes; at most η_i(1) everywhere.
    """

    dual_step: Positive = 0.5
    name: ClassVar[str] = "m-admm"

    def check(self, nodes: int) -> None:
        """Refuse a missing dual step, besides what all growing penalties refuse."""
        if self.dual_step is None:
            raise InputError("dual_step = None: m-admm has one dual step for all nodes, so it must be a number")
        super().check(nodes)
