"""The audit with three classes: its rows against another way to write the loss, and that a wrong sensitivity falls."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize

import radmm
from radmm.results.audit.bound_checks import exact_checks, totals_of
from radmm.results.audit.extension_cases import THREE, every_case, softmaxes
from radmm.results.audit.multiclass_cases import ClassRows
from radmm.results.audit.transcripts import sample_losses

SAMPLES = 8_000
GRADIENTS = [case for case in softmaxes() if isinstance(case.setup.noise, radmm.GradientNoise)]
ROWS = ClassRows(np.array([[0.8, 0.3], [-0.5, 0.6]]), np.array([0.7, 1.5]), THREE)
BEND = 0.4


def value(flat, linear):
    """Row by row, without a matrix."""
    columns = flat.reshape(3, 2)
    scores = [[float(row @ column) for column in columns] for row in ROWS.rows]
    losses = [np.log(np.exp(each).sum()) - each[0] for each in scores]
    return ROWS.weight @ losses + linear @ flat + BEND / 2 * flat @ flat


def test_argmin_gradient_and_determinant_are_those_of_the_loss():
    linear = np.random.default_rng(0).standard_normal((6, 3))
    found = ROWS.minimise(linear, BEND)
    for run in range(3):
        plain = minimize(value, np.zeros(6), args=(linear[:, run],), tol=1e-12)
        np.testing.assert_allclose(found[:, run], plain.x, atol=1e-6)
    np.testing.assert_allclose(ROWS.gradient(found), -linear - BEND * found, atol=1e-10)
    step = 1e-5 * np.eye(6)
    slopes = (ROWS.gradient(found[:, [0]] + step) - ROWS.gradient(found[:, [0]] - step)) / 2e-5
    expected = np.linalg.slogdet(slopes + BEND * np.eye(6)).logabsdet
    assert ROWS.log_determinant(found, BEND)[0] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("case", GRADIENTS, ids=lambda case: case.pair.name)
def test_a_row_moves_the_gradient_by_all_that_the_ledger_says(case):
    here, there = (case.node_rows(replaced, 6)[0] for replaced in (False, True))
    start = case.initial_point[0][:, None]
    moved = float(np.linalg.norm(here.gradient(start) - there.gradient(start)))
    rows = 2.0 if case.relation.neighbours == "replace" else 1.0
    limit = rows * np.sqrt(2.0) * case.setup.C / case.setup.rows
    assert 0.99 * limit < moved <= limit


def falls(case, ledger):
    losses = sample_losses(case, False, SAMPLES, 0)
    totals = totals_of(ledger, case.relation)
    return {check.total.accountant for check in exact_checks(case, "forward", losses, totals) if check.falls}


@pytest.mark.parametrize("case", GRADIENTS, ids=lambda case: case.pair.name)
def test_the_sensitivity_of_two_classes_falls_with_three(case):
    """The slope bound of a loss of one margin, 1, in the place of √2."""
    ledger = case.setup.ledger
    assert falls(case, ledger) == set()
    wrong = replace(ledger, releases=tuple(replace(release, G=1.0) for release in ledger.releases))
    assert "shift" in falls(case, wrong)


def test_densities_are_right_wherever_noise_enters():
    """E e^(−L) is 1 only if the Jacobian is that of the softmax."""
    for case in softmaxes():
        assert falls(case, case.setup.ledger) == set()
    assert {case.name for case in softmaxes()} <= {case.name for case in every_case()}
