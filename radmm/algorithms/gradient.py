"""What gradient methods share: each iteration releases one gradient a node, and mixes the neighbours' values."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Annotated

from annotated_types import Gt

from radmm.algorithms.algorithm import Algorithm, S
from radmm.algorithms.oracle import Oracle
from radmm.model.network import Network


@dataclass(frozen=True)
class GradientMethod(Algorithm[S]):
    """Its parameter is called `step`, so its iteration is `advance`.

    Args:
        step: a, the factor of a gradient.
    """

    step: Annotated[float, Gt(0)] = 0.01  # type: ignore[assignment]

    @abstractmethod
    def advance(self, state: S, network: Network, oracle: Oracle) -> S:
        """One iteration.

        Args:
            state: What was released until now.
            network: Who is whose neighbour.
            oracle: Asked for the gradients.
        """

    @abstractmethod
    def most(self, mixing: float) -> float:
        """Largest stable product of step and curvature, where the objectives are quadratic and mixing commutes.

        Args:
            mixing: The smallest eigenvalue of the mixing matrix.
        """

    def doubt(self, curvature: float, network: Network) -> str | None:
        """Beyond the stable steps iterates may grow or swing without end.

        Args:
            curvature: The largest that a node's objective may have.
            network: Who is whose neighbour.
        """
        limit = self.most(network.least_mixing) / curvature
        if self.step <= limit:
            return None
        return (
            f"step = {self.step:g}: {self.name} may diverge even without noise, as rows of norm 1 allow a curvature of "
            f"{curvature:.4g}, for which steps are stable up to {limit:.3g}"
        )
