"""What is public about a problem on a network: all that the privacy bounds may depend on."""

from dataclasses import dataclass

from radmm.base.arrays import Array, Integers
from radmm.model.network import Network
from radmm.model.problem import Problem

TOLERANCE = 1e-8  # at which every argmin is solved: its gradient's Euclidean norm, for each node and run


@dataclass(frozen=True)
class PublicFacts:
    """The objective's constants, and each node's number of rows B_i and degree V_i."""

    C: float
    rho: float
    c1: float
    row_counts: Integers
    degrees: Array
    monotone: bool = True  # whether the loss is

    @classmethod
    def of(cls, problem: Problem, network: Network) -> "PublicFacts":
        monotone = getattr(problem.loss, "monotone", False)  # a loss of the user's own may not say
        return cls(problem.C, problem.rho, problem.loss.c1, problem.row_counts, network.degrees, monotone)

    @property
    def nodes(self) -> int:
        return len(self.degrees)

    def strong_convexity(self, penalty: Array) -> Array:
        """ρ/N + 2η_iV_i, the strong convexity of a node's subproblem; penalty is (…, node)."""
        return self.rho / self.nodes + 2.0 * penalty * self.degrees

    def gradient_sensitivity(self) -> Array:
        """2C/B_i: how far replacing one row of norm at most 1 moves the gradient of O."""
        return 2.0 * self.C / self.row_counts
