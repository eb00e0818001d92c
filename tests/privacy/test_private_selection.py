"""Choosing the best of several private runs: the bound against distributions that are added up directly."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm

from radmm.privacy.accountants.renyi import ORDERS, converted, normal_divergence
from radmm.privacy.private_selection import NumberOfRuns, mu_of_each_run, selection_divergence, selection_epsilon

SHAPES = (-0.5, 0.0, 1.0, 3.0)
DELTA = 1e-5


def masses(number, most=4000):
    """P(K = k) by the recursion of the negative binomial law."""
    k = np.arange(1, most)
    if number.shape == 0.0:
        weights = (1.0 - number.gamma) ** k / k
    else:
        weights = np.cumprod((1.0 - number.gamma) * (k - 1 + number.shape) / k)
    return k, weights / weights.sum()


def generating_function(number, x):
    """E[x^K], by which the best of K runs is distributed."""
    log = np.log1p(-(1.0 - number.gamma) * x)
    if number.shape == 0.0:
        return log / np.log(number.gamma)
    return np.expm1(-number.shape * log) / np.expm1(-number.shape * np.log(number.gamma))


@pytest.mark.parametrize("shape", SHAPES)
def test_the_law_of_the_number_is_the_negative_binomial_one(shape):
    number = NumberOfRuns(shape, 0.05)
    k, mass = masses(number)
    assert number.mean == pytest.approx(mass @ k, rel=1e-9)
    for x in (0.0, 0.3, 0.9, 1.0):
        assert float(generating_function(number, np.array(x))) == pytest.approx(mass @ x**k, rel=1e-9)
    assert NumberOfRuns.of_mean(15.0, shape).mean == pytest.approx(15.0)


def best_of(probabilities, number):
    """Distribution of the best outcome, outcomes being in ascending order of score."""
    return np.diff(generating_function(number, np.r_[0.0, np.cumsum(probabilities)].clip(0.0, 1.0)))


def divergences(one, other):
    """D_a in the worse direction at each of ORDERS, added up outcome by outcome."""
    log_one, log_other = np.log(one), np.log(other)
    both = []
    for p, q in ((log_one, log_other), (log_other, log_one)):
        terms = ORDERS[:, None] * p - (ORDERS[:, None] - 1.0) * q
        top = terms.max(axis=1)
        both.append((top + np.log(np.exp(terms - top[:, None]).sum(axis=1))) / (ORDERS - 1.0))
    return np.maximum(*both)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    outcomes=st.integers(2, 8),
    size=st.floats(0.05, 3.0),
    shape=st.sampled_from(SHAPES),
    gamma=st.floats(0.01, 0.9),
)
def test_the_bound_holds_for_the_best_of_any_private_outcomes(seed, outcomes, size, shape, gamma):
    random = np.random.default_rng(seed)
    one = random.dirichlet(np.ones(outcomes)) + 1e-3
    other = one * np.exp(size * random.uniform(-0.5, 0.5, outcomes))
    one, other = one / one.sum(), other / other.sum()
    number = NumberOfRuns(shape, gamma)
    bound = selection_divergence(divergences(one, other), number)
    exact = divergences(best_of(one, number), best_of(other, number))
    few = ORDERS < 200  # above, the sums' rounding is larger than what is compared
    assert (exact[few] <= bound[few] + 1e-9).all()


@pytest.mark.parametrize("shape", [0.0, 1.0])
@pytest.mark.parametrize("mu", [0.1, 0.5])
def test_the_bound_is_not_far_above_a_gaussian_score(shape, mu):
    """The best of normal scores, one of whose means moves by μ, evaluated directly: a lower bound of the truth."""
    number = NumberOfRuns.of_mean(15.0, shape)

    def density(x, mean):
        slope = 1e-6
        at = norm.cdf(x - mean)
        ends = np.array([max(0.0, at - slope), min(1.0, at + slope)])
        return float(np.diff(generating_function(number, ends))[0] / np.diff(ends)[0] * norm.pdf(x - mean))

    def delta_at(epsilon):
        def above(x, one, other):
            return max(0.0, density(x, one) - np.exp(epsilon) * density(x, other))

        return max(quad(above, -8, 9, args=pair, limit=400)[0] for pair in ((mu, 0.0), (0.0, mu)))

    bound = selection_epsilon(mu, number, DELTA)
    assert delta_at(bound) <= DELTA
    assert delta_at(bound / 3.0) > DELTA  # a third of it would be too little


def test_one_run_costs_what_it_costs_and_more_cost_more():
    once = float(converted(normal_divergence(0.3), DELTA))
    totals = [selection_epsilon(0.3, NumberOfRuns.of_mean(mean), DELTA) for mean in (1.001, 3.0, 15.0, 100.0)]
    assert once < totals[0] < totals[1] < totals[2] < totals[3]


@pytest.mark.parametrize("epsilon", [0.25, 1.0, 4.0])
def test_each_run_gets_what_the_total_allows(epsilon):
    number = NumberOfRuns.of_mean(15.0)
    mu = mu_of_each_run(epsilon, number, DELTA)
    assert 0.999 * epsilon < selection_epsilon(mu, number, DELTA) <= epsilon
