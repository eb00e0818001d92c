"""A data-touching step as the outside sees it: every node's argmin, perturbed and released."""

from dataclasses import dataclass

from radmm.algorithms import State
from radmm.arrays import Array
from radmm.noise import Noise, draw_noise
from radmm.primal import PrimalSolver
from radmm.public import PublicFacts


@dataclass(frozen=True)
class Releaser:
    """The only code that reads the data on behalf of an algorithm."""

    solver: PrimalSolver
    facts: PublicFacts
    noise: Noise | None
    seed: int

    def __call__(self, state: State, linear: Array, penalty: Array) -> tuple[Array, Array]:
        """Released primal values, (node, feature, run), and the gradient norms of their argmins, (node, run)."""
        curvature = self.facts.strong_convexity(penalty)
        if self.noise is None:
            solution = self.solver.minimise(linear, curvature, start=state.primal)
            return solution.point, solution.residual
        step = state.data_steps + 1
        alpha = self.noise.alphas(step, self.facts.nodes)
        epsilon = draw_noise(alpha, linear.shape[1], state.runs, self.seed, step)
        linear = linear + self.noise.linear_term(epsilon, penalty, self.facts.degrees)
        solution = self.solver.minimise(linear, curvature, start=state.primal)
        return solution.point + self.noise.output_term(epsilon), solution.residual
