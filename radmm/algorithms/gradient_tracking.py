"""Gradient tracking (Di Lorenzo and Scutari, 2016; Nedić, Olshevsky and Shi, 2017): it reaches the optimum itself."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from radmm.algorithms.algorithm import State
from radmm.algorithms.gradient import GradientMethod
from radmm.algorithms.oracle import Oracle
from radmm.base.arrays import Array
from radmm.model.network import Network


@dataclass(frozen=True, kw_only=True)
class TrackingState(State):
    """With what tracks the mean gradient.

    Args:
        tracker: y(t); the first is the first gradient, as it and the gradient before are 0 at t = 0.
        gradient: g(t) as it was released, noise included, which is drawn once.
    """

    tracker: Array
    gradient: Array


@dataclass(frozen=True)
class GradientTracking(GradientMethod[TrackingState]):
    """Gradient tracking: go down an estimate of the mean gradient, which is mixed and brought up to date.

    Args:
        step: a, the factor of the tracked gradient.
    """

    name: ClassVar[str] = "gradient-tracking"

    def first(self, primal: Array, network: Network) -> TrackingState:
        """f(0) as given.

        Args:
            primal: f(0).
            network: Who is whose neighbour.
        """
        nothing = np.zeros_like(primal)
        return TrackingState(iteration=0, primal=primal, tracker=nothing, gradient=nothing)

    def advance(self, state: TrackingState, network: Network, oracle: Oracle) -> TrackingState:
        """y_i ← Σ_j W_ij y_j + g_i(t) − g_i(t−1), f_i ← Σ_j W_ij f_j − a y_i, with g_i(t) the gradient at f_i.

        Args:
            state: What was released until now.
            network: Who is whose neighbour.
            oracle: Asked for the gradients.
        """
        gradient = oracle.gradient(state.primal)
        tracker = network.mix(state.tracker) + gradient - state.gradient
        primal = network.mix(state.primal) - self.step * tracker
        return TrackingState(iteration=state.iteration + 1, primal=primal, tracker=tracker, gradient=gradient)

    def most(self, mixing: float) -> float:
        """z² − (2w − ah)z + w² − ah has its roots in the unit circle for ah < (1 + w)²/2.

        Args:
            mixing: The smallest eigenvalue w of the mixing matrix.
        """
        return (1.0 + mixing) ** 2 / 2.0
