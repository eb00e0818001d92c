"""One driver for all algorithms: it asks for step after step, records the trace, and notices runs that can't go on."""

import warnings
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

from radmm.algorithms.algorithm import Algorithm, State
from radmm.argmin.kernel import engine_for
from radmm.base.arrays import Array, Mask
from radmm.base.errors import InputError
from radmm.base.seeds import Purpose, generator
from radmm.model.facts import TOLERANCE, PublicFacts
from radmm.model.network import Network
from radmm.model.problem import Problem
from radmm.privacy.accountants.pure import PaperAccountant
from radmm.privacy.checked_oracle import CheckedOracle
from radmm.privacy.ledger import Ledger, ledger_of
from radmm.privacy.noise import Noise
from radmm.privacy.notes import take_notes
from radmm.privacy.proof_conditions import check_private, check_row_norms
from radmm.privacy.releases import DataOracle
from radmm.recorder import Recorder
from radmm.result import DIVERGED, NOT_CONVERGED, Result, TestSet

Progress = Callable[[int, int], None]  # (iteration done, of how many)


def solve(
    problem: Problem,
    network: Network,
    algorithm: Algorithm[Any],
    *,
    noise: Noise | None = None,
    iterations: int = 50,
    runs: int = 10,
    seed: int = 0,
    test: TestSet | None = None,
    optimum: Array | None = None,
    keep_iterates: bool = False,
    initial_scale: float = 1.0,
    tolerance: float = TOLERANCE,
    progress: Progress | None = None,
) -> Result:
    """Run the algorithm several times, all runs and nodes together.

    A run that diverges, or whose argmin can't be solved to the tolerance, ends there: its later rows are empty and
    `Result.status` says why.

    Args:
        problem: Data rows, the node each belongs to, and the objective's constants.
        network: Who is whose neighbour.
        algorithm: With its parameters, like `MRADMM(penalty=Geometric(1.0, 1.04), gamma=0.5)`.
        noise: With which everything that touches data is released; None for the algorithm that is not private.
        iterations: T.
        runs: How many runs; their initial points and noise differ.
        seed: Of initial points and noise.
        test: Features and labels of test rows, which are classified with the average of the nodes' classifiers.
        optimum: The centralised optimum; with it, the nodes' largest distance from it is recorded.
        keep_iterates: Whether the result has all iterates, not only the trace.
        initial_scale: f_i(0) is normal with this standard deviation, independent of the data.
        tolerance: Gradient norm, above 0 and at most 1e-4, at which every argmin ends. Guarantees that count it do so
            with this one; a run that can't get there is ended.
        progress: Called after every iteration with its number and how many there are.
    """
    _check_numbers(runs=(runs, 1), seed=(seed, 0))
    if isinstance(initial_scale, bool) or not isinstance(initial_scale, int | float | np.number):
        raise InputError(f"initial_scale = {initial_scale!r}: must be a number that is not negative")
    if not (np.isfinite(initial_scale) and initial_scale >= 0):
        raise InputError(f"initial_scale = {initial_scale}: must be a number that is not negative")
    facts, ledger = check_fit(problem, network, algorithm, noise, iterations, tolerance)
    warn_of_divergence(facts, network, algorithm)
    engine = engine_for(problem)
    oracle = DataOracle(engine, facts, noise, seed, runs, network)
    notes = None if noise is None else take_notes(algorithm, network, iterations)
    checked = CheckedOracle(oracle, algorithm, (problem.nodes, problem.dimension), notes)
    recorder = Recorder(engine, ledger, _published_bound(ledger), iterations, runs, test, optimum, keep_iterates)
    # A run that overflows is noticed and ended. One BLAS thread: the bytes must not depend on the number of cores.
    with np.errstate(over="ignore", invalid="ignore"), _loaded_libraries().limit(limits=1, user_api="blas"):
        state = algorithm.first(initial_point(problem, runs, seed, initial_scale), network)
        recorder.record(state, oracle)
        while state.iteration < iterations and len(oracle.runs):
            oracle.findings, checked.iteration = None, state.iteration + 1
            state = _end_failed_runs(algorithm.advance(state, network, checked), oracle, recorder, facts.tolerance)
            if len(oracle.runs):
                recorder.record(state, oracle)
            if progress:
                progress(state.iteration, iterations)
    if len(oracle.runs):
        checked.check_all_asked()
    return recorder.result()


@lru_cache(maxsize=1)
def _loaded_libraries() -> ThreadpoolController:
    """Looked up once: it takes milliseconds."""
    return ThreadpoolController()


def _end_failed_runs(state: State, oracle: DataOracle, recorder: Recorder, tolerance: float) -> State:
    """Drop the runs that overflowed or whose argmin missed the tolerance, each with its reason."""
    found = oracle.findings
    residual = np.zeros((1, len(oracle.runs))) if found is None else found.residual
    # A dual variable that overflows, and no primal one with it, is noticed at the next data step.
    finite = np.isfinite(state.mean.sum(axis=0) + residual.sum(axis=0))
    solved: Mask = np.all(residual <= tolerance, axis=0)
    if np.all(finite & solved):
        return state
    for column in np.flatnonzero(~(finite & solved)):
        status, reason = DIVERGED, "the iterates overflowed"
        if finite[column]:
            node = int(residual[:, column].argmax())
            reached = f"{residual[node, column]:.1e}, not {tolerance:g}"
            status, reason = NOT_CONVERGED, f"the argmin of node {node} reached gradient norm {reached}"
        recorder.end(int(oracle.runs[column]), state.iteration, status, reason)
    kept = state.keep(finite & solved)
    recorder.keep(finite & solved)
    oracle.keep(finite & solved, state.primal, kept.primal)
    return kept


def check_fit(
    problem: Problem,
    network: Network,
    algorithm: Algorithm[Any],
    noise: Noise | None,
    iterations: int,
    tolerance: float = TOLERANCE,
) -> tuple[PublicFacts, Ledger | None]:
    """Refuse, before anything runs, parts that don't fit together or void the privacy bound.

    Args:
        problem: The data and the objective's constants.
        network: Who is whose neighbour.
        algorithm: With its parameters.
        noise: None for none.
        iterations: T.
        tolerance: Of the argmins.

    Returns:
        What is public, and with noise the ledger of all that a run will release.
    """
    parts: dict[str, tuple[Any, type]] = {
        "problem": (problem, Problem),
        "network": (network, Network),
        "algorithm": (algorithm, Algorithm),
    }
    parts |= {} if noise is None else {"noise": (noise, Noise)}
    for field, (value, kind) in parts.items():
        if not isinstance(value, kind):
            raise InputError(f"{field} = {value!r}: must be a radmm.{kind.__name__}, not a {type(value).__name__}")
    _check_numbers(iterations=(iterations, 1))
    if problem.nodes != network.nodes:
        raise InputError(f"the data are spread over {problem.nodes} nodes, but the network has {network.nodes}")
    algorithm.check(network.nodes)
    facts = PublicFacts.of_problem(problem, network.degrees, tolerance)
    if noise is None:
        return facts, None
    notes = take_notes(algorithm, network, iterations)
    check_private(problem.loss, facts, algorithm, notes, noise)
    check_row_norms(problem.longest_row)
    return facts, ledger_of(notes, facts, noise)


def warn_of_divergence(facts: PublicFacts, network: Network, algorithm: Algorithm[Any]) -> None:
    """Tell of parameters with which iterates may grow without bound even without noise.

    Args:
        facts: Of the problem and the network; of a loss that states no curvature nothing can be told.
        network: Who is whose neighbour.
        algorithm: With its parameters.
    """
    doubt = None if facts.c1 is None else algorithm.doubt(facts.largest_curvature(), network)
    if doubt:
        warnings.warn(doubt, stacklevel=3)


def _published_bound(ledger: Ledger | None) -> Array | None:
    """P(t) for t = 0 … T, where the paper's theorem speaks of such releases."""
    paper = PaperAccountant()
    if ledger is None or paper.refuses(ledger):
        return None
    return paper.trace(ledger)


def _check_numbers(**given: tuple[Any, int]) -> None:
    for field, (value, least) in given.items():
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
            raise InputError(f"{field} = {value!r}: must be a whole number, at least {least}")


def initial_point(problem: Problem, runs: int, seed: int, scale: float) -> Array:
    """f(0), independent of the data and the same for every algorithm."""
    shape = (problem.nodes, problem.dimension)
    draws = [generator(seed, Purpose.INITIAL_POINT, run).standard_normal(shape) for run in range(runs)]
    point: Array = scale * np.stack(draws, axis=2)
    return point
