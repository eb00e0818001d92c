"""The law of the noise, by a test whose probability of a false alarm is 1e-9."""

import subprocess
import sys

import numpy as np
import pytest
from scipy.stats import chi2

from radmm.base.errors import InputError
from radmm.publication import discrete_noise
from radmm.publication.discrete_noise import add_discrete_gaussian

SCALE, DRAWS, REACH, FALSE_ALARM = 3, 100_000, 10, 1e-9


def surprise(drawn):
    """Pearson's statistic over its threshold, against N_Z(0, SCALE²); above 1 is an alarm."""
    points = np.arange(-60, 61)
    mass = np.exp(-(points**2) / (2.0 * SCALE**2))
    mass /= mass.sum()
    inner = np.abs(points) <= REACH
    expected = DRAWS * np.append(mass[inner], mass[~inner].sum())
    counted = np.array([(drawn == point).sum() for point in points[inner]])
    counted = np.append(counted, DRAWS - counted.sum())
    return ((counted - expected) ** 2 / expected).sum() / chi2.isf(FALSE_ALARM, len(expected) - 1)


def test_noise_has_the_discrete_gaussian_law():
    assert surprise(add_discrete_gaussian(np.zeros(DRAWS, dtype=np.int64), SCALE)) < 1.0


@pytest.mark.parametrize(
    "wrong",
    [
        lambda rng: np.rint(0.96 * SCALE * rng.standard_normal(DRAWS)),  # less noise
        lambda rng: np.rint(SCALE * rng.standard_normal(DRAWS) + 0.1),  # off centre
        lambda rng: 2.0 * np.rint(SCALE / 2 * rng.standard_normal(DRAWS)),  # every second value only
    ],
)
def test_another_law_would_be_noticed(wrong):
    assert surprise(wrong(np.random.default_rng(0))) > 1.0


def test_it_is_added_exactly_and_independently():
    large = np.full(2000, 2**61 + 1)
    first, second = (add_discrete_gaussian(large, 5) - large for _ in range(2))
    assert np.abs(first).max() < 100
    assert (first != second).mean() > 0.5
    assert abs(np.corrcoef(first[:-1], first[1:])[0, 1]) < 0.15  # 6.7 standard deviations


def test_without_opendp_there_is_one_sentence(monkeypatch):
    monkeypatch.setattr(discrete_noise, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"^opendp is not installed: must be, .*: install radmm\[release\]$"):
        discrete_noise.require_opendp()


def test_opendp_is_loaded_only_for_a_release():
    """Who doesn't have it can use all the rest."""
    code = "import radmm, radmm.__main__, sys; sys.exit('opendp' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
