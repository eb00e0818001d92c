"""Gradient methods against plain loops, and what they release against closed forms."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import norm

import radmm
from radmm.argmin.engine import NumpyEngine
from radmm.argmin.engine_choice import engine_for
from radmm.argmin.optimum import centralised_optimum
from radmm.base.errors import InputError
from radmm.privacy.noise_laws import draw_gaussian, draw_noise
from tests.reference import PlainProblem, descend, metropolis

METHODS = [
    radmm.DGD(0.05),
    radmm.DGD(0.03, 0.8),
    radmm.DGD(0.03, 0.8, gossip=3),
    radmm.GradientTracking(0.04),
    radmm.GradientTracking(0.04, gossip=1),
    radmm.GradientTracking(0.04, gossip=4),
]
NOISES = {
    "none": (None, lambda run: lambda t: np.zeros((4, 4))),
    "gaussian": (
        radmm.GradientNoise(sigma=[0.3, 0.5, 0.2, 0.4]),
        lambda run: lambda t: draw_gaussian(np.array([0.3, 0.5, 0.2, 0.4]), 4, np.array([run]), 5, t)[..., 0],
    ),
    "exponential-norm": (
        radmm.GradientNoise(alpha=radmm.Geometric(2.0, 1.1)),
        lambda run: lambda t: draw_noise(np.full(4, 2.0 * 1.1**t), 4, np.array([run]), 5, t)[..., 0],
    ),
}


@pytest.mark.parametrize("method", METHODS, ids=repr)
@pytest.mark.parametrize("noise", NOISES)
def test_equals_the_plain_loops(small, method, noise):
    added, draws = NOISES[noise]
    result = radmm.solve(
        small.problem, small.network, method, noise=added, iterations=8, runs=2, seed=5, keep_iterates=True
    )
    plain = PlainProblem(small.features, small.labels, small.node, C=5.0, rho=0.4)
    for run in range(2):
        path = descend(plain, small.neighbours, method, draws(run), 8, run, 5)
        np.testing.assert_allclose(result.primal[run], path, rtol=0, atol=1e-12)
    assert result.dual is None
    assert result.trace.query("iteration > 0")["passes"].eq(1).all()


def test_tracking_reaches_the_optimum_and_descent_its_neighbourhood(small):
    optimum = centralised_optimum(small.problem)

    def distance(method):
        found = radmm.solve(small.problem, small.network, method, iterations=3000, runs=1, optimum=optimum)
        return found.trace["distance"].iloc[-1]

    assert distance(radmm.GradientTracking(0.05)) < 1e-9
    assert 1e-3 < distance(radmm.DGD(0.05)) < 1.0


def test_mixing_keeps_the_mean_and_its_least_eigenvalue_is_bounded(small):
    W = small.network.mix(np.eye(4)[:, :, None])[..., 0]
    np.testing.assert_allclose(W, metropolis(small.neighbours), atol=1e-15)
    assert small.network.least_mixing <= np.linalg.eigvalsh(W)[0]


def test_both_engines_give_the_same_gradients(small):
    point = np.random.default_rng(0).standard_normal((4, 4, 19))  # more runs than are worked off at once
    expected = NumpyEngine(small.problem).gradients(point)
    np.testing.assert_allclose(engine_for(small.problem).gradients(point), expected, rtol=1e-13, atol=1e-13)


def gaussian_epsilon(mu, delta):
    """Gaussian differential privacy, in closed form."""

    def excess(epsilon):
        weighed = np.exp(epsilon + norm.logcdf(-mu / 2 - epsilon / mu))  # its factor alone may overflow
        return norm.cdf(mu / 2 - epsilon / mu) - weighed - delta

    return 0.0 if excess(0.0) <= 0 else brentq(excess, 0.0, mu**2 + 40 * mu, xtol=1e-14)


@settings(max_examples=15, deadline=None)
@given(
    sigma=st.floats(0.5, 30.0), ratio=st.floats(0.9, 1.1), iterations=st.integers(1, 30),
    zeroed=st.booleans(), rows=st.integers(1, 3),
)  # fmt: skip
def test_gaussian_totals_are_those_of_gaussian_differential_privacy(sigma, ratio, iterations, zeroed, rows):
    C, counts = 5.0, np.array([7, 12, 9, 15])
    rng = np.random.default_rng(0)
    node = np.repeat(np.arange(4), counts)
    problem = radmm.Problem(0.1 * rng.standard_normal((43, 2)), np.ones(43), node, C=C, rho=0.4)
    network = radmm.Network.from_edges([[0, 1], [1, 2], [2, 3], [1, 3]])
    noise = radmm.GradientNoise(sigma=radmm.Geometric(sigma, ratio))
    relation = {"neighbours": "zero-out" if zeroed else "replace", "rows": rows}
    told = radmm.epsilon(problem, network, radmm.DGD(), noise, iterations, delta=1e-5, **relation)
    shift = (1 if zeroed else 2) * rows * C / 7  # G = 1; the smallest node loses most
    mu = np.sqrt(sum((shift / (sigma * ratio**k)) ** 2 for k in range(1, iterations + 1)))
    if mu < 15:
        assert told == pytest.approx(gaussian_epsilon(mu, 1e-5), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("accountant", ["shift", "pld", "renyi"])
def test_exponential_norm_totals_are_those_of_the_shift_itself(small, accountant):
    """One release in one dimension is Laplace noise, of which the hockey stick is known; several compose."""
    features = small.features[:, :1]
    problem = radmm.Problem(features, small.labels, small.node, C=5.0, rho=0.4)
    noise, shift = radmm.GradientNoise(alpha=0.5), 2 * 5.0 / 7
    told = radmm.epsilon(problem, small.network, radmm.DGD(), noise, 1, delta=1e-2, accountant=accountant)
    exact = 0.5 * shift + 2 * np.log1p(-1e-2)  # δ = 1 − e^((ε − κ)/2)
    assert exact <= told + 1e-12
    if accountant != "renyi":
        assert told == pytest.approx(exact, rel=5e-3)
    pure = radmm.epsilon(problem, small.network, radmm.DGD(), noise, 3, accountant="pure")
    assert pure == pytest.approx(3 * 0.5 * shift)


def test_who_has_no_proof_refuses(small):
    def epsilon(noise, accountant):
        return radmm.epsilon(small.problem, small.network, radmm.DGD(), noise, 3, accountant=accountant)

    with pytest.raises(InputError, match="the paper accountant can't bound exponential-norm gradient noise"):
        epsilon(radmm.GradientNoise(alpha=1.0), "paper")
    with pytest.raises(InputError, match="pure accountant can't bound gaussian gradient noise"):
        epsilon(radmm.GradientNoise(sigma=1.0), "pure")
    with pytest.raises(InputError, match="gradient noise is for gradients, but admm asks for argmins"):
        radmm.solve(small.problem, small.network, radmm.ADMM(), noise=radmm.GradientNoise(1.0))
    with pytest.raises(InputError, match="objective noise is for argmins, but dgd asks for gradients"):
        radmm.solve(small.problem, small.network, radmm.DGD(), noise=radmm.ObjectiveNoise(1.0))
    trace = radmm.solve(
        small.problem, small.network, radmm.DGD(), noise=radmm.GradientNoise(alpha=1.0), iterations=2, runs=1
    ).trace
    assert trace["privacy_loss"].isna().all()


def test_calibrated_gradient_noise_meets_its_budget(small):
    for law, accountant in (("gaussian", "shift"), ("exponential-norm", "renyi")):
        noise = radmm.calibrate(
            small.problem, small.network, radmm.GradientTracking(), radmm.GradientNoise, 6, epsilon=1.0, law=law,
            accountant=accountant,
        )  # fmt: skip
        spent = radmm.epsilon(small.problem, small.network, radmm.GradientTracking(), noise, 6, accountant=accountant)
        assert 0.99 <= spent <= 1.0


@pytest.mark.parametrize(
    ("method", "largest"),
    [(radmm.DGD, lambda w: 1 + w), (radmm.GradientTracking, lambda w: (1 + w) ** 2 / 2)],
)
def test_a_step_that_may_diverge_is_told_with_the_number(small, method, largest):
    curvature = 5.0 * 0.25 + 0.4 / 4
    limit = largest(small.network.least_mixing) / curvature
    with pytest.warns(UserWarning, match=rf"step = 50: .* may diverge even without noise.*up to {limit:.3g}"):
        radmm.solve(small.problem, small.network, method(50.0), iterations=1, runs=1)
    radmm.solve(small.problem, small.network, method(0.999 * limit), iterations=1, runs=1)


@pytest.mark.parametrize("method", [radmm.DGD(0.1), radmm.DGD(0.1, 0.7), radmm.GradientTracking(0.1)], ids=repr)
@pytest.mark.parametrize("p", [1.0, 0.6, -0.6, 0.01, -0.9])
def test_stable_products_are_those_of_the_linear_recursion(method, p):
    """One node's quadratic with curvature h, mixed with w, then p: the spectral radius passes 1 where it is said to."""
    a = method.step
    for w in (-0.5, 0.0, 0.4):
        for factor, stable in ((0.99, True), (1.01, False)):
            h = factor * method.most(w, p) / a
            if method.name == "dgd":
                matrix = p * np.array([[w - a * h, method.momentum], [-a * h, method.momentum]])
            else:  # (f, y, f before)
                matrix = np.array([[p * (w - a * h), -p * a * w, p * a * h], [p * h, p * w, -p * h], [1.0, 0.0, 0.0]])
            assert (np.abs(np.linalg.eigvals(matrix)).max() < 1) == stable


def test_a_curator_is_a_network_of_one_node(small):
    """Objective perturbation in one round, and noisy gradient descent, of all rows at one place."""
    problem = radmm.Problem(small.features, small.labels, np.zeros(43, dtype=int), C=5.0, rho=0.4)
    alone = radmm.Network.from_edges(np.zeros((0, 2), dtype=int))
    plain = PlainProblem(small.features, small.labels, np.zeros(43, dtype=int), C=5.0, rho=0.4)
    noise = radmm.ObjectiveNoise(sigma=1.0)
    once = radmm.solve(problem, alone, radmm.ADMM(), noise=noise, iterations=1, runs=1, keep_iterates=True)
    b = draw_gaussian(np.ones(1), 4, np.array([0]), 0, 1)[0, :, 0]
    assert np.linalg.norm(plain.gradient(0, once.primal[0, 1, 0]) + b) < 1e-7
    step = radmm.solve(
        problem, alone, radmm.DGD(0.1), noise=radmm.GradientNoise(sigma=1.0), iterations=1, runs=1, keep_iterates=True
    )
    f = step.primal[0, 0, 0]
    np.testing.assert_allclose(step.primal[0, 1, 0], f - 0.1 * (plain.gradient(0, f) + b), atol=1e-12)
    total = radmm.epsilon(problem, alone, radmm.DGD(0.1), radmm.GradientNoise(sigma=1.0), 1)
    assert total == pytest.approx(gaussian_epsilon(2 * 5.0 / 43, 1e-5), rel=1e-6)


def test_one_round_and_average_is_a_setting_of_admm(small):
    """From f(0) = 0 with the penalty as ridge, every node releases one perturbed argmin; their mean classifies."""
    test = (small.features, small.labels)
    noise = radmm.ObjectiveNoise(sigma=0.3)
    result = radmm.solve(
        small.problem, small.network, radmm.ADMM(0.7), noise=noise, iterations=1, runs=1, seed=3, test=test,
        initial_scale=0.0, keep_iterates=True,
    )  # fmt: skip
    plain = PlainProblem(small.features, small.labels, small.node, C=5.0, rho=0.4)
    b = draw_gaussian(np.full(4, 0.3), 4, np.array([0]), 3, 1)[..., 0]
    for i, f in enumerate(result.primal[0, 1]):
        ridge = 2 * 0.7 * len(small.neighbours[i])
        assert np.linalg.norm(plain.gradient(i, f) + ridge * f + b[i]) < 1e-7
    mean = result.primal[0, 1].mean(axis=0)
    assert result.trace["error_rate"].iloc[-1] == np.mean(np.sign(small.features @ mean) != small.labels)
