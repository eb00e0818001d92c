"""Losses on a grid, against `dp_accounting`, whose arithmetic they share, and against sums written out."""

import math

import numpy as np
import pytest
from dp_accounting.pld.pld_pmf import DensePLDPmf, create_pmf_pessimistic_connect_dots_fixed_gap
from hypothesis import given, settings
from hypothesis import strategies as st

from radmm.privacy.accountants.dominating import distribution
from radmm.privacy.accountants.loss_masses import LossMasses
from radmm.privacy.accountants.shift_law import GaussianShift

CUT = 1e-15


def theirs(masses: LossMasses) -> DensePLDPmf:
    return DensePLDPmf(masses.step, masses.lowest, masses.mass.copy(), masses.infinite, pessimistic_estimate=True)


def of_shift(mu: float, points: int) -> LossMasses:
    """Of normal noise shifted by μ standard deviations, which it resolves up to a mass at infinity."""
    law = GaussianShift(mu)
    step = law.largest / points
    return distribution(law.hockey_stick(np.arange(points + 1) * step), step)


def same(ours: LossMasses, other: DensePLDPmf) -> None:
    assert ours.lowest == other._lower_loss
    np.testing.assert_allclose(ours.mass, other._probs, rtol=1e-13, atol=1e-17)
    assert ours.infinite == pytest.approx(other._infinity_mass, rel=1e-12, abs=1e-17)


@settings(max_examples=25, deadline=None)
@given(
    mu=st.floats(0.01, 2.0),
    points=st.integers(2, 1200),
    counts=st.lists(st.integers(1, 40), min_size=1, max_size=3),
    delta=st.floats(1e-9, 0.5),
)
def test_compositions_are_those_of_dp_accounting(mu, points, counts, delta):
    single = of_shift(mu, points)
    ours, others = single, theirs(single)
    same(ours, others)
    for count in counts:
        more = single.repeated(count, CUT)
        other = theirs(single) if count == 1 else theirs(single).self_compose(count, CUT)
        same(more, other)
        ours, others = ours.then(more, CUT), others.compose(other, CUT)
        same(ours, others)
    assert ours.epsilon(delta) == pytest.approx(others.get_epsilon_for_delta(delta), rel=1e-10, abs=1e-10)


@pytest.mark.parametrize("points", [1, 2, 300])
def test_dots_are_connected_as_by_dp_accounting(points):
    step = 0.01
    sticks = 1.0 / (1.0 + np.exp(step * np.arange(-points, points + 1)))
    other = create_pmf_pessimistic_connect_dots_fixed_gap(step, -points, points, sticks).to_dense_pmf()
    same(LossMasses.of_curve(sticks, step), other)


def test_one_point_is_a_loss_of_nothing_or_of_everything():
    masses = LossMasses.of_curve(np.array([0.25]), 0.1)
    assert (masses.lowest, masses.mass.tolist(), masses.infinite) == (0, [0.75], 0.25)
    assert masses.epsilon(0.2) == math.inf
    assert masses.epsilon(0.25) == 0.0


@given(
    mass=st.lists(st.floats(0.0, 1.0), min_size=1, max_size=12),
    lowest=st.integers(-6, 3),
    infinite=st.floats(0.0, 1e-3),
    delta=st.floats(1e-3, 0.9),
)
def test_the_stick_at_epsilon_is_delta(mass, lowest, infinite, delta):
    masses = LossMasses(0.5, lowest, np.array(mass) + 1e-6, infinite)
    losses = 0.5 * (lowest + np.arange(len(mass)))

    def stick(epsilon):
        return infinite + masses.mass @ np.maximum(-np.expm1(epsilon - losses), 0.0)

    epsilon = masses.epsilon(delta)
    assert stick(epsilon) <= delta * (1.0 + 1e-12)
    assert epsilon == 0.0 or stick(epsilon - 1e-9) > delta


def test_losses_whose_exponential_is_no_number():
    far = LossMasses(1.0, 800, np.full(10, 0.1), 0.0)
    assert far.epsilon(0.25) == theirs(far).get_epsilon_for_delta(0.25) == 807.0
    low = LossMasses(1.0, -2000, np.full(1000, 0.001), 0.0)
    assert low.epsilon(0.25) == 0.0


def test_grids_must_agree():
    with pytest.raises(ValueError, match="one grid"):
        of_shift(1.0, 10).then(of_shift(1.0, 20), CUT)
