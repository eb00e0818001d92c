"""Losses whose slope changes its sign (docs/proofs.md, section 7b): the curves against exact laws on a line."""

import numpy as np
import pytest

from radmm.privacy.accountants.shift import ShiftAccountant
from radmm.privacy.curves.removal_addition import curves
from radmm.privacy.curves.row_effects import Slopes, argmin_row, plain_row
from radmm.privacy.events import PerturbedArgmin
from radmm.privacy.ledger import Ledger
from radmm.privacy.noise_laws import Law

SLOPES = Slopes("bounded", 1.0, 1.0, both_signs=True)  # of ln cosh z: L' = tanh z
LOGS = {
    Law.GAUSSIAN: lambda u: -(u**2) / 2 - np.log(2 * np.pi) / 2,
    Law.EXPONENTIAL_NORM: lambda u: -abs(u) - np.log(2),
}


def log_ratio(law, shift, curvature, offset, u):
    """ln dP/dM at the noise u that gives the same argmin −(u + k)/λ without the row: P took u + c tanh((u + k)/λ)."""
    slope = np.tanh((u + offset) / curvature)
    return LOGS[law](u + shift * slope) - LOGS[law](u) + np.log1p(shift / curvature * (1 - slope**2))


@pytest.mark.parametrize(
    ("law", "shift", "curvature"),
    [
        (Law.GAUSSIAN, 0.5, 0.05),
        (Law.GAUSSIAN, 1.5, 0.3),
        (Law.EXPONENTIAL_NORM, 0.5, 0.05),
        (Law.EXPONENTIAL_NORM, 0.5, 1.0),
    ],
)
def test_no_release_is_above_the_curves(law, shift, curvature):
    pair = curves(argmin_row(law, 1.0, shift, curvature, 1, SLOPES))
    alone = curves(plain_row(law, 1.0, shift, 1))  # as if the slope had one sign
    steep = np.linspace(-1, 1, 10_001) * 12 * curvature
    beyond = 0
    for offset in (0.0, 0.3, 1.0, -2.0, 20.0):
        edges = np.unique(np.concatenate([np.linspace(-40, 40, 20_001), steep - offset]))
        u, mass = (edges[1:] + edges[:-1]) / 2, np.diff(edges)
        mass = mass * np.exp(LOGS[law](u))
        ratio = log_ratio(law, shift, curvature, offset, u)
        assert mass @ np.exp(ratio) == pytest.approx(1, abs=2e-4)
        places = range(0, len(pair.epsilon), 15)
        for place in places:
            gamma = np.exp(pair.epsilon[place])
            removal, addition = (
                mass @ np.maximum(gain, 0) for gain in (np.exp(ratio) - gamma, 1 - gamma * np.exp(ratio))
            )
            assert removal <= pair.removal[place] * (1 + 1e-3) + 1e-9
            assert addition <= pair.addition[place] * (1 + 1e-3) + 1e-9
            beyond += addition > np.interp(gamma, np.exp(alone.epsilon), alone.addition) * 1.05 + 1e-6
    assert beyond or curvature == 1.0  # one ray is not enough where the slope turns quickly


@pytest.mark.parametrize("law", list(Law))
def test_the_accountant_charges_a_release_whose_slope_may_change_its_sign(law):
    scale = 2.0 if law == Law.GAUSSIAN else 0.5
    known = {"scale": scale, "C": 1.0, "G": 1.0, "rows": 1, "dimension": 105, "curvature": 2.0, "c1": 0.25}
    exact = {"form": "bounded", "classes": 2, "tolerance": 0.0, "repair": 0.0}
    releases = [PerturbedArgmin(law=law, monotone=monotone, **known, **exact) for monotone in (True, False)]
    ledgers = [Ledger((release,), np.zeros((3, 1), dtype=np.int64), np.arange(4)) for release in releases]
    once, twice = (ShiftAccountant().epsilon(ledger, 1e-5) for ledger in ledgers)
    assert twice > 1.05 * once
