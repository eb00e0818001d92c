"""One driver for all algorithms: it releases data steps, records the trace, and notices runs that can't go on."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from threadpoolctl import ThreadpoolController

from radmm.algorithms.families import Algorithm, State
from radmm.argmin.kernel import engine_for
from radmm.argmin.solver import PrimalSolver
from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.base.seeds import Purpose, generator
from radmm.model.facts import TOLERANCE, PublicFacts
from radmm.model.network import Network
from radmm.model.problem import Problem
from radmm.privacy.guarantee import check_guarantee, check_pair, check_row_norms, total_bound
from radmm.privacy.noise import GAUSSIAN, Noise
from radmm.privacy.releases import Releaser
from radmm.result import DIVERGED, NOT_CONVERGED, Recorder, Result, TestSet

Progress = Callable[[int, int], None]  # (iteration done, of how many)


def solve(
    problem: Problem,
    network: Network,
    algorithm: Algorithm,
    *,
    noise: Noise | None = None,
    iterations: int = 50,
    runs: int = 10,
    seed: int = 0,
    test: TestSet | None = None,
    optimum: Array | None = None,
    keep_iterates: bool = False,
    initial_scale: float = 1.0,
    progress: Progress | None = None,
) -> Result:
    """Run the algorithm several times, all runs and nodes together, from λ = 0 and f(0) normal of the given scale.

    The test rows are classified with the average of the nodes' classifiers; with the centralised optimum, the nodes'
    largest distance from it is recorded too. A run that diverges, or whose argmin
    can't be solved to the tolerance, ends there: its later rows are empty and `Result.status` says why.
    """
    check_fit(problem, network, algorithm, noise)
    for field, value, least in (("iterations", iterations, 1), ("runs", runs, 1), ("seed", seed, 0)):
        if not isinstance(value, int | np.integer) or value < least:
            raise InputError(f"{field} = {value}: must be a whole number, at least {least}")
    if not (np.isfinite(initial_scale) and initial_scale >= 0):
        raise InputError(f"initial_scale = {initial_scale}: must be a number that is not negative")
    facts = PublicFacts.of(problem, network)
    bound = None if noise is None or noise.law == GAUSSIAN else total_bound(facts, algorithm, noise, iterations)
    engine = engine_for(problem)
    release = Releaser(PrimalSolver(engine), facts, noise, seed)
    recorder = Recorder(engine, bound, iterations, runs, test, optimum, keep_iterates)
    state = State.first(initial_point(problem, runs, seed, initial_scale), network)
    # A run that overflows is noticed and ended. One BLAS thread: the bytes must not depend on the number of cores.
    with np.errstate(over="ignore", invalid="ignore"), _loaded_libraries().limit(limits=1, user_api="blas"):
        recorder.record(state)
        while state.iteration < iterations and len(state.runs):
            state = _end_failed_runs(algorithm.step(state, network, release), recorder)
            if len(state.runs):
                recorder.record(state)
            if progress:
                progress(state.iteration, iterations)
    return recorder.result()


@lru_cache(maxsize=1)
def _loaded_libraries() -> ThreadpoolController:
    """Looked up once: it takes milliseconds."""
    return ThreadpoolController()


def _end_failed_runs(state: State, recorder: Recorder) -> State:
    """Drop the runs that overflowed or whose argmin missed the tolerance, each with its reason."""
    residual = np.zeros((1, len(state.runs))) if state.residual is None else state.residual
    # A dual variable that overflows, and no primal one with it, is noticed at the next data step.
    finite = np.isfinite(state.mean.sum(axis=0) + residual.sum(axis=0))
    solved = np.all(residual <= TOLERANCE, axis=0)
    if np.all(finite & solved):
        return state
    for column in np.flatnonzero(~(finite & solved)):
        status, reason = DIVERGED, "the iterates overflowed"
        if finite[column]:
            node = int(residual[:, column].argmax())
            reached = f"{residual[node, column]:.1e}, not {TOLERANCE:g}"
            status, reason = NOT_CONVERGED, f"the argmin of node {node} reached gradient norm {reached}"
        recorder.end(int(state.runs[column]), state.iteration, status, reason)
    return state.keep(finite & solved)


def check_fit(problem: Problem, network: Network, algorithm: Algorithm, noise: Noise | None) -> None:
    """Refuse, before anything runs, parts that don't fit together or void the privacy bound."""
    parts = {"problem": (problem, Problem), "network": (network, Network), "algorithm": (algorithm, Algorithm)}
    parts |= {} if noise is None else {"noise": (noise, Noise)}
    for field, (value, kind) in parts.items():
        if not isinstance(value, kind):
            raise InputError(f"{field} = {value!r}: must be a radmm.{kind.__name__}, not a {type(value).__name__}")
    if problem.nodes != network.nodes:
        raise InputError(f"the data are spread over {problem.nodes} nodes, but the network has {network.nodes}")
    algorithm.check(network.nodes)
    check_pair(algorithm, noise)
    if noise is not None:
        check_row_norms(problem.longest_row)
        check_guarantee(PublicFacts.of(problem, network), algorithm, noise)


def initial_point(problem: Problem, runs: int, seed: int, scale: float) -> Array:
    """f(0), independent of the data and the same for every algorithm."""
    shape = (problem.nodes, problem.dimension)
    draws = [generator(seed, Purpose.INITIAL_POINT, run).standard_normal(shape) for run in range(runs)]
    point: Array = scale * np.stack(draws, axis=2)
    return point
