"""Argmins of a release: found by radmm's solver, certified by a bound of its own, and rounded to the plan's grid."""

import numpy as np

from radmm.argmin.engine_choice import engine_for
from radmm.argmin.solver import ArgminSolver
from radmm.base.arrays import Array, Integers
from radmm.model.problem import Problem
from radmm.model.public_facts import PublicFacts
from radmm.publication.certificate import Subproblem, within_norm
from radmm.publication.plan import ArgminGrid, Plan
from radmm.publication.row_slopes import rows_of_node

SEARCHED = 0.01  # the solver's tolerance over the one that is certified: usually certain at once
FARTHEST = 2**62  # in steps of the grid, where coordinates are cut off


class CertifiedArgmins:
    """Each node's argmin, within a certified distance and in whole steps of the grid.

    Args:
        problem: Problem that holds the rows.
        facts: Public facts of the problem and the network.
        plan: Plan of a run whose argmins are released.
    """

    def __init__(self, problem: Problem, facts: PublicFacts, plan: Plan) -> None:
        assert isinstance(plan.grid, ArgminGrid)  # noqa: S101 (callers have looked)
        self._grid, self._unit, self._weights = plan.grid, plan.unit, facts.row_weights
        self._rows = [within_norm(rows_of_node(problem, node)[0]) for node in range(facts.nodes)]
        self._solver = ArgminSolver(engine_for(problem), SEARCHED * float(plan.grid.tolerance.min()))

    def rounded(self, linear: Array, start: Array, step: int) -> list[Integers]:
        """Return each node's argmin in whole steps of the grid.

        Args:
            linear: Linear term, (node, feature, 1).
            start: Point at which the solver begins, (node, feature, 1).
            step: Number of the data-touching step, from 0.
        """
        curvature, tolerance, unit = (each[step] for each in (self._grid.curvature, self._grid.tolerance, self._unit))
        found = self._search(linear, curvature, start)
        return [
            _in_steps(
                Subproblem(rows, float(self._weights[node]), linear[node, :, 0], float(curvature[node])).certified(
                    found[node, :, 0], float(tolerance[node])
                ),
                float(unit[node]),
            )
            for node, rows in enumerate(self._rows)
        ]

    def _search(self, linear: Array, curvature: Array, start: Array) -> Array:
        """Return what the solver finds; whatever goes wrong, the certificate's own descent begins at zero instead."""
        try:
            return self._solver.minimise(linear, curvature, np.arange(1), start).point
        except Exception:
            return np.zeros_like(linear)


def _in_steps(point: Array, unit: float) -> Integers:
    """Return the nearest whole steps; the unit is a power of 2, so that nothing but this rounding happens."""
    return np.clip(np.rint(point / unit), -FARTHEST, FARTHEST).astype(np.int64)
