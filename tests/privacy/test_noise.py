"""The noise law by statistical tests with fixed seeds, and the independence of its streams."""

import numpy as np
import pytest
from scipy import stats

from radmm import ObjectiveNoise, OutputNoise, PenaltyNoise
from radmm.base.errors import InputError
from radmm.privacy.noise_laws import draw_noise

D, RUNS = 6, 4000
ALPHA = np.array([0.5, 2.0])


@pytest.fixture(scope="module")
def draws():
    """(node, feature, run)"""
    return draw_noise(ALPHA, D, np.arange(RUNS), seed=3, step=1)


@pytest.mark.parametrize("node", [0, 1])
def test_norm_is_gamma(draws, node):
    norm = np.linalg.norm(draws[node], axis=0)
    assert stats.kstest(norm, stats.gamma(D, scale=1 / ALPHA[node]).cdf).pvalue > 0.01
    assert stats.kstest(norm, stats.gamma(D + 0.2, scale=1 / ALPHA[node]).cdf).pvalue < 0.01  # the test has power


@pytest.mark.parametrize("node", [0, 1])
def test_direction_is_uniform(draws, node):
    """Along any axis the squared coordinate of a uniform direction is Beta(1/2, (d − 1)/2), its sign fair."""
    direction = draws[node] / np.linalg.norm(draws[node], axis=0)
    axes = np.linalg.qr(np.random.default_rng(0).standard_normal((D, D)))[0]
    for axis in axes:
        along = axis @ direction
        assert stats.kstest(along**2, stats.beta(0.5, (D - 1) / 2).cdf).pvalue > 0.001
        assert stats.binomtest(int((along > 0).sum()), RUNS).pvalue > 0.001


def test_norm_and_direction_are_independent(draws):
    norm = np.linalg.norm(draws[0], axis=0)
    largest = np.abs(draws[0] / norm).max(axis=0)
    assert stats.spearmanr(norm, largest).pvalue > 0.01


def test_nodes_runs_and_steps_are_uncorrelated(draws):
    unit = draws * ALPHA[:, None, None]
    later = draw_noise(ALPHA, D, np.arange(RUNS), seed=3, step=2) * ALPHA[:, None, None]
    pairs = {
        "nodes": (unit[0], unit[1]),
        "runs": (unit[0][:, :-1], unit[0][:, 1:]),
        "steps": (unit[0], later[0]),
    }
    for left, right in pairs.values():
        assert stats.pearsonr(left.ravel(), right.ravel()).pvalue > 0.01
        assert stats.pearsonr(np.linalg.norm(left, axis=0), np.linalg.norm(right, axis=0)).pvalue > 0.01


def test_no_two_nodes_runs_steps_or_seeds_share_noise():
    runs = np.arange(20)
    blocks = [draw_noise(np.ones(5), 3, runs, seed, step) for seed in (0, 1) for step in (1, 2, 3)]
    norms = np.concatenate([np.linalg.norm(block, axis=1).ravel() for block in blocks])
    first = np.concatenate([(block / np.linalg.norm(block, axis=1)[:, None])[:, 0].ravel() for block in blocks])
    assert len(np.unique(norms)) == len(norms) == 2 * 3 * 20 * 5
    assert len(np.unique(first)) == len(first)


def test_a_draw_depends_on_its_key_alone():
    """Not on the other runs in the batch, nor on how many nodes there are."""
    many = draw_noise(np.ones(7), 3, np.arange(9), seed=1, step=4)
    few = draw_noise(np.ones(4), 3, np.array([5, 2]), seed=1, step=4)
    np.testing.assert_array_equal(few, many[:4][:, :, [5, 2]])


@pytest.mark.parametrize("noise", [ObjectiveNoise, PenaltyNoise, OutputNoise])
@pytest.mark.parametrize("alpha", [0.0, -1.0, float("nan"), [1.0, 0.0], "1"])
def test_alpha_must_be_positive(noise, alpha):
    with pytest.raises(InputError, match="alpha = .*: must be positive"):
        noise(alpha)


def test_gaussian_coordinates_are_normal():
    sigma = np.array([0.5, 2.0])
    normal = ObjectiveNoise(sigma=sigma).draw(1, D, np.arange(RUNS), seed=3, nodes=2)
    for node in (0, 1):
        assert stats.kstest(normal[node].ravel(), stats.norm(scale=sigma[node]).cdf).pvalue > 0.01
        assert stats.kstest(normal[node].ravel(), stats.norm(scale=1.05 * sigma[node]).cdf).pvalue < 0.01
    assert stats.pearsonr(normal[0].ravel(), normal[1].ravel()).pvalue > 0.01
    assert stats.pearsonr(normal[:, :, 1:].ravel(), normal[:, :, :-1].ravel()).pvalue > 0.01


def test_both_laws_share_directions():
    """Common random numbers: the same stream, so algorithms that differ in the law alone can be compared."""
    runs = np.arange(3)
    normal = ObjectiveNoise(sigma=2.0).draw(4, D, runs, seed=1, nodes=5)
    other = ObjectiveNoise(2.0).draw(4, D, runs, seed=1, nodes=5)
    unit = [noise / np.linalg.norm(noise, axis=1, keepdims=True) for noise in (normal, other)]
    np.testing.assert_allclose(*unit, rtol=1e-12)


def test_a_repair_has_a_stream_of_its_own():
    noise = ObjectiveNoise(sigma=1.0, repair=0.1)
    runs = np.arange(RUNS)
    own, repair = noise.draw(1, D, runs, 3, 2), noise.draw_repair(1, D, runs, 3, 2)
    assert repair.std() == pytest.approx(0.1, rel=0.02)
    assert stats.pearsonr(own.ravel(), repair.ravel()).pvalue > 0.01


@pytest.mark.parametrize("noise", [ObjectiveNoise, PenaltyNoise, OutputNoise])
def test_alpha_or_sigma(noise):
    assert (noise(1.0).law, noise(sigma=1.0).law) == ("exponential-norm", "gaussian")
    for given in ({}, {"alpha": 1.0, "sigma": 1.0}):
        with pytest.raises(InputError, match="alpha = .* and sigma = .*: exactly one of them must be given"):
            noise(**given)
    with pytest.raises(InputError, match="sigma = -1.0: must be positive"):
        noise(sigma=-1.0)


def test_a_repair_must_be_positive_and_is_not_for_output_noise():
    with pytest.raises(InputError, match="repair = 0.0: must be positive"):
        ObjectiveNoise(1.0, repair=0.0)
    with pytest.raises(InputError, match="repair = 0.1: output noise needs none, as it is added to what is released"):
        OutputNoise(1.0, repair=0.1)
