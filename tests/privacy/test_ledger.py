from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import radmm
from radmm.base.store import write_parquet
from radmm.model.public_facts import TOLERANCE
from radmm.privacy.accountants.accountant import ACCOUNTANTS
from radmm.privacy.events import PerturbedArgmin, PostProcessing, Release
from radmm.privacy.ledger import Ledger
from radmm.privacy.noise_laws import Law
from radmm.privacy.relation import Relation
from tests.ledgers import facts_of, make_ledger

FACTS = facts_of(C=5.0, rho=0.4, row_counts=[7, 12, 9, 15], degrees=[1.0, 3.0, 2.0, 2.0])
SCALE, RATIO = [1.0, 1.3, 0.8, 1.1], [1.01, 1.05, 1.02, 1.0]
PENALTY = radmm.Geometric(SCALE, RATIO)
D = 6


def test_a_release_by_hand():
    noise = radmm.ObjectiveNoise([0.5, 1.0, 2.0, 0.7])
    release = make_ledger(FACTS, radmm.MRADMM(PENALTY), noise, 5, D).event(3, 1)
    ridge = 2 * 1.3 * 1.05**2 * 3.0
    expected = PerturbedArgmin(
        law=Law.EXPONENTIAL_NORM,
        scale=1.0,
        C=5.0,
        G=1.0,
        rows=12,
        dimension=D,
        curvature=0.1 + ridge,
        c1=0.25,
        monotone=True,
        form="logistic",
        classes=2,
        tolerance=0.0,
        repair=0.0,
    )
    assert release == expected
    assert release.jacobian == pytest.approx(5.0 * 0.25 / 12 / (0.1 + ridge))
    assert (release.shift, release.shift_in_noise, release.repair_mu) == (10 / 12, 10 / 12, 0.0)


def test_penalty_noise_enters_at_another_scale():
    """−2ηVε: α shrinks by 2ηV, σ grows by it."""
    ridge = 2 * 0.8 * 1.02 * 2.0
    alpha, sigma = (
        make_ledger(FACTS, radmm.MADMM(PENALTY), noise, 1, D).event(1, 2)
        for noise in (radmm.PenaltyNoise(3.0), radmm.PenaltyNoise(sigma=3.0))
    )
    assert (alpha.entering_scale, alpha.shift_in_noise) == pytest.approx((3 / ridge, 3 / ridge * 10 / 9))
    assert (sigma.entering_scale, sigma.shift_in_noise) == pytest.approx((3 * ridge, 10 / 9 / (3 * ridge)))


def test_output_noise_hides_the_argmins_move_and_the_solvers_tolerance():
    release = make_ledger(FACTS, radmm.ADMM(2.0), radmm.OutputNoise(3.0), 1, D).event(1, 0)
    assert release.sensitivity == pytest.approx(10 / 7 / (0.1 + 4.0))
    assert release.shift == pytest.approx((10 / 7 + 2 * TOLERANCE) / (0.1 + 4.0), rel=1e-14)
    assert release.jacobian == 0.0


def test_a_repair_covers_the_tolerance():
    release = make_ledger(FACTS, radmm.ADMM(2.0), radmm.ObjectiveNoise(3.0, repair=1e-5), 1, D).event(1, 0)
    assert release.repair_mu == pytest.approx(2 * TOLERANCE / (0.1 + 4.0) / 1e-5)


@pytest.mark.parametrize(
    ("noise", "idealised"),
    [
        (radmm.ObjectiveNoise(1.0), True),
        (radmm.OutputNoise(1.0), False),
        (radmm.ObjectiveNoise(sigma=1.0, repair=1e-4), False),
    ],
)
def test_a_ledger_says_whether_it_takes_argmins_to_be_exact(noise, idealised):
    assert make_ledger(FACTS, radmm.ADMM(2.0), noise, 3, D).idealised is idealised


def test_even_iterations_are_post_processing():
    ledger = make_ledger(FACTS, radmm.RADMM(1.0), radmm.ObjectiveNoise(1.0), 5, D)
    assert [ledger.event(t, 0) == ledger.event(1, 0) for t in (1, 3, 5)] == [True] * 3
    assert [ledger.event(t, 0) for t in (2, 4)] == [PostProcessing((0, 1)), PostProcessing((2, 3))]
    conventional = make_ledger(FACTS, radmm.ADMM(1.0), radmm.ObjectiveNoise(1.0), 5, D)
    assert all(isinstance(conventional.event(t, 0), Release) for t in range(1, 6))


def test_equal_releases_are_kept_once():
    facts = facts_of(1.0, 0.4, np.full(1000, 10), np.tile([1.0, 2.0, 3.0, 4.0], 250))
    ledger = make_ledger(facts, radmm.RADMM(1.0), radmm.ObjectiveNoise(1.0), 200, D)
    assert len(ledger.releases) == len(ledger.node_classes[0]) == 4
    assert ledger.which.shape == (100, 1000)
    assert len(ledger.worst_nodes) == 1
    assert facts.degrees[ledger.worst_nodes[0]] == 1.0  # the least curvature


def test_only_nodes_below_another_in_everything_are_left_out():
    """Node 0 has the most noise and the largest Jacobian, node 1 neither, node 2 is below node 1."""
    facts = facts_of(1.0, 0.3, np.array([10, 10, 10]), np.array([1.0, 2.0, 3.0]))
    ledger = make_ledger(facts, radmm.ADMM(1.0), radmm.ObjectiveNoise([0.1, 1.0, 0.9]), 4, D)
    assert sorted(ledger.worst_nodes) == [0, 1]


@pytest.mark.parametrize(
    ("algorithm", "noise"),
    [
        (radmm.MRADMM(PENALTY), radmm.ObjectiveNoise(sigma=[1.0, 2.0, 3.0, 1.0], repair=1e-4)),
        (radmm.MADMM(PENALTY), radmm.PenaltyNoise(radmm.Geometric(2.0, 0.9))),
        (radmm.RADMM(), radmm.OutputNoise(1.0)),
    ],
)
def test_a_ledger_survives_a_parquet_file(algorithm, noise, tmp_path):
    ledger = make_ledger(FACTS, algorithm, noise, 7, D)
    columns = ledger.columns()
    assert {len(values) for values in columns.values()} == {7 * 4}
    write_parquet(tmp_path / "ledger.parquet", columns, {})
    table = pd.read_parquet(tmp_path / "ledger.parquet")
    again = Ledger.from_columns({name: column.to_numpy() for name, column in table.items()})
    np.testing.assert_array_equal(again.data_steps, ledger.data_steps)
    events = [[each.event(t, i) for t in range(1, 8) for i in range(4)] for each in (ledger, again)]
    assert events[0] == events[1]
    renyi = ACCOUNTANTS["renyi"]()
    np.testing.assert_array_equal(renyi.epsilon_of_nodes(again, 1e-5), renyi.epsilon_of_nodes(ledger, 1e-5))


def test_post_processing_has_no_parameters_in_the_columns():
    columns = make_ledger(FACTS, radmm.RADMM(), radmm.ObjectiveNoise(1.0), 2, D).columns()
    even = columns["iteration"] == 2
    assert set(columns["mechanism"][even]) == {""}
    assert np.isnan(columns["scale"][even]).all()
    assert not np.isnan(columns["scale"][~even]).any()


def test_an_iteration_beyond_the_ledger():
    ledger = make_ledger(FACTS, radmm.RADMM(), radmm.ObjectiveNoise(1.0), 4, D)
    with pytest.raises(radmm.InputError, match="iterations = 5: must be from 0 to 4"):
        ACCOUNTANTS["pure"]().epsilon(ledger, iterations=5)


def test_a_single_node_s_ledger_is_read_as_it_was_written():
    facts = facts_of(C=1.0, rho=0.4, row_counts=[9], degrees=[1.0])
    ledger = make_ledger(facts, radmm.RADMM(), radmm.ObjectiveNoise(1.0), 3, D)
    again = Ledger.from_columns(ledger.columns())
    assert (again.releases, again.which.tolist()) == (ledger.releases, ledger.which.tolist())
    assert again.data_steps.tolist() == ledger.data_steps.tolist()


@pytest.mark.parametrize("relation", [Relation(), Relation("zero-out"), Relation(rows=10)], ids=str)
@pytest.mark.parametrize("noise", [radmm.OutputNoise(40.0), radmm.OutputNoise(sigma=0.01)], ids=lambda each: each.law)
def test_no_node_spends_more_than_the_network(noise, relation):
    """Node 0's answers are moved most in all if one row is replaced, node 1's by rows, node 2's by the tolerance."""
    facts = facts_of(C=5.0, rho=0.4, row_counts=[10_000, 9_000, 11_665], degrees=[1.0, 1.115, 0.886])
    ledger = make_ledger(replace(facts, tolerance=1e-4), radmm.ADMM(), noise, 2, D)
    for name in ("pure", "optimal-pure", "renyi"):
        accountant = ACCOUNTANTS[name](relation)
        if accountant.refuses(ledger) is None:
            delta = 0.0 if accountant.pure else 1e-5
            assert accountant.epsilon(ledger, delta) == accountant.epsilon_of_nodes(ledger, delta).max() > 0.0
