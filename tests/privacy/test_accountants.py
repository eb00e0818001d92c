import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from dp_accounting.pld.privacy_loss_distribution import from_gaussian_mechanism, from_laplace_mechanism
from dp_accounting.rdp import compute_epsilon
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logsumexp, ndtr

import radmm
from radmm.accounting import COLUMNS, markdown, repair_table, worked_table
from radmm.privacy.accountants.accountant import ACCOUNTANTS
from radmm.privacy.accountants.pure import (
    OptimalPureAccountant,
    _binomial,
    pure_epsilon,
    smallest_epsilon,
)
from radmm.privacy.accountants.renyi import ORDERS, release_divergence, row_divergence
from radmm.privacy.curves.removal_addition import Row
from radmm.privacy.noise_laws import Law
from radmm.privacy.relation import REPLACE_ONE, Relation
from tests.ledgers import facts_of, make_ledger, total_bound
from tests.privacy.test_ledger import FACTS, PENALTY, D

PAPER, PURE, OPTIMAL, RENYI, PLD = (ACCOUNTANTS[name]() for name in ("paper", "pure", "optimal-pure", "renyi", "pld"))
ALPHA = [0.5, 1.0, 2.0, 0.7]
DELTA = 1e-5
LEDGERS = [
    (radmm.MRADMM(PENALTY), radmm.ObjectiveNoise(ALPHA)),
    (radmm.MADMM(PENALTY), radmm.ObjectiveNoise(ALPHA)),
    (radmm.MADMM(PENALTY), radmm.PenaltyNoise(ALPHA)),
    (radmm.MRADMM(PENALTY), radmm.OutputNoise(ALPHA)),
    (radmm.RADMM(1.0), radmm.ObjectiveNoise(0.3)),
]


def separate_epsilon(release):
    """Noise and Jacobian bounded one by one."""
    return math.inf if release.law == "gaussian" else math.log1p(release.jacobian) + release.shift_in_noise


def one_step(noise, dimension=D, C=1.0, rows=10, eta=1.0, iterations=1):
    facts = facts_of(C, 0.3, np.array([rows]), np.array([1.0]))
    return make_ledger(facts, radmm.MADMM(eta, dual_step=eta), noise, iterations, dimension)


@pytest.mark.parametrize(("algorithm", "noise"), LEDGERS)
def test_the_papers_accountant_is_the_total_bound(algorithm, noise):
    ledger = make_ledger(FACTS, algorithm, noise, 5, D)
    bound = total_bound(FACTS, algorithm, noise, 5)
    np.testing.assert_allclose(PAPER.trace(ledger), bound, rtol=1e-13)
    assert PAPER.epsilon(ledger, iterations=3) == pytest.approx(bound[3], rel=1e-13)


def test_the_published_bound_of_penalty_noise_picks_its_own_worst_node():
    """It forgoes ρ/N: with a large ρ the nodes' order by it differs from that by curvature."""
    facts = facts_of(1.0, 40.0, np.array([10, 40]), np.array([9.0, 2.0]))
    noise, algorithm = radmm.PenaltyNoise([0.1, 0.01]), radmm.MADMM(0.5, dual_step=0.5)
    ledger = make_ledger(facts, algorithm, noise, 3, D)
    assert PAPER.epsilon(ledger) == pytest.approx(total_bound(facts, algorithm, noise, 3)[-1], rel=1e-13)


def test_the_pure_accountant_by_hand():
    """αλ0 = 1.61: no Jacobian term. αλ0 = 0.23: the best slope s of 0.01s + ln(1 + 0.1 s(1 − s)/2.3)."""
    assert PURE.epsilon(one_step(radmm.ObjectiveNoise(0.7), iterations=4)) == pytest.approx(4 * 0.7 * 0.2)
    slopes = np.linspace(0.0, 1.0, 100_001)
    removal = (0.01 * slopes + np.log1p(0.1 / 2.3 * slopes * (1.0 - slopes))).max()
    assert PURE.epsilon(one_step(radmm.ObjectiveNoise(0.1))) == pytest.approx(removal + 0.01)
    zeroed = ACCOUNTANTS["pure"](Relation("zero-out", 3))
    assert zeroed.epsilon(one_step(radmm.ObjectiveNoise(0.1))) == pytest.approx(3 * removal)
    unknown = replace(facts_of(1.0, 0.3, [10], [1.0]), form="bounded")
    ledger = make_ledger(unknown, radmm.MADMM(1.0, dual_step=1.0), radmm.ObjectiveNoise(0.7), 1, D)
    assert PURE.epsilon(ledger) == pytest.approx(np.log1p(0.25 / 23.0) + 0.7 * 0.2)
    assert PURE.epsilon(one_step(radmm.PenaltyNoise(1.4))) == pytest.approx(1.4 / 2 * 0.2, rel=0.05)


def optimal_composition(bounds, epsilon):
    """δ of randomised responses with these odds, by going through all outcomes."""
    delta = 0.0
    for truths in itertools.product([1, -1], repeat=len(bounds)):
        loss = np.dot(truths, bounds)
        mass = np.prod([1 / (1 + np.exp(-truth * bound)) for truth, bound in zip(truths, bounds, strict=True)])
        delta += mass * max(0.0, -np.expm1(epsilon - loss))
    return delta


@pytest.mark.parametrize("noise", [radmm.ObjectiveNoise(2.0), radmm.OutputNoise(radmm.Geometric(3.0, 1.3))])
@pytest.mark.parametrize("delta", [1e-4, 0.05])
def test_optimal_composition_against_all_outcomes(noise, delta):
    ledger = one_step(noise, iterations=7)
    bounds = [pure_epsilon(ledger.releases[index], REPLACE_ONE) for index in ledger.which[:, 0]]
    epsilon = OPTIMAL.epsilon(ledger, delta)
    assert optimal_composition(bounds, epsilon) <= delta * (1 + 1e-9)
    assert optimal_composition(bounds, epsilon - 2e-3 * sum(bounds)) > delta
    if isinstance(noise, radmm.ObjectiveNoise):  # the closed form is exact
        assert optimal_composition(bounds, epsilon) == pytest.approx(delta, rel=1e-6)


def test_divergences_convert_as_in_dp_accounting():
    for noise in (radmm.ObjectiveNoise(2.0), radmm.ObjectiveNoise(sigma=0.3), radmm.OutputNoise(sigma=3.0)):
        ledger = one_step(noise, iterations=9)
        total = 9 * release_divergence(ledger.releases[0])
        for delta in (1e-9, 1e-5, 0.1):
            assert RENYI.epsilon(ledger, delta) == pytest.approx(compute_epsilon(ORDERS, total, delta)[0], rel=1e-12)


def test_gaussian_output_noise_is_gaussian_differential_privacy():
    """μ = 0.0425 and 25 steps: ε(1e-5) of one Gaussian mechanism with μ√25."""
    sensitivity = 0.2 / 2.3
    ledger = one_step(radmm.OutputNoise(sigma=sensitivity / 0.0425), iterations=25)
    assert PLD.epsilon(ledger, DELTA) == pytest.approx(0.77527, abs=2e-4)
    assert PLD.epsilon(ledger, DELTA) > 0.77527 - 5e-6
    np.testing.assert_allclose(release_divergence(ledger.releases[0]), ORDERS * 0.0425**2 / 2, rtol=1e-6)
    mechanism = from_gaussian_mechanism(1 / 0.0425, value_discretization_interval=1e-4).self_compose(25)
    assert PLD.epsilon(ledger, DELTA) == pytest.approx(mechanism.get_epsilon_for_delta(DELTA), abs=3e-4)


@pytest.mark.parametrize("count", [1, 2, 3, 10])
def test_however_few_gaussian_releases_are_all_counted(count):
    """Exactly one Gaussian mechanism with μ√K: the reported ε is enough, and hardly more than that."""
    sensitivity, mu = 0.2 / 2.3, 0.3 * np.sqrt(count)
    ledger = one_step(radmm.OutputNoise(sigma=sensitivity / 0.3), iterations=count)

    def delta(epsilon):
        return ndtr(mu / 2 - epsilon / mu) - np.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)

    reported = PLD.epsilon(ledger, DELTA)
    assert delta(reported) <= DELTA < delta(reported - 0.01)


def test_output_noise_on_a_line_is_the_laplace_mechanism():
    ledger = one_step(radmm.OutputNoise(8.0), dimension=1, iterations=12)
    parameter = 1 / (8.0 * 0.2 / 2.3)
    exact = from_laplace_mechanism(parameter, value_discretization_interval=2e-4).self_compose(12)
    assert PLD.epsilon(ledger, DELTA) == pytest.approx(exact.get_epsilon_for_delta(DELTA), rel=2e-3)


HEADINGS = ["K", "α", *COLUMNS, "shift", "shift, zero-out"]
HEADINGS += ["output, pld", "Gaussian, renyi", "Gaussian, pld", "Gaussian output, pld"]
WORKED = """\
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
| 25 | 2 | 23.75 | 21.88 | 21.81 | 2.22 | 1.99 | 1.67 | 0.78 | 1.67 | 2.21 | 1.99 | 1.67 |
| 25 | 1 | 12.81 | 10.94 | 9.94 | 1.21 | 1.05 | 0.79 | 0.38 | 0.78 | 1.21 | 1.04 | 0.78 |
| 25 | 0.5 | 7.34 | 5.47 | 4.50 | 0.72 | 0.59 | 0.41 | 0.21 | 0.37 | 0.72 | 0.58 | 0.36 |
| 50 | 2 | 47.50 | 43.75 | 38.37 | 3.29 | 2.95 | 2.47 | 1.14 | 2.46 | 3.29 | 2.94 | 2.46 |
| 50 | 1 | 25.62 | 21.88 | 16.15 | 1.79 | 1.53 | 1.16 | 0.55 | 1.14 | 1.78 | 1.53 | 1.14 |
| 50 | 0.5 | 14.68 | 10.94 | 6.96 | 1.05 | 0.85 | 0.60 | 0.30 | 0.53 | 1.05 | 0.85 | 0.53 |"""


def test_a_wider_repair_costs_less_and_next_to_nothing_in_the_end():
    none, *repaired = [row["renyi"] for row in repair_table()]
    assert repaired == sorted(repaired, reverse=True)
    assert none < repaired[-1] < 1.001 * none < repaired[0]


def test_the_worked_table():
    rows = worked_table()
    digits = {"K": "g", "α": "g"}
    nearest = [[f"{value:{digits.get(name, '.2f')}}" for name, value in row.items()] for row in rows]
    assert [f"| {' | '.join(cells)} |" for cells in [["---"] * len(HEADINGS), *nearest]] == WORKED.splitlines()
    head, _, *lines = markdown(rows).splitlines()
    assert head == f"| {' | '.join(HEADINGS)} |"
    for row, line in zip(rows, lines, strict=True):
        for value, cell in zip(row.values(), line.strip("| ").split(" | "), strict=True):
            assert value <= float(cell) < 1.001 * value, "an ε is printed rounded up"


@pytest.mark.parametrize(
    "noise", [radmm.ObjectiveNoise(1.0), radmm.ObjectiveNoise(sigma=1.2)], ids=["exponential", "gaussian"]
)
def test_simulated_transcripts_lose_no_more(noise):
    """Ten steps of the worst pair in two dimensions, whose loss has a closed form: nearly the shift by s itself."""
    ledger = one_step(noise, dimension=2, C=1.0, rows=4, iterations=10)
    rng = np.random.default_rng(8)
    loss = np.zeros(200_000)
    for _ in range(10):
        if noise.sigma:
            mu = 0.5 / 1.2
            loss += mu * rng.standard_normal(len(loss)) + mu**2 / 2
        else:
            norm, angle = rng.gamma(2.0, size=len(loss)), rng.uniform(0, 2 * np.pi, len(loss))
            loss += np.hypot(norm * np.cos(angle) + 0.5, norm * np.sin(angle)) - norm
    for delta in (0.1, 1e-2, 1e-3):
        for accountant in (PLD, RENYI):
            epsilon = accountant.epsilon(ledger, delta)
            spent = np.maximum(-np.expm1(np.minimum(epsilon - loss, 0.0)), 0.0)
            assert spent.mean() < delta
        assert np.maximum(-np.expm1(np.minimum(0.75 * PLD.epsilon(ledger, delta) - loss, 0)), 0).mean() > delta


@pytest.mark.parametrize(("algorithm", "noise"), LEDGERS[:1] + LEDGERS[2:4])
@pytest.mark.parametrize("accountant", [PAPER, PURE, OPTIMAL, RENYI, PLD], ids=lambda accountant: accountant.name)
def test_a_trace_is_the_bound_after_each_iteration(accountant, algorithm, noise):
    ledger, delta = make_ledger(FACTS, algorithm, noise, 5, D), 0.0 if accountant.pure else DELTA
    trace = accountant.trace(ledger, delta)
    nodes = [accountant.epsilon_of_nodes(ledger, delta, t) for t in range(6)]
    np.testing.assert_allclose(trace, np.max(nodes, axis=1), rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(trace, [accountant.epsilon(ledger, delta, t) for t in range(6)], rtol=1e-6, atol=1e-8)
    assert trace[0] == 0.0
    assert np.all(np.diff(trace) >= 0)
    if algorithm.name == "mr-admm":  # even iterations are free
        assert trace[1] == trace[2] < trace[3] == trace[4] < trace[5]


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from([radmm.ObjectiveNoise, radmm.OutputNoise, radmm.PenaltyNoise]),
    st.booleans(),
    st.floats(0.05, 20.0),
    st.integers(1, 20),
    st.sampled_from([1, 2, 3, 30]),
)
def test_more_noise_fewer_steps_and_larger_delta_spend_less(kind, gaussian, scale, steps, dimension):
    def make(factor):
        return kind(sigma=factor / scale) if gaussian else kind(scale / factor)

    base = one_step(make(1.0), dimension, iterations=steps)
    others = [one_step(make(1.3), dimension, iterations=steps), one_step(make(1.0), dimension, iterations=steps + 1)]
    for accountant in (RENYI, *(() if gaussian else (PURE, OPTIMAL))):
        delta = 0.0 if accountant.pure else DELTA
        spent = accountant.epsilon(base, delta)
        less, more = (accountant.epsilon(other, delta) for other in others)
        assert less <= spent * (1 + 1e-9) <= more * (1 + 1e-6) + 1e-12
        if not accountant.pure:
            assert accountant.epsilon(base, 1e-3) <= spent
        if not gaussian:
            assert spent <= steps * separate_epsilon(base.releases[0]) * (1 + 1e-9)
            assert PURE.epsilon(base) <= PAPER.epsilon(base) * (1 + 1e-6)


@settings(max_examples=10, deadline=None)
@given(st.floats(0.2, 5.0), st.integers(1, 15), st.sampled_from([1, 3, 30]), st.booleans())
def test_the_accountants_order(scale, steps, dimension, gaussian):
    """The loss distribution is tighter than divergences, and the shift alone (output noise) is below both."""
    noise = radmm.ObjectiveNoise(sigma=1 / scale) if gaussian else radmm.ObjectiveNoise(scale)
    bare = radmm.OutputNoise(sigma=1 / scale / 2.3) if gaussian else radmm.OutputNoise(2.3 * scale)
    ledger, shift = (one_step(each, dimension, iterations=steps) for each in (noise, bare))
    assert PLD.epsilon(shift, DELTA) <= PLD.epsilon(ledger, DELTA) + 1e-9
    assert PLD.epsilon(ledger, DELTA) <= RENYI.epsilon(ledger, DELTA) * (1 + 1e-3) + 1e-6
    if not gaussian:
        assert PLD.epsilon(ledger, DELTA) <= steps * separate_epsilon(ledger.releases[0]) * (1 + 2e-3) + 1e-6


def test_a_repair_adds_its_own_gaussian():
    plain, repaired = (one_step(radmm.ObjectiveNoise(1.0, repair=each), iterations=9) for each in (None, 1e-8))
    mu = 2e-8 / 2.3 / 1e-8
    difference = release_divergence(repaired.releases[0]) - release_divergence(plain.releases[0])
    np.testing.assert_allclose(difference, ORDERS / 2 * mu**2, rtol=1e-9)
    gaussian = one_step(radmm.OutputNoise(sigma=0.2 / 2.3 / mu), iterations=9)
    alone = PLD.epsilon(gaussian, DELTA)
    assert max(alone, PLD.epsilon(plain, DELTA)) < PLD.epsilon(repaired, DELTA) < alone + PLD.epsilon(plain, DELTA / 2)


@pytest.mark.parametrize("accountant", [RENYI, PLD, OPTIMAL], ids=["renyi", "pld", "optimal-pure"])
def test_delta_is_the_inverse_of_epsilon(accountant):
    ledger = one_step(radmm.ObjectiveNoise(1.0), iterations=9)
    epsilon = accountant.epsilon(ledger, 1e-4)
    delta = accountant.delta(ledger, epsilon * (1 + 1e-9))
    assert delta == pytest.approx(1e-4, rel=2e-3)
    assert accountant.epsilon(ledger, delta) <= epsilon * (1 + 1e-9)
    assert PURE.delta(ledger, PURE.epsilon(ledger)) == 0.0
    assert PURE.delta(ledger, PURE.epsilon(ledger) * 0.99) == 1.0


@pytest.mark.parametrize("name", ["paper", "pure", "optimal-pure"])
@pytest.mark.parametrize(
    ("noise", "named"),
    [
        (radmm.OutputNoise(sigma=1.0), "gaussian output noise: it has no bound in pure differential privacy"),
        (radmm.ObjectiveNoise(1.0, repair=1.0), "exponential-norm objective noise with a repair"),
    ],
)
def test_pure_accountants_refuse_normal_noise(name, noise, named):
    with pytest.raises(radmm.InputError, match=f"the {name} accountant can't bound {named}"):
        ACCOUNTANTS[name]().epsilon(one_step(noise), DELTA)


@pytest.mark.parametrize("accountant", [PLD])
def test_a_loss_that_may_turn_is_refused_where_its_sign_matters(accountant):
    facts = replace(facts_of(1.0, 0.3, [10], [1.0]), monotone=False)
    ledger = make_ledger(facts, radmm.ADMM(1.0), radmm.ObjectiveNoise(1.0), 1, D)
    with pytest.raises(radmm.InputError, match=f"the {accountant.name} accountant can't bound .* may change its sign"):
        accountant.epsilon(ledger, DELTA)
    assert PURE.epsilon(ledger) > 0
    assert accountant.epsilon(make_ledger(facts, radmm.ADMM(1.0), radmm.OutputNoise(1.0), 1, D), DELTA) > 0


@pytest.mark.parametrize("name", ACCOUNTANTS)
@pytest.mark.parametrize("noise", [radmm.ObjectiveNoise(1.0), radmm.OutputNoise(1.0)])
def test_an_argmin_without_curvature_is_refused(name, noise):
    ledger = one_step(noise)
    flat = replace(ledger, releases=tuple(replace(each, curvature=0.0) for each in ledger.releases))
    with pytest.raises(radmm.InputError, match=f"the {name} accountant .* at curvature = 0: it must be above 0"):
        ACCOUNTANTS[name]().epsilon(flat, 0.0 if ACCOUNTANTS[name].pure else DELTA)


@pytest.mark.parametrize("delta", [0.0, 1.0, -1e-5, float("nan")])
def test_delta_outside_its_range(delta):
    with pytest.raises(radmm.InputError, match="delta = .*: must be above 0 and below 1"):
        RENYI.epsilon(one_step(radmm.ObjectiveNoise(1.0)), delta)


def test_a_delta_that_transforms_cannot_resolve():
    with pytest.raises(radmm.InputError, match="delta = 1e-10: must be at least 1e-09 for the pld accountant"):
        PLD.epsilon(one_step(radmm.ObjectiveNoise(1.0)), 1e-10)


def test_small_budgets_have_orders():
    """Next to no loss: ε is far below what orders of a few hundred could certify."""
    assert (
        RENYI.epsilon(
            one_step(
                radmm.ObjectiveNoise(
                    1e-4,
                ),
                C=1e-4,
            ),
            DELTA,
        )
        < 1e-3
    )


def test_nothing_released_costs_nothing():
    ledger = one_step(radmm.ObjectiveNoise(1.0), iterations=3)
    nothing = one_step(radmm.ObjectiveNoise(1.0), iterations=0)
    for kind in ACCOUNTANTS.values():
        assert kind().epsilon(ledger, DELTA, 0) == kind().epsilon(nothing, DELTA) == 0.0


@pytest.mark.parametrize("noise", [radmm.ObjectiveNoise(2.0), radmm.PenaltyNoise(2.0), radmm.OutputNoise(2.0)])
def test_a_loss_times_a_number_costs_what_that_weight_does(noise):
    """3 L with weight C is L with weight 3 C."""
    release = one_step(noise).releases[0]
    times = {"C": release.C / 3.0, "G": 3.0 * release.G}
    if hasattr(release, "c1"):
        times["c1"] = 3.0 * release.c1
    for accountant in (PAPER, PURE):
        assert accountant.cost(replace(release, **times)) == pytest.approx(accountant.cost(release), rel=1e-14)


@pytest.mark.parametrize("ways", [1, 2, 5])
def test_divergences_of_shifts_too_large_for_moments_are_nearly_those_of_normal_noise(ways):
    """E e^((a−1)l) is e^(a(a−1)μ²/2) and less than 1 more, times as many ways, times the Jacobian's ξ^(a−1)."""
    few = ORDERS <= 32.0
    orders, mu = ORDERS[few], 2 * 350.0
    found = row_divergence(Row(Law.GAUSSIAN, mu / 2, ways=ways, jacobian=0.5), REPLACE_ONE)[few]
    beyond = (found - orders * mu**2 / 2 - math.log(1.5)) * (orders - 1.0)
    rounding = 1e-15 * orders**2 * mu**2
    assert (beyond >= math.log(ways) - rounding).all()
    assert (beyond <= math.log(2 * ways) + rounding).all()


def test_the_network_of_two_nodes_spends_what_the_worse_one_does():
    """One has little noise at first, the other at last: no node has little noise all along."""
    scale, ratio, shift = [0.25, 20.0], [4.0, 0.25], ACCOUNTANTS["shift"]()

    def ledger(rho, nodes, *schedule):
        noise = radmm.OutputNoise(sigma=radmm.Geometric(*schedule))
        return make_ledger(facts_of(1.0, rho, [10] * nodes, [1.0] * nodes), radmm.ADMM(), noise, 2)

    both = ledger(0.4, 2, scale, ratio)
    each = [ledger(0.2, 1, *one) for one in zip(scale, ratio, strict=True)]
    assert shift.epsilon(both, DELTA) == max(shift.epsilon(one, DELTA) for one in each) > 0.0


@settings(deadline=None)
@given(
    bound=st.floats(1e-4, 200.0), count=st.integers(1, 300), log_delta=st.floats(-200.0, -0.1), lattice=st.booleans()
)
def test_halving_finds_the_least_epsilon_of_a_composition(bound, count, log_delta, lattice):
    delta = math.exp(log_delta)
    bounds = bound * np.linspace(0.5, 1.0, min(count, 6))
    losses, log_mass = OptimalPureAccountant()._lattice(bounds) if lattice else _binomial(bound, count)
    epsilon = smallest_epsilon(losses, log_mass, delta)

    def log_spent(at):
        worse = losses > at
        return logsumexp(log_mass[worse], b=-np.expm1(at - losses[worse])) if worse.any() else -math.inf

    room = 1e-11 * max(1.0, epsilon)
    assert log_spent(epsilon + room) <= log_delta
    assert epsilon == 0.0 or log_spent(epsilon - room) > log_delta - 1e-12
