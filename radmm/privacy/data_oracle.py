"""The oracle that has data: it perturbs every answer, which is then released."""

from dataclasses import dataclass, replace

import numpy as np

from radmm.algorithms.oracle import Oracle
from radmm.argmin.engine import Engine
from radmm.argmin.margins import RowMargins
from radmm.argmin.rounding import SHARE
from radmm.argmin.solver import ArgminSolver
from radmm.base.arrays import Array, Integers, Mask, per_node
from radmm.base.errors import InputError
from radmm.model.losses.loss import quadratic_of
from radmm.model.network import Network
from radmm.model.public_facts import PublicFacts
from radmm.model.quadratic_model import QuadraticModel, pack
from radmm.privacy.events import NoisyMoments
from radmm.privacy.noise import Noise


@dataclass(frozen=True)
class Findings:
    """Facts about the last answer beyond its released value, which go into the trace, not to the algorithm.

    Args:
        released: The answer itself.
        residual: Gradient norms of the argmins, (node, run).
        passes: Number of passes over the node's rows, (node, run).
        loss: Σ L at the released value, (node, run), if known.
    """

    released: Array
    residual: Array
    passes: Array | Integers
    loss: Array | None


class DataOracle(Oracle):
    """Oracle that answers from the data: the only code that reads the data on behalf of an algorithm.

    Args:
        engine: Engine that reads the rows.
        facts: Public facts of the problem and the network; argmins are solved to the tolerance they state.
        noise: Noise with which every answer is released; None for none.
        seed: Seed of the noise.
        runs: Number of runs.
        network: Graph over which the nodes exchange values, for noise that cancels between neighbours.
        own: Numbers of the nodes whose rows the engine reads; all if not given. Facts and noise are those of all nodes.
    """

    def __init__(
        self,
        engine: Engine,
        facts: PublicFacts,
        noise: Noise | None,
        seed: int,
        runs: int,
        network: Network | None = None,
        own: Integers | None = None,
    ) -> None:
        self._network, self._own = network, np.arange(facts.nodes) if own is None else own
        counted = noise is not None and (noise.on_output or noise.repair is not None)
        # A guarantee that counts the tolerance counts what rounding hides with it.
        tolerance = facts.tolerance / (1.0 + SHARE) if counted else facts.tolerance
        self._engine, self._solver = engine, ArgminSolver(engine, tolerance)
        self._facts, self._noise, self._seed = facts, noise, seed
        self._runs: Integers = np.arange(runs)
        self._step = 0  # the paper's k
        self.findings: Findings | None = None  # of the last answer

    def argmin(self, linear: Array, weight: Array, start: Array) -> Array:
        """Return each node's argmin of O + linear·f + ½ w_i‖f‖², perturbed."""
        self._step += 1
        noise, curvature = self._noise, self._facts.strong_convexity(weight)
        epsilon = None if noise is None else self._draw(noise, linear.shape[1])
        if noise is not None and epsilon is not None and not noise.on_output:
            linear = linear + noise.linear_term(epsilon, weight)
        solution = self._solver.minimise(linear, curvature, self._runs, start)
        found = Findings(solution.point, solution.residual, solution.passes, solution.loss)
        if noise is not None and epsilon is not None and noise.on_output:
            found = replace(found, released=solution.point + epsilon, loss=None)
        elif noise is not None and noise.repair is not None:
            zeta = noise.draw_repair(self._step, linear.shape[1], self._runs, self._seed, self._facts.nodes)
            found = replace(found, released=solution.point + self._of_own(zeta), loss=None)
        self.findings = found
        return found.released

    def gradient(self, point: Array) -> Array:
        """Return each node's gradient of O, perturbed; it takes one pass."""
        self._step += 1
        problem = self._engine.problem
        slope = per_node(problem.row_weights) * self._engine.gradients(point)
        released = slope + self._facts.rho / self._facts.nodes * point
        if self._noise is not None:
            released = released + self._draw(self._noise, point.shape[1])
        self._found_by_one_pass(released)
        return released

    def moments(self, point: Array) -> QuadraticModel:
        """Return each node's moments, perturbed, as a quadratic model of O; they take one pass.

        The noise is added to (C_i/B_i)(Σ w, √t Σ w wᵀ), w = y x. The model is made of this and of what is public.
        """
        self._step += 1
        fine, ridge = float(np.sqrt(NoisyMoments.ratio)), self._facts.rho / self._facts.nodes
        released = np.repeat(weighted_moments(self._engine, fine)[:, :, None], len(self._runs), axis=2)
        spread = np.zeros(self._facts.nodes)
        if self._noise is not None:
            released += self._draw(self._noise, released.shape[1])
            spread = self._noise.scales(self._step, self._facts.nodes)
        self._found_by_one_pass(released)
        first, second = np.split(released, [point.shape[1]], axis=1)
        quadratic = quadratic_of(self._engine.problem.loss)
        return QuadraticModel.of_moments(first, second / fine, spread / fine, quadratic, ridge)

    def keep(self, kept: Mask, before: Array, after: Array) -> None:
        """Continue with some of the runs only.

        Args:
            kept: Mask of the runs to keep, one entry for each that is left.
            before: The state's primal variable with all runs.
            after: The state's primal variable with the kept runs alone.
        """
        self._runs = self._runs[kept]
        if self.findings is not None:
            found = self.findings
            self.findings = Findings(
                after if found.released is before else found.released[..., kept],
                found.residual[..., kept],
                found.passes[..., kept],
                None if found.loss is None else found.loss[..., kept],
            )

    @property
    def runs(self) -> Integers:
        """Numbers of the runs that are left."""
        return self._runs

    def _found_by_one_pass(self, released: Array) -> None:
        shape = released.shape[0], released.shape[2]
        self.findings = Findings(released, np.zeros(shape), np.ones(shape, dtype=np.int64), None)

    def _draw(self, noise: Noise, dimension: int) -> Array:
        own = self._of_own(noise.draw(self._step, dimension, self._runs, self._seed, self._facts.nodes))
        if not noise.cancelling:
            return own
        if self._network is None:
            raise InputError(f"cancelling = {noise.cancelling:g}: must know who is whose neighbour")
        return own + self._of_own(noise.draw_shared(self._step, dimension, self._runs, self._seed, self._network))

    def _of_own(self, drawn: Array) -> Array:
        """Return the own nodes' rows of a draw: row i is node i's, whoever draws it."""
        return drawn if len(self._own) == len(drawn) else drawn[self._own]


def weighted_moments(engine: Engine, fine: float) -> Array:
    """Return (C_i/B_i)(Σ w, fine·Σ w wᵀ) over each node's rows w = y x, matrices packed, (node, entry).

    Args:
        engine: Engine that reads the rows.
        fine: Weight of the second moments.
    """
    problem, every = engine.problem, np.ones(engine.problem.rows.shape[0])
    first = RowMargins(problem).pull_back(every[:, None])[:, :, 0]
    moments: Array = np.hstack([first, fine * pack(engine.hessians(every))])
    return problem.row_weights[:, None] * moments
