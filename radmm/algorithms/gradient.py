"""Base class of gradient methods: each iteration releases one gradient a node and averages neighbours' values."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Annotated

from annotated_types import Gt

from radmm.algorithms.algorithm import Algorithm, S
from radmm.algorithms.oracle import Oracle
from radmm.model.network import Network


@dataclass(frozen=True)
class GradientMethod(Algorithm[S]):
    """Base class of gradient methods, which override `advance` because `step` is their step size.

    Args:
        step: a, the step size.
    """

    step: Annotated[float, Gt(0)] = 0.01  # type: ignore[assignment]

    @abstractmethod
    def advance(self, state: S, network: Network, oracle: Oracle) -> S:
        """Compute the next state: one iteration.

        Args:
            state: State after the previous iteration.
            network: Graph over which the nodes exchange values.
            oracle: Releases the perturbed gradients.
        """

    @abstractmethod
    def most(self, mixing: float) -> float:
        """Return the largest stable product of step and curvature.

        It is that of quadratic objectives whose Hessians commute with the mixing matrix.

        Args:
            mixing: Smallest eigenvalue of the mixing matrix.
        """

    def doubt(self, curvature: float, network: Network) -> str | None:
        """Return a sentence that says by how much the step exceeds the largest stable one, or None if it doesn't.

        Args:
            curvature: Largest curvature that a node's objective may have.
            network: Graph over which the nodes exchange values.
        """
        limit = self.most(network.least_mixing) / curvature
        if self.step <= limit:
            return None
        return (
            f"step = {self.step:g}: {self.name} may diverge even without noise, as rows of norm 1 allow a curvature of "
            f"{curvature:.4g}, for which steps are stable up to {limit:.3g}"
        )
