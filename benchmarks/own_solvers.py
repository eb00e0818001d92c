"""radmm's two engines on the argmins of one node: `python -m benchmarks.own_solvers NAME CASE.npz`.

It answers as `peer_solvers` does. The time includes Hessians and the check of rounding, not the layout of the rows.
"""

import sys

import numpy as np

from benchmarks.argmin_cases import node_problem
from benchmarks.peer_solvers import serve
from radmm.argmin.engine import NumpyEngine
from radmm.argmin.engine_choice import engine_for
from radmm.argmin.solver import ArgminSolver

KERNEL = "radmm, kernel, ten runs at once"
OWN = {
    KERNEL: (engine_for, 10),
    "radmm, kernel, one run": (engine_for, 1),
    "radmm, NumPy, ten runs at once": (NumpyEngine, 10),
    "radmm, NumPy, one run": (NumpyEngine, 1),
}


class Own:
    """radmm's solver with one of its engines, for several runs at once."""

    has_linear = True

    def __init__(self, case, engine, runs):
        self.case, self.runs = case, np.arange(runs)
        self.engine = engine(node_problem(case.x, case.y, case.weight, "logistic" if case.classes == 1 else "softmax"))

    def solve(self, tolerance, steps):
        solver, start = ArgminSolver(self.engine, tolerance), self.case.start[None, :, self.runs]
        steps = zip(self.case.linear[:steps], self.case.ridge[:steps], strict=True)
        return np.array([
            solver.minimise(linear[None, :, self.runs], np.array([ridge]), self.runs, start).point[0]
            for linear, ridge in steps
        ])  # fmt: skip


def maker(engine, runs):
    return lambda case: Own(case, engine, runs)


if __name__ == "__main__":
    serve(sys.argv[1], {name: maker(*how) for name, how in OWN.items()})
