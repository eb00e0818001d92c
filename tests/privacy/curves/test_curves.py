import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import kve, ndtr

from radmm.privacy.curves.dynamic_program import _compiled_values, _numpy_values, removal_values
from radmm.privacy.curves.largest_losses import removal_loss
from radmm.privacy.curves.noise_marginal import NoiseMarginal, _far_share, cell_masses, radii
from radmm.privacy.curves.plain_shift import _hyperbolic, shift_curve
from radmm.privacy.curves.removal_addition import Row, _make, _pair, curves, key_of
from radmm.privacy.curves.slope_levels import BOUNDED, LOGISTIC, levels, rate
from radmm.privacy.noise_laws import Law
from tests.privacy.curves import independent
from tests.privacy.curves.lower import lower_removal

SHIFT = st.floats(1e-3, 3.0)
CURVATURE = st.floats(0.02, 5.0)
NORMAL = NoiseMarginal(-1.0)


@given(SHIFT)
def test_the_gaussian_shift_is_the_textbook_formula(shift):
    eps = np.linspace(0, 5 * shift, 50)
    text = ndtr(shift / 2 - eps / shift) - np.exp(eps) * ndtr(-shift / 2 - eps / shift)
    assert shift_curve(Law.GAUSSIAN, shift, 1, eps) == pytest.approx(text, rel=1e-6, abs=1e-14)


@pytest.mark.parametrize("shift", [0.01, 1.0, 20.0])
def test_in_one_dimension_the_shift_is_laplaces(shift):
    eps = np.linspace(0, shift, 30)
    curve = shift_curve(Law.EXPONENTIAL_NORM, shift, 1, eps)
    assert curve == pytest.approx(-np.expm1((eps - shift) / 2), rel=1e-9, abs=1e-12)
    assert np.all(curve >= -np.expm1((eps - shift) / 2) * (1 - 1e-13))


@pytest.mark.parametrize(
    ("d", "shift"), [(2, 0.5), (5, 1.0), (14, 0.5), (20, 0.5), (32, 0.5), (61, 0.5), (105, 0.21875), (1000, 1.0)]
)
def test_the_shift_at_gamma_one_is_the_mass_of_a_slab(d, shift):
    """Pr(|b₁| ≤ c/2), with the density of b₁ integrated another way: b = τ^(1/2) N, τ ~ Gamma((d+1)/2, 2)."""
    from scipy.stats import gamma

    law = gamma((d + 1) / 2, scale=2)
    slab, _ = quad(lambda p: 2 * ndtr(shift / 2 / np.sqrt(law.ppf(p))) - 1, 0, 1, limit=400, epsabs=1e-12)
    found = shift_curve(Law.EXPONENTIAL_NORM, shift, d, np.zeros(1))[0]
    assert slab * (1 - 1e-7) <= found <= slab * 1.003


def test_cells_of_radii_are_a_distribution():
    for d in (1, 2, 3, 5, 20, 105, 1000):
        places, masses = radii(d, 48)
        assert np.all(np.diff(places) > 0)
        assert places[0] == 0
        assert masses.sum() == pytest.approx(1, abs=1e-11)
        assert masses.sum() >= 1


@pytest.mark.parametrize(("d", "place"), [(2, 5), (5, 20), (105, 30)])
def test_cells_of_radii_have_their_probabilities(d, place):
    places, masses = radii(d, 48)
    norm, _ = quad(
        lambda r: np.exp((d - 1) * np.log(r / d) - r + d) * kve(1, r), 0, 10 * d + 60, limit=800, epsrel=1e-11
    )
    part, _ = quad(
        lambda r: np.exp((d - 1) * np.log(r / d) - r + d) * kve(1, r), places[place], places[place + 1], epsrel=1e-11
    )
    assert masses[place] == pytest.approx(part / norm, rel=1e-7)


@settings(max_examples=40, deadline=None)
@given(st.tuples(*[st.floats(0.01, 40.0)] * 3), st.floats(0.05, 2.0))
def test_shifts_are_below_their_chords_over_radii(places, shift):
    low, middle, high = sorted(places)
    if middle > low * 1.001 and high > middle * 1.001:
        share = _far_share(np.array(middle), low, high)
        eps = np.linspace(0, 0.95 * shift, 8)
        ends, between = (
            np.array([_hyperbolic(NoiseMarginal(r), shift, eps) for r in some]) for some in ((low, high), (middle,))
        )
        assert 0 <= share <= 1
        assert np.all(between[0] <= ((1 - share) * ends[0] + share * ends[1]) * (1 + 1e-9) + 1e-12)


@pytest.mark.parametrize("radius", [0.1, 1.0, 7.0, 30.0])
def test_shares_are_where_the_process_of_lemma_4_leaves(radius):
    """They are harmonic for its generator, ½∂² + (3/(2r) − K₂/K₁)∂, and τ_r's Laplace transform is its resolvent's."""
    drift = 1.5 / radius - kve(2, radius) / kve(1, radius)
    step = 1e-3 * min(radius, 1.0)
    near = radius + step * np.array([-1.0, 0.0, 1.0])

    def generator(values):
        return (values[0] - 2 * values[1] + values[2]) / step**2 / 2 + drift * (values[2] - values[0]) / step / 2

    shares = _far_share(near, radius / 2, radius * 1.5)
    assert abs(generator(shares)) <= 1e-3 * abs(drift * (shares[2] - shares[0]) / step / 2)
    for s in (0.1, 2.0):
        root = np.sqrt(1 + 2 * s)
        transform = kve(1, near * root) / kve(1, near) * np.exp(-(near - radius) * (root - 1))
        assert generator(transform) == pytest.approx(s * transform[1], rel=1e-3)


@pytest.mark.parametrize("d", [2, 6, 14, 60])
def test_chords_are_just_above(d):
    eps = np.array([0.0, 0.05, 0.1])
    true = sum(mass * _hyperbolic(NoiseMarginal(place), 0.5, eps) for place, mass in independent.radii(d))
    averages = []
    for chords in (False, True):
        places, masses = radii(d, 32, chords)
        assert np.all(masses > 0)
        assert masses.sum() == pytest.approx(1, abs=1e-11)
        averages.append(masses @ np.array([_hyperbolic(NoiseMarginal(float(place)), 0.5, eps) for place in places]))
    left, chord = averages
    assert np.all(true * (1 - 1e-5) <= chord)
    assert np.all(chord - true <= 0.45 * (left - true))
    assert chord[0] <= true[0] * 1.0025


@pytest.mark.parametrize("radius", [-1.0, 0.0, 1e-4, 0.3, 4.0, 100.0])
def test_cells_of_u_have_their_masses(radius):
    law = NoiseMarginal(radius)
    edges = 0.05 * np.arange(-40, 41, dtype=float)
    largest, first, second = cell_masses(law, edges)
    for i in (0, 20, 36, 39, 40, 55):
        a, b = edges[i], edges[i + 1]
        mass, _ = quad(
            lambda u: float(law.density(np.array(u))), a, b, points=[0.0] if a <= 0 <= b else None, epsabs=1e-14
        )
        assert first[i] + second[i] >= mass * (1 - 1e-11)
        if not 0 <= radius < 0.5 or abs(i - 40) > 6:
            assert first[i] + second[i] == pytest.approx(mass, rel=1e-9)
        assert largest[i] >= float(law.density(np.array((a + b) / 2)))


@given(SHIFT, CURVATURE, st.sampled_from([0.3, 0.1, 0.05]))
def test_levels_average_their_rates(shift, curvature, time):
    found = levels(LOGISTIC, shift, curvature, time)
    assert found.low[0] == 0
    assert found.high[-1] == 1
    assert np.all(found.low[1:] == found.high[:-1])
    inner = slice(1, -1)
    rise = found.gain[inner] * found.time * curvature / shift
    assert rise == pytest.approx(found.high[inner] - found.low[inner], rel=1e-9)
    some = found.low[inner] + 0.3 * (found.high - found.low)[inner]
    assert np.all(1 + shift / curvature * rate(LOGISTIC, some) <= found.most[inner] * (1 + 1e-12))
    assert np.all(found.spread >= 0)
    # (κ − mean)₊ averages to at most a quarter of κ's range, and to about an eighth
    spans = found.most[inner] - 1 - found.gain[inner]
    assert np.all(found.spread[inner] <= spans / 2 + 1e-12)


def test_spread_is_the_mean_excess():
    found = levels(LOGISTIC, 1.0, 1.0, 0.2)
    for j in (5, 30, 60):
        z = np.linspace(0, 1, 20001)
        low, high = (np.log(s / (1 - s)) for s in (found.low[j], found.high[j]))
        s = 1 / (1 + np.exp(-(low + (high - low) * z)))
        assert found.spread[j] == pytest.approx(np.maximum(s * (1 - s) - found.gain[j], 0).mean(), rel=1e-3)


@settings(max_examples=6, deadline=None)
@given(st.floats(0.005, 2.0), st.floats(0.05, 3.0))
def test_the_curve_is_between_shift_and_caps(shift, curvature):
    pair = curves(Row(Law.GAUSSIAN, shift, curvature, 1, LOGISTIC))
    xi = 1 + shift / curvature / 4
    plain = shift_curve(Law.GAUSSIAN, shift, 1, pair.epsilon)
    cap = shift_curve(Law.GAUSSIAN, shift, 1, np.maximum(pair.epsilon - np.log(xi), 0))
    assert np.all(pair.removal >= plain * (1 - 1e-9) - 1e-15)
    assert np.all(pair.removal <= cap * 1.01 + 1e-12)
    assert pair.removal[0] == pytest.approx(plain[0])
    gammas = np.exp(pair.epsilon)
    from radmm.privacy.curves.pair_curves import zeroed

    half = zeroed(pair, pair.epsilon[-1] / 500).forward
    slopes = np.diff(half) / np.diff(np.exp(pair.epsilon[-1] / 500 * np.arange(len(half))))
    assert np.all(np.diff(slopes) >= -1e-9)
    assert np.all(np.interp(gammas, np.exp(pair.epsilon[-1] / 500 * np.arange(len(half))), half) <= pair.removal + 1e-3)


@settings(max_examples=15, deadline=None)
@given(st.floats(0.01, 1.0), st.floats(0.05, 2.0), st.floats(1.05, 3.0), st.sampled_from([-1.0, 0.0, 2.0, 50.0]))
def test_the_program_falls_with_curvature_and_grows_with_shift(shift, curvature, factor, radius):
    law = NoiseMarginal(radius)
    gammas = np.exp(np.linspace(0, 3 * shift, 9))
    base = removal_values(law, LOGISTIC, shift, curvature, gammas, 1e6)
    firm = removal_values(law, LOGISTIC, shift, curvature * factor, gammas, 1e6)
    wide = removal_values(law, LOGISTIC, shift * factor, curvature, gammas, 1e6)
    slack = 0.04 * base + 1e-9  # the discretisation differs
    assert np.all(firm <= base + slack)
    assert np.all(base <= wide + slack)


@settings(max_examples=10, deadline=None)
@given(st.floats(0.05, 1.0), st.floats(0.05, 2.0), st.floats(1.0, 60.0))
def test_the_program_falls_as_the_radius_grows(shift, curvature, radius):
    gammas = np.exp(np.linspace(0, shift, 7))
    near, far = (
        removal_values(NoiseMarginal(r), LOGISTIC, shift, curvature, gammas, 1e6) for r in (radius, 1.2 * radius)
    )
    assert np.all(far <= near * 1.03 + 1e-9)


@pytest.mark.parametrize(
    ("shift", "curvature", "within"),
    [(0.0213, 0.199, 1.02), (0.01065, 0.0995, 1.02), (0.3, 0.1, 1.03), (0.5, 0.5, 1.02), (1.0, 2.0, 1.01)],
)
def test_feasible_paths_are_just_below(shift, curvature, within):
    """Lemma D from above, grid paths from below: both within a per cent or so where the curve matters."""
    xi = 1 + shift / curvature / 4
    gammas = np.exp(np.linspace(0, np.log(xi) + 2.5 * shift, 8))
    below = lower_removal(shift, curvature, gammas, 0.05)
    above = removal_values(NORMAL, LOGISTIC, shift, curvature, gammas, 1.2e7)
    above = np.minimum(above, shift_curve(Law.GAUSSIAN, shift, 1, np.maximum(np.log(gammas / xi), 0)))
    assert np.all(above >= below * (1 - 1e-9))
    assert np.all(above <= below * within + 1e-7)


def test_bounded_slopes_are_bracketed_as_well():
    gammas = np.exp(np.linspace(0, 0.6, 8))
    below = lower_removal(0.2, 1.0, gammas, 0.01, form="bounded")
    above = removal_values(NORMAL, BOUNDED, 0.2, 1.0, gammas, 1.2e7)
    assert np.all(above >= below * (1 - 1e-9))
    assert np.all(above <= below * 1.02 + 1e-7)


@pytest.mark.parametrize("radius", [-1.0, 0.0, 0.01, 3.0])
@pytest.mark.parametrize("form", [LOGISTIC, BOUNDED])
def test_numpy_and_compiled_programs_agree(radius, form):
    law = NoiseMarginal(radius)
    gammas = np.exp(np.linspace(0, 0.5, 6))
    ladder = levels(form, 0.3, 0.2, 0.1)
    edges = ladder.time * 0.2 * np.arange(-300, 250, dtype=float)
    cells = np.stack(cell_masses(law, edges))
    bend = law.bend(edges[1] - edges[0], 0.3)
    arguments = (law, ladder, edges, 0.3, bend, cells, gammas)
    from radmm.privacy.curves.compiled import library

    assert library() is not None
    assert _numpy_values(*arguments) == pytest.approx(_compiled_values(*arguments), rel=1e-12)


@pytest.mark.parametrize(
    "row", [Row(Law.GAUSSIAN, 0.3, 2.0, 1, LOGISTIC), Row(Law.EXPONENTIAL_NORM, 0.3, 2.0, 1, BOUNDED)]
)
def test_a_curve_has_the_same_digits_without_a_compiler(row, monkeypatch, tmp_path):
    """With the same effort: ε differed in the third digit, and no file said by which program it was."""
    found = []
    for name in ("compiled", "numpy"):
        monkeypatch.setenv("RADMM_CURVES", str(tmp_path / name))
        found.append((key_of(row), curves(row)))
        for module in ("dynamic_program", "pair_curves", "compiled"):
            monkeypatch.setattr(f"radmm.privacy.curves.{module}.library", lambda: None)
    (compiled_key, compiled), (numpy_key, plain) = found
    assert compiled_key == numpy_key
    for half in ("epsilon", "removal", "addition"):
        np.testing.assert_allclose(getattr(plain, half), getattr(compiled, half), rtol=1e-12)


@pytest.mark.parametrize("form", [LOGISTIC, BOUNDED])
@pytest.mark.parametrize("curvature", [1e-7, 1e7])
def test_curvatures_out_of_the_ordinary_get_the_cap_at_once(form, curvature, monkeypatch):
    """However firm or loose the subproblem is: no table of millions of levels or cells is made."""
    monkeypatch.setattr("radmm.privacy.curves.dynamic_program._compiled_values", None)
    monkeypatch.setattr("radmm.privacy.curves.dynamic_program._numpy_values", None)
    row = Row(Law.GAUSSIAN, 0.1, curvature, 1, form)
    pair = _pair(row, _make(row, 2e6))
    excess = 0.1 / curvature * (0.25 if form == LOGISTIC else 1.0)
    cap = shift_curve(Law.GAUSSIAN, 0.1, 1, np.maximum(pair.epsilon - np.log1p(excess), 0.0))
    assert np.all(pair.removal >= cap * (1 - 1e-9))
    if curvature > 1:
        assert pair.removal == pytest.approx(pair.addition, rel=1e-3, abs=1e-12)


RATES = {LOGISTIC: lambda s: s * (1 - s), BOUNDED: np.ones_like}


@pytest.mark.parametrize("form", RATES)
@given(shift=st.floats(1e-3, 5.0), curvature=st.floats(0.01, 3.0))
def test_the_pure_bound_is_the_maximum(form, shift, curvature):
    s = np.linspace(0, 1, 20001)
    best = (shift * s + np.log1p(shift / curvature * RATES[form](s))).max()
    found = removal_loss(form, shift, curvature)
    assert found == pytest.approx(best, rel=1e-6)
    assert found >= best * (1 - 1e-15)
    if form == LOGISTIC:
        assert found <= shift + np.log1p(shift / curvature / 4) + 1e-9
        assert found == shift or curvature < 1


def test_no_removal_beyond_the_largest_loss():
    row = Row(Law.EXPONENTIAL_NORM, 1.0, 0.1, 1, LOGISTIC)
    pair = curves(row)
    assert pair.epsilon[-1] <= row.largest * (1 + 1e-9)
    assert pair.removal[-1] == 0
    near = pair.epsilon > 1.0  # where the shift alone has nothing left, the Jacobian has
    assert np.all(pair.addition[near] == 0)
    assert pair.removal[near].max() > 1e-3
