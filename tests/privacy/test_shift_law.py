"""The loss of a shifted noise against direct integration over the noise itself."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, special, stats

from radmm.privacy.accountants.exponential_norm import excess_table, peak_total_variation, survival
from radmm.privacy.accountants.shift_law import ExponentialShift, GaussianShift, largest_loss, shift_law
from radmm.privacy.curves.pair_curves import convex_minorant

NODES = np.polynomial.legendre.leggauss(150)
SLACK = 2e-3  # bounds lie above the truth by no more than this share


def loss_sample(dimension, kappa, size=400_000):
    """l of noise with density ∝ exp(−‖b‖), drawn as it is defined: a Gamma norm and a uniform direction."""
    rng = np.random.default_rng(dimension)
    norm, along = rng.gamma(dimension, size=size), rng.standard_normal(size)
    cosine = along / np.sqrt(along**2 + (rng.chisquare(dimension - 1, size) if dimension > 1 else 0.0))
    return np.maximum(np.sqrt(norm**2 + 2 * kappa * norm * cosine + kappa**2) - norm, 0.0)


def plane_integral(function, kappa):
    """E function(l) in two dimensions: Gauss–Legendre in the root of the norm, midpoints in the angle."""
    nodes, weights = NODES
    root = (nodes + 1) / 2 * np.sqrt(60.0)
    norm, angle = root**2, (np.arange(1000) + 0.5) / 1000 * np.pi
    weight = weights / 2 * np.sqrt(60.0) * 2 * root * norm * np.exp(-norm) / 1000
    loss = np.hypot(norm[:, None] * np.cos(angle) + kappa, norm[:, None] * np.sin(angle)) - norm[:, None]
    return float(weight @ function(np.maximum(loss, 0.0)).sum(axis=1))


def moment_of(loss, order, xi):
    """ξ^(a−1) G_a(l) + ξ^(−a) G̃_a(l)."""
    a = order
    rising = np.exp((a - 1) * loss) - a + (a - 1) * np.exp(-loss)
    falling = (a - 1) - a * np.exp(-loss) + np.exp(-a * loss)
    return xi ** (a - 1) * rising + xi ** (-a) * falling


@pytest.mark.parametrize("loss", [0.01, 0.5, 3.0])
@pytest.mark.parametrize("order", [2.0, 5.5])
def test_the_moment_integrates_hockey_sticks(loss, order):
    """a(a−1) ∫ [γ^(a−2) + γ^(−a−1)] (1 − γ e^(−l)/ξ)₊ dγ over γ ≥ ξ."""
    a, xi = order, 1.2
    top = xi * np.exp(loss)
    integral = integrate.quad(lambda y: (y ** (a - 2) + y ** (-a - 1)) * (1 - y / top), xi, top)[0]
    assert moment_of(loss, a, xi) == pytest.approx(a * (a - 1) * integral, rel=1e-6)


@pytest.mark.parametrize(("dimension", "kappa"), [(1, 0.7), (2, 0.3), (3, 4.0), (20, 2.0), (105, 0.9)])
def test_survival_is_the_share_of_draws_that_lose_more(dimension, kappa):
    sample = loss_sample(dimension, kappa)
    thresholds = kappa * np.array([0.0, 0.05, 0.2, 0.5])
    share = (sample[:, None] > thresholds).mean(axis=0)
    error = np.sqrt(share * (1 - share) / len(sample))
    np.testing.assert_array_less(np.abs(survival(thresholds, dimension, kappa) - share), 4 * error + 1e-6)


@pytest.mark.parametrize("kappa", [0.05, 1.0, 8.0])
@pytest.mark.parametrize("order", [2.0, 5.5])
def test_moments_in_the_plane(kappa, order):
    xi = 1.2
    exact = plane_integral(lambda loss: moment_of(loss, order, xi), kappa)
    assert (
        exact * (1 - 1e-6)
        <= shift_law("exponential-norm", kappa, 2).moments(np.array([order]), xi)[0]
        <= exact * (1 + SLACK)
    )


@pytest.mark.parametrize("kappa", [0.05, 1.0, 8.0])
def test_excess_and_hockey_sticks_in_the_plane(kappa):
    law = shift_law("exponential-norm", kappa, 2)
    for threshold in (0.0, 0.1 * kappa, 0.62 * kappa):
        excess = plane_integral(lambda loss, t=threshold: np.maximum(loss - t, 0.0), kappa)
        stick = plane_integral(lambda loss, t=threshold: np.maximum(-np.expm1(t - loss), 0.0), kappa)
        assert excess * (1 - 1e-4) <= law.excess(np.array([threshold]))[0] <= excess * (1 + SLACK)
        assert stick * (1 - 1e-4) <= law.hockey_stick(np.array([threshold]))[0] <= stick * (1 + SLACK)


@pytest.mark.parametrize("kappa", [0.1, 2.0])
def test_one_dimension_is_the_laplace_mechanism(kappa):
    """Its hockey stick is 1 − e^((ε − κ)/2), its order-a divergence Mironov's closed form."""
    law = shift_law("exponential-norm", kappa, 1)
    epsilon = np.array([0.0, 0.3 * kappa, 0.9 * kappa])
    np.testing.assert_allclose(law.hockey_stick(epsilon), -np.expm1((epsilon - kappa) / 2), rtol=2e-5)
    for a in (2.0, 7.0):
        exact = a / (2 * a - 1) * np.exp((a - 1) * kappa) + (a - 1) / (2 * a - 1) * np.exp(-a * kappa) - 1
        assert exact * (1 - 1e-9) <= law.moments(np.array([a]), 1.0)[0] <= exact * (1 + SLACK)


@pytest.mark.parametrize("mu", [0.01, 0.4, 3.0])
def test_gaussian_laws_are_the_integrals(mu):
    law = GaussianShift(mu)

    def expectation(function, begin):
        start = (begin - mu * mu / 2) / mu  # where l exceeds `begin`
        z = start + (NODES[0] + 1) * 15
        return 15 * NODES[1] @ (function(mu * z + mu * mu / 2) * stats.norm.pdf(z))

    for threshold in (0.0, 0.5 * mu, 3 * mu):
        excess = expectation(lambda loss, t=threshold: loss - t, threshold)
        stick = expectation(lambda loss, t=threshold: -np.expm1(t - loss), threshold)
        assert law.excess(np.array([threshold]))[0] == pytest.approx(excess, rel=1e-6)
        assert law.hockey_stick(np.array([threshold]))[0] == pytest.approx(stick, rel=1e-6)
    a, xi = 3.0, 1.3
    assert law.moments(np.array([a]), xi)[0] == pytest.approx(
        expectation(lambda loss: moment_of(loss, a, xi), 0.0), rel=1e-6
    )


@settings(max_examples=100, deadline=None)
@given(st.floats(1e-3, 2.0), st.floats(2.0, 15.0))
def test_without_a_jacobian_the_gaussian_moment_is_the_divergence(mu, order):
    """a μ²/2."""
    moment = GaussianShift(mu).moments(np.array([order]), 1.0)[0]
    assert np.log1p(moment) / (order - 1) == pytest.approx(order * mu**2 / 2, rel=1e-5)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from([1, 2, 3, 10, 105, 2000]), st.floats(1e-3, 30.0), st.floats(1.0, 1.5), st.floats(2.0, 10.0))
def test_more_shift_means_more_loss(dimension, kappa, factor, order):
    for law, other in ((GaussianShift, GaussianShift), (lambda k: ExponentialShift(k, dimension),) * 2):
        less, more = law(kappa / 10), other(kappa / 10 * factor)
        points = np.linspace(0.0, less.largest, 7)
        assert less.variation <= more.variation <= 2.0
        assert less.moments(np.array([order]), 1.1)[0] <= more.moments(np.array([order]), 1.1)[0] * (1 + 1e-9)
        assert np.all(less.excess(points) <= more.excess(points) * (1 + 1e-4) + 1e-15)
        assert np.all(np.diff(less.hockey_stick(points)) <= 1e-12)
        assert less.hockey_stick(np.zeros(1))[0] <= less.variation * (1 + 1e-5)  # T is of two shifts by half as much


def test_more_dimensions_hide_more():
    moments = [
        shift_law("exponential-norm", 1.0, dimension).moments(np.array([4.0]), 1.0)[0]
        for dimension in (1, 2, 3, 10, 105, 5000)
    ]
    assert moments == sorted(moments, reverse=True)
    assert moments[0] > 100 * moments[-1]


def test_the_largest_loss():
    assert shift_law("exponential-norm", 2.5, 3).largest == largest_loss("exponential-norm", 2.5) == 2.5
    beyond = GaussianShift(0.3).excess(np.array([largest_loss("gaussian", 0.3)]))
    assert 0 < beyond < 1e-18


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=3, max_size=30))
def test_the_minorant_is_the_largest_convex_function_below(heights):
    places, heights = np.cumsum(np.linspace(0.5, 1.5, len(heights))), np.array(heights)
    minorant = convex_minorant(places, heights)
    assert np.all(minorant <= heights + 1e-12)
    assert np.all(np.diff(np.diff(minorant) / np.diff(places)) >= -1e-9)
    for index, place in enumerate(places):  # the best chord between two points around the place
        left, right = np.meshgrid(np.arange(index + 1), np.arange(index, len(places)))
        gap = np.where(right > left, places[right] - places[left], 1.0)
        share = (place - places[left]) / gap
        chords = (1 - share) * heights[left] + share * heights[right]
        assert minorant[index] == pytest.approx(chords[right > left].min(initial=heights[index]), abs=1e-9)


@pytest.mark.parametrize("dimension", range(2, 9))
@pytest.mark.parametrize("kappa", [0.3, 3.0])
def test_the_tables_last_bins_against_adaptive_quadrature(dimension, kappa):
    """Towards κ the survival function falls like a power of κ − t, which equal bins would integrate too low."""
    table = excess_table(dimension, kappa)

    def tail(t):
        return float(survival(np.array([t]), dimension, kappa)[0])

    for place in (-2, -3, -5, -9):
        exact, _ = integrate.quad(tail, table.edges[place], kappa, epsabs=0.0, epsrel=1e-9)
        assert exact * (1 - 1e-9) <= table.excess[place] <= 2.0 * exact  # far out, where next to nothing is left


def total_variation(dimension, kappa):
    """Pr(|b₁| ≤ κ/2), which is the distance between the noise and the noise shifted, by a rule over its norm."""
    nodes, weights = NODES
    norm = stats.gamma(dimension)
    first, last = norm.ppf(1e-18), norm.isf(1e-18)
    place = first + (last - first) * (nodes + 1) / 2
    cosine = np.minimum(kappa / 2 / place, 1.0)
    within = special.betainc(0.5, (dimension - 1) / 2, cosine**2)  # of |u|, the cosine of a uniform direction
    return float(weights * (last - first) / 2 @ (norm.pdf(place) * within))


@pytest.mark.parametrize("dimension", [9, 105, 1_000_000])
@pytest.mark.parametrize("kappa", [0.1, 5.0])
def test_the_table_has_the_total_variation_however_many_dimensions(dimension, kappa):
    """In many dimensions losses are small beside κ: E(1 − e^(−l)) is lost unless the bins are small as well."""
    exact = total_variation(dimension, kappa)
    assert exact <= excess_table(dimension, kappa).faded[0] <= exact * (1 + 1e-5)


@pytest.mark.parametrize("dimension", [1, 3, 105])
def test_small_shifts_reach_the_bound_on_total_variation(dimension):
    """Of two shifts by half of κ each."""
    exact = 2 * -np.expm1(-1e-3 / 4) if dimension == 1 else 2 * total_variation(dimension, 5e-4)
    assert exact <= peak_total_variation(dimension, 1e-3) <= exact * (1 + 1e-3)
