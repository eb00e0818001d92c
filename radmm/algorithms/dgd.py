"""Decentralised gradient descent, with momentum (Nedić and Ozdaglar, 2009)."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Lt

from radmm.algorithms.algorithm import State
from radmm.algorithms.gradient import GradientMethod
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
    """

    momentum: Annotated[float, Ge(0), Lt(1)] = 0.0
    name: ClassVar[str] = "dgd"

    def first(self, primal: Array, network: Network) -> DGDState:
        """Return the initial state: f(0) as given, v(0) = 0.

        Args:
            primal: Initial values f(0), (node, feature, run).
            network: Graph over which the nodes exchange values.
        """
        return DGDState(iteration=0, primal=primal, velocity=np.zeros_like(primal))

    def advance(self, state: DGDState, network: Network, oracle: Oracle) -> DGDState:
        """Compute the next state: v_i ← βv_i − a g_i, f_i ← Σ_j W_ij f_j + v_i, with g_i the gradient at f_i.

        Args:
            state: State after the previous iteration.
            network: Graph over which the nodes exchange values.
            oracle: Releases the perturbed gradients.
        """
        now = state.iteration + 1
        step = per_node(self.steps(now, network.nodes))
        velocity = self.momentum * state.velocity - step * oracle.gradient(state.primal)
        primal = network.mix(state.primal) + velocity
        return DGDState(iteration=now, primal=primal, velocity=velocity)

    def most(self, mixing: float) -> float:
        """Return the stability limit (1 + w)(1 + β): below it z² − (w + β − ah)z + βw has its roots in the unit circle.

        Args:
            mixing: Smallest eigenvalue w of the mixing matrix.
        """
        return (1.0 + mixing) * (1.0 + self.momentum)
