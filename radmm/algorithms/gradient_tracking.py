"""Gradient tracking (Di Lorenzo and Scutari, 2016; Nedić, Olshevsky and Shi, 2017), which finds the optimum itself."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from radmm.algorithms.algorithm import Sent, State
from radmm.algorithms.gradient import TINY, GradientMethod
from radmm.algorithms.oracle import Oracle
from radmm.base.arrays import Array, per_node
from radmm.model.network import Network


@dataclass(frozen=True, kw_only=True)
class TrackingState(State):
    """State of gradient tracking, which carries the tracked mean gradient along.

    Args:
        tracker: Tracked gradient y(t); as it and the gradient are 0 at t = 0, the first one is the first gradient.
        gradient: Gradient g(t) as released, with its noise, which is drawn only once.
    """

    tracker: Array
    gradient: Array


@dataclass(frozen=True)
class GradientTracking(GradientMethod[TrackingState]):
    """Gradient tracking: descend an estimate of the mean gradient, which the nodes average and update.

    Args:
        step: a(t), the step size along the tracked gradient: a number or a schedule, one for all nodes or one for each.
        gossip: m, the number of rounds of accelerated gossip of f and y after each gradient.
    """

    name: ClassVar[str] = "gradient-tracking"
    by_processes: ClassVar[bool] = True

    def first(self, primal: Array, network: Network) -> TrackingState:
        """Return the initial state: f(0) as given, with tracker and gradient 0."""
        nothing = np.zeros_like(primal)
        return TrackingState(iteration=0, primal=primal, tracker=nothing, gradient=nothing)

    def advance(self, state: TrackingState, network: Network, oracle: Oracle) -> TrackingState:
        """Compute the next state: y_i ← Σ_j W_ij y_j + g_i(t) − g_i(t−1), f_i ← Σ_j W_ij f_j − a y_i.

        Then m rounds of gossip: f ← p_m(W)f and y ← p_m(W)y (radmm/model/gossip.py). They keep the mean of y, which
        is that of the released gradients g(t); g(t) itself stays with its node.
        """
        gradient = oracle.gradient(state.primal)
        tracker = network.mix(state.tracker) + gradient - state.gradient
        now = state.iteration + 1
        primal = network.mix(state.primal) - per_node(self.steps(now, network.nodes)) * tracker
        primal, tracker = (network.gossip(values, self.gossip) for values in (primal, tracker))
        return TrackingState(iteration=now, primal=primal, tracker=tracker, gradient=gradient)

    def sends(self, iteration: int, features: int) -> Sent:
        """Return what a node sends to each of its neighbours: f and y, and again in each round of gossip."""
        return Sent(1 + self.gossip, 2 * (1 + self.gossip) * features)

    def most(self, mixing: Array, gossiped: Array) -> Array:
        """Return the stability limits: (1 + pw)²/2p for p > 0, else (1 − p²w²)/(−p).

        Below it z² − p(2w − ah)z + p²w² − p ah has its roots in the unit circle.
        """
        share = gossiped * mixing
        limits = np.where(gossiped > 0, (1.0 + share) ** 2 / 2.0, 1.0 - share**2)
        return limits / np.maximum(np.abs(gossiped), TINY)
