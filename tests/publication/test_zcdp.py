"""The conversion from ρ to ε, against arithmetic of other makers and against the exact law."""

from decimal import Decimal
from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import opendp.prelude as dp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radmm.base.errors import InputError
from radmm.publication.zcdp import epsilon_of, total_rho

DELTAS = (1e-12, 1e-5, 0.1)


def exact_epsilon(rho, delta):
    """The least of the bound over all orders, to 40 digits, by a search of its own."""
    with mpmath.workdps(40):
        rho, delta = mpmath.mpf(str(rho)), mpmath.mpf(delta)

        def at(log_excess):
            excess = mpmath.exp(log_excess)
            order = 1 + excess
            return order * rho + mpmath.log(excess / order) - (mpmath.log(delta) + mpmath.log(order)) / excess

        grid = [mpmath.mpf(step) / 4 for step in range(-100, 240)]
        middle = min(grid, key=at)
        low, high = middle - mpmath.mpf(1) / 4, middle + mpmath.mpf(1) / 4
        for _ in range(80):
            left, right = low + (high - low) / 3, high - (high - low) / 3
            low, high = (low, right) if at(left) < at(right) else (left, high)
        return at(low)


@settings(max_examples=60, deadline=None)
@given(st.floats(-12, 4), st.sampled_from(DELTAS))
def test_epsilon_is_the_least_that_the_proposition_gives_rounded_up(log_rho, delta):
    rho = Decimal(10.0**log_rho)
    least = exact_epsilon(rho, delta)
    found = epsilon_of(rho, delta)
    assert found >= least
    assert found <= max(0, least) * (1 + mpmath.mpf("1e-9")) + mpmath.mpf("1e-15")


@pytest.mark.parametrize("rho", [1e-4, 0.1, 3.0])
@pytest.mark.parametrize("delta", [1e-9, 1e-5])
def test_epsilon_agrees_with_opendp_s_own_conversion(rho, delta):
    dp.enable_features("contrib")
    space = dp.atom_domain(T=dp.i64), dp.absolute_distance(T=dp.i64)
    gaussian = dp.m.make_gaussian(*space, scale=float(1 / np.sqrt(2 * rho)))
    curve = dp.c.make_zCDP_to_approxDP(gaussian).map(1)
    assert epsilon_of(Decimal(gaussian.map(1)), delta) == pytest.approx(curve.epsilon(delta), rel=1e-6)


def test_rho_is_the_exact_sum_rounded_up():
    releases = [(8946, 97598)] * 30 + [(7, 3)] * 2
    exact = sum(Fraction(sensitivity**2, 2 * scale**2) for sensitivity, scale in releases)
    found = Fraction(total_rho(releases))
    assert exact <= found <= exact * (1 + Fraction(1, 10**45))
    assert total_rho([(4, 3)] * 100) >= Fraction(100 * 16, 18)  # which no decimal number equals


def law(scale, shift, reach):
    """The discrete Gaussian's masses on −reach … reach, around a shift."""
    points = np.arange(-reach, reach + 1)
    mass = np.exp(-((points - shift) ** 2) / (2 * scale**2))
    return mass / np.exp(-(np.arange(-4 * reach, 4 * reach + 1) ** 2) / (2 * scale**2)).sum()


@pytest.mark.parametrize(
    ("shifts", "scale"), [([1], 2), ([3], 2), ([2, 1], 3), ([1, 1, 1], 2), ([5], 40), ([4, 3], 6), ([1], 1)]
)
@pytest.mark.parametrize("delta", [1e-6, 1e-3])
def test_the_exact_privacy_loss_of_the_discrete_law_is_within_the_bound(shifts, scale, delta):
    """Each shift is a coordinate of one answer or an answer of its own: the loss of both is that of the product law."""
    reach = 12 * scale + max(shifts)
    pairs = [(law(scale, 0, reach), law(scale, shift, reach)) for shift in shifts]
    epsilon = epsilon_of(total_rho([(shift, scale) for shift in shifts]), delta)
    first, second = (np.array([np.prod(each) for each in product(*masses)]) for masses in zip(*pairs, strict=True))
    spent = np.maximum(first - np.exp(epsilon) * second, 0).sum()
    assert spent <= delta
    assert np.maximum(first - np.exp(0.2 * epsilon) * second, 0).sum() > delta  # the bound isn't vacuous


@pytest.mark.parametrize("delta", [0.0, 1.0, -1e-5, float("nan")])
def test_delta_must_be_between_0_and_1(delta):
    with pytest.raises(InputError, match=r"^delta = .*: must be above 0 and below 1$"):
        epsilon_of(Decimal("0.1"), delta)


def test_nothing_spent_is_nothing():
    assert epsilon_of(Decimal(0), 1e-5) == 0.0
    assert total_rho([]) == 0
