"""Nodes with different numbers of rows: each release has its node's own C_i/B_i, and the worst node sets the total."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import radmm
from radmm.model.weighting import Weighting
from radmm.privacy.accountants.accountant import ACCOUNTANTS
from radmm.privacy.calibration import Budget, Mechanism, calibrate_noise
from radmm.privacy.noise_laws import Law
from radmm.privacy.relation import Neighbours, Relation
from tests.ledgers import facts_of, make_ledger, notes_of
from tests.privacy.curves.independent import Setting, members_epsilon

C, RHO, COUNTS, DEGREES = 20.0, 0.3, [30, 500, 90, 30], [3, 1, 2, 1]
QUICK = ["paper", "pure", "optimal-pure", "renyi"]  # the others are tried on one ledger


def delta_for(name):
    return 0.0 if ACCOUNTANTS[name].pure else 1e-5


@pytest.mark.parametrize("weighting", list(Weighting))
def test_the_published_bound_is_the_largest_of_the_nodes(weighting):
    facts = facts_of(C, RHO, COUNTS, DEGREES, weighting=weighting)
    alpha, eta = [0.5, 0.7, 0.6, 0.4], 0.9
    ledger = make_ledger(facts, radmm.RADMM(eta), radmm.ObjectiveNoise(alpha), 6)
    expected = []
    for rows, degree, scale in zip(COUNTS, DEGREES, alpha, strict=True):
        own = C if weighting == "nodes" else C * 4 * rows / sum(COUNTS)
        expected.append(3 * 2 * own / rows * (1.4 * 0.25 / (RHO / 4 + 2 * eta * degree) + scale))
    paper = ACCOUNTANTS["paper"]()
    np.testing.assert_allclose(paper.epsilon_of_nodes(ledger), expected, rtol=1e-13)
    assert paper.epsilon(ledger) == pytest.approx(max(expected), rel=1e-13)


@pytest.mark.parametrize("noise", [radmm.PenaltyNoise(0.5), radmm.OutputNoise(2.0)], ids=lambda noise: noise.name)
def test_so_is_that_of_other_noises(noise):
    facts, eta = facts_of(C, RHO, COUNTS, DEGREES, weighting=Weighting.ROWS), 0.9
    ledger = make_ledger(facts, radmm.MADMM(eta), noise, 3)
    weight = C * 4 / sum(COUNTS)
    degrees = np.array(DEGREES)
    expected = 3 * weight / (eta * degrees) * (1.4 * 0.25 + 0.5)
    if noise.name == "output":
        expected = 3 * 2.0 * (2 * weight + 2e-8) / (RHO / 4 + 2 * eta * degrees)
    np.testing.assert_allclose(ACCOUNTANTS["paper"]().epsilon_of_nodes(ledger), expected, rtol=1e-12)


@pytest.mark.parametrize("name", QUICK)
def test_rows_that_count_alike_cost_alike_at_nodes_of_one_degree(name):
    facts = facts_of(C, RHO, COUNTS, [2, 2, 2, 2], weighting=Weighting.ROWS)
    noise = radmm.ObjectiveNoise(0.5)
    judge = ACCOUNTANTS[name]()
    spent = judge.epsilon_of_nodes(make_ledger(facts, radmm.ADMM(), noise, 2), delta_for(name))
    even = facts_of(C, RHO, np.full(4, sum(COUNTS) / 4), [2, 2, 2, 2])
    np.testing.assert_allclose(
        spent, judge.epsilon(make_ledger(even, radmm.ADMM(), noise, 2), delta_for(name)), rtol=1e-9
    )
    by_node = facts_of(C, RHO, COUNTS, [2, 2, 2, 2])
    uneven = judge.epsilon_of_nodes(make_ledger(by_node, radmm.ADMM(), noise, 2), delta_for(name))
    assert uneven[0] == uneven.max() > 2 * spent.max()  # a small node sets everyone's noise
    assert uneven[1] < spent.min()


@given(
    st.lists(st.tuples(st.integers(21, 400), st.integers(1, 5)), min_size=2, max_size=6),
    st.sampled_from(list(Weighting)),
    st.sampled_from([radmm.ObjectiveNoise(0.7), radmm.ObjectiveNoise(sigma=3.0), radmm.PenaltyNoise(0.5)]),
    st.sampled_from(QUICK),
)
@settings(max_examples=40, deadline=None)
def test_no_node_spends_more_than_the_network(nodes, weighting, noise, name):
    facts = facts_of(C, RHO, *zip(*nodes, strict=True), weighting=weighting)
    ledger, judge = make_ledger(facts, radmm.MADMM(1.1), noise, 3), ACCOUNTANTS[name]()
    if judge.refuses(ledger):
        return
    spent = judge.epsilon_of_nodes(ledger, delta_for(name))
    assert judge.epsilon(ledger, delta_for(name)) == pytest.approx(spent.max(), rel=1e-9)
    assert spent[judge.worst_node(ledger, delta_for(name))] == pytest.approx(spent.max(), rel=1e-9)


@pytest.mark.parametrize("name", ["pld", "shift"])
def test_nor_by_accountants_that_take_long(name):
    ledger = make_ledger(facts_of(C, RHO, COUNTS, DEGREES), radmm.ADMM(), radmm.ObjectiveNoise(sigma=3.0), 2)
    judge = ACCOUNTANTS[name]()
    spent = judge.epsilon_of_nodes(ledger, 1e-5)
    assert judge.epsilon(ledger, 1e-5) == pytest.approx(spent.max(), rel=1e-9)
    assert judge.worst_node(ledger, 1e-5) == 3  # few rows, and few neighbours
    assert spent[3] == spent.max()


@pytest.mark.parametrize("neighbours", list(Neighbours))
def test_what_is_told_of_a_node_is_at_least_what_its_own_slopes_reach(neighbours):
    """Few rows, few neighbours or little noise: none of the three is below another, so one column stands for all."""
    rows, degrees, sigma = np.array([40, 70, 80]), np.array([3.0, 1.0, 2.0]), np.array([2.0, 1.3, 0.9])
    facts = facts_of(C, RHO, rows, degrees)
    ledger = make_ledger(facts, radmm.ADMM(0.1), radmm.ObjectiveNoise(sigma=tuple(sigma)), 4)
    judge = ACCOUNTANTS["shift"](Relation(neighbours))
    assert len(judge._network_columns(ledger)) == 1 < len(judge._candidates(ledger)) == 3
    told, network = judge.epsilon_of_nodes(ledger, 1e-5), judge.epsilon(ledger, 1e-5)
    assert np.all(told <= network)
    for node in range(3):
        release = ledger.event(1, node)
        shift, curvature = C / rows[node] / sigma[node], release.curvature / sigma[node]
        setting = Setting("gaussian", shift, curvature, 1, 4)
        assert members_epsilon(setting, neighbours == Neighbours.ZERO_OUT) <= told[node] * 1.0005


def test_nodes_that_differ_in_more_than_numbers_are_accounted_for_one_by_one():
    """Normal noise tells more of a shift than exponential-norm noise of a little more of it."""
    noises = {50: radmm.OutputNoise(sigma=1.0), 40: radmm.OutputNoise(1.0)}
    normal, pure = (
        make_ledger(facts_of(C, RHO, np.array([rows] * 3), np.ones(3)), radmm.ADMM(), noise, 2, 1)
        for rows, noise in noises.items()
    )
    both, judge = normal.beside(pure), ACCOUNTANTS["shift"]()
    alone = [judge.epsilon(each, 1e-5) for each in (normal, pure)]
    assert alone[0] > 1.5 * alone[1]
    assert judge.epsilon(both, 1e-5) == max(alone)
    assert judge.epsilon_of_nodes(both, 1e-5).tolist() == [alone[0]] * 3 + [alone[1]] * 3


def test_each_node_gets_the_noise_that_its_rows_need():
    facts = facts_of(C, RHO, COUNTS, DEGREES)
    notes, budget = notes_of(facts, radmm.ADMM(), 4), Budget(2.0, 1e-5, "renyi")
    sigma = calibrate_noise(facts, notes, Mechanism(radmm.ObjectiveNoise, Law.GAUSSIAN), budget, per_node=True)
    ledger = make_ledger(facts, radmm.ADMM(), radmm.ObjectiveNoise(sigma=tuple(sigma)), 4)
    spent = ACCOUNTANTS["renyi"]().epsilon_of_nodes(ledger, 1e-5)
    assert np.all(spent <= 2.0)
    np.testing.assert_allclose(spent, 2.0, rtol=1e-6)
    assert sigma[3] > sigma[0] > sigma[2] > sigma[1]
