"""Totals over twelve powers of ten of noise, and budgets, for random ledgers: none is exceeded, none comes and goes."""

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import radmm
from radmm.model.losses.huber_hinge import HuberHinge
from radmm.model.losses.logistic import Logistic
from radmm.model.losses.softmax import Softmax
from radmm.privacy.accountants.pure import PureAccountant
from radmm.privacy.accountants.renyi import RenyiAccountant
from radmm.privacy.accountants.shift import ShiftAccountant
from radmm.privacy.accountants.shift_law import leg_variation
from radmm.privacy.calibration import Budget, BudgetError, Mechanism, calibrate_noise
from radmm.privacy.noise_laws import Law
from radmm.privacy.noise_search import MOST_NOISE
from radmm.privacy.relation import Neighbours, Relation
from tests.ledgers import facts_of, make_ledger, notes_of

GRIDS = 1.005  # what a total may rise by with more noise
LEAST_SPENT, LESS_NOISE = 0.99, 0.99


@dataclass(frozen=True)
class Study:
    """Everything of a ledger but how much noise there is."""

    facts: radmm.model.public_facts.PublicFacts
    algorithm: radmm.ADMM
    iterations: int
    mechanism: Mechanism

    def ledger(self, amount):
        """With an amount of noise in units of the largest sensitivity: σ, or 1/α."""
        length = amount * float(self.facts.gradient_sensitivity().max())
        scale = length if self.mechanism.law == Law.GAUSSIAN else 1.0 / length
        return make_ledger(self.facts, self.algorithm, self.mechanism.noise(scale), self.iterations)


LOSSES = [Logistic(), HuberHinge(), HuberHinge(width=0.05), Softmax(4)]
relations = st.builds(Relation, st.sampled_from(Neighbours), st.just(1) | st.integers(2, 3))
deltas = st.floats(-12.0, -2.0).map(lambda power: 10.0**power)
amounts = st.floats(-6.0, 6.0).map(lambda power: 10.0**power)


@st.composite
def studies(draw, most=20):
    """Ledgers of one or two nodes; where a curve takes long (exponential-norm noise), of few different releases."""
    law = draw(st.sampled_from(Law))
    loss = draw(st.sampled_from(LOSSES))
    rows = draw(st.lists(st.integers(20, 2000), min_size=1, max_size=2 if law == Law.GAUSSIAN else 1))
    share, rho = 10.0 ** draw(st.floats(-3, 0)), 10.0 ** draw(st.floats(-4, 1))
    dimension = draw(st.sampled_from([1, 3, 30] if law == Law.GAUSSIAN else [1, 1, 1, 3]))
    facts = facts_of(share * min(rows), rho, rows, [1.0] * len(rows), dimension, loss)
    growth = draw(st.sampled_from([1.0, 1.06])) if law == Law.GAUSSIAN else 1.0
    algorithm = radmm.MADMM(radmm.Geometric(10.0 ** draw(st.floats(-3, 1)), growth), dual_step=1e-9)
    kind = draw(st.sampled_from([radmm.ObjectiveNoise, radmm.OutputNoise]))
    repair = draw(st.sampled_from([None, None, 1e-6])) if kind is radmm.ObjectiveNoise else None
    return Study(facts, algorithm, draw(st.integers(1, most)), Mechanism(kind, law, repair))


def random(examples):
    """So many examples, the same in every run of the tests."""
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],  # an example that fails says enough as it is
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


@pytest.fixture(autouse=True, scope="module")
def _own_curves(tmp_path_factory):
    """Curves of random rows, which nobody asks for again, stay out of the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RADMM_CURVES", str(tmp_path_factory.mktemp("curves")))
        yield


def check_total(accountant, study, amount, more, delta):
    """Finite, at most what other proofs give, and not rising with more noise."""
    ledger = study.ledger(amount)
    spent = accountant.epsilon(ledger, delta)
    assert spent <= RenyiAccountant(accountant.relation).epsilon(ledger, delta) * (1 + 1e-9)
    if study.mechanism.law == Law.EXPONENTIAL_NORM and not study.mechanism.repair:
        assert spent <= PureAccountant(accountant.relation).epsilon(ledger) * (1 + 1e-9)
    assert math.isfinite(spent)
    assert accountant.epsilon(study.ledger(amount * more), delta) <= GRIDS * spent + 1e-9
    if accountant.relation == Relation(Neighbours.ZERO_OUT):
        replacing = type(accountant)()
        replacing.curves = accountant.curves
        assert spent <= GRIDS * replacing.epsilon(ledger, delta) + 1e-9


factors = st.sampled_from([1.001, 1.1, 3.0, 1e3])


def check_total_by_the_cap(data):
    accountant = ShiftAccountant(data.draw(relations)).quick()
    check_total(accountant, data.draw(studies()), data.draw(amounts), data.draw(factors), data.draw(deltas))


@random(200)
@given(st.data())
def test_totals_by_the_cap_neither_rise_nor_come_and_go(data):
    check_total_by_the_cap(data)


def study_of_full_curves(data):
    """Few enough features and steps for curves that take no minute."""
    return data.draw(studies(5).filter(lambda each: each.facts.dimension == 1 or each.mechanism.law == Law.GAUSSIAN))


@random(50)
@given(st.data())
def test_totals_by_full_curves_neither_rise_nor_come_and_go(data):
    accountant, study = ShiftAccountant(data.draw(relations)), study_of_full_curves(data)
    check_total(accountant, study, data.draw(amounts), data.draw(factors), data.draw(deltas))


def check_calibrated(study, relation, epsilon, delta):
    """What is returned keeps the budget by the accountant itself, and little less noise would not."""
    accountant = ShiftAccountant(relation)
    notes = notes_of(study.facts, study.algorithm, study.iterations)
    try:
        scale = calibrate_noise(study.facts, notes, study.mechanism, Budget(epsilon, delta, "shift", relation))
    except BudgetError:
        assert accountant.epsilon(study.ledger(MOST_NOISE), delta) > epsilon
        return

    def spent(scale):
        noise = study.mechanism.noise(scale)
        return accountant.epsilon(make_ledger(study.facts, study.algorithm, noise, study.iterations), delta)

    less = scale * LESS_NOISE if study.mechanism.law == Law.GAUSSIAN else scale / LESS_NOISE
    assert spent(scale) <= epsilon
    assert spent(scale) >= LEAST_SPENT * epsilon or spent(less) > epsilon


budgets = st.floats(-2.0, 2.0).map(lambda power: 10.0**power)


@random(50)
@given(st.data())
def test_budgets_are_kept_by_the_cap(data):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ShiftAccountant, "curves", 0)
        check_calibrated(data.draw(studies(10)), data.draw(relations), data.draw(budgets), data.draw(deltas))


@random(10)
@given(st.data())
def test_budgets_are_kept_by_full_curves(data):
    check_calibrated(study_of_full_curves(data), data.draw(relations), data.draw(budgets), data.draw(deltas))


@pytest.mark.bracket
@random(1000)
@given(st.data())
def test_a_thousand_budgets_are_kept_by_the_cap(data):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ShiftAccountant, "curves", 0)
        check_calibrated(data.draw(studies()), data.draw(relations), data.draw(budgets), data.draw(deltas))


@pytest.mark.bracket
@random(2000)
@given(st.data())
def test_two_thousand_totals_by_the_cap(data):
    check_total_by_the_cap(data)


@pytest.mark.bracket
@random(200)
@given(st.data())
def test_two_hundred_totals_by_full_curves(data):
    accountant, study = ShiftAccountant(data.draw(relations)), data.draw(studies())
    check_total(accountant, study, data.draw(amounts), data.draw(factors), data.draw(deltas))


TWO_NODES = facts_of(105.7, 0.0131, [200, 200], [1.0, 1.0], 3, HuberHinge())
RING = facts_of(50.0, 0.1, [100] * 5, [2.0] * 5, 30)
GROWING = radmm.MRADMM(radmm.Geometric(0.0453, 1.0593), gamma=0.5)
FOUND = [
    (TWO_NODES, GROWING, 20, 1.0, 1e-5, Neighbours.REPLACE),
    (TWO_NODES, GROWING, 20, 2.7, 7.7e-8, Neighbours.ZERO_OUT),
    (RING, radmm.ADMM(1.0), 50, 0.04, 1e-5, Neighbours.REPLACE),
    (RING, radmm.ADMM(1.0), 50, 0.06, 1e-5, Neighbours.REPLACE),
]


@pytest.mark.parametrize(("facts", "algorithm", "iterations", "epsilon", "delta", "neighbours"), FOUND)
def test_budgets_that_were_once_exceeded_or_met_with_far_too_much_noise(
    facts, algorithm, iterations, epsilon, delta, neighbours
):
    study = Study(facts, algorithm, iterations, Mechanism(radmm.ObjectiveNoise, Law.GAUSSIAN))
    check_calibrated(study, Relation(neighbours), epsilon, delta)


@pytest.mark.parametrize("delta", [1e-12, 1e-10])
@pytest.mark.parametrize("law", list(Law))
def test_the_smallest_deltas_are_accounted_for_over_a_thousand_steps(law, delta):
    line = replace(RING, dimension=1)
    study = Study(line, radmm.ADMM(1.0), 1000, Mechanism(radmm.ObjectiveNoise, law))
    spent = [ShiftAccountant().epsilon(study.ledger(amount), delta) for amount in (1.0, 1e3, 1e6)]
    assert np.all(np.isfinite(spent))
    assert spent[0] > spent[1] > spent[2]


def test_the_firmest_subproblems_have_an_end_to_their_curve():
    """Of exponential-norm noise that hides a shift of 1e-14: no more than rounding is left of the curve at 0."""
    facts = facts_of(50.0, 0.1, [100] * 5, [2.0] * 5, 105)
    study = Study(facts, radmm.ADMM(1e4), 25, Mechanism(radmm.OutputNoise, Law.EXPONENTIAL_NORM))
    check_calibrated(study, Relation(), 1.0, 1e-5)


def test_noise_that_grows_beyond_all_bounds_has_divergences():
    """The total variation of the smallest shifts must not be rounded to 0, which times infinity is no number."""
    noise = radmm.ObjectiveNoise(sigma=radmm.Geometric(1.0, 2.0))
    few, many = (
        RenyiAccountant().epsilon(make_ledger(RING, radmm.ADMM(1.0), noise, steps), 1e-5) for steps in (20, 95)
    )
    assert few == pytest.approx(many, rel=0.02)  # what comes later, with so much noise, costs next to nothing
    assert few <= many
    assert leg_variation(Law.GAUSSIAN, 1e-20, 1) == pytest.approx(1e-20 / math.sqrt(2 * math.pi), rel=1e-9)
