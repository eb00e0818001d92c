"""A data-touching step as the outside sees it: every node's argmin, perturbed and released."""

from dataclasses import dataclass

from radmm.algorithms.families import Released, State
from radmm.argmin.solver import PrimalSolver
from radmm.base.arrays import Array
from radmm.model.facts import PublicFacts
from radmm.privacy.noise import Noise


@dataclass(frozen=True)
class Releaser:
    """The only code that reads the data on behalf of an algorithm."""

    solver: PrimalSolver
    facts: PublicFacts
    noise: Noise | None
    seed: int

    def __call__(self, state: State, linear: Array, penalty: Array) -> Released:
        """The argmin of O + linear·f + η_iV_i‖f‖² for every node and run, perturbed as asked."""
        curvature = self.facts.strong_convexity(penalty)
        if self.noise is None:
            solution = self.solver.minimise(linear, curvature, state.runs, state.primal)
            return Released(solution.point, solution.residual, solution.loss, solution.passes)
        step, dimension, nodes = state.data_steps + 1, linear.shape[1], self.facts.nodes
        epsilon = self.noise.draw(step, dimension, state.runs, self.seed, nodes)
        linear = linear + self.noise.linear_term(epsilon, penalty, self.facts.degrees)
        solution = self.solver.minimise(linear, curvature, state.runs, state.primal)
        if not self.noise.perturbs_objective:
            return Released(solution.point + epsilon, solution.residual, None, solution.passes)
        if self.noise.repair is not None:
            zeta = self.noise.draw_repair(step, dimension, state.runs, self.seed, nodes)
            return Released(solution.point + zeta, solution.residual, None, solution.passes)
        return Released(solution.point, solution.residual, solution.loss, solution.passes)
