"""The four algorithms. Each is an immutable bag of hyper-parameters; its steps act on one shared `State`.

Only two things ever happen to the network: a data step (the perturbed argmin, then the dual ascent) and, in the
recycled algorithms, an even step that is computed from released values alone.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from radmm.base.arrays import Array, Integers, Mask, combine
from radmm.base.errors import InputError, about
from radmm.model.network import Network
from radmm.model.schedules import Geometric, Schedule, as_schedule


@dataclass(frozen=True)
class State:
    """Released values after some iteration t; arrays are (node, feature, run)."""

    iteration: int
    data_steps: int  # the paper's k: how often the data have been touched
    runs: Integers  # the numbers of the runs that the last axis holds
    primal: Array  # f(t)
    total: Array  # S(f_i + f_j), what a node makes of its neighbours' f(t); S(f_i − f_j) is 2V_i f_i less that
    previous_total: Array  # the same of f(t − 1), which the even step recycles
    dual: Array  # λ(t)
    residual: Array | None = None  # (node, run) gradient norms of a data step's argmin
    loss: Array | None = None  # (node, run) Σ L at f(t), where the step knows it
    passes: Integers | None = None  # (node, run) over the rows that the argmin took; none if no data were touched

    @classmethod
    def first(cls, primal: Array, network: Network) -> "State":
        """f(0) as given and λ(0) = 0; runs are numbered from zero."""
        total = network.neighbour_sum(primal)
        return cls(0, 0, np.arange(primal.shape[2]), primal, total, total, np.zeros_like(primal))

    @cached_property
    def mean(self) -> Array:
        """The nodes' average, (feature, run): finite where all of them are."""
        mean: Array = self.primal.mean(axis=0)
        return mean

    def keep(self, kept: Mask) -> "State":
        """The same with the other runs left out."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        arrays: dict[str, Any] = {
            name: value[..., kept] for name, value in values.items() if isinstance(value, np.ndarray)
        }
        return replace(self, **arrays)


class Released(NamedTuple):
    """What a data step sends out, and what its author knows of it."""

    primal: Array
    residual: Array  # gradient norms of the argmins, (node, run)
    loss: Array | None  # Σ L at the released value, (node, run), if known
    passes: Integers  # over the node's rows, (node, run)


Release = Callable[[State, Array, Array], Released]  # (state, linear, η_i) ↦ argmin of O + linear·f + η_iV_i‖f‖²


@dataclass(frozen=True)
class Algorithm(ABC):
    """What the driver and the privacy bounds need of an algorithm."""

    penalty: Schedule = 1.0
    name: ClassVar[str]

    @abstractmethod
    def data_steps(self, iterations: int) -> int:
        """K(t): how many of the first t iterations touch the data."""

    @abstractmethod
    def step(self, state: State, network: Network, release: Release) -> State:
        """One iteration."""

    def penalties(self, step: int, nodes: int) -> Array:
        """η_i at the k-th data-touching step."""
        with about("penalty"):
            return as_schedule(self.penalty).at(step, nodes)

    def dual_steps(self, step: int, nodes: int) -> Array:
        """θ_i at the k-th data-touching step: η_i unless the algorithm has one of its own."""
        return self.penalties(step, nodes)

    def check(self, nodes: int) -> None:
        """Refuse parameters that don't fit a network of that size."""
        self.penalties(1, nodes)

    def _data_step(self, state: State, network: Network, release: Release) -> State:
        """f_i ← argmin O + 2λ_i·f + η_i S‖½(f_i + f_j) − f‖²;  λ_i += (θ_i/2) S(f_i − f_j)."""
        k = state.data_steps + 1
        eta, theta = self.penalties(k, network.nodes), self.dual_steps(k, network.nodes)
        linear = combine((2.0, state.dual), (-eta, state.total))
        primal, residual, loss, passes = release(state, linear, eta)
        total = network.neighbour_sum(primal)
        dual = combine((1.0, state.dual), (theta * network.degrees, primal), (-theta / 2.0, total))
        now = state.iteration + 1
        return State(now, k, state.runs, primal, total, state.total, dual, residual, loss, passes)


@dataclass(frozen=True)
class _Conventional(Algorithm):
    """Every iteration touches the data."""

    def data_steps(self, iterations: int) -> int:
        return iterations

    def step(self, state: State, network: Network, release: Release) -> State:
        return self._data_step(state, network, release)


@dataclass(frozen=True)
class _Recycled(Algorithm):
    """Odd iterations touch the data; even ones recycle what those released."""

    gamma: float = 0.5

    def __post_init__(self) -> None:
        if not (np.isfinite(self.gamma) and self.gamma >= 0):
            raise InputError(f"gamma = {self.gamma}: must be a number that is not negative")

    def data_steps(self, iterations: int) -> int:
        return (iterations + 1) // 2

    def step(self, state: State, network: Network, release: Release) -> State:
        odd = state.iteration % 2 == 0  # the iteration that comes next
        return self._data_step(state, network, release) if odd else self._even_step(state, network)

    def _even_step(self, state: State, network: Network) -> State:
        """The linearised step, with the data step's KKT condition put in for gradient plus noise.

        In the paper f_i(2k) = f_i − {∇O(f_i) + ε_i + 2λ_i + η_i S(f_i − f_j)}/(2η_iV_i + γ), all at 2k − 1. There
        ∇O + ε_i = −2λ_i(2k − 2) − η_i S(2f_i − f_i(2k − 2) − f_j(2k − 2)), and 2λ_i has since grown by
        θ_i S(f_i − f_j): λ, gradient and noise cancel, and no data are touched. What stays in the braces is
        η_i {S(f_i + f_j)(2k − 2) − S(f_i + f_j)} + θ_i S(f_i − f_j).
        """
        eta, theta = (values(state.data_steps, network.nodes) for values in (self.penalties, self.dual_steps))
        step = 1.0 / (2.0 * eta * network.degrees + self.gamma)
        stay = 1.0 - 2.0 * theta * network.degrees * step
        primal = combine((stay, state.primal), (-eta * step, state.previous_total), ((eta + theta) * step, state.total))
        total = network.neighbour_sum(primal)
        return State(state.iteration + 1, state.data_steps, state.runs, primal, total, state.total, state.dual)


class _OnePenalty(Algorithm):
    """η is one constant number."""

    def check(self, nodes: int) -> None:
        if isinstance(self.penalty, Geometric) or np.ndim(self.penalty) > 0:
            raise InputError(
                f"penalty = {self.penalty}: {self.name} has one constant penalty; "
                "m-admm and mr-admm let it grow or differ between nodes"
            )
        super().check(nodes)


class _GrowingPenalty(Algorithm):
    """η_i(k) may differ between nodes and must not decrease; the dual step may be one common θ ≤ η_i."""

    dual_step: float | None

    def dual_steps(self, step: int, nodes: int) -> Array:
        if self.dual_step is None:
            return self.penalties(step, nodes)
        return np.full(nodes, float(self.dual_step))

    def check(self, nodes: int) -> None:
        first, second = (self.penalties(step, nodes) for step in (1, 2))
        if np.any(second < first):
            node = int(np.flatnonzero(second < first)[0])
            raise InputError(
                f"penalty decreases at node {node}, from {first[node]:g} to {second[node]:g}: "
                "its ratio must be at least 1"
            )
        if self.dual_step is not None and not 0 < self.dual_step <= first.min():
            raise InputError(
                f"dual_step = {self.dual_step:g}: must be positive and at most the penalty at every node; "
                f"node {int(first.argmin())} starts at {first.min():g}"
            )


@dataclass(frozen=True)
class ADMM(_OnePenalty, _Conventional):
    """Conventional decentralised ADMM."""

    name: ClassVar[str] = "admm"


@dataclass(frozen=True)
class MADMM(_GrowingPenalty, _Conventional):
    """M-ADMM: growing per-node penalties η_i(t) in the argmin, one dual step θ for all nodes."""

    dual_step: float | None = 0.5
    name: ClassVar[str] = "m-admm"

    def check(self, nodes: int) -> None:
        if self.dual_step is None:
            raise InputError("dual_step = None: m-admm has one dual step for all nodes, so it must be a number")
        super().check(nodes)


@dataclass(frozen=True)
class RADMM(_OnePenalty, _Recycled):
    """Recycled ADMM: the even iterations are free."""

    name: ClassVar[str] = "r-admm"


@dataclass(frozen=True)
class MRADMM(_GrowingPenalty, _Recycled):
    """R-ADMM with growing per-node penalties; with `dual_step`, one θ for all nodes in the dual ascent.

    Without it, penalties that differ between nodes make the dual steps no longer sum to zero, and the consensus that
    is reached is not the optimum.
    """

    dual_step: float | None = None
    name: ClassVar[str] = "mr-admm"


ALGORITHMS: dict[str, type[Algorithm]] = {cls.name: cls for cls in (ADMM, MADMM, RADMM, MRADMM)}
