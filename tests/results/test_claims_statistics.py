"""Estimates, conditions and where runs are found, apart from any claim."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from radmm.results.claims.adjustment import adjust
from radmm.results.claims.catalogue import CLAIMS
from radmm.results.claims.claim import Check, ClaimCase, Form, Outcome, above, below, within
from radmm.results.claims.evidence import Evidence, EvidenceError
from radmm.results.claims.separating_clause import condition
from radmm.results.claims.statistics import (
    Estimate,
    change_of,
    compare,
    count,
    difference,
    estimate,
    exact,
    last,
    log_ratio,
    mean,
    ratio,
    spread_ratio,
)
from radmm.results.claims.verdict import ClaimVerdict
from tests.made_traces import World

RNG = np.random.default_rng(5)
NORMAL = RNG.standard_normal(10)


def test_the_interval_of_a_normal_mean_is_about_students():
    low, high = stats.t.interval(0.95, 9, NORMAL.mean(), stats.sem(NORMAL))
    found = estimate(mean, NORMAL)
    assert found.value == NORMAL.mean()
    assert found.low == pytest.approx(low, abs=0.15 * (high - low))
    assert found.high == pytest.approx(high, abs=0.15 * (high - low))
    plain = np.quantile(RNG.choice(NORMAL, (10_000, 10)).mean(axis=1), [0.025, 0.975])
    assert found.high - found.low > 1.15 * (plain[1] - plain[0])


@pytest.mark.parametrize(("statistic", "truth"), [(difference, 0), (spread_ratio, 1)])
def test_intervals_cover_as_often_as_they_say(statistic, truth):
    normal = np.random.default_rng(0).standard_normal((200, 2, 10))
    normal[:, 1] = 0.8 * normal[:, 0] + 0.6 * normal[:, 1]
    covered = [found.low < truth < found.high for found in (estimate(statistic, *pair) for pair in normal)]
    assert 0.9 < np.mean(covered) < 0.99


def test_only_pairs_tell_settings_apart_that_differ_by_less_than_runs_do():
    other = NORMAL + 0.1 + 0.01 * RNG.standard_normal(10)
    assert above(estimate(difference, other, NORMAL)) is Outcome.HOLDS
    assert above(estimate(difference, np.roll(other, 1), NORMAL)) is Outcome.UNDECIDED


def test_an_interval_does_not_depend_on_those_before_it():
    first = estimate(mean, NORMAL)
    estimate(mean, NORMAL[:7])
    estimate(mean, NORMAL + 1)
    assert estimate(mean, NORMAL) == first


def test_pairs_with_a_run_that_ended_early_are_left_out_and_counted():
    left, right = NORMAL.copy(), NORMAL - 1
    left[2], right[7] = np.nan, np.nan
    found = estimate(difference, left, right)
    assert (found.value, found.runs, found.ended_early) == (pytest.approx(1), 8, 2)


def test_statistics_by_hand():
    left, right = np.array([2.0, 4.0]), np.array([1.0, 3.0])
    assert difference(left, right) == 1
    assert ratio(left, right) == 1.5
    assert log_ratio(left, right) == np.log(1.5)
    assert spread_ratio(2 * left, right) == 2
    assert change_of(difference)(left, right, right, left) == 2
    assert count(lambda runs: runs > 0, np.array([[1, 0], [2, np.nan]])) == Estimate(2, 2, 2, 2, is_exact=True)


@pytest.mark.parametrize("sample", [NORMAL[:1], np.full(10, np.nan), np.zeros(10)], ids=["one", "none", "alike"])
def test_what_has_no_interval_says_so(sample):
    with pytest.raises(EvidenceError, match="runs"):
        estimate(ratio, np.ones(len(sample)), sample)


@pytest.mark.parametrize(
    ("low", "high", "runs", "expected"),
    [
        (-2, -1, 10, ("holds", "fails", "fails")),
        (1, 2, 10, ("fails", "holds", "fails")),
        (-0.1, 0.2, 10, ("undecided", "undecided", "holds")),
        (-0.1, 0.7, 10, ("undecided", "undecided", "undecided")),
        (1e-17, 0.7, 10, ("undecided", "undecided", "undecided")),
        (-2, -1, 5, ("undecided", "undecided", "undecided")),
    ],
)
def test_decisions(low, high, runs, expected):
    found = Estimate((low + high) / 2, low, high, runs)
    assert (below(found), above(found), within(-0.5, 0.5)(found)) == expected


def test_few_runs_are_enough_where_no_chance_is_involved():
    assert below(exact(-1.0, runs=2)) is Outcome.HOLDS


def case(at, outcome, adjusted=None):
    return ClaimCase(at, Estimate(0, 0, 0, 10), outcome, Estimate(0, 0, 0, 10), adjusted or outcome)


def cases(axes, outcome):
    """One case for each combination of the axes' values."""
    found = [{}]
    for name, values in axes.items():
        found = [{**at, name: value} for at in found for value in values]
    return [case(at, outcome(**at)) for at in found]


AXES = {"n": [5, 20], "g": [0.1, 0.5, 2.0], "m": ["loss", "error"], "step": ["1 → 2", "2 → 3"]}


@pytest.mark.parametrize(
    ("holds", "expected"),
    [
        (lambda n, g, m, step: m == "loss", "m = loss"),
        (lambda n, g, m, step: g <= 0.5, "g ≤ 0.5"),
        (lambda n, g, m, step: g >= 0.5, "g ≥ 0.5"),
        (lambda n, g, m, step: g != 0.5, ""),  # no limit tells them apart
        (lambda n, g, m, step: n == 5, ""),  # two values are points of our grid, not a limit
        (lambda n, g, m, step: step == "1 → 2", ""),
        (lambda n, g, m, step: g == 2.0 and m == "loss", ""),  # takes two clauses
    ],
)
def test_a_condition_is_one_clause(holds, expected):
    made = cases(AXES, lambda **at: Outcome.HOLDS if holds(**at) else Outcome.FAILS)
    assert condition(made) == expected


def test_undecided_cases_have_no_say_in_a_condition():
    outcomes = {0.1: Outcome.HOLDS, 0.5: Outcome.UNDECIDED, 2.0: Outcome.FAILS}
    assert condition(cases({"g": [0.1, 0.5, 2.0]}, lambda g: outcomes[g])) == "g ≤ 0.1"


H, F, U = Outcome.HOLDS, Outcome.FAILS, Outcome.UNDECIDED


@pytest.mark.parametrize(
    ("outcomes", "each", "always", "some"),
    [
        ([H, H], "holds", "holds", "holds"),
        ([H, F], "mixed", "fails", "holds"),
        ([H, U], "undecided", "undecided", "holds"),
        ([F, U], "fails", "fails", "undecided"),
        ([U, U], "undecided", "undecided", "undecided"),
        ([F, F], "fails", "fails", "fails"),
        ([H, F, U], "mixed", "fails", "holds"),
    ],
)
def test_words(outcomes, each, always, some):
    claim = CLAIMS[0]
    made = [case({"n": number}, outcome) for number, outcome in enumerate(outcomes)]
    words = [
        ClaimVerdict(replace(claim, form=form), made, [], [], []).word for form in (Form.EACH, Form.ALWAYS, Form.SOME)
    ]
    assert words == [each, always, some]


def test_all_cases_hold_without_adjustment_but_one_failure_needs_it():
    barely = case({"n": 1}, H, adjusted=U)
    assert ClaimVerdict(CLAIMS[1], [barely, barely], [], [], []).word == "holds"
    assert ClaimVerdict(CLAIMS[1], [barely, case({"n": 2}, F, adjusted=U)], [], [], []).word == "undecided"


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.floats(-6, 6), min_size=1, max_size=12),
    st.integers(6, 12),
)
def test_adjustment_is_holms(scores, runs):
    """Against p-values: symmetric Student intervals of these scores about zero."""
    arm = stats.t.ppf(0.975, runs - 1)
    estimates = [Estimate(score, score - arm, score + arm, runs) for score in scores]
    p_values = 2 * stats.t.sf(np.abs(scores), runs - 1)
    expected = [U] * len(scores)
    for rank, at in enumerate(np.argsort(p_values, kind="stable")):
        if p_values[at] > 0.05 / (len(scores) - rank):
            break
        expected[at] = H if scores[at] < 0 else F
    checks = [Check({}, lambda: None, below) for _ in scores]
    near = np.abs(p_values[:, None] * np.arange(1, len(scores) + 1) / 0.05 - 1).min() < 1e-6
    assume(not near)
    assert [found.adjusted_outcome for found in adjust(checks, estimates)] == expected


@pytest.fixture
def evidence(tmp_path):
    return Evidence(World().write(tmp_path, "fig1a", "fig5_per_node"), tmp_path)


def test_runs_are_found_by_label_and_point(evidence):
    (runs,) = evidence.find("fig1a", "R-ADMM", {"network.nodes": 20, "algorithm.gamma": 2.0})
    assert runs.entry.grid_point == {"network.nodes": 20, "algorithm.gamma": 2.0}
    assert runs["loss"].shape == (8, 17)
    np.testing.assert_array_equal(runs.odd("loss"), runs["loss"][:, [1, 3, 5, 7, 9, 11, 13, 15]])
    np.testing.assert_array_equal(runs.even("loss"), runs["loss"][:, [2, 4, 6, 8, 10, 12, 14, 16]])
    assert evidence.values("fig1a", "R-ADMM", "algorithm.gamma") == [0.5, 2.0]
    assert evidence.values("fig1a", "R-ADMM", "initial_scale") == [1.0]
    assert len(evidence.values("fig5_per_node", "R-ADMM", "noise.alpha")) == 3
    assert evidence.settings == [runs.entry.id]
    assert evidence.missing == []


def test_a_comparison_takes_two_values(evidence):
    assert evidence.steps("fig1a", "R-ADMM", "algorithm.gamma") == [(0.5, 2.0)]
    assert evidence.steps("fig1a", "R-ADMM", "initial_scale") == []
    assert evidence.missing == ["fig1a: R-ADMM has one initial_scale, and a comparison takes two"]


def test_what_is_missing_is_named_once(evidence):
    for _ in range(2):
        assert evidence.find("fig9", "ADMM") == []
        assert evidence.find("fig1a", "DADMM") == []
        assert evidence.find("fig1a", "ADMM", {"network.nodes": 7}) == []
        assert evidence.find("fig1a", "ADMM") == []
        assert evidence.values("fig1a", "ADMM", "algorithm.gamma") == []
    assert evidence.missing == [
        "fig9 is not in the config",
        "fig1a has no setting DADMM",
        "fig1a: ADMM has no setting at network.nodes = 7",
        "fig1a: ADMM has several settings at all",
        "fig1a: ADMM has no algorithm.gamma",
    ]


def test_runs_that_share_nothing_are_no_pairs(evidence):
    small, large = (evidence.find("fig1a", "ADMM", {"network.nodes": nodes})[0] for nodes in (5, 20))
    with pytest.raises(
        EvidenceError, match="fig1a, ADMM and fig1a, ADMM differ in network, so their runs are no pairs"
    ):
        compare(difference, last("loss"), small, large)
