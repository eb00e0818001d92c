"""An ε that knows its conditions: a float in arithmetic, one line as text, never printed below itself."""

import copy
import json
import pickle

import numpy as np
import pytest

import radmm
from radmm.data.topology import make_edges
from radmm.privacy.guarantee import EXACT_ARGMINS, UNKNOWN_PREPARATION, Guarantee, guarantee_of, rounded_up
from radmm.privacy.relation import REPLACE_ONE, Neighbours, Relation

RING = radmm.Network.from_edges(make_edges({"law": "ring", "nodes": 4}))
THIRD = Guarantee(1 / 3, 1e-5, Relation(Neighbours.ZERO_OUT, 2), "shift", ["in theory"], 50, 25, 3)
LINE = (
    "ε = 0.3334 in total at δ = 1e-05, for zeroing out up to 2 rows of one person, by the shift accountant "
    "(50 iterations, of which 25 touch data; node 3 sets it; in theory)"
)


def test_as_text_it_is_one_line_with_all_its_conditions():
    assert str(THIRD) == repr(THIRD) == f"{THIRD}" == LINE


def test_as_a_number_it_is_a_float():
    assert THIRD == 1 / 3
    assert 0.3 < THIRD < 0.34
    assert {1 / 3: "same hash"}[THIRD]
    for made in (2 * THIRD, THIRD + 1.0, -THIRD, float(THIRD)):
        assert type(made) is float  # it is no guarantee any more
    assert np.array([THIRD]).dtype == np.float64
    assert json.loads(json.dumps(THIRD)) == 1 / 3
    assert max(THIRD, 0.1) is THIRD


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])  # noqa: S301
def test_copies_know_the_same(again):
    made = again(THIRD)
    assert type(made) is Guarantee
    assert vars(made) == vars(THIRD)
    assert (float(made), str(made)) == (1 / 3, LINE)


def test_conditions_are_added_to_a_copy():
    more = THIRD.under("", "and on Mondays.")
    assert more.conditions == ("in theory", "and on Mondays")
    assert THIRD.conditions == ("in theory",)
    assert more.facts() == {**THIRD.facts(), "assumed": ["in theory", "and on Mondays"]}


@pytest.mark.parametrize(("spec", "text"), [(".2f", "0.34"), (".3g", "0.334"), ("8.1f", "     0.4"), (".0f", "1")])
def test_its_formats_round_up(spec, text):
    assert format(THIRD, spec) == text


@pytest.mark.parametrize(
    ("epsilon", "text"),
    [(0.1, "0.1"), (2.00001, "2.001"), (0.79320001, "0.7933"), (9.9999, "10"), (0.0, "0"), (float("inf"), "inf")],
)
def test_rounding_is_to_the_safe_side(epsilon, text):
    assert rounded_up(epsilon) == text


def test_what_is_printed_is_never_below_and_hardly_above():
    for epsilon in np.exp(np.random.default_rng(0).uniform(-20.0, 20.0, 2000)):
        for digits in (1, 2, 4, 8):
            printed = float(rounded_up(epsilon, digits))
            assert epsilon <= printed <= epsilon * (1.0 + 1.01 * 10.0 ** (1 - digits))
        assert float(f"{Guarantee(epsilon, 0.0, REPLACE_ONE, 'pure', [], 1, 1, 0):.2f}") >= epsilon


def test_python_and_results_tell_the_same(small):
    noise = radmm.ObjectiveNoise(alpha=2.0)
    result = radmm.solve(small.problem, RING, radmm.RADMM(), noise=noise, iterations=6, runs=1)
    options = {"neighbours": "zero-out", "rows": 2, "accountant": "renyi"}
    told = radmm.epsilon(small.problem, RING, radmm.RADMM(), noise, 6, **options)
    assert str(result.epsilon(**options)) == str(told)
    assert (told.iterations, told.data_steps, told.relation) == (6, 3, Relation(Neighbours.ZERO_OUT, 2))
    assert {EXACT_ARGMINS, UNKNOWN_PREPARATION} <= set(told.conditions)
    assert result.epsilon(accountant="pure").delta == 0.0


def test_a_repair_and_cancelling_noise_are_told(small):
    repaired = radmm.ledger(small.problem, RING, radmm.ADMM(), radmm.ObjectiveNoise(alpha=2.0, repair=1e-4), 5)
    assert EXACT_ARGMINS not in guarantee_of(repaired, 1e-5, "renyi").conditions
    shared = radmm.GradientNoise(sigma=3.0, cancelling=1.0)
    ledger = radmm.ledger(small.problem, RING, radmm.DGD(), shared, 5)
    assert ledger.threat in guarantee_of(ledger, 1e-5).conditions
