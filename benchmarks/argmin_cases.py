"""The argmins that solvers are compared on: those of one node, recorded in a real run of each data set."""

from unittest.mock import patch

import numpy as np
from scipy import sparse

import radmm
from benchmarks.cases import NODES, Settings, load, load_adult, ring_with_chords, spread, training_rows
from benchmarks.sections import solve_or_fail
from radmm.argmin.engine_choice import engine_for
from radmm.argmin.solver import ArgminSolver
from radmm.data.sources.census_kdd import CensusIncome
from radmm.data.sources.covertype import Covertype

# {name: (data, training rows, T, loss, forms in which peers may have the rows)}
CASES = {
    "Adult": (load_adult, 40_000, 50, "logistic", ("csr",)),
    "Census-Income": (lambda: load(CensusIncome()), 150_000, 20, "logistic", ("csr",)),
    "Covertype, two classes": (lambda: load(Covertype()), 150_000, 20, "logistic", ("csr", "dense")),
    "Covertype, softmax": (lambda: load(Covertype(all_types=True)), 50_000, 20, "softmax", ("csr", "dense")),
}
SMALL = {"Adult": (load_adult, 2_000, 6, "logistic", ("csr",))}


def write_case(path, data, rows, loss, iterations):
    """Store the argmins of the first of five nodes in ten runs of private MR-ADMM, α = 1, as in Figure 5.

    Args:
        path: The .npz file to write.
        data: Data set with at least so many rows.
        rows: Number of training rows, dealt out to the nodes.
        loss: Name of the loss.
        iterations: Number T of iterations, of which every other has an argmin.
    """
    problem = spread(data, rows, loss)
    settings = Settings(iterations=iterations, C=problem.C)
    steps = _recorded(problem, radmm.Network.from_edges(ring_with_chords(NODES)), settings)
    linear, ridge, starts, points = (np.array(part) for part in zip(*steps, strict=True))
    own = training_rows(data, rows)[::NODES]
    x, y, weight = sparse.csr_array(data.features[own]), data.labels[own], problem.row_weights[0]
    y = y.astype(np.int64) if loss == "softmax" else y
    np.savez(
        path, data=x.data, indices=x.indices, indptr=x.indptr, shape=x.shape, y=y, weight=weight,
        linear=linear, ridge=ridge, start=starts[0], exact=points[:, :, 0],
        plain=_without_linear(node_problem(x, y, weight, loss), points[:1, :, :1], ridge),
    )  # fmt: skip


def _recorded(problem, network, settings):
    """Return (linear, ridge, start, argmin) of the first node at each data-touching step."""
    steps, original = [], ArgminSolver.minimise

    def recording(self, linear, curvature, runs, start):
        found = original(self, linear, curvature, runs, start)
        steps.append((linear[0].copy(), curvature[0], start[0].copy(), found.point[0].copy()))
        return found

    with patch.object(ArgminSolver, "minimise", recording):
        solve_or_fail(problem, network, settings)
    return steps


def node_problem(x, y, weight, loss):
    """Return one node's rows as a problem of their own."""
    return radmm.Problem(x, y, np.zeros(len(y), dtype=np.int64), loss, C=weight * len(y), rho=Settings.rho)


def _without_linear(node, start, ridge):
    """Return the argmins of the same steps without a linear term, for solvers that can't have one."""
    solver, runs, none = ArgminSolver(engine_for(node), 1e-8), np.arange(1), np.zeros_like(start)
    return np.array([solver.minimise(none, np.array([q]), runs, start).point[0, :, 0] for q in ridge])
