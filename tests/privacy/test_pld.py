"""Privacy loss distributions against `dp_accounting` and closed forms, also at the edge of what numbers can hold."""

import math

import numpy as np
import pytest
from dp_accounting.pld.pld_pmf import create_pmf_pessimistic_connect_dots_fixed_gap
from hypothesis import given, settings
from hypothesis import strategies as st

from radmm.privacy.accountants.dominating_pairs import dominating_pair
from radmm.privacy.accountants.pld import PldAccountant
from radmm.privacy.accountants.pure import OptimalPureAccountant, smallest_epsilon
from radmm.privacy.accountants.shift_law import GaussianShift
from radmm.privacy.curves import composition
from radmm.privacy.curves.composition import composed_epsilon
from radmm.privacy.curves.total_epsilon import gaussian_epsilon
from radmm.privacy.events import NoisyGradient, PerturbedArgmin
from radmm.privacy.ledger import Ledger
from radmm.privacy.noise_laws import Law


def repeated(release, times):
    return Ledger((release,), np.zeros((times, 1), dtype=np.int64), np.arange(times + 1))


def argmin(law=Law.GAUSSIAN, **changes):
    known = {"scale": 0.3, "C": 1.0, "G": 1.0, "rows": 1, "dimension": 5, "curvature": 1.0, "c1": 0.25}
    solver = {"monotone": True, "form": "logistic", "classes": 2, "tolerance": 0.0, "repair": 0.0}
    return PerturbedArgmin(law=law, **(known | solver | changes))


@settings(max_examples=30, deadline=None)
@given(
    shifts=st.lists(st.tuples(st.floats(0.01, 2.0), st.integers(1, 30)), min_size=1, max_size=3),
    points=st.integers(20, 600),
    delta=st.floats(1e-8, 0.1),
)
def test_compositions_are_those_of_dp_accounting(shifts, points, delta):
    """Its truncated convolutions lose 1e-15 of the mass each, and ours none; round-off is charged to δ here alone."""
    step = max(GaussianShift(mu).largest for mu, _ in shifts) / points
    pairs, theirs = [], None
    for mu, times in shifts:
        law = GaussianShift(mu)
        pair = dominating_pair(law.hockey_stick(np.arange(math.ceil(law.largest / step) + 1) * step), step)
        mirrored = 1.0 - np.exp(-step * np.arange(len(pair.forward))) * (1.0 - pair.forward)
        sticks = np.concatenate([mirrored[:0:-1], pair.forward])
        size = len(pair.forward) - 1
        single = create_pmf_pessimistic_connect_dots_fixed_gap(step, -size, size, sticks).to_dense_pmf()
        other = single.self_compose(times, 1e-15)
        theirs = other if theirs is None else theirs.compose(other, 1e-15)
        pairs.append((pair, times))
    ours = composed_epsilon(pairs, delta)
    least, most = (theirs.get_epsilon_for_delta(delta + room) for room in (0.0, -1e-9))
    assert least - 1e-8 <= ours <= most + 1e-8
    assert ours >= gaussian_epsilon(math.sqrt(sum(times * mu**2 for mu, times in shifts)), delta) - 1e-12


@pytest.mark.parametrize(("mu", "times"), [(0.5, 1), (0.5, 3), (5.0, 2), (15.0, 1), (15.0, 3)])
def test_a_fine_grid_loses_no_mass(mu, times):
    """It has more bins than losses are likely to be in, but each factor must be seen as a whole."""
    law, bins = GaussianShift(mu), 300_000
    step = law.largest / bins
    pair = dominating_pair(law.hockey_stick(np.arange(bins + 1) * step), step)
    least = gaussian_epsilon(mu * math.sqrt(times), 1e-5)
    assert least <= composed_epsilon([(pair, times)], 1e-5) <= least * (1.0 + 1e-5)


@pytest.mark.parametrize("mu", [1e-12, 4.877e-11, 1.414e-10, 1e-8, 1e-5])
@pytest.mark.parametrize("times", [1, 100, 10_000])
def test_the_smallest_shifts_cost_no_less_than_they_do(mu, times):
    """Their masses are rounded up, and ten thousand factors of such sums are no number."""
    gradient = NoisyGradient(law=Law.GAUSSIAN, scale=2.0 / mu, C=1.0, G=1.0, rows=1, dimension=5)
    assert gradient.shift_in_noise == pytest.approx(mu)
    spent = PldAccountant().epsilon(repeated(gradient, times), 1e-9)
    assert spent >= gaussian_epsilon(mu * math.sqrt(times), 1e-9) * (1.0 - 1e-9)


def test_round_off_grows_with_the_mass_that_was_rounded_up(monkeypatch):
    """A sum of a million has the digits of a million: what is lost of it is more than δ."""
    pair = dominating_pair(np.array([0.5, 0.0]), 1.0)
    monkeypatch.setattr(composition, "compose", lambda _: (np.array([0.0, 1.0]), np.array([1e6, 0.0]), 0.0))
    assert composed_epsilon([(pair, 1)], 1e-5) == math.inf
    assert composed_epsilon([(pair, 1)], 1e-3) == 0.0


def test_masses_in_few_bins_are_charged_more(monkeypatch):
    """Rounding is relative to the 2-norm, which is 1 where all mass is in one bin, and small where it is spread."""
    counts = []
    monkeypatch.setattr(composition, "round_off", lambda bins, count: counts.append(count) or 0.0)
    grid = np.arange(1001) * GaussianShift(3.0).largest / 1000
    for shift in (1e-6, 3.0):
        composed_epsilon([(dominating_pair(GaussianShift(shift).hockey_stick(grid), grid[1]), 5)], 1e-5)
    concentrated, spread = counts
    assert spread == 5.0
    assert concentrated > 10.0


@pytest.mark.parametrize("mu", [1.0, 15.0, 50.0, 1000.0])
def test_a_repair_costs_what_its_noise_does(mu):
    release = argmin(scale=30.0, tolerance=1e-6, repair=2e-6 / mu)
    assert release.repair_mu == pytest.approx(mu)
    assert PldAccountant().epsilon(repeated(release, 1), 1e-5) >= gaussian_epsilon(mu, 1e-5)


@pytest.mark.parametrize("changes", [{"curvature": 1e-308, "C": 10.0}, {"scale": 1e308}])
@pytest.mark.parametrize("accountant", [OptimalPureAccountant(), PldAccountant()], ids=["optimal-pure", "pld"])
def test_a_loss_without_end_is_no_guarantee(accountant, changes):
    assert accountant.epsilon(repeated(argmin(Law.EXPONENTIAL_NORM, **changes), 3), 1e-5) == math.inf


@pytest.mark.parametrize("bounds", [[math.inf] * 4, [math.inf, 1.0], [math.nan, 1.0]])
def test_a_bound_that_is_no_number_is_no_guarantee(bounds):
    assert OptimalPureAccountant()._compose(np.array(bounds), 1e-5) == math.inf


def test_a_mass_that_is_no_number_is_no_guarantee():
    assert smallest_epsilon(np.array([1.0, 2.0]), np.array([0.0, math.nan]), 1e-5) == math.inf


@pytest.mark.parametrize(
    ("losses", "log_mass", "delta", "least", "most"),
    [
        ([0.86185383, 20.14285255], [0.0, -241.89289985], 1e-308, 20.14285255 - 1e-9, 20.1428526),
        ([3e7, 1e201], [-0.1, -0.1], 1e-5, 1e200, 1e201),
        ([1.0], [0.0], 1e-310, 1.0, 1.0),
        ([5e-324], [0.0], 0.5, 0.0, 5e-324),
    ],
    ids=["smallest delta", "largest losses", "less than any number", "smallest loss"],
)
def test_searches_end_above_what_is_spent(losses, log_mass, delta, least, most):
    assert least <= smallest_epsilon(np.array(losses), np.array(log_mass), delta) <= most


def test_a_bound_above_one_makes_a_pair_of_distributions_all_the_same():
    """Of two shifts by half of a large one, the sum of both total variation distances is above 1."""
    pair = dominating_pair(np.array([1.9, 1.6, 0.7, 0.3, 0.1]), 0.5)
    assert pair.forward.max() <= 1.0
    mass, infinite = composition.masses(pair)
    assert mass.sum() + infinite == pytest.approx(1.0, abs=1e-12)
    losses = 0.5 * np.arange(-4, 5)
    assert (mass * np.exp(-losses)).sum() <= 1.0 + 1e-12


def test_before_the_first_release_nothing_is_lost_however_large_its_loss():
    assert PldAccountant().trace(repeated(argmin(scale=1e-3), 2), 1e-5).tolist() == [0.0, math.inf, math.inf]
