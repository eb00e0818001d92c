"""The numbers measured in docs/proofs.md, section 10, are what the accountants give, to the last digit printed."""

import re

import pytest

import radmm
from radmm.accounting import ALPHAS, CURVATURE, DIMENSION, STEPS, WORKED_DELTA, gaussian_sigma, ledger_after
from radmm.privacy.accountants.pure import PureAccountant
from radmm.privacy.accountants.shift import ShiftAccountant
from radmm.privacy.guarantee import rounded_up
from radmm.privacy.relation import Neighbours, Relation
from tests.conftest import ROOT
from tests.privacy.curves.independent import Setting, pairs_epsilon

PAGE = (ROOT / "docs" / "proofs.md").read_text()
REPLACE, ZERO_OUT = ShiftAccountant(), ShiftAccountant(Relation(Neighbours.ZERO_OUT))
SHIFT = 1750.0 / 8000  # c


def printed(steps, alpha):
    """The numbers of a row, as text."""
    (row,) = re.findall(rf"^\| {steps} \| {alpha:g} \|(.*)\|$", PAGE, re.MULTILINE)
    return re.findall(r"[\d.]+", row)


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("steps", STEPS)
def test_totals_are_those_of_the_accountants(steps, alpha):
    sigma = gaussian_sigma(alpha)
    objective, output, normal, normal_output = (
        ledger_after(steps, noise)
        for noise in (
            radmm.ObjectiveNoise(alpha),
            radmm.OutputNoise(alpha * CURVATURE),
            radmm.ObjectiveNoise(sigma=sigma),
            radmm.OutputNoise(sigma=sigma / CURVATURE),
        )
    )
    by_shift = ((ZERO_OUT, objective), (REPLACE, objective), (ZERO_OUT, output), (REPLACE, output))
    of_normal = ((ZERO_OUT, normal), (REPLACE, normal), (REPLACE, normal_output))
    totals = [accountant.epsilon(ledger, WORKED_DELTA) for accountant, ledger in by_shift]
    totals += [PureAccountant().epsilon(objective, 0.0)]
    totals += [accountant.epsilon(ledger, WORKED_DELTA) for accountant, ledger in of_normal]
    assert printed(steps, alpha) == [rounded_up(float(total)) for total in totals]


@pytest.mark.bracket
@pytest.mark.parametrize(("zero_out", "name"), [(True, "zero-out"), (False, "replacement")])
def test_margins_over_the_best_attack_are_those_that_are_told(zero_out, name):
    (told,) = re.findall(rf"{name} ([\d., %]+)% above the best attack", PAGE.replace("\n", " "))
    margins = []
    for alpha in ALPHAS:
        attack = pairs_epsilon(
            Setting("exponential-norm", alpha * SHIFT, alpha * CURVATURE, DIMENSION, STEPS[0]), zero_out
        )
        bound = (ZERO_OUT if zero_out else REPLACE).epsilon(
            ledger_after(STEPS[0], radmm.ObjectiveNoise(alpha)), WORKED_DELTA
        )
        margins.append(f"{100 * (float(bound) / attack - 1):.1f}")
    assert re.findall(r"[\d.]+", told) == margins
