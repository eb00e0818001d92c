"""Base class of gradient methods: each iteration releases one gradient a node and averages neighbours' values."""

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
from annotated_types import Ge, Le

from radmm.algorithms.algorithm import Algorithm, S, refusal_of_rounds
from radmm.algorithms.oracle import Oracle
from radmm.base.arrays import Array
from radmm.base.errors import about
from radmm.model.gossip import MOST_ROUNDS
from radmm.model.network import Network
from radmm.model.schedules.schedule import ScheduleLike, plain_schedule, values_at

TINY = 1e-300  # instead of 0, by which no limit can be divided


@dataclass(frozen=True)
class GradientMethod(Algorithm[S]):
    """Base class of gradient methods, which override `advance` because `step` is their step size.

    An iteration is one gradient of each node, one exchange between neighbours, and `gossip` exchanges more, which
    touch no data: what they send is computed from released gradients, the network and f(0).

    Args:
        step: a(t), the step size: a number or a schedule, one for all nodes or one for each.
        gossip: m, the number of rounds of accelerated gossip after each gradient.
    """

    step: ScheduleLike = 0.01  # type: ignore[assignment]
    gossip: Annotated[int, Ge(0), Le(MOST_ROUNDS)] = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "step", plain_schedule("algorithm.step", self.step))
        super().__post_init__()

    def steps(self, iteration: int, nodes: int) -> Array:
        """Return the step sizes of an iteration, one a node.

        Args:
            iteration: Iteration t, from 1; each touches the data.
            nodes: Number of nodes N.
        """
        with about("step"):
            return values_at(self.step, iteration, nodes)

    def check(self, nodes: int) -> None:
        """Refuse step sizes that don't fit a network of this size."""
        self.steps(1, nodes)

    @abstractmethod
    def advance(self, state: S, network: Network, oracle: Oracle) -> S:
        """Compute the next state: one iteration."""

    def refusal_by_processes(self, network: Network) -> str | None:
        """Return why nodes can't be spread over processes, or None if they can."""
        return refusal_of_rounds(self.gossip, network) or super().refusal_by_processes(network)

    @abstractmethod
    def most(self, mixing: Array, gossiped: Array) -> Array:
        """Return the largest stable product of step and curvature, for each mode of the nodes' values.

        It is that of quadratic objectives whose Hessians commute with the mixing matrix.

        Args:
            mixing: Eigenvalues w of the mixing matrix, by which the exchange of an iteration multiplies each mode.
            gossiped: Factors p = p_m(w), by which the rounds of gossip then multiply it; 1 without gossip.
        """

    def largest_step(self, curvature: float, network: Network) -> float:
        """Return the largest stable step.

        Args:
            curvature: Largest curvature that a node's objective may have.
            network: Graph over which the nodes exchange values.
        """
        modes = network.polynomial(self.gossip).factors() if self.gossip else (network.least_mixing, 1.0)
        return float(self.most(*map(np.atleast_1d, modes)).min()) / curvature

    def doubt(self, curvature: float, network: Network) -> str | None:
        """Return a sentence that says by how much the first step exceeds the largest stable one, or None."""
        limit = self.largest_step(curvature, network)
        step = float(self.steps(1, network.nodes).max())
        if step <= limit:
            return None
        return (
            f"step = {step:g}: {self.name} may diverge even without noise, as rows of norm 1 allow a curvature of "
            f"{curvature:.4g}, for which steps are stable up to {limit:.3g}"
        )
