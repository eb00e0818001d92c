"""Only the oracle touches the data, and what it is asked is what the ledger says."""

from dataclasses import replace

import numpy as np
import pytest

import radmm
from radmm.argmin.engine_choice import engine_for
from radmm.model.public_facts import PublicFacts
from radmm.privacy.data_oracle import DataOracle
from radmm.privacy.query_log import ArgminQuery, GradientQuery, QueryRecorder, record_queries
from tests.reference import PlainProblem

PENALTY = radmm.Geometric([1.0, 1.3, 0.8, 1.1], [1.01, 1.05, 1.02, 1.0])
ALGORITHMS = [radmm.ADMM(0.7), radmm.MADMM(PENALTY), radmm.RADMM(0.7, gamma=0.3), radmm.MRADMM(PENALTY, gamma=0.3)]
NOISES = [None, radmm.ObjectiveNoise(4.0), radmm.ObjectiveNoise(sigma=0.3, repair=0.01), radmm.OutputNoise(9.0)]
ITERATIONS, RUNS = 6, 3


def oracle_of(small, noise):
    problem = small.problem
    facts = PublicFacts.of_problem(problem, small.network.degrees)
    return DataOracle(engine_for(problem), facts, noise, 3, RUNS)


class Recording(radmm.Oracle):
    """Passes every question on and keeps the answers."""

    def __init__(self, oracle):
        self.oracle, self.answers = oracle, []

    def argmin(self, linear, weight, start):
        self.answers.append((linear.copy(), weight, self.oracle.argmin(linear, weight, start)))
        return self.answers[-1][2]

    def gradient(self, point):
        raise AssertionError("no form of ADMM asks for gradients")


class Replaying(radmm.Oracle):
    """Has the recorded answers and nothing else."""

    def __init__(self, answers):
        self.answers = iter(answers)

    def argmin(self, linear, weight, start):
        expected, its_weight, answer = next(self.answers)
        np.testing.assert_array_equal(linear, expected)
        np.testing.assert_array_equal(weight, its_weight)
        return answer

    def gradient(self, point):
        raise AssertionError("no form of ADMM asks for gradients")


def iterates(algorithm, network, oracle, start):
    state, states = algorithm.first(start, network), []
    for _ in range(ITERATIONS):
        state = algorithm.step(state, network, oracle)
        states.append(state)
    return states


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_recorded_answers_replayed_without_data_give_the_same_iterates_bit_for_bit(small, algorithm, noise):
    start = np.random.default_rng(0).standard_normal((4, 4, RUNS))
    recording = Recording(oracle_of(small, noise))
    first = iterates(algorithm, small.network, recording, start)
    again = iterates(algorithm, small.network, Replaying(recording.answers), start)
    for one, other in zip(first, again, strict=True):
        np.testing.assert_array_equal(one.primal, other.primal)
        np.testing.assert_array_equal(one.dual, other.dual)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_notes_are_what_a_run_asks(small, algorithm):
    recording = Recording(oracle_of(small, radmm.ObjectiveNoise(4.0)))
    iterates(algorithm, small.network, recording, np.ones((4, 4, RUNS)))
    query_log = record_queries(algorithm, small.network, ITERATIONS)
    asked = [weight for _, weight, _ in recording.answers]
    np.testing.assert_array_equal(query_log.weights, asked)
    assert query_log.data_steps[-1] == len(asked)
    assert all(type(query) is ArgminQuery for query in query_log.queries)


def test_the_ledger_of_a_result_is_what_its_run_released(small):
    noise = radmm.ObjectiveNoise([3.0, 5.0, 4.0, 6.0])
    result = radmm.solve(small.problem, small.network, radmm.RADMM(), noise=noise, iterations=5, runs=2)
    assert result.ledger.iterations == 5
    assert [result.ledger.event(1, node).scale for node in range(4)] == [3.0, 5.0, 4.0, 6.0]
    assert radmm.solve(small.problem, small.network, radmm.RADMM(), iterations=2, runs=1).ledger is None


def test_a_gradient_is_the_plain_one_and_is_noted(small):
    point = np.random.default_rng(1).standard_normal((4, 4, RUNS))
    plain = PlainProblem(small.features, small.labels, small.node, C=5.0, rho=0.4)
    gradient = oracle_of(small, None).gradient(point)
    for run in range(RUNS):
        expected = [plain.gradient(i, point[i, :, run]) for i in range(4)]
        np.testing.assert_allclose(gradient[:, :, run], expected, atol=1e-12)
    oracle = QueryRecorder()
    oracle.gradient(point)
    assert type(oracle.queries[0]) is GradientQuery


def test_noise_for_argmins_is_refused_where_gradients_are_asked_for(small):
    class Descent(radmm.Algorithm):
        def first(self, primal, network):
            return radmm.State(iteration=0, primal=primal)

        def step(self, state, network, oracle):
            moved = state.primal - 0.01 * oracle.gradient(state.primal)
            return replace(state, iteration=state.iteration + 1, primal=moved)

    algorithm = Descent()
    object.__setattr__(algorithm, "name", "descent")
    result = radmm.solve(small.problem, small.network, algorithm, iterations=3, runs=2, keep_iterates=True)
    assert result.dual is None
    assert np.all(np.diff(result.trace.groupby("iteration")["loss"].mean()) < 0)
    with pytest.raises(radmm.InputError, match="objective noise is for argmins, but descent asks for gradients"):
        radmm.solve(small.problem, small.network, algorithm, noise=radmm.ObjectiveNoise(1.0), iterations=3)


class Times(radmm.Loss):
    """The logistic loss, several times, with what is stated about it."""

    def __init__(self, factor, G=1.0, c1=0.25, monotone=True):
        self.factor, self.G, self.c1, self.monotone = factor, G, c1, monotone

    def value(self, margin):
        return self.factor * np.logaddexp(0.0, -margin)

    def value_and_slope(self, margin):
        return self.value(margin), -self.factor / (1.0 + np.exp(np.minimum(margin, 700.0)))

    def curvature(self, margin):
        decay = np.exp(-np.abs(margin))
        return self.factor * decay / (1.0 + decay) ** 2


class SquaredHinge(Times):
    def value(self, margin):
        return np.maximum(1.0 - margin, 0.0) ** 2 / 2.0

    def value_and_slope(self, margin):
        return self.value(margin), -np.maximum(1.0 - margin, 0.0)

    def curvature(self, margin):
        return (margin < 1.0).astype(float)


class Squared(Times):
    def value(self, margin):
        return (1.0 - margin) ** 2 / 2.0

    def value_and_slope(self, margin):
        return self.value(margin), margin - 1.0

    def curvature(self, margin):
        return np.ones_like(margin)


UNSAFE = [
    (Times(10.0), r"at margin -?0.* its slope exceeds the stated bound G = 1"),
    (Times(1.0, c1=0.2), r"at margin 0 its curvature exceeds the stated bound c1 = 0.2"),
    (SquaredHinge(1.0, c1=1.0), r"at margin -0.005 its slope exceeds the stated bound G = 1"),
    (Squared(1.0, c1=1.0), r"at margin -0.005 its slope exceeds the stated bound G = 1"),
    (Squared(1.0, G=1e7, c1=1.0), "its slope changes its sign, though it is stated to be monotone"),
    (Squared(1.0, G=None, c1=1.0), "it states no bound G on its slope"),
    (Times(1.0, c1=None), "it states no bound c1 on its curvature"),
]


@pytest.mark.parametrize(("loss", "message"), UNSAFE)
def test_a_loss_whose_bounds_fail_gets_no_guarantee_but_runs_without_noise(small, loss, message):
    problem = radmm.Problem(small.features, small.labels, small.node, loss=loss, C=5.0, rho=0.4)
    with pytest.raises(radmm.InputError, match=message):
        radmm.solve(problem, small.network, radmm.RADMM(), noise=radmm.OutputNoise(1.0), iterations=3)
    result = radmm.solve(problem, small.network, radmm.RADMM(), iterations=3, runs=2)
    assert all(status.status == "done" for status in result.status)


def test_the_sensitivity_grows_with_the_slope_bound(small):
    """Ten times the loss with ten times the bounds: the same optimum at a tenth of C, and the same guarantee."""
    noise, tenfold = radmm.ObjectiveNoise(1.0), Times(10.0, G=10.0, c1=2.5)
    problems = [
        radmm.Problem(small.features, small.labels, small.node, loss=loss, C=C, rho=0.4)
        for loss, C in ((tenfold, 0.5), ("logistic", 5.0))
    ]
    ten, one = (
        radmm.solve(problem, small.network, radmm.RADMM(), noise=noise, iterations=3, runs=1) for problem in problems
    )
    np.testing.assert_allclose(ten.trace["privacy_loss"], one.trace["privacy_loss"], rtol=1e-14)
    release = ten.ledger.event(1, 0)
    assert release.sensitivity == pytest.approx(2 * 10.0 * 0.5 / 7)
    assert release.jacobian == pytest.approx(one.ledger.event(1, 0).jacobian)


def test_output_noise_counts_the_solvers_tolerance_in_the_trace(small):
    """Where the tolerance is as large as what a row can move, P(t) and the ledger must say so both."""
    problem = radmm.Problem(small.features[:10], small.labels[:10], np.repeat([0, 1], 5), C=1e-7, rho=0.4)
    network = radmm.Network([[0, 1], [1, 0]])
    result = radmm.solve(problem, network, radmm.ADMM(), noise=radmm.OutputNoise(1e7), iterations=2, runs=1)
    shift = (2 * 1e-7 / 5 + 2 * 1e-8) / (0.2 + 2.0)
    np.testing.assert_allclose(result.trace["privacy_loss"], [0.0, 1e7 * shift, 2e7 * shift], rtol=1e-12)


@pytest.mark.parametrize("noise", [radmm.OutputNoise(9.0), radmm.ObjectiveNoise(sigma=0.3, repair=0.01)])
def test_the_tolerance_that_is_asked_for_is_reached_and_counted(small, noise):
    results = {}
    for tolerance in (1e-4, 1e-8, 1e-11):
        given = {"noise": noise, "iterations": 3, "tolerance": tolerance}
        results[tolerance] = radmm.solve(small.problem, small.network, radmm.ADMM(), runs=2, **given)
        assert 0.0 < np.nanmax(results[tolerance].columns["residual"]) <= tolerance
        for ledger in (results[tolerance].ledger, radmm.ledger(small.problem, small.network, radmm.ADMM(), **given)):
            assert {release.tolerance for release in ledger.releases} == {tolerance}
    passes = [result.columns["passes"].sum() for result in results.values()]
    assert passes[0] < passes[1] < passes[2]
    loose, usual = (results[tolerance].ledger.releases[0] for tolerance in (1e-4, 1e-8))
    assert (loose.shift, loose.repair_mu) > (usual.shift, usual.repair_mu)


def test_a_tolerance_that_rounding_forbids_ends_the_runs(small):
    result = radmm.solve(small.problem, small.network, radmm.ADMM(), iterations=2, runs=1, tolerance=1e-30)
    assert result.status[0].reason.endswith(", not 1e-30")


def test_with_a_repair_there_is_no_published_bound(small):
    noise = radmm.ObjectiveNoise(1.0, repair=1e-4)
    result = radmm.solve(small.problem, small.network, radmm.RADMM(), noise=noise, iterations=3, runs=1)
    assert result.trace["privacy_loss"].isna().all()
