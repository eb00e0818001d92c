"""The oracle of a release: every answer is a vector of whole numbers with discrete Gaussian noise added."""

import numpy as np

from radmm.algorithms.oracle import Oracle
from radmm.base.arrays import Array, Integers
from radmm.model.problem import Problem
from radmm.model.public_facts import PublicFacts
from radmm.publication.argmins import CertifiedArgmins
from radmm.publication.discrete_noise import add_discrete_gaussian
from radmm.publication.gradient_grid import GradientGrid
from radmm.publication.plan import ArgminGrid, Plan
from radmm.publication.row_slopes import rows_of_node, slopes


class GridOracle(Oracle):
    """Oracle that answers from the data, on the grid and with the noise of a plan: the only code that reads rows.

    Args:
        problem: Problem that holds the rows.
        facts: Public facts of the problem and the network.
        plan: Grid, sensitivity and noise of every answer.
    """

    runs: Integers = np.arange(1)

    def __init__(self, problem: Problem, facts: PublicFacts, plan: Plan) -> None:
        self._loss, self._facts, self._plan = problem.loss, facts, plan
        self._rows = [rows_of_node(problem, node) for node in range(facts.nodes)]
        self._argmins = CertifiedArgmins(problem, facts, plan) if isinstance(plan.grid, ArgminGrid) else None
        self._step = 0  # how many answers were given

    def gradient(self, point: Array) -> Array:
        """Return each node's gradient of O, released on the grid; the regulariser's gradient is public."""
        assert isinstance(self._plan.grid, GradientGrid)  # noqa: S101 (the plan is of gradients)
        totals = [
            self._plan.grid.total(rows, slopes(self._loss, rows, classes, point[node, :, 0]))
            for node, (rows, classes) in enumerate(self._rows)
        ]
        return self._released(totals) + self._facts.rho / self._facts.nodes * point

    def argmin(self, linear: Array, weight: Array, start: Array) -> Array:
        """Return each node's argmin of O + linear·f + ½ w_i‖f‖², certified, rounded to the grid and released."""
        assert self._argmins is not None  # noqa: S101 (the plan is of argmins)
        return self._released(self._argmins.rounded(linear, start, self._step))

    def _released(self, totals: list[Integers]) -> Array:
        step, self._step = self._step, self._step + 1
        noisy = [
            unit * add_discrete_gaussian(total, int(scale)).astype(np.float64)
            for total, unit, scale in zip(totals, self._plan.unit[step], self._plan.scale[step], strict=True)
        ]
        return np.stack(noisy)[:, :, None]
