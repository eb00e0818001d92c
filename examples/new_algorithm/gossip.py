"""Gossip ADMM, a plug-in for radmm: every other iteration averages with the neighbours instead of touching the data."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Gt

import radmm


@dataclass(frozen=True)
class GossipADMM(radmm.Algorithm[radmm.State]):
    """ADMM at odd iterations; at even ones a node moves to the mean of itself and its neighbours' mean.

    The even step uses released values only, so that it costs no privacy, as R-ADMM's does.

    Args:
        penalty: η, the weight of disagreement with the neighbours.
    """

    penalty: Annotated[float, Gt(0)] = 1.0
    name: ClassVar[str] = "gossip-admm"

    def first(self, primal, network):
        """f(0) as given and λ(0) = 0."""
        return radmm.State(iteration=0, primal=primal, dual=np.zeros_like(primal))

    def step(self, state, network, oracle):
        """The data step of ADMM, or one round of gossip."""
        now, degrees = state.iteration + 1, network.degrees[:, None, None]
        total = network.neighbour_sum(state.primal)  # S(f_i + f_j), at each node
        if now % 2 == 0:
            average = total / np.maximum(2.0 * degrees, 1.0)  # one node alone has nobody to ask
            gossip = np.where(degrees > 0, average, state.primal)
            return radmm.State(iteration=now, primal=gossip, dual=state.dual)
        linear = 2.0 * state.dual - self.penalty * total
        primal = oracle.argmin(linear, 2.0 * self.penalty * network.degrees, state.primal)
        disagreement = 2.0 * degrees * primal - network.neighbour_sum(primal)  # S(f_i − f_j)
        return radmm.State(iteration=now, primal=primal, dual=state.dual + self.penalty / 2.0 * disagreement)
