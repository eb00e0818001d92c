"""Laws by quadrature: how near the bounds they come, and that a bound which is a little too low falls."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ndtr

import radmm
from radmm.privacy.accountants import pure, renyi, shift
from radmm.privacy.curves import cache, pair_curves, removal_addition, row_effects, total_epsilon
from radmm.privacy.relation import Neighbours, Relation
from radmm.results.audit.bound_checks import quadrature_checks, totals_of, totals_of_case
from radmm.results.audit.case import AuditCase, Place, Setup
from radmm.results.audit.intervals import hockey_stick
from radmm.results.audit.paper_cases import ALONE, FAR, OPPOSITE, held
from radmm.results.audit.quadrature import Laws, composed_epsilon, largest_loss, laws
from radmm.results.audit.transcripts import sample_losses

pytestmark = pytest.mark.xdist_group("quadrature")

ZEROED = Relation(Neighbours.ZERO_OUT)
REPLACED = Relation(Neighbours.REPLACE)
# Those that are quick to account for, and not twice the same.
QUICK = [case for case in held() if case.setup.dimension == 1 or (case.pair is OPPOSITE and case.setup.noise.sigma)]


def steep(pair, noise, half, dimension=1, times=1):
    """x = 4.2, and αλ0 = 0.03 or λ0 = 0.0075 σ: the Jacobian matters most."""
    across = FAR if pair is OPPOSITE else 0.0
    setup = Setup(4, 4.0, 0.08, dimension, radmm.RADMM(0.01), noise, 2 * times - 1)
    return AuditCase(pair, setup, place=Place(half, across))


def checks_of(case, totals):
    return [check for reverse in (False, True) for check in quadrature_checks(case, reverse, "", totals)]


def fallen(case, totals):
    return {check.total.accountant for check in checks_of(case, totals) if check.falls}


@pytest.fixture(scope="module")
def quick_checks():
    return [(case, checks_of(case, totals_of_case(case))) for case in QUICK]


def test_no_bound_is_exceeded(quick_checks):
    assert not [check.sentence() for _, checks in quick_checks for check in checks if check.falls]


def test_bounds_are_reached(quick_checks):
    """The shift accountant's to 97 % and more: either relation, both laws, once and ten times, on a line or a plane."""
    reached = {}
    for case, checks in quick_checks:
        mine = [each for each in checks if each.total.accountant == "shift" and each.total.relation == case.relation]
        key = (case.relation.neighbours, case.setup.noise.law, case.setup.data_steps)
        reached[key] = max(reached.get(key, 0.0), *(each.tightness for each in mine))
    assert len(reached) == 6
    assert {neighbours for neighbours, _, _ in reached} == set(Neighbours)
    assert all(0.97 <= value <= 1.0 for value in reached.values())


@pytest.mark.parametrize("noise", [radmm.ObjectiveNoise(1.0), radmm.ObjectiveNoise(sigma=2.0)], ids=lambda it: it.law)
@pytest.mark.parametrize("dimension", [1, 2])
def test_laws_are_those_of_samples(noise, dimension):
    """A run's first release is at linear term 0, at which the record's slope is a half without noise."""
    case = AuditCase(ALONE, Setup(8, 2.0, 0.4, dimension, radmm.RADMM(0.4), noise), place=Place(0.0))
    for reverse in (False, True):
        both = laws(case, reverse)
        assert both.here.sum() == pytest.approx(1, abs=2e-4)
        losses = sample_losses(case, reverse, 20_000, 0)
        epsilon = np.array([0.0, 0.02, 0.05, 0.1])
        sticks = [np.maximum(both.here - np.exp(each) * both.there, 0).sum() for each in epsilon]
        estimate = hockey_stick(losses, epsilon)
        assert np.all((estimate.low <= sticks) & (sticks <= estimate.high))
        np.testing.assert_allclose(estimate.value, sticks, atol=0.002)
        assert losses.max() <= largest_loss(both) + 1e-3


@pytest.mark.parametrize("times", [1, 4])
def test_compositions_of_a_shift(times):
    """Cells of N(0.25, 1) against N(0, 1): as many of them are a shift by 0.25 times the root."""
    edges = np.linspace(-8, 8, 4001)
    both = Laws(np.diff(ndtr(edges - 0.25)), np.diff(ndtr(edges)))
    mu, deltas = 0.25 * np.sqrt(times), np.array([0.01, 1e-5])
    found = composed_epsilon(both, times, deltas)
    exact = ndtr(mu / 2 - found / mu) - np.exp(found) * ndtr(-mu / 2 - found / mu)
    assert np.all(exact >= deltas * 0.999)
    np.testing.assert_allclose(exact, deltas, rtol=0.05)


def test_a_zeroed_record_is_a_replaced_one_too():
    case = QUICK[0]
    named = {neighbours: set() for neighbours in Neighbours}
    for each in totals_of_case(case):
        named[each.relation.neighbours].add(each.accountant)
    assert named[Neighbours.ZERO_OUT] == {"shift", "pure", "optimal-pure", "renyi"}
    assert named[Neighbours.REPLACE] == {"shift", "pure", "optimal-pure", "renyi", "pld", "paper"}
    twice = replace(case, pair=OPPOSITE, setup=replace(case.setup, dimension=2))
    assert {total.relation for total in totals_of_case(twice)} == {REPLACED}
    rows = [check.row() for check in checks_of(case, totals_of_case(case))]
    assert {each["neighbours"] for each in rows} == set(Neighbours)
    assert all(each["tightness"] == pytest.approx(each["low"] / each["bound"]) for each in rows if each["bound"])


# Mutants of the curves: each must fall where the curves themselves stand.


@pytest.fixture
def fresh(tmp_path, monkeypatch):
    """No rows and curves that were made before, and none of these are kept."""
    for module in (shift, renyi):
        monkeypatch.setattr(module, "row_of", row_effects.row_of.__wrapped__)
    monkeypatch.setenv("RADMM_CURVES", str(tmp_path))
    monkeypatch.setattr(cache, "_shipped", lambda named: None)


NOISES = [(radmm.ObjectiveNoise(sigma=8.0), -2.0), (radmm.ObjectiveNoise(0.5), -1.0)]
each_law = pytest.mark.parametrize(("noise", "half"), NOISES, ids=["gaussian", "exponential-norm"])


@each_law
@pytest.mark.parametrize("times", [1, 10])
@pytest.mark.usefixtures("fresh")
def test_a_jacobian_dropped_below_unit_curvature_falls(noise, half, times, monkeypatch):
    case = steep(ALONE, noise, half, times=times)
    assert fallen(case, totals_of(case.setup.ledger, ZEROED)) == set()
    join = removal_addition._pair

    def without(release, points):
        pair = join(release, points)
        return replace(pair, removal=pair.addition) if release.curvature < 1.0 else pair

    monkeypatch.setattr(removal_addition, "_pair", without)
    monkeypatch.setattr(pure, "removal_loss", lambda form, length, curvature: length)
    wrong = totals_of(case.setup.ledger, ZEROED)
    assert fallen(case, wrong) == {total.accountant for total in wrong} - {"renyi"} >= {"shift"}


@each_law
@pytest.mark.usefixtures("fresh")
def test_half_the_slope_bound_falls(noise, half, monkeypatch):
    """Slopes that grow at most at the rate 1/(2 λ0): as if λ0 were twice as large."""
    case = steep(ALONE, noise, half)
    right = row_effects.argmin_row

    def firmer(law, scale, weight, curvature, *rest):
        return right(law, scale, weight, 2 * curvature, *rest)

    monkeypatch.setattr(row_effects, "argmin_row", firmer)
    assert "shift" in fallen(case, totals_of(case.setup.ledger, ZEROED))


@pytest.mark.usefixtures("fresh")
def test_additions_for_both_legs_of_a_replacement_fall(monkeypatch):
    case = steep(OPPOSITE, radmm.ObjectiveNoise(sigma=8.0), -4.0, dimension=2)
    assert fallen(case, totals_of(case.setup.ledger)) == set()

    def twice_added(curve):
        return pair_curves.replaced(pair_curves.convex(curve.step, curve.backward, curve.backward))

    monkeypatch.setattr(total_epsilon, "replaced", twice_added)
    assert fallen(case, totals_of(case.setup.ledger)) == {"shift"}


@pytest.mark.parametrize("times", [1, 10])
def test_the_total_of_zeroing_falls_for_a_replacement(times):
    gentle = [case for case in QUICK if case.pair is OPPOSITE and case.place.half == -40.0]
    [case] = [case for case in gentle if case.setup.data_steps == times]
    wrong = [total._replace(relation=REPLACED) for total in totals_of(case.setup.ledger, ZEROED)]
    assert fallen(case, totals_of(case.setup.ledger)) == set()
    assert fallen(case, wrong) == {"shift", "renyi"}
