"""R-ADMM and MR-ADMM: odd iterations touch the data, even ones recycle what those released."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge

from radmm.algorithms.admm import ADMMState, GrowingPenalty, OnePenalty, Penalised, Positive
from radmm.algorithms.oracle import Oracle
from radmm.base.arrays import Array, combine
from radmm.base.errors import InputError
from radmm.base.inputs import as_number
from radmm.model.network import Network


@dataclass(frozen=True, kw_only=True)
class RecycledState(ADMMState):
    """State of recycled ADMM, which carries along what the even step recycles.

    Args:
        previous_total: Sums S(f_i + f_j) over the neighbours at f(t − 1).
    """

    previous_total: Array


@dataclass(frozen=True)
class Recycled(Penalised[RecycledState]):
    """Base class of recycled ADMM: a data-touching step, then a linearised step computed from released values alone.

    Args:
        gamma: γ, the proximal weight of the even step.
    """

    gamma: Annotated[float, Ge(0)] = 0.5
    by_processes: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if as_number("gamma", self.gamma) < 0:
            raise InputError(f"gamma = {self.gamma}: must be a number that is not negative")

    def check(self, nodes: int) -> None:
        """Refuse γ = 0 for a single node, whose even step would then divide by 2η_iV_i + γ = 0."""
        super().check(nodes)
        if nodes == 1 and not self.gamma:
            raise InputError("gamma = 0: must be positive for a single node, which has no penalty to weigh its steps")

    def first(self, primal: Array, network: Network) -> RecycledState:
        """Return the initial state: f(0) as given, λ(0) = 0."""
        total, dual = network.neighbour_sum(primal), np.zeros_like(primal)
        return RecycledState(iteration=0, primal=primal, dual=dual, total=total, data_steps=0, previous_total=total)

    def step(self, state: RecycledState, network: Network, oracle: Oracle) -> RecycledState:
        """Take a data-touching step at odd iterations and the recycling step at even ones."""
        now, k = state.iteration + 1, state.data_steps
        if now % 2 == 1:
            k += 1
            primal, total, dual = self._data_step(state, network, oracle)
        else:
            primal, dual = self._even_step(state, network), state.dual
            total = network.neighbour_sum(primal)
        return RecycledState(
            iteration=now, primal=primal, dual=dual, total=total, data_steps=k, previous_total=state.total
        )

    def _even_step(self, state: RecycledState, network: Network) -> Array:
        """Take the linearised step, with gradient plus noise replaced by the KKT condition of the data-touching step.

        In the paper f_i(2k) = f_i − {∇O(f_i) + ε_i + 2λ_i + η_i S(f_i − f_j)}/(2η_iV_i + γ), all at 2k − 1. There
        ∇O + ε_i = −2λ_i(2k − 2) − η_i S(2f_i − f_i(2k − 2) − f_j(2k − 2)), and 2λ_i has since grown by
        θ_i S(f_i − f_j): λ, gradient and noise cancel, and no data are touched. What stays in the braces is
        η_i {S(f_i + f_j)(2k − 2) − S(f_i + f_j)} + θ_i S(f_i − f_j).
        """
        eta, theta = (values(state.data_steps, network.nodes) for values in (self.penalties, self.dual_steps))
        step = 1.0 / (2.0 * eta * network.degrees + self.gamma)
        stay = 1.0 - 2.0 * theta * network.degrees * step
        return combine((stay, state.primal), (-eta * step, state.previous_total), ((eta + theta) * step, state.total))


@dataclass(frozen=True)
class RADMM(OnePenalty[RecycledState], Recycled):
    """Recycled ADMM: even iterations reuse released values and spend no privacy.

    Args:
        penalty: η, the same for all nodes and iterations.
        gamma: γ, the proximal weight of the even step.
    """

    penalty: Positive = 1.0
    name: ClassVar[str] = "r-admm"


@dataclass(frozen=True)
class MRADMM(GrowingPenalty[RecycledState], Recycled):
    """R-ADMM with growing per-node penalties.

    Without a common dual step, penalties that differ between nodes make the dual steps no longer sum to zero, and the
    consensus that is reached is not the optimum.

    Args:
        penalty: η_i(k), a number or a schedule, one for all nodes or one for each.
        gamma: γ, the proximal weight of the even step.
        dual_step: θ, one dual step for all nodes; η_i(k) if it is not given.
    """

    dual_step: Positive | None = None
    name: ClassVar[str] = "mr-admm"
