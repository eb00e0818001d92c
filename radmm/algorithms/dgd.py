"""Decentralised gradient descent, with momentum (Nedić and Ozdaglar, 2009)."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Lt

from radmm.algorithms.algorithm import Sent, State
from radmm.algorithms.gradient import TINY, GradientMethod
from radmm.algorithms.oracle import Oracle
from radmm.base.arrays import Array, per_node
from radmm.model.network import Network


@dataclass(frozen=True, kw_only=True)
class DGDState(State):
    """State of decentralised gradient descent, which carries the momentum along.

    Args:
        velocity: Momentum v(t), 0 initially.
    """

    velocity: Array


@dataclass(frozen=True)
class DGD(GradientMethod[DGDState]):
    """Decentralised gradient descent: average with the neighbours, then descend the node's own gradient.

    With a constant step the nodes end near the optimum, not at it, unless they have the same optimum.

    Args:
        step: a(t), the step size: a number or a schedule, one for all nodes or one for each.
        momentum: β, the share of the last move that is repeated.
        gossip: m, the number of rounds of accelerated gossip of f and v after each gradient.
    """

    momentum: Annotated[float, Ge(0), Lt(1)] = 0.0
    name: ClassVar[str] = "dgd"
    by_processes: ClassVar[bool] = True

    def first(self, primal: Array, network: Network) -> DGDState:
        """Return the initial state: f(0) as given, v(0) = 0."""
        return DGDState(iteration=0, primal=primal, velocity=np.zeros_like(primal))

    def advance(self, state: DGDState, network: Network, oracle: Oracle) -> DGDState:
        """Compute the next state: v_i ← βv_i − a g_i, f_i ← Σ_j W_ij f_j + v_i, with g_i the gradient at f_i.

        Then m rounds of gossip: f ← p_m(W)f and v ← p_m(W)v (radmm/model/gossip.py), which keep the means of both.
        """
        now = state.iteration + 1
        step = per_node(self.steps(now, network.nodes))
        velocity = self.momentum * state.velocity - step * oracle.gradient(state.primal)
        primal = network.mix(state.primal) + velocity
        primal, velocity = (network.gossip(values, self.gossip) for values in (primal, velocity))
        return DGDState(iteration=now, primal=primal, velocity=velocity)

    def sends(self, iteration: int, features: int) -> Sent:
        """Return what a node sends to each of its neighbours: f, then f and v in each round of gossip."""
        return Sent(1 + self.gossip, (1 + 2 * self.gossip) * features)

    def most(self, mixing: Array, gossiped: Array) -> Array:
        """Return the stability limits (1 + qw)(1 + qβ)/q with q the modulus of p.

        Below it p z has modulus less than 1 for both roots z of z² − (w + β − ah)z + βw.
        """
        left = np.maximum(np.abs(gossiped), TINY)
        limits: Array = (1.0 + left * mixing) * (1.0 + left * self.momentum) / left
        return limits
