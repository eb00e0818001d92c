"""MR-ADMM as one would write it by hand: SciPy's L-BFGS-B for each node and run, one after the other.

It draws the same noise and initial points as radmm, so that both solve the very same problems.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import expit

from radmm.base.seeds import Purpose, generator
from radmm.privacy.noise_laws import draw_noise


@dataclass
class Outcome:
    losses: np.ndarray  # (runs, iterations + 1)
    errors: np.ndarray
    largest_gradient: float
    passes: int


@dataclass
class ByHand:
    """A loss: its values on rows, and its values' sum with the gradient."""

    values: Callable  # (rows, f) ↦ one value a row
    sums: Callable  # (rows, f) ↦ Σ L and Σ ∇L
    columns: int = 1  # of f


LOGISTIC = ByHand(
    lambda x, f: np.logaddexp(0, -(x @ f)),
    lambda x, f: (np.logaddexp(0, -(x @ f)).sum(), -(x.T @ expit(-(x @ f)))),
)


def mr_admm(rows, neighbours, test, settings, gtol, runs, loss=LOGISTIC):
    """rows[i] are node i's y·x, dense or CSR. Loss and test error at every iteration, as in a trace."""
    outcome = Outcome(
        np.zeros((len(runs), settings.iterations + 1)), np.zeros((len(runs), settings.iterations + 1)), 0, 0
    )
    for index, run in enumerate(runs):
        _one_run(rows, neighbours, test, settings, gtol, run, index, outcome, loss)
    return outcome


def _one_run(rows, neighbours, test, settings, gtol, run, index, outcome, loss):
    nodes, d = len(rows), rows[0].shape[1] * loss.columns
    f = generator(settings.seed, Purpose.INITIAL_POINT, run).standard_normal((nodes, d))
    dual, before = np.zeros((nodes, d)), f
    for t in range(settings.iterations + 1):
        outcome.losses[index, t] = np.mean([loss.values(x, f_i).mean() for x, f_i in zip(rows, f, strict=True)])
        if test is not None:
            outcome.errors[index, t] = np.mean(test @ f.mean(axis=0) <= 0)
        k = t // 2 + 1
        eta = settings.ratio**k
        if t == settings.iterations:
            break
        if t % 2 == 0:
            noise = np.zeros((nodes, d))
            if settings.alpha is not None:
                noise = draw_noise(np.full(nodes, settings.alpha), d, np.array([run]), settings.seed, k)[:, :, 0]
            new = np.empty_like(f)
            for i in range(nodes):
                linear = 2 * dual[i] + noise[i] - eta * sum(f[i] + f[j] for j in neighbours[i])
                ridge = settings.rho / nodes + 2 * eta * len(neighbours[i])
                weight = settings.C / rows[i].shape[0]
                result = minimize(
                    _objective, f[i], (loss, rows[i], linear, ridge, weight), "L-BFGS-B", jac=True,
                    options={"gtol": gtol, "ftol": 0, "maxiter": 1000},
                )  # fmt: skip
                new[i] = result.x
                outcome.largest_gradient = max(outcome.largest_gradient, np.linalg.norm(result.jac))
                outcome.passes += result.nfev
            before, f = f, new
            dual = dual + eta / 2 * np.array([sum(f[i] - f[j] for j in neighbours[i]) for i in range(nodes)])
        else:
            eta = settings.ratio ** ((t + 1) // 2)
            step = [
                eta / (2 * eta * len(near) + settings.gamma) * sum(before[i] + before[j] - 2 * f[j] for j in near)
                for i, near in enumerate(neighbours)
            ]
            before, f = f, f - np.array(step)


def _objective(f, loss, x, linear, ridge, weight):
    value, gradient = loss.sums(x, f)
    return weight * value + linear @ f + ridge / 2 * f @ f, weight * gradient + linear + ridge * f


def node_rows(problem, dense):
    """Each node's rows y·x as a block of its own."""
    edges = problem.node_start
    blocks = [problem.rows[edges[i] : edges[i + 1]] for i in range(problem.nodes)]
    return [block.toarray() for block in blocks] if dense else [sparse.csr_array(block) for block in blocks]
