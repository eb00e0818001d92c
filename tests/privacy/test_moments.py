"""Released moments: how far a row moves them, the law of their noise, what they cost, and who refuses them."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import brentq, minimize
from scipy.stats import kstest, norm

import radmm
from radmm.argmin.engine import NumpyEngine
from radmm.argmin.engine_choice import engine_for
from radmm.base.errors import InputError
from radmm.model.losses.logistic import REACH
from radmm.model.public_facts import PublicFacts
from radmm.model.quadratic_model import MOST_FEATURES, entries_of, pack, unpack
from radmm.privacy.data_oracle import DataOracle, weighted_moments
from radmm.privacy.events import NoisyMoments, PostProcessing, replacing_sensitivity
from radmm.privacy.noise_laws import Law
from radmm.privacy.query_log import MomentsQuery, record_queries
from radmm.privacy.relation import Neighbours, Relation

ONE_SHOT = radmm.OneShot(gossip=3)
PAIR = radmm.Network([[0, 1], [1, 0]])


def plain_distance(w, v, t):
    """‖w − v‖² + t‖w wᵀ − v vᵀ‖², squared: with nothing packed."""
    return np.sqrt(((w - v) ** 2).sum() + t * ((np.outer(w, w) - np.outer(v, v)) ** 2).sum())


def in_ball(entries):
    row = np.array(entries)
    return row / max(1.0, np.linalg.norm(row))


rows_of_norm_one = st.integers(1, 4).flatmap(
    lambda d: st.tuples(*[st.lists(st.floats(-2, 2), min_size=d, max_size=d).map(in_ball)] * 2)
)


@settings(max_examples=300, deadline=None)
@given(pair=rows_of_norm_one, t=st.floats(0.01, 50.0))
def test_no_pair_of_rows_is_farther_apart_than_is_said(pair, t):
    w, v = pair
    assert plain_distance(w, v, t) <= replacing_sensitivity(t) * (1 + 1e-12)
    assert plain_distance(w, 0 * w, t) <= np.sqrt(1 + t) * (1 + 1e-12)


@pytest.mark.parametrize("t", [0.1, 0.5, 0.7, 1.0, 2.0, 9.0])
def test_the_farthest_pair_that_a_search_finds_is_as_far_as_is_said(t):
    def apart(flat):
        w, v = (in_ball(part) for part in np.split(flat, 2))
        return -plain_distance(w, v, t)

    starts = np.random.default_rng(0).standard_normal((20, 6))
    found = max(
        -minimize(apart, start, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-13}).fun for start in starts
    )
    assert found == pytest.approx(replacing_sensitivity(t), rel=1e-7)
    assert found < 0.999 * np.hypot(2.0, np.sqrt(2.0 * t))  # both moments at their farthest, which no pair is


def test_the_ratio_in_use_makes_it_five_halves():
    release = NoisyMoments(Law.GAUSSIAN, 1.0, C=3.0, G=1.0, rows=4, dimension=2)
    assert release.ratio == 2.0
    assert release.sensitivity == pytest.approx(0.75 * 2.5)
    assert release.leg_sensitivity(Relation()) == pytest.approx(0.75 * 1.25)
    assert release.leg_sensitivity(Relation(Neighbours.ZERO_OUT, 3)) == pytest.approx(0.75 * np.sqrt(3))


@settings(max_examples=30, deadline=None)
@given(d=st.integers(1, 6), data=st.data())
def test_packed_matrices_keep_their_inner_products_and_come_back(d, data):
    square = arrays(np.float64, (2, d, d), elements=st.floats(-10, 10))
    one, other = (part + part.T for part in data.draw(square))
    assert pack(one).shape == (entries_of(d),)
    assert pack(one) @ pack(other) == pytest.approx(np.sum(one * other), abs=1e-9)
    np.testing.assert_allclose(unpack(pack(one), d), one, rtol=1e-15)


@pytest.mark.parametrize("engine", [NumpyEngine, engine_for], ids=["numpy", "compiled"])
@pytest.mark.parametrize("weighting", ["nodes", "rows"])
def test_moments_of_data_sets_that_differ_in_a_row_differ_as_the_ledger_says(small, engine, weighting):
    options = {"C": 5.0, "rho": 0.4, "weighting": weighting}
    moved = small.features.copy()
    problem = radmm.Problem(moved, small.labels, small.node, **options)
    ledger = radmm.ledger(problem, small.network, ONE_SHOT, radmm.MomentNoise(sigma=1.0), 1)
    fine = np.sqrt(NoisyMoments.ratio)
    before = weighted_moments(engine(problem), fine)
    for node, rows in enumerate(np.split(np.arange(len(small.node)), np.cumsum(problem.row_counts)[:-1])):
        features = small.features[rows] * small.labels[rows, None]
        weight = problem.node_weights[node] / len(rows)
        np.testing.assert_allclose(before[node, :4], weight * features.sum(axis=0), atol=1e-12)
        second = unpack(before[node, 4:], 4) / fine
        np.testing.assert_allclose(second, weight * features.T @ features, atol=1e-12)
    # The last node's first row becomes a unit vector, then one at the farthest angle from it, then nothing.
    row, labels = np.flatnonzero(small.node == 3)[0], small.labels.copy()
    labels[row] = 1.0
    found = []
    for changed in ([1.0, 0.0, 0.0, 0.0], [-0.25, np.sqrt(15) / 4, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]):
        moved[row] = changed
        found.append(weighted_moments(engine(radmm.Problem(moved, labels, small.node, **options)), fine))
    release = ledger.event(1, 3)
    assert np.linalg.norm(found[1] - found[0]) == pytest.approx(release.sensitivity)
    assert np.linalg.norm(found[2] - found[0]) == pytest.approx(release.leg_sensitivity(Relation(Neighbours.ZERO_OUT)))
    assert np.all(found[1][:3] == found[0][:3])


@pytest.mark.parametrize("loss", ["logistic", "squared"])
def test_the_noise_is_normal_and_as_large_as_the_ledger_says(small, loss):
    """Entries off the diagonal have half the variance: packed, all entries of second moments have the same."""
    sigma, runs = np.array([0.3, 0.5, 0.2, 0.4]), 3000
    problem = radmm.Problem(small.features, small.labels, small.node, loss, C=5.0, rho=0.4)
    facts = PublicFacts.of_problem(problem, small.network.degrees)
    point = np.zeros((4, 4, runs))
    exact, model = (
        DataOracle(engine_for(problem), facts, noise, 7, runs, small.network).moments(point)
        for noise in (None, radmm.MomentNoise(sigma=sigma))
    )
    slope, curvature = problem.loss.quadratic
    np.testing.assert_allclose(model.spread, curvature * sigma / np.sqrt(2))
    assert np.all(exact.spread == 0)
    first = (model.linear - exact.linear) / slope
    second = unpack(((model.matrix - exact.matrix) / curvature).swapaxes(1, 2), 4).transpose(0, 2, 3, 1)
    ridge = unpack(exact.matrix[:, :, 0], 4) - curvature * np.array(
        [
            5.0 / n * small.features[small.node == i].T @ small.features[small.node == i]
            for i, n in enumerate((7, 12, 9, 15))
        ]
    )
    np.testing.assert_allclose(ridge, np.tile(0.1 * np.eye(4), (4, 1, 1)), atol=1e-12)
    for node in range(4):
        draws = [first[node, 0], first[node, 3], second[node, 1, 1] * np.sqrt(2), second[node, 0, 2] * 2]
        for entry in draws:
            assert kstest(entry / sigma[node], norm.cdf).pvalue > 1e-4
        assert np.abs(np.corrcoef(draws) - np.eye(4)).max() < 0.1  # five standard errors
    assert abs(np.corrcoef(first[0, 0], first[1, 0])[0, 1]) < 0.1


def gaussian_epsilon(mu, delta):
    """Gaussian differential privacy, in closed form."""

    def excess(epsilon):
        return norm.cdf(mu / 2 - epsilon / mu) - np.exp(epsilon + norm.logcdf(-mu / 2 - epsilon / mu)) - delta

    return 0.0 if excess(0.0) <= 0 else brentq(excess, 0.0, mu**2 + 40 * mu, xtol=1e-14)


@settings(max_examples=20, deadline=None)
@given(
    sigma=st.floats(0.5, 30.0), zeroed=st.booleans(), rows=st.integers(1, 3), ratio=st.sampled_from([0.0, 1.0, 10.0]),
    loss=st.sampled_from(["logistic", "squared"]), iterations=st.integers(1, 4),
)  # fmt: skip
def test_totals_are_those_of_gaussian_differential_privacy(sigma, zeroed, rows, ratio, loss, iterations):
    rng, node = np.random.default_rng(0), np.repeat([0, 1], [7, 12])
    problem = radmm.Problem(0.1 * rng.standard_normal((19, 2)), np.ones(19), node, loss, C=5.0, rho=0.4)
    noise = radmm.MomentNoise(sigma=sigma, cancelling=ratio)
    relation = {"neighbours": "zero-out" if zeroed else "replace", "rows": rows}
    told = radmm.epsilon(problem, PAIR, ONE_SHOT, noise, iterations, delta=1e-5, **relation)
    # Two nodes with own noise σ and shared σ_c: given the other's, the variance is σ² + σ²σ_c²/(σ² + σ_c²).
    effective = sigma * np.sqrt(1 + ratio**2 / (1 + ratio**2))
    moved = rows * (np.sqrt(1 + 2) if zeroed else np.sqrt(2 + 2 * 2 + 1 / (2 * 2)))
    mu = 5.0 / 7 * moved / effective  # the smallest node loses most; one release, however many iterations
    assume(mu < 15)
    assert told == pytest.approx(gaussian_epsilon(mu, 1e-5), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("accountant", ["renyi", "pld"])
def test_other_accountants_are_a_little_above(small, accountant):
    noise = radmm.MomentNoise(sigma=2.0)
    told = radmm.epsilon(small.problem, small.network, ONE_SHOT, noise, 3, delta=1e-5, accountant=accountant)
    exact = gaussian_epsilon(5.0 / 7 * 2.5 / 2.0, 1e-5)
    assert exact <= told <= 1.15 * exact


@pytest.mark.parametrize("accountant", ["paper", "pure", "optimal-pure"])
def test_accountants_without_a_proof_refuse(small, accountant):
    with pytest.raises(InputError, match=f"the {accountant} accountant can't bound gaussian moments noise"):
        radmm.epsilon(small.problem, small.network, ONE_SHOT, radmm.MomentNoise(sigma=2.0), 3, accountant=accountant)


@pytest.mark.parametrize("loss", ["logistic", "squared"])
@pytest.mark.parametrize("cancelling", [0.0, 10.0])
def test_calibrated_noise_spends_the_budget(small, loss, cancelling):
    problem = radmm.Problem(small.features, small.labels, small.node, loss, C=5.0, rho=0.4)
    noise = radmm.calibrate(problem, small.network, ONE_SHOT, radmm.MomentNoise, 2, 0.7, cancelling=cancelling)
    result = radmm.solve(problem, small.network, ONE_SHOT, noise=noise, iterations=2, runs=2)
    assert 0.99 * 0.7 <= result.epsilon(delta=1e-5) <= 0.7
    assert (result.ledger.threat is None) == (not cancelling)
    assert result.trace["privacy_loss"].isna().all()  # the paper says nothing of moments
    assert radmm.Ledger.from_columns(result.ledger.columns()).releases == result.ledger.releases


def test_only_the_first_iteration_touches_the_data(small):
    query_log = record_queries(ONE_SHOT, small.network, 4)
    assert [type(query) for query in query_log.queries] == [MomentsQuery]
    assert query_log.data_steps.tolist() == [0, 1, 1, 1, 1]
    result = radmm.solve(
        small.problem, small.network, ONE_SHOT, noise=radmm.MomentNoise(sigma=1.0), iterations=4, runs=2
    )
    assert isinstance(result.ledger.event(1, 0), NoisyMoments)
    assert all(isinstance(result.ledger.event(t, 0), PostProcessing) for t in (2, 3, 4))
    assert result.trace.groupby("iteration")["passes"].mean().tolist() == [0, 1, 0, 0, 0]


def test_the_quadratic_is_the_least_squares_fit_at_chebyshev_nodes():
    k = np.arange(1000)
    margin = REACH * np.cos((k + 0.5) * np.pi / len(k))
    half, slope, _ = np.polyfit(margin, np.log1p(np.exp(-margin)), 2)
    assert radmm.Problem(np.eye(1), [1.0], [0]).loss.quadratic == pytest.approx((slope, 2 * half), rel=1e-9)
    z = np.linspace(-5, 5, 11)
    q1, q2 = radmm.Problem(np.eye(1), [1.0], [0], "squared").loss.quadratic
    np.testing.assert_allclose(0.5 + q1 * z + 0.5 * q2 * z**2, (1 - z) ** 2 / 2)


@pytest.mark.parametrize("noise", [None, radmm.MomentNoise(sigma=1.0)])
@pytest.mark.parametrize("loss", ["huber-hinge", "softmax"])
def test_a_loss_without_a_quadratic_is_refused(small, loss, noise):
    labels = small.labels if loss == "huber-hinge" else (small.labels > 0).astype(float)
    problem = radmm.Problem(small.features, labels, small.node, loss, C=5.0, rho=0.4)
    with pytest.raises(InputError, match=f"loss = {loss}: must be logistic or squared where moments are released"):
        radmm.solve(problem, small.network, ONE_SHOT, noise=noise, iterations=1, runs=1)


def test_what_can_not_be_is_refused_in_a_sentence(small):
    def solve(problem, algorithm, noise):
        radmm.solve(problem, small.network, algorithm, noise=noise, iterations=1, runs=1)

    with pytest.raises(InputError, match="noise.kind = moments: must have a sigma"):
        radmm.MomentNoise(alpha=1.0)
    with pytest.raises(InputError, match="noise.kind = moments: must have a sigma"):
        radmm.calibrate(small.problem, small.network, ONE_SHOT, radmm.MomentNoise, 1, 1.0, law="exponential-norm")
    with pytest.raises(InputError, match="gradient noise is for gradients, but one-shot asks for moments"):
        solve(small.problem, ONE_SHOT, radmm.GradientNoise(sigma=1.0))
    with pytest.raises(InputError, match="moments noise is for moments, but dgd asks for gradients"):
        solve(small.problem, radmm.DGD(), radmm.MomentNoise(sigma=1.0))
    wide = radmm.Problem(np.ones((43, MOST_FEATURES + 1)) / 40, small.labels, small.node, C=5.0)
    with pytest.raises(InputError, match="1001 features: must be at most 1000 for one-shot, .* 502502 numbers"):
        solve(wide, ONE_SHOT, None)
    with pytest.raises(InputError, match="noise.kind = moments: .* nothing is proved of moments on an integer grid"):
        radmm.release(small.problem, small.network, ONE_SHOT, radmm.MomentNoise(sigma=1.0), 1)


def test_an_oracle_that_has_no_moments_says_so(small):
    class Gradients(radmm.Oracle):
        def argmin(self, linear, weight, start):
            return linear

        def gradient(self, point):
            return point

    with pytest.raises(InputError, match="Gradients: must be an oracle that answers moments"):
        ONE_SHOT.step(ONE_SHOT.first(np.zeros((4, 4, 1)), small.network), small.network, Gradients())


@dataclass(frozen=True)
class AsksAgain(radmm.OneShot):
    """Asks once more if the first answer was not what the recorder of queries answers."""

    def step(self, state, network, oracle):
        found = super().step(state, network, oracle)
        if state.iteration == 1 and np.abs(state.primal).max() > 0:
            oracle.moments(state.primal)
        return found


def test_a_second_question_that_depends_on_the_first_answer_is_refused(small):
    with pytest.raises(InputError, match="asks for moments at iteration 2, where its ledger has nothing more"):
        radmm.solve(small.problem, small.network, AsksAgain(), noise=radmm.MomentNoise(sigma=1.0), iterations=3, runs=1)


def test_a_question_of_another_shape_is_refused(small):
    class Wide(radmm.OneShot):
        def step(self, state, network, oracle):
            return super().step(replace(state, primal=state.primal[..., [0, 0]]), network, oracle)

    with pytest.raises(InputError, match=r"point has shape \(4, 4, 2\): must be \(4, 4, 1\)"):
        radmm.solve(small.problem, small.network, Wide(), noise=None, iterations=1, runs=1)
