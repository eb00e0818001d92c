from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import radmm
from radmm.base.errors import InputError
from radmm.model.losses.logistic import Logistic
from radmm.model.public_facts import TOLERANCE
from radmm.privacy.calibration import calibrate_bound
from radmm.privacy.proof_conditions import check_condition, check_stated_bounds
from tests.ledgers import facts_of, notes_of, total_bound
from tests.reference import PlainProblem, argmin

FACTS = facts_of(C=5.0, rho=0.4, row_counts=[7, 12, 9, 15], degrees=[1.0, 3.0, 2.0, 2.0])
SCALE, RATIO = [1.0, 1.3, 0.8, 1.1], [1.01, 1.05, 1.02, 1.0]
ALPHA = [0.5, 1.0, 2.0, 0.7]
MR, M = radmm.MRADMM(radmm.Geometric(SCALE, RATIO)), radmm.MADMM(radmm.Geometric(SCALE, RATIO))


def direct_sum(step_cost, data_steps):
    """max_i Σ_k of a step's cost, written as loops."""
    return [max(sum(step_cost(k, i) for k in range(1, steps + 1)) for i in range(4)) for steps in data_steps]


def objective_cost(k, i):
    eta, B, V = SCALE[i] * RATIO[i] ** k, FACTS.row_counts[i], FACTS.degrees[i]
    return 2 * 5.0 / B * (1.4 * 0.25 / (0.4 / 4 + 2 * eta * V) + ALPHA[i])


def penalty_cost(k, i):
    eta, B, V = SCALE[i] * RATIO[i] ** k, FACTS.row_counts[i], FACTS.degrees[i]
    return 5.0 / (eta * V * B) * (1.4 * 0.25 + ALPHA[i])


def output_cost(k, i):
    eta, B, V = SCALE[i] * RATIO[i] ** k, FACTS.row_counts[i], FACTS.degrees[i]
    return ALPHA[i] * (2 * 5.0 / B + 2 * TOLERANCE) / (0.4 / 4 + 2 * eta * V)


@pytest.mark.parametrize(
    ("algorithm", "noise", "cost", "data_steps"),
    [
        (MR, radmm.ObjectiveNoise(ALPHA), objective_cost, [0, 1, 1, 2, 2, 3]),
        (M, radmm.ObjectiveNoise(ALPHA), objective_cost, [0, 1, 2, 3, 4, 5]),
        (M, radmm.PenaltyNoise(ALPHA), penalty_cost, [0, 1, 2, 3, 4, 5]),
        (MR, radmm.OutputNoise(ALPHA), output_cost, [0, 1, 1, 2, 2, 3]),
    ],
)
def test_bound_is_the_direct_sum(algorithm, noise, cost, data_steps):
    np.testing.assert_allclose(total_bound(FACTS, algorithm, noise, 5), direct_sum(cost, data_steps), rtol=1e-13)


def test_the_maximum_over_nodes_is_of_the_sums():
    """Node 0 is worst in the first step, node 1 later: the largest sum is less than the sum of the largest."""
    facts = facts_of(1.0, 0.3, np.array([10, 10]), np.array([1.0, 1.0]))
    noise = radmm.OutputNoise(radmm.Geometric([8.0, 1.0], [0.5, 2.0]))
    step = 0.2 / (0.15 + 2.0)
    expected = step * np.array([0, 4, 6, 14, 30])
    np.testing.assert_allclose(total_bound(facts, radmm.ADMM(1.0), noise, 4), expected)


def test_the_trace_carries_the_bound(small):
    result = radmm.solve(small.problem, small.network, MR, noise=radmm.ObjectiveNoise(ALPHA), iterations=5, runs=2)
    expected = direct_sum(objective_cost, [0, 1, 1, 2, 2, 3])
    for _, run in result.trace.groupby("run"):
        np.testing.assert_allclose(run["privacy_loss"], expected, rtol=1e-13)


@pytest.mark.parametrize(("iterations", "alpha", "published"), [(50, 2, 23.75), (50, 1, 12.81), (50, 0.5, 7.34)])
def test_the_papers_setting(iterations, alpha, published):
    """N = 5, B = 8000, C = 1750, ρ = 0.22, η = 1 and a node of degree 1: 25 data-touching iterations."""
    facts = facts_of(1750.0, 0.22, np.full(5, 8000), np.array([1.0, 2, 2, 2, 3]))
    bound = total_bound(facts, radmm.RADMM(1.0), radmm.ObjectiveNoise(alpha), iterations)
    assert bound[-1] == pytest.approx(published, abs=0.005)


class OneStep:
    """Objective perturbation of one node, with the exact privacy loss of any outcome."""

    def __init__(self, rows, C, ridge, linear):
        self.rows, self.C, self.ridge, self.linear = rows, C, ridge, linear  # rows are y·x

    def noise_for(self, f):
        """The one draw that gives the outcome f."""
        slope = -1 / (1 + np.exp(self.rows @ f))
        return -(self.C / len(self.rows) * self.rows.T @ slope + self.ridge * f + self.linear)

    def log_density(self, f, alpha):
        sigma = 1 / (1 + np.exp(-(self.rows @ f)))
        hessian = self.C / len(self.rows) * (self.rows.T * (sigma * (1 - sigma))) @ self.rows
        return -alpha * np.linalg.norm(self.noise_for(f)) + np.linalg.slogdet(hessian + self.ridge * np.eye(len(f)))[1]


@settings(max_examples=200, deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(1, 4),
    st.integers(1, 6),
    st.floats(0.2, 1.0),
    st.floats(0.05, 20.0),
    st.floats(0.1, 5.0),
)
def test_no_outcome_loses_more_than_a_step_of_the_bound(seed, dimension, rows, share, alpha, eta):
    """The exact log-density ratio for replaced rows, at any outcome, against the objective noise's cost of one step."""
    rng = np.random.default_rng(seed)
    C, rho, degree = share * rows, 0.3, 1.0
    facts = facts_of(C, rho, np.array([rows]), np.array([degree]))
    algorithm, noise = radmm.ADMM(eta), radmm.ObjectiveNoise(alpha)
    try:
        check_condition(facts, notes_of(facts, algorithm, 1), noise)
    except InputError:
        return  # the theorem claims nothing here
    data = rng.standard_normal((rows, dimension))
    data /= np.maximum(1, np.linalg.norm(data, axis=1))[:, None]
    other = data.copy()
    other[0] = rng.choice([-data[0], np.zeros(dimension), -other[0] / (np.linalg.norm(other[0]) + 1e-12)])
    linear = 10 * rng.standard_normal(dimension)
    one, two = (OneStep(part, C, rho + 2 * eta * degree, linear) for part in (data, other))
    for f in rng.standard_normal((10, dimension)) * rng.choice([0.1, 1, 10], (10, 1)):
        loss = one.log_density(f, alpha) - two.log_density(f, alpha)
        assert abs(loss) <= total_bound(facts, algorithm, noise, 1)[-1] + 1e-9


def test_the_bound_is_nearly_attained():
    """Nearly opposite rows with saturated slopes: a formula with half the noise term would fail here."""
    tilt = 1e-3
    data = np.array([[np.sqrt(1 - tilt**2), tilt]])
    one, two = (OneStep(rows, 1.0, 2.3, np.array([0.0, 1e5])) for rows in (data, data * [-1, 1]))
    facts = facts_of(1.0, 0.3, np.array([1]), np.array([1.0]))
    bound = total_bound(facts, radmm.ADMM(1.0), radmm.ObjectiveNoise(3.0), 1)[-1]
    outcomes = np.array([[x, -1e5 / 2.3] for x in np.linspace(-40, 40, 401)])
    largest = max(abs(one.log_density(f, 3.0) - two.log_density(f, 3.0)) for f in outcomes)
    assert 0.9 * 2 * 3.0 < largest <= bound


@settings(max_examples=100, deadline=None)
@given(st.floats(0.01, 1000), st.sampled_from([radmm.ObjectiveNoise, radmm.OutputNoise, radmm.PenaltyNoise]))
def test_calibrated_noise_spends_the_budget_and_no_more(target, noise):
    try:
        alpha = calibrate_bound(FACTS, notes_of(FACTS, M, 20), noise, target)
    except InputError:
        assert total_bound(FACTS, M, noise(1e-9), 20)[-1] > target * (1 - 1e-6)
        return
    spent = total_bound(FACTS, M, noise(alpha), 20)[-1]
    assert spent <= target
    assert total_bound(FACTS, M, noise(alpha * (1 + 1e-8)), 20)[-1] > target


def test_an_impossible_budget_is_refused_with_both_numbers():
    message = r"total_bound = 0.1 can't be met by any noise: the Jacobian term alone is 1.19048 at node 0 over 5 data"
    with pytest.raises(InputError, match=message):
        calibrate_bound(FACTS, notes_of(FACTS, radmm.ADMM(1.0), 5), radmm.ObjectiveNoise, 0.1)


@pytest.mark.parametrize(("right", "fine"), [(0.3, False), (0.5, False), (0.51, True)])
def test_the_curvature_condition_is_strict(right, fine):
    """B/C = 1, ρ/N = 0.1, V = 1: the right side is 0.1 + 2η, and must exceed 2 c1 = 0.5."""
    facts = facts_of(4.0, 0.1, np.array([4]), np.array([1.0]))
    algorithm = radmm.ADMM((right - 0.1) / 2)
    if fine:
        check_condition(facts, notes_of(facts, algorithm, 1), radmm.ObjectiveNoise(1.0))
    else:
        with pytest.raises(InputError, match="2 c1 <"):
            check_condition(facts, notes_of(facts, algorithm, 1), radmm.ObjectiveNoise(1.0))


@dataclass(frozen=True)
class Relenting(radmm.Algorithm[radmm.State]):
    """Argmins whose weight falls from step to step, which is no name in any registry."""

    def first(self, primal, network):
        return radmm.State(iteration=0, primal=primal)

    def step(self, state, network, oracle):
        now = state.iteration + 1
        primal = oracle.argmin(np.zeros_like(state.primal), network.degrees / now, state.primal)
        return radmm.State(iteration=now, primal=primal)


@pytest.mark.parametrize(("steps", "fine"), [(1, True), (2, True), (3, False)])
def test_the_curvature_condition_is_asked_of_every_step(steps, fine):
    """B/C = 1, ρ/N = 0.1, V = 1: the right side is 0.1 + 1/k, and must exceed 2 c1 = 0.5 at the last step, too."""
    facts = facts_of(4.0, 0.1, np.array([4]), np.array([1.0]))
    asked = notes_of(facts, Relenting(), steps)
    if fine:
        check_condition(facts, asked, radmm.ObjectiveNoise(1.0))
    else:
        with pytest.raises(InputError, match=r"2 c1 <.*the right side 0.433333: raise the penalty"):
            check_condition(facts, asked, radmm.ObjectiveNoise(1.0))


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 4), st.floats(0.1, 3.0))
def test_output_noise_covers_the_argmins_move(seed, dimension, eta):
    """Replace one row by any other of norm at most 1: the argmin moves by no more than α's factor in the bound."""
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((3, dimension))
    rows /= np.maximum(1, np.linalg.norm(rows, axis=1))[:, None]
    moved = []
    linear = rng.standard_normal(dimension)
    for replacement in (rows[0], -rows[0] / np.linalg.norm(rows[0])):
        features = np.vstack([replacement, rows[1:]])
        plain = PlainProblem(features, np.ones(3), np.zeros(3, dtype=int), C=3.0, rho=0.2)
        moved.append(argmin(plain, 0, np.zeros(dimension), linear, eta))
    facts = facts_of(3.0, 0.2, np.array([3]), np.array([1.0]))
    bound = total_bound(facts, radmm.ADMM(eta), radmm.OutputNoise(1.0), 1)[-1]
    assert np.linalg.norm(moved[0] - moved[1]) <= bound


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 3), st.floats(0.05, 10.0), st.floats(0.3, 3.0))
def test_penalty_noise_is_objective_noise_of_another_scale(seed, dimension, alpha, eta):
    """−2ηV ε has density ∝ exp(−α‖·‖/(2ηV)): the exact loss at any outcome against M-ADMM's bound of one step."""
    rng = np.random.default_rng(seed)
    degree, rho = 2.0, 0.3
    data = rng.standard_normal((2, dimension))
    data /= np.maximum(1, np.linalg.norm(data, axis=1))[:, None]
    other = np.vstack([-data[0] / np.linalg.norm(data[0]), data[1]])
    facts = facts_of(2.0, rho, np.array([2]), np.array([degree]))
    bound = total_bound(facts, radmm.MADMM(eta, dual_step=0.1), radmm.PenaltyNoise(alpha), 1)[-1]
    one, two = (OneStep(part, 2.0, rho + 2 * eta * degree, np.zeros(dimension)) for part in (data, other))
    for f in rng.standard_normal((10, dimension)) * rng.choice([0.1, 1, 10], (10, 1)):
        loss = one.log_density(f, alpha / (2 * eta * degree)) - two.log_density(f, alpha / (2 * eta * degree))
        assert abs(loss) <= bound + 1e-9


def test_the_curvature_condition_is_checked(small):
    message = "at node 0 the left side is 0.5 and the right side 0.21: raise the penalty or lower C"
    with pytest.raises(InputError, match=message):
        radmm.solve(small.problem, small.network, radmm.ADMM(0.025), noise=radmm.ObjectiveNoise(1.0), iterations=1)
    radmm.solve(small.problem, small.network, radmm.ADMM(0.025), noise=radmm.OutputNoise(1.0), iterations=1)


def test_rows_above_norm_one_void_a_bound(small):
    problem = radmm.Problem(small.features * 2, small.labels, small.node, C=5.0, rho=0.4)
    with pytest.raises(InputError, match=r"features of row \d+, at node \d, have norm 2: a privacy bound needs"):
        radmm.solve(problem, small.network, radmm.ADMM(), noise=radmm.ObjectiveNoise(1.0))
    radmm.solve(problem, small.network, radmm.ADMM(), iterations=1)


def test_a_row_slightly_above_norm_one_is_refused_by_number_and_node(small):
    features = small.features / np.linalg.norm(small.features, axis=1)[:, None]
    features[20] *= 1.001
    problem = radmm.Problem(features, small.labels, small.node, C=5.0, rho=0.4)
    with pytest.raises(InputError, match=f"features of row 20, at node {small.node[20]}, have norm 1.001"):
        radmm.solve(problem, small.network, radmm.ADMM(), noise=radmm.ObjectiveNoise(1.0))


def test_penalty_noise_is_for_m_admm_only(small):
    with pytest.raises(InputError, match="penalty noise is defined for m-admm only, not for r-admm"):
        radmm.solve(small.problem, small.network, radmm.RADMM(), noise=radmm.PenaltyNoise(1.0))


def test_alpha_missing_for_a_node(small):
    with pytest.raises(InputError, match="alpha: 3 values are given, but the network has 4 nodes"):
        radmm.solve(small.problem, small.network, radmm.RADMM(), noise=radmm.ObjectiveNoise([1.0, 1.0, 1.0]))


def test_gaussian_noise_has_no_total_bound(small):
    noise = radmm.ObjectiveNoise(sigma=2.0)
    with pytest.raises(InputError, match="gaussian objective noise: it has no bound in pure differential privacy"):
        total_bound(FACTS, MR, noise, 5)
    result = radmm.solve(small.problem, small.network, radmm.ADMM(0.025), noise=noise, iterations=2, runs=1)
    assert result.trace["privacy_loss"].isna().all()  # and the theorem's condition on the curvature is not asked for
    assert result.trace["loss"].notna().all()


class Overflowing(Logistic):
    """The logistic loss as one might write it first: e^800 over 1 + e^800 is not a number."""

    def value_and_slope(self, margin):
        return np.logaddexp(0.0, -margin), -np.exp(-margin) / (1.0 + np.exp(-margin))


def test_a_loss_that_overflows_is_refused():
    """What is not a number is above no bound, and below none."""
    with pytest.raises(InputError, match="no privacy bound holds for it, as at margin -7.* is not a finite number$"):
        check_stated_bounds(Overflowing())


@pytest.mark.parametrize("off", [0.0, -1e-16, -3e-16, -1e-15])
@pytest.mark.parametrize("kind", [radmm.ObjectiveNoise, radmm.PenaltyNoise])
def test_a_target_that_ten_digits_just_miss_is_met_by_the_next_ten(kind, off):
    """Bounds of an α of ten digits, less what rounding may hide."""
    notes = notes_of(FACTS, M, 5)
    for alpha in (0.1234567891, 3.0, 0.07, 9.999999999, 1.0, 123.4567):
        target = float(total_bound(FACTS, M, kind(alpha), 5)[-1]) * (1.0 + off)
        found = calibrate_bound(FACTS, notes, kind, target)
        assert float(f"{found:.10g}") == found
        assert total_bound(FACTS, M, kind(found), 5)[-1] <= target
        assert found == pytest.approx(alpha, rel=2.1e-9)
