"""The contract of an algorithm: its runs are independent of each other, and data reach it through the oracle only."""

from dataclasses import fields, replace
from typing import Any

import numpy as np

from radmm.algorithms.algorithm import Algorithm, State
from radmm.algorithms.oracle import Oracle
from radmm.argmin.engine_choice import engine_for
from radmm.argmin.optimum import centralised_optimum
from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.contract.contract_error import Broken, calling, require
from radmm.contract.counting_network import CountingNetwork
from radmm.contract.example_problem import (
    DIMENSION,
    NODES,
    RUNS,
    example_facts,
    example_network,
    example_problem,
    example_start,
)
from radmm.contract.oracles import QuadraticOracle, RandomOracle, RecordingOracle, StrictOracle
from radmm.contract.replay import replay_elsewhere
from radmm.driver import solve
from radmm.privacy.data_oracle import DataOracle
from radmm.privacy.noise import Noise
from radmm.privacy.noises.gradient import GradientNoise
from radmm.privacy.noises.moments import MomentNoise
from radmm.privacy.noises.objective import ObjectiveNoise
from radmm.privacy.query_log import QueryLog, QueryRecorder, record_queries
from radmm.result import DONE, Result

ITERATIONS = 8
LONG = 200  # iterations after which the distance from the optimum must have fallen by half
ROUNDING = 1e-12  # relative: sums of another order
ODD: tuple[Any, ...] = (0, -1, 0.5, 1e300, float("nan"), float("inf"), "text", None, True, [1.0, 2.0], {})


def check_algorithm(algorithm: Algorithm[Any]) -> str | None:
    """Raise Broken if an algorithm, with parameters that suit four nodes, breaks its contract; else return a remark."""
    with calling(f"check({NODES})"):
        algorithm.check(NODES)
    _check_states(algorithm)
    _check_refusals(algorithm)
    with calling("step, against an oracle that answers zeros,"):
        query_log = record_queries(algorithm, example_network(), ITERATIONS)
    _check_questions(algorithm, query_log)
    _check_same_answers(algorithm)
    _check_runs_are_apart(algorithm)
    _check_messages(algorithm)
    noises: tuple[Noise, ...] = (ObjectiveNoise(4.0), GradientNoise(4.0), MomentNoise(sigma=4.0))
    noise = next(
        (noise for noise in noises if all(isinstance(query, noise.perturbs) for query in query_log.queries)), None
    )
    _check_data_come_from_the_oracle(algorithm, noise)
    _require_done(
        solve(example_problem(), example_network(), algorithm, noise=noise, iterations=ITERATIONS, runs=2, seed=5)
    )
    return _check_convergence(algorithm)


def iterates(algorithm: Algorithm[Any], oracle: Oracle, start: Array) -> list[State]:
    """Return the states of a run on the example network that begins at `start`."""
    network = example_network()
    with calling("first"):
        states: list[State] = [algorithm.first(start, network)]
    for iteration in range(1, ITERATIONS + 1):
        if isinstance(oracle, QueryRecorder):
            oracle.iteration = iteration
        with calling("step"):
            states.append(algorithm.advance(states[-1], network, oracle))
    return states


def _check_states(algorithm: Algorithm[Any]) -> None:
    """Check that iterations count up, that arrays have an axis of runs, and that nothing is written over."""
    start = example_start()
    given, network, oracle = start.copy(), example_network(), StrictOracle(QuadraticOracle(), start.shape)
    with calling("first"):
        state: Any = algorithm.first(start, network)
    require(isinstance(state, State), f"first must give a radmm.State, not a {type(state).__name__}")
    require(
        np.array_equal(state.primal, given), "first must give the state whose primal variable is the one it was given"
    )
    for iteration in range(ITERATIONS + 1):
        _check_state(state, iteration, start.shape)
        before = _arrays(state)
        with calling("step"):
            following = algorithm.advance(state, network, oracle)
        changed = [name for name, value in _arrays(state).items() if value.tobytes() != before[name].tobytes()]
        require(not changed, f"step must not write into the state it was given, but it changed {', '.join(changed)}")
        require(isinstance(following, State), f"step must give a radmm.State, not a {type(following).__name__}")
        state = following
    require(np.array_equal(start, given), "first and step must not write into f(0)")


def _check_state(state: State, iteration: int, shape: tuple[int, ...]) -> None:
    require(
        state.iteration == iteration,
        f"after {iteration} steps the state's iteration must be {iteration}, not {state.iteration}",
    )
    for name, value in _arrays(state).items():
        if name in ("primal", "dual"):
            require(value.shape == shape, f"{name} has shape {value.shape} at iteration {iteration}: must be {shape}")
        runs_last = value.shape[-1:] == shape[-1:]
        require(runs_last, f"{name} has shape {value.shape}: the last axis of a state's array must be that of the runs")
        require(np.all(np.isfinite(value)), f"{name} is not finite at iteration {iteration}, though all answers were")
    kept = np.arange(shape[-1]) != 1
    with calling("keep"):
        left = state.keep(kept)
    require(np.array_equal(left.primal, state.primal[..., kept]), "keep must leave the other runs as they are")


def _arrays(state: State) -> dict[str, Array]:
    values = {field.name: getattr(state, field.name) for field in fields(state)}
    return {name: value.copy() for name, value in values.items() if isinstance(value, np.ndarray)}


def _check_refusals(algorithm: Algorithm[Any]) -> None:
    """Check that any value of a parameter is refused by an InputError, or else is fit for steps."""
    for field in (field for field in fields(algorithm) if field.init):
        for value in ODD:
            try:
                with np.errstate(all="ignore"):
                    changed = replace(algorithm, **{field.name: value})
                    changed.check(NODES)
                    changed.advance(
                        changed.first(example_start(), example_network()), example_network(), QuadraticOracle()
                    )
            except InputError:
                continue
            except Exception as error:
                raise Broken(
                    f"{field.name} = {value!r} must be refused by an InputError, or be fit for steps, but it raised "
                    f"{type(error).__name__}: {error}"
                ) from error


def _check_questions(algorithm: Algorithm[Any], query_log: QueryLog) -> None:
    """Check that questions don't depend on answers: else the ledger would not be of what a run releases."""
    twice = np.flatnonzero(np.diff(query_log.data_steps) > 1)
    require(
        not len(twice),
        f"it asks the oracle twice at iteration {[*twice, 0][0] + 1}: a ledger has one release an iteration",
    )
    for seed, scale in ((1, 1e-3), (2, 1.0), (3, 1.0), (4, 1e3)):
        oracle = RandomOracle(seed, scale)
        iterates(algorithm, oracle, example_start())
        for one, other in zip(query_log.queries, oracle.queries, strict=False):
            same_question = (one.iteration, type(one)) == (other.iteration, type(other))
            require(
                same_question and np.array_equal(one.weight, other.weight),
                f"its {'weights' if same_question else 'questions'} depend on what was answered: "
                f"at iteration {other.iteration} they differ from the query log",
            )
        require(len(query_log.queries) == len(oracle.queries), "how often it asks depends on what was answered")


def _check_same_answers(algorithm: Algorithm[Any]) -> None:
    """Check that an algorithm is its parameters: it draws nothing, and remembers nothing but its state."""
    one, other = (iterates(algorithm, QuadraticOracle(), example_start())[-1].primal for _ in range(2))
    same = one.tobytes() == other.tobytes()
    require(same, "the same answers give other iterates the second time: it must neither draw nor remember anything")


def _check_runs_are_apart(algorithm: Algorithm[Any]) -> None:
    together = iterates(algorithm, QuadraticOracle(), example_start())[-1].primal
    for run in range(RUNS):
        alone = iterates(algorithm, QuadraticOracle(), example_start()[..., [run]])[-1].primal
        off = np.abs(alone[..., 0] - together[..., run]).max() / max(1.0, np.abs(alone).max())
        require(
            off <= ROUNDING,
            f"its runs are coupled: run {run} by itself ends {off:.1e} away from run {run} among {RUNS}",
        )


def _check_messages(algorithm: Algorithm[Any]) -> None:
    """Check that nodes never have sent more than the algorithm says."""
    network, stated = CountingNetwork(example_network(), example_start()), 0
    with calling("first"):
        state = algorithm.first(example_start(), network)
    for iteration in range(1, ITERATIONS + 1):
        with calling("step"):
            state = algorithm.advance(state, network, QuadraticOracle())
        with calling("sends"):
            messages, numbers = algorithm.sends(iteration, DIMENSION)
        stated += numbers
        require(
            network.numbers <= stated and (messages > 0) == (numbers > 0),
            f"until iteration {iteration} a node sends {network.numbers} numbers to each neighbour: `sends` must state "
            f"them, but states {stated}, {numbers} of these in {messages} messages at that iteration",
        )


def _check_data_come_from_the_oracle(algorithm: Algorithm[Any], noise: Noise | None) -> None:
    """Check that recorded answers, replayed in an interpreter that has no data, give the same iterates bit for bit."""
    problem, start = example_problem(), example_start()
    oracles = [DataOracle(engine_for(problem), example_facts(problem), noise, 3, RUNS) for _ in range(2)]
    recording = RecordingOracle(oracles[0])
    recorded = iterates(algorithm, recording, start)
    direct = iterates(algorithm, oracles[1], start)
    same = all(np.array_equal(one.primal, other.primal) for one, other in zip(recorded, direct, strict=True))
    require(
        same,
        "it takes more from the oracle than argmin, gradient and moments: its iterates change if there is nothing else",
    )
    replayed = replay_elsewhere(algorithm, start, recording.answers, ITERATIONS)
    for iteration, (one, primal) in enumerate(zip(recorded, replayed, strict=True)):
        require(
            one.primal.tobytes() == primal.tobytes(),
            f"it reaches data past the oracle: the same answers give other iterates without data, from {iteration} on",
        )


def _require_done(result: Result) -> None:
    ended = [status.reason for status in result.status if status.status != DONE]
    require(not ended, f"a run on the example problem ends early: {ended[0] if ended else ''}")


def _check_convergence(algorithm: Algorithm[Any]) -> str | None:
    """Check that nodes come nearer to the optimum without noise, unless the algorithm says why they don't."""
    problem = example_problem()
    optimum = centralised_optimum(problem)
    result = solve(problem, example_network(), algorithm, iterations=LONG, runs=2, seed=5, optimum=optimum)
    distance = result.columns["distance"].astype(float).reshape(2, -1)
    first, last = distance[:, 0].max(), distance[:, -1].max()
    if last <= 0.5 * first:
        return None
    reason = algorithm.does_not_converge
    require(
        reason,
        f"without noise it doesn't converge: {first:.3g} from the optimum at first, {last:.3g} after {LONG} steps; "
        "if that is meant, a class attribute `does_not_converge` must say why",
    )
    return f"does not converge: {reason}"
