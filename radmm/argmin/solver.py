"""The argmin solver: solves every node's and run's subproblem of a data-touching step to one tolerance.

Each is min_f (C_i/B_i) Σ L(y f·x) + linear·f + ½ q_i‖f‖², smooth and q_i-strongly convex.
"""

from dataclasses import replace

import numpy as np

from radmm.argmin.engine import Argmin, Engine, Inverse, NumpyEngine, Solution
from radmm.argmin.newton import finish_by_newton
from radmm.argmin.preconditioner import from_hessian
from radmm.argmin.rounding import SHARE, rounding_of_margins, rounding_of_sums
from radmm.argmin.small_nodes import SmallNodes, are_small
from radmm.base.arrays import Array, Integers, Mask, per_node
from radmm.base.threads import in_threads
from radmm.model.losses.loss import middle_curvature
from radmm.model.problem import Problem

REFRESH_GROWTH = 1.9


class ArgminSolver:
    """Solves the subproblems of one data-touching step after another; large and small nodes have separate solvers."""

    def __init__(self, engine: Engine, tolerance: float) -> None:
        self._nodes = kinds_of_nodes(engine.problem, engine.small_nodes_together)
        engines = [engine] if len(self._nodes) == 1 else [engine.restricted(nodes) for nodes in self._nodes]
        self._solvers = [_Solver(engine, tolerance) for engine in engines]
        self._threads = engine.threads

    def minimise(self, linear: Array, curvature: Array, runs: Integers, start: Array) -> Argmin:
        """Solve every node's and run's subproblem.

        Args:
            linear: Linear term, (node, feature, run).
            curvature: Quadratic weight q_i, one a node.
            runs: Numbers of the runs that are still going.
            start: Where the first solve begins; later ones begin where the last one ended.
        """
        if len(self._solvers) == 1:
            return self._solvers[0].minimise(linear, curvature, runs, start)
        shape = linear.shape[0], linear.shape[2]
        found = Argmin(np.empty(linear.shape), np.empty(shape), np.empty(shape), np.empty(shape, dtype=np.int64))

        def solve(kind: int) -> None:
            nodes = self._nodes[kind]
            part = self._solvers[kind].minimise(linear[nodes], curvature[nodes], runs, start[nodes])
            for name, values in vars(found).items():
                values[nodes] = getattr(part, name)

        in_threads(self._threads, solve, range(len(self._solvers)))
        return found


def kinds_of_nodes(problem: Problem, most: int) -> list[Integers]:
    """Group the nodes to be solved together: the large ones, and small ones with the same number of rows.

    Args:
        problem: Rows of all nodes.
        most: Largest number of small nodes in a group.
    """
    rows = np.where(are_small(problem), problem.row_counts, 0)  # 0 for large nodes
    groups = {value: np.flatnonzero(rows == value) for value in np.unique(rows)}
    return [
        nodes[first : first + length]
        for value, nodes in groups.items()
        for length in [most if value else len(nodes)]
        for first in range(0, len(nodes), length)
    ]


class _Solver:
    """Argmin solver of nodes that are all large, or all small and with the same number of rows.

    Each solve begins where the last one ended, where all is known without a pass. The preconditioner of large nodes is
    refreshed at growing distances, because the solutions move ever less.
    """

    def __init__(self, engine: Engine, tolerance: float) -> None:
        self._engine, self._tolerance = engine, tolerance
        self._small = SmallNodes(engine.problem) if are_small(engine.problem).all() else None
        self._last: tuple[Integers, Solution, Array] | None = None  # of which runs, and what rounding may have hidden
        self._preconditioner: Inverse | None = None
        self._solved, self._next_refresh = 0, 1

    def minimise(self, linear: Array, curvature: Array, runs: Integers, start: Array) -> Solution:
        known: Array | Solution = start
        inherited: Array = np.zeros((len(curvature), len(runs)))
        if self._last is not None:
            before, known, inherited = self._last
            if len(before) != len(runs):
                left = np.searchsorted(before, runs)
                known, inherited = known.keep(left), inherited[:, left]
        preconditioner = self._precondition(known, curvature)
        solution = self._engine.minimise(linear, curvature, known, preconditioner, self._tolerance)
        rounding = rounding_of_sums(self._engine.problem, linear, curvature, solution.point)
        inherited = rounding + np.where(solution.passes == 0, inherited, 0.0)
        solution = self._certified(solution, linear, curvature, rounding, inherited)
        self._last = runs, solution, inherited
        return solution

    def _certified(
        self, solution: Solution, linear: Array, curvature: Array, rounding: Array, inherited: Array
    ) -> Solution:
        """Return the solution with residuals that rounding can't fool.

        Where rounding may hide more than its share, the gradient is measured from the rows themselves, and what may be
        hidden is added to it. What then misses the tolerance is solved by Newton's method.

        Args:
            solution: Solution as the engine found it.
            linear: Linear term, (node, feature, run).
            curvature: Quadratic weight q_i, one a node.
            rounding: Bound on what rounding hides from a pass over the rows.
            inherited: Bound that includes what earlier passes may have hidden, where no pass was taken this time.
        """
        problem, allowed = self._engine.problem, SHARE * self._tolerance
        doubtful: Mask = inherited > allowed
        if self._small is not None:
            doubtful |= rounding_of_margins(problem, linear, curvature) > allowed
        if not (doubtful.any() or getattr(problem.loss, "bends_abruptly", False)):
            return solution
        unsure = np.where(rounding > allowed, rounding, 0.0)
        if doubtful.any():
            measured = self._residual(solution.point, linear, curvature)
            solution = replace(solution, residual=np.where(doubtful, measured, solution.residual))
        asked = doubtful | getattr(problem.loss, "bends_abruptly", False)
        target = np.where(asked, np.maximum(self._tolerance - unsure, allowed), np.inf)
        solution = finish_by_newton(NumpyEngine(problem, self._engine.threads), solution, linear, curvature, target)
        return replace(solution, residual=solution.residual + unsure)

    def _residual(self, point: Array, linear: Array, curvature: Array) -> Array:
        """Return the norm of each subproblem's gradient, (node, run), from the rows themselves."""
        slope = per_node(self._engine.problem.row_weights) * self._engine.gradients(point)
        residual: Array = np.linalg.norm(slope + linear + per_node(curvature) * point, axis=1)
        return residual

    def _precondition(self, known: Array | Solution, curvature: Array) -> Inverse:
        self._solved += 1
        if self._preconditioner is None or (self._small is None and self._solved >= self._next_refresh):
            self._next_refresh = max(self._solved + 1, int(REFRESH_GROWTH * self._solved))
            self._preconditioner = self._make_preconditioner(known, curvature)
        return self._preconditioner.for_curvature(curvature)

    def _make_preconditioner(self, known: Array | Solution, curvature: Array) -> Inverse:
        if self._small is not None:
            return self._small.precondition(curvature)
        problem = self._engine.problem
        weight = np.repeat(problem.row_weights, problem.row_counts)
        # Where nothing was solved yet, the middle of what L'' can be says more than L'' at the start.
        bend = self._engine.curvatures(known.point) if isinstance(known, Solution) else middle_curvature(problem.loss)
        hessian = self._engine.hessians(weight * bend)
        return from_hessian(hessian, curvature, problem.outputs, self._engine.threads)
