"""Canaries: rows made to be found again in what a run releases, each in the data by a coin of its own.

Canary i is a unit row along feature i, so that no two of them touch the same entry of f. It lies on the wrong side of
the public initial point, where the loss is steepest and a row tells most. A canary that is left out is a zero row:
that is the zero-out relation. All other rows are zero.
"""

from typing import NamedTuple

import numpy as np
import scipy

from radmm.base.arrays import Array, Integers, Mask
from radmm.base.seeds import Purpose, generator
from radmm.driver import initial_point, solve
from radmm.model.problem import Problem
from radmm.results.audit.case import Setup

START = 30.0  # standard deviation of the initial point: most margins are then so negative that slopes are steepest
SAMPLES_A_NUMBER = 50  # canaries of practice runs for each number that a score weighs


class CanaryRun(NamedTuple):
    """Coins of one run's canaries, and what the run releases about each of them.

    Args:
        included: Coin of each canary: whether it is in the data.
        series: All nodes' iterates along each canary, (canary, iterations, nodes and classes).
    """

    included: Mask
    series: Array


def run_with_canaries(setup: Setup, canaries: int, seed: int, run: int) -> CanaryRun:
    """Solve once with canaries at the first node, and return the coins and what was released along each canary.

    Args:
        setup: Public parameters of the run; the first node has at least as many rows and features as canaries.
        run: Number of the run, which has coins and noise of its own.
    """
    stream = generator(seed, Purpose.CANARIES, run)
    included, own_seed = stream.random(canaries) < 0.5, int(stream.integers(2**31))
    blank = problem_of(setup, scipy.sparse.csr_array((setup.rows, setup.dimension)))
    feature, sign = steepest(initial_point(blank, 1, own_seed, START)[:, : setup.dimension, 0], canaries)
    rows = scipy.sparse.csr_array(
        (np.where(included, sign, 0.0), (np.arange(canaries), feature)), shape=(setup.rows, setup.dimension)
    )
    result = solve(
        problem_of(setup, rows),
        setup.network,
        setup.algorithm,
        noise=setup.noise,
        iterations=setup.iterations,
        runs=1,
        seed=own_seed,
        keep_iterates=True,
        initial_scale=START,
    )
    if result.primal is None or result.status[0].reason:
        raise ArithmeticError(f"the run with canaries ended early: {result.status[0].reason}")
    along = result.primal[0].reshape(-1, setup.dimension)[:, feature]
    return CanaryRun(included, (sign * along).T)


def steepest(start: Array, canaries: int) -> tuple[Integers, Array]:
    """Return the features along which the canaries lie, and their signs.

    A canary tells most where its margin is most negative, at the first node's start and at the average of all.

    Args:
        start: Initial point, (node, feature).
    """
    sign = np.where(start[0] > 0, -1.0, 1.0)
    margin = np.maximum(sign * start[0], sign * start.mean(axis=0))
    feature = np.argsort(margin, kind="stable")[:canaries]
    return feature, sign[feature]


def problem_of(setup: Setup, first: scipy.sparse.csr_array | Array) -> Problem:
    """Return the problem with the first node's rows, while all other nodes have zero rows.

    Args:
        setup: Public parameters of the run.
        first: Rows of the first node.
    """
    others = scipy.sparse.csr_array((setup.rows * (setup.network.nodes - 1), setup.dimension))
    features = scipy.sparse.vstack([first, others], format="csr")
    owner = np.repeat(np.arange(setup.network.nodes), setup.rows)
    return Problem(features, np.ones(features.shape[0]), owner, setup.loss, setup.C, setup.rho)


def scores(setup: Setup, canaries: int, seed: int) -> tuple[Mask, Array]:
    """Return the coins of one audited run, and a score of each canary from what the run releases.

    A score is the linear function of all that is released along a canary that tells best, in practice runs with
    coins that are known, whether a canary is in. The audited run has no part in it, so what its scores show holds
    whatever the function is.

    Args:
        setup: Public parameters of the run.
    """
    audited = run_with_canaries(setup, canaries, seed, 0)
    numbers = audited.series.shape[1]
    practice = [
        run_with_canaries(setup, canaries, seed, run) for run in range(1, 2 + SAMPLES_A_NUMBER * numbers // canaries)
    ]
    coins = np.concatenate([seen.included for seen in practice])
    weights = np.linalg.lstsq(_with_constant(np.concatenate([seen.series for seen in practice])), 2.0 * coins - 1.0)[0]
    return audited.included, _with_constant(audited.series) @ weights


def _with_constant(series: Array) -> Array:
    return np.column_stack([series, np.ones(len(series))])
