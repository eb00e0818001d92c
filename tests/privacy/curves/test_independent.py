"""The shift accountant's totals between limits found another way: five settings here, fifty by `make bracket`.

Members of the class from below are within 1 %, for either law. Pairs of laws that there are, the same ones for every
loss, are within 6 % for zero-out; a replacement's two legs can't always be worst at once, so that its pairs are up to
30 % below.
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ndtr

from radmm.privacy.curves.removal_addition import Row
from radmm.privacy.curves.total_epsilon import Spent, curves_epsilon
from radmm.privacy.noise_laws import Law
from radmm.privacy.relation import Neighbours, Relation
from tests.privacy.curves import independent
from tests.privacy.curves.independent import Setting, caps_epsilon, members_epsilon, pairs_epsilon

LAWS = ("gaussian", "exponential-norm")
WITHIN = 1.01
ABOVE_PAIRS = {Neighbours.ZERO_OUT: 1.06, Neighbours.REPLACE: 1.3}
CHORDS = 1.0005  # what grids may cost either of the two


def drawn(seed, law=None, dimension=None):
    """x from 0.01 to 5, K from 1 to 50, d from 1 to 105, and K shifts that are 0.03 to 1 of the noise together."""
    rng = np.random.default_rng(seed)
    some = LAWS[rng.integers(2)]
    excess, times, d, size = np.exp(rng.uniform(np.log([0.01, 1, 1, 0.03]), np.log([5, 51, 106, 1])))
    law, d = law or some, dimension or int(d)
    spread = 1.0 if law == "gaussian" else np.sqrt(d + 1)  # standard deviation of one coordinate
    shift = size * spread / np.sqrt(int(times))
    return Setting(law, float(shift), float(shift / 4 / excess), d, int(times))


def shift_epsilon(setting, neighbours):
    row = Row(Law(setting.law), setting.shift, setting.curvature, setting.dimension, "logistic")
    return curves_epsilon([Spent(row, setting.times)], setting.delta, Relation(neighbours))


def bracket(setting):
    for neighbours in Neighbours:
        zero_out = neighbours == Neighbours.ZERO_OUT
        found, below = shift_epsilon(setting, neighbours), members_epsilon(setting, zero_out)
        assert below <= found * CHORDS
        assert found <= below * WITHIN
        assert found <= caps_epsilon(setting, zero_out) * 1.01
        if zero_out or setting.law == "gaussian" or setting.dimension > 1:  # two nearly opposite rows need a plane
            shown = pairs_epsilon(setting, zero_out)
            assert shown <= found * CHORDS
            assert found <= shown * ABOVE_PAIRS[neighbours]


@pytest.mark.parametrize(
    "setting",
    [drawn(2, LAWS[0]), drawn(4, LAWS[0]), drawn(11, LAWS[0]), drawn(4, LAWS[1], 1), drawn(11, LAWS[1], 2)],
    ids=str,
)
def test_five_settings(setting):
    bracket(setting)


@pytest.mark.bracket
@pytest.mark.parametrize("seed", range(100, 150))
def test_fifty_settings(seed):
    bracket(drawn(seed))


@pytest.mark.parametrize("seed", [4, 11])
def test_half_the_slope_bound_would_be_noticed(seed):
    """The limits from below are sharp enough to refute curves for twice the curvature."""
    setting = drawn(seed, LAWS[0])
    wrong = replace(setting, curvature=2 * setting.curvature)
    for neighbours in Neighbours:
        assert members_epsilon(setting, neighbours == Neighbours.ZERO_OUT) > 1.01 * shift_epsilon(wrong, neighbours)


def test_a_shift_alone_is_textbook():
    """Slopes that don't change: K Gaussian shifts by c are one by c√K, and a Laplace law's shift has a closed form."""
    setting = Setting("gaussian", 0.1, 1e4, 1, 16)
    for zero_out, size in ((True, 0.4), (False, 0.8)):
        for epsilon in (members_epsilon(setting, zero_out), pairs_epsilon(setting, zero_out)):
            delta = ndtr(size / 2 - epsilon / size) - np.exp(epsilon) * ndtr(-size / 2 - epsilon / size)
            assert delta == pytest.approx(setting.delta, rel=0.02)
    laplace = Setting("exponential-norm", 0.5, 1e4, 1, 1, delta=0.1)  # δ = 1 − e^((ε − c)/2)
    assert members_epsilon(laplace, True) == pytest.approx(0.5 + 2 * np.log(0.9), abs=1e-3)


def test_radii_and_their_noise_are_those_of_a_gamma_mixture():
    """b₁ = √τ N with τ ~ Gamma((d+1)/2, 2) has variance d + 1; the slab of H₁ has its mass."""
    for d in (2, 5, 105):
        noises = Setting("exponential-norm", 0.5, 1.0, d, 1).noises
        u = np.linspace(-60 - d, 60 + d, 20001)
        below = sum(mass * noise.cdf(u) for noise, mass in noises)
        middle = (u[1:] + u[:-1]) / 2
        assert middle**2 @ np.diff(below) == pytest.approx(d + 1, rel=2e-3)


@pytest.mark.parametrize(
    ("name", "setting"),
    [
        ("MEMBERS", Setting("gaussian", 0.1, 0.05, 1, 4)),
        ("CELLS", Setting("gaussian", 0.1, 0.05, 1, 4)),
        ("NODES", Setting("exponential-norm", 0.3, 1e4, 20, 4)),
    ],
)
def test_finer_grids_find_the_same(name, setting, monkeypatch):
    if name == "NODES":  # a slope that doesn't change is the only member, but for round-off
        monkeypatch.setattr(independent, "MEMBERS", 16)
    coarse = members_epsilon(setting, True)
    monkeypatch.setattr(independent, name, 2 * getattr(independent, name))
    assert members_epsilon(setting, True) == pytest.approx(coarse, rel=1e-3)
