"""The one-run audit: its bound holds, exposes faults, and is silent where noise is right."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import linprog
from scipy.special import expit
from scipy.stats import binom

import radmm
from radmm.base.errors import InputError
from radmm.results.audit import guessing
from radmm.results.audit.canaries import run_with_canaries, steepest
from radmm.results.audit.canary_cases import with_canaries
from radmm.results.audit.guessing import best_guesses, epsilon_refuted, gaussian_shift, ideal_right, p_value
from radmm.results.audit.one_run import audit_setup

NETWORK = radmm.Network([[0, 1], [1, 0]])
DELTA = 1e-5
PUBLIC = {"C": 400.0, "rho": 0.4}  # with 1000 rows, a row moves a gradient by at most 0.4


def direct_p_value(canaries, guesses, right, epsilon, delta):
    """The theorem as it is written: every term of the maximum summed by itself."""
    law = binom(guesses, expit(epsilon))
    tail = [sum(law.pmf(k) for k in range(max(v, 0), guesses + 1)) for v in range(right + 1)]
    most = max(((tail[right - i] - tail[right]) / i for i in range(1, right + 1)), default=0.0)
    return min(tail[right] + 2 * canaries * delta * most, 1.0)


@pytest.mark.parametrize("epsilon", [0.0, 0.5, 2.0])
@pytest.mark.parametrize("delta", [0.0, 1e-3])
@pytest.mark.parametrize("right", [0, 1, 13, 20])
def test_the_bound_is_the_theorem_s(right, delta, epsilon):
    found = p_value(50, 20, right, epsilon, delta)
    assert found == pytest.approx(direct_p_value(50, 20, right, epsilon, delta), rel=1e-9)


def test_a_published_number():
    """75 of 100 guesses about 1000 canaries at δ = 1e-4: Appendix D of the paper has .673."""
    assert epsilon_refuted(1000, 100, 75, 1e-4) == pytest.approx(0.673, abs=5e-4)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("delta", [0.0, 1e-5, 1e-3])
@pytest.mark.parametrize("leak", ["each", "all"])
def test_randomised_response_is_refuted_no_more_often_than_allowed(leak, delta, epsilon):
    """The exact probability of a wrong verdict: answers of odds e^ε, and δ gives one bit away, or all at once."""
    canaries, odds = 200, expit(epsilon)
    count = np.arange(canaries + 1)
    if leak == "each":
        mass = binom.pmf(count, canaries, delta + (1 - delta) * odds)
    else:
        mass = (1 - delta) * binom.pmf(count, canaries, odds) + delta * (count == canaries)
    for error in (0.05, 0.01):
        refuted = [epsilon_refuted(canaries, canaries, right, delta, error) > epsilon for right in count.tolist()]
        assert mass[refuted].sum() <= error
        if delta == 0.0:
            assert mass[refuted].sum() > error / 5  # the bound is reached but for the gaps between whole numbers


def largest_tail(canaries, right, epsilon, delta):
    """The most that any (ε, δ)-private run can make of the probability of so many right guesses, all coins guessed.

    By symmetry a run is the probabilities y_k of k right guesses. To change a coin turns one guess: of the patterns
    with k right ones the share k/m has it right, and it comes from a pattern with k − 1. What exceeds e^ε times the
    other, in both directions, is δ at most: a linear program.
    """
    m, odds = canaries, np.exp(epsilon)
    k = np.arange(1, m + 1)
    loses = sparse.diags_array([k / m], offsets=[1], shape=(m, m + 1)) - sparse.diags_array(
        [odds * (m - k + 1) / m], offsets=[0], shape=(m, m + 1)
    )
    gains = sparse.diags_array([(m - k + 1) / m], offsets=[0], shape=(m, m + 1)) - sparse.diags_array(
        [odds * k / m], offsets=[1], shape=(m, m + 1)
    )
    private = sparse.hstack([sparse.vstack([loses, gains]), -sparse.eye_array(2 * m)])
    spent = np.concatenate([np.zeros(m + 1), np.ones(2 * m)])[None]
    wanted = np.zeros(3 * m + 1)
    wanted[right : m + 1] = -1.0
    found = linprog(
        wanted,
        A_ub=sparse.vstack([private, sparse.csr_array(spent)]),
        b_ub=np.concatenate([np.zeros(2 * m), [delta]]),
        A_eq=1.0 - spent,
        b_eq=[1.0],
    )
    return -found.fun


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("delta", [0.0, 1e-5, 1e-3, 1e-2])
@pytest.mark.parametrize("canaries", [10, 30, 100])
def test_no_private_run_exceeds_the_bound_where_a_verdict_is_given(canaries, delta, epsilon):
    bounds = np.array([p_value(canaries, canaries, right, epsilon, delta) for right in range(canaries + 1)])
    for error in (0.2, 0.05, 0.01):
        if bounds[-1] <= error:
            right = int(np.argmax(bounds <= error))
            assert largest_tail(canaries, right, epsilon, delta) <= bounds[right] * (1 + 1e-6)


def test_two_canaries_are_too_few_for_the_bound():
    """With w the probability of no right guess, the worst run has w = (1 − δ(2 + e^ε))/(1 + e^ε)²: less than 1 − 4δ."""
    odds = np.e
    exact = 1.0 - (1.0 - 0.01 * (2.0 + odds)) / (1.0 + odds) ** 2
    assert largest_tail(2, 1, 1.0, 0.01) == pytest.approx(exact, rel=1e-9)
    assert exact > p_value(2, 2, 1, 1.0, 0.01)


def test_coverage_with_abstention():
    """2000 audits of a Gaussian mechanism with the best guesses: what is shown exceeds ε = 1 in at most one of 20."""
    canaries, mu = 300, gaussian_shift(1.0, DELTA)
    guesses, rng, shown = 60, np.random.default_rng(0), []
    for _ in range(2000):
        included = rng.random(canaries) < 0.5
        order = np.argsort(rng.standard_normal(canaries) + mu * included)
        right = np.sum(~included[order[:30]]) + np.sum(included[order[-30:]])
        shown.append(int(right))
    assert np.mean(shown) == pytest.approx(ideal_right(canaries, guesses, mu), rel=0.01)
    assert np.mean([epsilon_refuted(canaries, guesses, right, DELTA) > 1.0 for right in shown]) <= 0.05


def test_how_much_canaries_can_show():
    """At a claimed ε of 1, 1000 ideal canaries are expected to show 0.22, and 5000 of them 0.4."""
    mu = gaussian_shift(1.0, DELTA)
    assert best_guesses(1000, mu, DELTA)[1] == pytest.approx(0.22, abs=0.01)
    assert best_guesses(5000, mu, DELTA)[1] == pytest.approx(0.40, abs=0.01)
    assert best_guesses(1000, gaussian_shift(0.3, DELTA), DELTA)[1] == 0.0  # nothing at all


def test_the_shift_of_a_gaussian_claim():
    """Of an ε of 1 at δ = 1e-5: σ is 3.73 sensitivities (Balle and Wang, 2018)."""
    assert 1 / gaussian_shift(1.0, DELTA) == pytest.approx(3.7304, abs=1e-3)


def test_canaries_lie_where_they_tell_most():
    start = np.array([[5.0, -9.0, 7.0, -1.0], [5.0, -9.0, -8.0, -1.0]])
    feature, sign = steepest(start, 2)
    assert feature.tolist() == [1, 0]  # at the third the average is on the other side
    assert sign.tolist() == [1.0, -1.0]


def test_coins_are_fair_and_left_out_canaries_leave_no_trace():
    """With the noise of a run taken away, released values differ by coin and by nothing else."""
    setup = with_canaries(400)[0].setup
    seen = run_with_canaries(setup, 400, 0, 0)
    assert 160 < seen.included.sum() < 240
    again = run_with_canaries(setup, 400, 0, 0)
    np.testing.assert_array_equal(seen.series, again.series)
    other = run_with_canaries(setup, 400, 0, 1)
    assert np.any(seen.included != other.included)
    assert np.all(seen.series != other.series)


@dataclass(frozen=True)
class QuarterGradientNoise(radmm.GradientNoise):
    """Draws a quarter of the noise that its ledger says."""

    def draw(self, step, dimension, runs, seed, nodes):
        return super().draw(step, dimension, runs, seed, nodes) / 4


@dataclass(frozen=True)
class QuarterOutputNoise(radmm.OutputNoise):
    """Draws a quarter of the noise that its ledger says."""

    def draw(self, step, dimension, runs, seed, nodes):
        return super().draw(step, dimension, runs, seed, nodes) / 4


@dataclass(frozen=True)
class LeakingDGD(radmm.DGD):
    """Takes its second gradient behind the oracle's back, without noise."""

    def advance(self, state, network, oracle):
        after = super().advance(state, network, oracle)
        data = getattr(oracle, "_CheckedOracle__answering", None)
        if data is not None and state.iteration == 1:
            exact = data._engine.gradients(state.primal)
            after = type(after)(
                iteration=after.iteration, primal=network.mix(state.primal) - self.step * exact, velocity=after.velocity
            )
        return after


GRADIENT = (radmm.DGD(step=2.5e-4), radmm.GradientNoise, QuarterGradientNoise, 3.35)
OUTPUT = (radmm.RADMM(0.5), radmm.OutputNoise, QuarterOutputNoise, 2.154)


@pytest.mark.parametrize(("algorithm", "right", "wrong", "sigma"), [GRADIENT, OUTPUT], ids=["gradient", "output"])
def test_noise_divided_by_four_falls_and_the_right_noise_stands(algorithm, right, wrong, sigma):
    stands = radmm.one_run_audit(NETWORK, algorithm, right(sigma=sigma), 5, **PUBLIC)
    falls = radmm.one_run_audit(NETWORK, algorithm, wrong(sigma=sigma), 5, **PUBLIC)
    assert stands.claimed == falls.claimed == pytest.approx(1.0, abs=0.03)
    assert not stands.falls
    assert falls.falls
    assert falls.shown > 1.2 > 0.7 > stands.shown
    assert stands.could_show == pytest.approx(0.22, abs=0.02)
    assert str(falls).startswith("the claim falls: ")
    assert "ideal canaries would show 0.22" in str(stands)
    assert "for zeroing out one row" in str(stands)


def test_a_plug_in_that_leaks_falls():
    """Every noise is as it should be, but one iterate has none."""
    noise = radmm.GradientNoise(sigma=3.35)
    found = radmm.one_run_audit(NETWORK, LeakingDGD(step=2.5e-4), noise, 5, **PUBLIC)
    assert found.falls
    assert found.right == found.guesses
    assert not radmm.one_run_audit(NETWORK, radmm.DGD(step=2.5e-4), noise, 5, **PUBLIC).falls


def test_scores_are_nearly_ideal():
    """The number of right guesses is that of ideal canaries, up to four standard deviations."""
    for case in with_canaries(1000):
        found = audit_setup(case.setup, 1000, DELTA, "shift", 0)
        ideal = ideal_right(1000, found.guesses, gaussian_shift(float(found.claimed), DELTA))
        assert abs(found.right - ideal) < 4 * np.sqrt(found.guesses) / 2


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"canaries": 10}, "canaries = 10: must be a whole number, at least 100"),
        ({"rows": 500}, "rows = 500: must be a whole number, at least 1000"),
        ({"seed": -1}, "seed = -1: must be a whole number, at least 0"),
        ({"noise": None}, "noise = None: must be a radmm.Noise"),
        ({"loss": "softmax"}, "loss = softmax: must be a loss of two classes"),
        ({"delta": 0.0}, "delta = 0"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_bad_input_is_one_sentence(changed, said, monkeypatch):
    monkeypatch.setattr(guessing, "p_value", None)  # before anything runs
    arguments = {"noise": radmm.GradientNoise(sigma=1.0), "iterations": 1, **PUBLIC} | changed
    with pytest.raises(InputError, match=said):
        radmm.one_run_audit(NETWORK, radmm.DGD(step=2.5e-4), **arguments)
