import numpy as np
import pytest

import radmm
from radmm.base.errors import InputError
from radmm.privacy.accountants.accountant import ACCOUNTANTS
from radmm.privacy.calibration import Budget, Mechanism, calibrate_noise
from radmm.privacy.noise_laws import Law
from radmm.privacy.noise_search import LEAST_NOISE, least_amounts, nearest_amounts, safe_scales
from tests.ledgers import make_ledger, notes_of
from tests.privacy.test_ledger import FACTS, PENALTY, D

R, M = radmm.RADMM(1.0), radmm.MADMM(PENALTY)
CASES = [
    (R, radmm.ObjectiveNoise, Law.EXPONENTIAL_NORM, Budget(30.0, 0.0, "paper")),
    (M, radmm.PenaltyNoise, Law.EXPONENTIAL_NORM, Budget(30.0, 0.0, "pure")),
    (M, radmm.OutputNoise, Law.EXPONENTIAL_NORM, Budget(5.0, 1e-4, "optimal-pure")),
    (R, radmm.ObjectiveNoise, Law.EXPONENTIAL_NORM, Budget(3.0, 1e-5, "renyi")),
    (R, radmm.ObjectiveNoise, Law.EXPONENTIAL_NORM, Budget(500.0, 1e-5, "renyi")),
    (R, radmm.ObjectiveNoise, Law.GAUSSIAN, Budget(3.0, 1e-5, "renyi")),
    (M, radmm.PenaltyNoise, Law.GAUSSIAN, Budget(0.7, 1e-5, "renyi")),
    (R, radmm.ObjectiveNoise, Law.EXPONENTIAL_NORM, Budget(3.0, 1e-5, "pld")),
    (R, radmm.OutputNoise, Law.GAUSSIAN, Budget(0.3, 1e-5, "pld")),
]


def spent_with(algorithm, mechanism, scale, budget, iterations=6):
    ledger = make_ledger(FACTS, algorithm, mechanism.noise(scale), iterations, D)
    return ACCOUNTANTS[budget.accountant]().epsilon_of_nodes(ledger, budget.delta)


@pytest.mark.parametrize(("algorithm", "kind", "law", "budget"), CASES)
def test_calibrated_noise_spends_the_budget_and_no_more(algorithm, kind, law, budget):
    mechanism = Mechanism(kind, law)
    scale = calibrate_noise(FACTS, notes_of(FACTS, algorithm, 6), mechanism, budget)
    assert float(f"{scale:.10g}") == scale
    assert spent_with(algorithm, mechanism, scale, budget).max() <= budget.epsilon
    less_noise = scale * (1 - 1e-6) if law == Law.GAUSSIAN else scale * (1 + 1e-6)
    assert spent_with(algorithm, mechanism, less_noise, budget).max() > budget.epsilon


@pytest.mark.parametrize(("algorithm", "kind", "law", "budget"), [CASES[1], CASES[5], CASES[8]])
def test_each_node_can_spend_the_whole_budget(algorithm, kind, law, budget):
    mechanism = Mechanism(kind, law)
    scales = np.array(calibrate_noise(FACTS, notes_of(FACTS, algorithm, 6), mechanism, budget, per_node=True))
    spent = spent_with(algorithm, mechanism, scales, budget)
    assert np.all(spent <= budget.epsilon)
    np.testing.assert_allclose(spent, budget.epsilon, rtol=1e-5)
    common = calibrate_noise(FACTS, notes_of(FACTS, algorithm, 6), mechanism, budget)
    assert spent_with(algorithm, mechanism, common, budget).min() < 0.9 * budget.epsilon
    assert (scales.max() if law == Law.GAUSSIAN else 1 / scales.min()) == pytest.approx(
        common if law == Law.GAUSSIAN else 1 / common, rel=1e-4
    )


def test_a_repair_is_paid_from_the_same_budget():
    budget = Budget(3.0, 1e-5, "renyi")
    plain, repaired = (Mechanism(radmm.ObjectiveNoise, Law.EXPONENTIAL_NORM, repair) for repair in (None, 3e-8))
    alpha = [calibrate_noise(FACTS, notes_of(FACTS, R, 6), each, budget) for each in (plain, repaired)]
    assert alpha[1] < alpha[0]
    assert spent_with(R, repaired, alpha[1], budget).max() <= 3.0 < spent_with(R, repaired, alpha[0], budget).max()


BAD = [
    (
        Budget(0.1, 0.0, "pure"),
        r"total_epsilon = 0.1 can't be met by any noise: however much there is, 0.24.* is spent by the pure accountant",
    ),
    (Budget(0.0, 1e-5), "total_epsilon = 0: must be a positive number"),
    (Budget(float("nan"), 1e-5), "total_epsilon = nan: must be a positive number"),
    (Budget(1.0, 0.0), "delta = 0: must be above 0 and below 1"),
    (Budget(1.0, 1.0), "delta = 1: must be above 0 and below 1"),
    (Budget(1.0, 1e-5, "pure"), "delta = 1e-05: must be left out, as the pure accountant's ε needs none"),
    (Budget(1.0, 1e-5, "rdp"), "accountant = 'rdp': must be one of optimal-pure, paper, pld, pure, renyi"),
    (Budget(1.0, 1e-12, "pld"), "delta = 1e-12: must be at least 1e-09 for the pld accountant"),
]


@pytest.mark.parametrize(("budget", "message"), BAD)
def test_budgets_that_cannot_be_met(budget, message):
    with pytest.raises(InputError, match=message):
        calibrate_noise(FACTS, notes_of(FACTS, R, 6), Mechanism(radmm.ObjectiveNoise, Law.EXPONENTIAL_NORM), budget)


def test_the_node_that_cannot_meet_a_budget_is_named():
    mechanism = Mechanism(radmm.ObjectiveNoise, Law.EXPONENTIAL_NORM)
    with pytest.raises(InputError, match="can't be met by any noise at node 0"):
        calibrate_noise(FACTS, notes_of(FACTS, R, 6), mechanism, Budget(0.1, 0.0, "pure"), per_node=True)


def test_amounts_that_were_found_one_after_the_other_are_accounted_for_together():
    """A node that was within the budget may leave it as another's noise falls."""

    def spent(amounts):
        return (1.0 + 0.01 * (amounts[::-1] < 1.2)) / amounts

    found = least_amounts(spent, 1.0, np.array([1.005, 3.0]))
    assert np.all(spent(found) <= 1.0)
    assert np.all(spent(found) >= 0.97)


def test_a_budget_exceeded_by_a_hair_is_met_with_nearly_all_of_it():
    """1 % more noise spends 98.9 % here, and 1 % less than that exceeds the budget by a billionth again."""

    def spent(amounts):
        return (1.0 + 1e-9) * amounts**-1.1

    (found,) = safe_scales(Law.GAUSSIAN, least_amounts(spent, 1.0, np.array([1.0])))
    assert 0.99 <= spent(found) <= 1.0


def test_a_budget_that_any_noise_meets_gets_the_least_there_is():
    found = nearest_amounts(np.ones_like, 1.0, 2.0, np.array([1e9]))
    assert 0.0 < found[0] <= 2.0 * LEAST_NOISE * (1.0 + 1e-9)
