"""The driver of all algorithms: it takes step after step, records the trace, and ends runs that can't continue."""

import warnings
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

from radmm.algorithms.algorithm import Algorithm, State
from radmm.argmin.engine_choice import engine_for
from radmm.base.arrays import Array, Integers, Mask
from radmm.base.errors import InputError
from radmm.base.inputs import shown
from radmm.base.seeds import Purpose, generator
from radmm.distributed.ranks import OneProcess, Ranks
from radmm.model.network import Network
from radmm.model.problem import Problem
from radmm.model.public_facts import TOLERANCE, PublicFacts
from radmm.privacy.accountants.pure import PaperAccountant
from radmm.privacy.checked_oracle import CheckedOracle
from radmm.privacy.data_oracle import DataOracle
from radmm.privacy.ledger import Ledger, ledger_of
from radmm.privacy.noise import Noise
from radmm.privacy.proof_conditions import check_private, check_row_norms
from radmm.privacy.query_log import record_queries
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
    threads: int = 1,
    comm: Any = None,
    metrics: bool = True,
    progress: Progress | None = None,
) -> Result:
    """Run an algorithm several times, all runs and nodes at once, and record its trace.

    A run that diverges, or whose argmin can't be solved to the tolerance, ends there: its later rows are empty and
    `Result.status` says why.

    Args:
        problem: Data rows, the node each belongs to, and the objective's constants.
        network: Graph over which the nodes exchange values; as many nodes as the problem has.
        algorithm: Algorithm with its hyper-parameters, like `MRADMM(penalty=Geometric(1.0, 1.04), gamma=0.5)`.
        noise: Noise with which every data-touching value is released; None for the non-private algorithm.
        iterations: Number of iterations T.
        runs: Number of runs, which differ in their initial points and their noise.
        seed: Seed of initial points and noise, a nonnegative integer.
        test: Features, (rows, features), and labels, (rows,), of test rows, on which the average of the nodes'
            classifiers is evaluated.
        optimum: Centralised optimum, one number for each entry of f, as `centralised_optimum` returns it; with it,
            the nodes' largest distance from it is recorded.
        keep_iterates: Whether the result contains all iterates, (runs, iterations + 1, N, entries of f), besides the
            trace.
        initial_scale: Standard deviation of the initial values f_i(0), normal and independent of the data.
        tolerance: Gradient norm, above 0 and at most 1e-4, at which every argmin ends. Guarantees that account for
            inexact argmins do so with this number; a run that can't reach it is ended.
        threads: Number of threads among which nodes, and rows of large nodes, are shared out; the result is the same
            to the last bit with any number.
        comm: Communicator of mpi4py among whose ranks nodes are dealt out; None for one process. Every rank calls with
            the same arguments but for the rows, of which it needs those of its own nodes alone (see `row_counts` of
            `Problem`). The result is the same, to the last bit, at every rank and with any number of them.
        metrics: Whether to measure what only data or iterates tell. Without, the trace has its public columns alone,
            and a rank learns nothing of other nodes but what their neighbours are sent.
        progress: Function called after every iteration with its number and the number of iterations.
    """
    _check_whole_numbers(runs=(runs, 1), seed=(seed, 0), threads=(threads, 1))
    is_number = isinstance(initial_scale, int | float | np.number) and not isinstance(initial_scale, bool)
    if not (is_number and 0 <= initial_scale < np.inf):
        raise InputError(f"initial_scale = {shown(initial_scale)}: must be a number that is not negative")
    check_parts(problem, network, algorithm, noise, iterations)
    ranks = OneProcess(network.nodes) if comm is None else Ranks(comm, network.nodes, research=metrics)
    with ranks.together():
        facts, ledger = check_fit(problem, network, algorithm, noise, iterations, tolerance)
        engine = engine_for(ranks.part_of_problem(problem, network, algorithm), threads)
    asked = iterations, runs, seed, initial_scale, keep_iterates, metrics, test is None, optimum is None
    ranks.agree(facts, facts.row_counts, network.adjacency.indices, algorithm, noise, *asked)
    warn_of_divergence(facts, network, algorithm)
    oracle = DataOracle(engine, facts, noise, seed, runs, network, ranks.own)
    query_log = None if noise is None else record_queries(algorithm, network, iterations).of_nodes(ranks.own)
    checked = CheckedOracle(oracle, algorithm, (len(ranks.own), problem.dimension), query_log)
    recorder = Recorder(
        engine=engine,
        problem=problem,
        ranks=ranks,
        ledger=ledger,
        bound=_published_bound(ledger),
        sent=sent_so_far(algorithm, network, iterations, problem.dimension),
        iterations=iterations,
        runs=runs,
        test=test,
        optimum=optimum,
        keep_iterates=keep_iterates,
        metrics=metrics,
    )
    own_algorithm = algorithm if ranks.own_all else algorithm.restricted(ranks.own, network)
    own_network = ranks.part_of(network)
    # A run that overflows is noticed and ended. One BLAS thread: the bytes must not depend on the number of cores.
    with np.errstate(over="ignore", invalid="ignore"), _loaded_libraries().limit(limits=1, user_api="blas"):
        state = algorithm.first(initial_point(problem, runs, seed, initial_scale), network).of_nodes(ranks.own)
        recorder.record(state, oracle)
        while state.iteration < iterations and len(oracle.runs):
            oracle.findings, checked.iteration = None, state.iteration + 1
            state = own_algorithm.advance(state, own_network, checked)
            state = _end_failed_runs(state, oracle, recorder, facts.tolerance, ranks)
            if len(oracle.runs):
                recorder.record(state, oracle)
            if progress:
                progress(state.iteration, iterations)
    if len(oracle.runs):
        checked.check_all_asked()
    return recorder.result()


@lru_cache(maxsize=1)
def _loaded_libraries() -> ThreadpoolController:
    """Return the controller of BLAS threads, made once, as looking up the libraries takes milliseconds."""
    return ThreadpoolController()


def _end_failed_runs(
    state: State, oracle: DataOracle, recorder: Recorder, tolerance: float, ranks: OneProcess
) -> State:
    """Drop the runs that overflowed or whose argmin missed the tolerance at any rank, each with its reason."""
    found = oracle.findings
    residual = np.zeros((len(state.primal), len(oracle.runs))) if found is None else found.residual
    # A dual variable that overflows, and no primal one with it, is noticed at the next data step.
    finite: Mask = np.isfinite(state.primal.sum(axis=1) + residual).all(axis=0)
    finite, solved = ranks.for_all(np.stack([finite, np.all(residual <= tolerance, axis=0)]))
    if np.all(finite & solved):
        return state
    for column in np.flatnonzero(~(finite & solved)):
        status, reason = DIVERGED, "the iterates overflowed"
        if finite[column]:
            status, reason = NOT_CONVERGED, recorder.failure(residual, int(column), tolerance)
        recorder.end(int(oracle.runs[column]), state.iteration, status, reason)
    kept = state.keep(finite & solved)
    recorder.keep(finite & solved)
    oracle.keep(finite & solved, state.primal, kept.primal)
    return kept


def check_parts(
    problem: Problem, network: Network, algorithm: Algorithm[Any], noise: Noise | None, iterations: int
) -> None:
    """Refuse parts of the wrong type, or that don't fit together; nothing is read of the rows.

    Args:
        noise: Noise of the releases; None for none.
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
    _check_whole_numbers(iterations=(iterations, 1))
    if problem.nodes != network.nodes:
        raise InputError(f"the data are spread over {problem.nodes} nodes, but the network has {network.nodes}")
    algorithm.check(network.nodes)
    algorithm.check_problem(problem.loss, problem.dimension)


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
        noise: Noise of the releases; None for none.
        tolerance: Gradient norm at which argmins end.

    Returns:
        The public facts and, with noise, the ledger of all that a run will release.
    """
    check_parts(problem, network, algorithm, noise, iterations)
    facts = PublicFacts.of_problem(problem, network.degrees, tolerance)
    if noise is None:
        return facts, None
    query_log = record_queries(algorithm, network, iterations)
    check_private(problem.loss, facts, algorithm, query_log, noise)
    check_row_norms(problem.longest_row)
    return facts, ledger_of(query_log, facts, noise)


def warn_of_divergence(facts: PublicFacts, network: Network, algorithm: Algorithm[Any]) -> None:
    """Warn of hyper-parameters with which iterates may diverge even without noise.

    Args:
        facts: Public facts; without a bound on the loss's curvature there is no warning.
    """
    doubt = None if facts.c1 is None else algorithm.doubt(facts.largest_curvature(), network)
    if doubt:
        warnings.warn(doubt, stacklevel=3)


def _published_bound(ledger: Ledger | None) -> Array | None:
    """Return the paper's bound P(t) for t = 0 … T, where its theorem covers such releases."""
    paper = PaperAccountant()
    if ledger is None or paper.refuses(ledger):
        return None
    return paper.trace(ledger)


def sent_so_far(algorithm: Algorithm[Any], network: Network, iterations: int, features: int) -> Integers:
    """Return how many messages, and numbers in them, all nodes have sent after t = 0 … T iterations, (T + 1, 2).

    Args:
        algorithm: Algorithm, which says what a node sends to each neighbour.
        network: Graph over which the nodes exchange values; every edge carries messages both ways.
        features: Number of entries of f.
    """
    each = [(0, 0), *(algorithm.sends(iteration, features) for iteration in range(1, iterations + 1))]
    total: Integers = network.adjacency.nnz * np.cumsum(each, axis=0, dtype=np.int64)
    return total


def _check_whole_numbers(**given: tuple[Any, int]) -> None:
    for field, (value, least) in given.items():
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
            raise InputError(f"{field} = {value!r}: must be a whole number, at least {least}")


def initial_point(problem: Problem, runs: int, seed: int, scale: float) -> Array:
    """Draw f(0), independent of the data and the same for every algorithm."""
    shape = (problem.nodes, problem.dimension)
    draws = [generator(seed, Purpose.INITIAL_POINT, run).standard_normal(shape) for run in range(runs)]
    point: Array = scale * np.stack(draws, axis=2)
    return point
