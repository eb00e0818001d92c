"""Effects, intervals, conditions and where runs are found, apart from any claim."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from radmm.results.claims.catalogue import CLAIMS
from radmm.results.claims.claim import ClaimCase, Form, MeasuredCase
from radmm.results.claims.decision import Claimed, Kind, Outcome, decide
from radmm.results.claims.evidence import Evidence, EvidenceError
from radmm.results.claims.separating_clause import condition
from radmm.results.claims.statistics import (
    Effect,
    Sample,
    change_of,
    compare,
    count,
    difference,
    effect,
    exact,
    last,
    log_ratio,
    log_spread_ratio,
    mean,
    over,
    relative_change,
    sample_of,
)
from radmm.results.claims.verdict import ClaimVerdict, Criteria, judge
from tests.made_traces import World

RNG = np.random.default_rng(5)
NORMAL = RNG.standard_normal(10)
CRITERIA = Criteria(0.95, {"test_error": 0.002, "loss": 0.02, "ratio": 0.1})


def test_the_interval_of_a_mean_is_students():
    expected = stats.t.interval(0.95, 9, NORMAL.mean(), stats.sem(NORMAL))
    assert effect(mean, NORMAL).sample.interval(0.95) == pytest.approx(expected)
    assert sample_of(NORMAL).interval(0.95) == pytest.approx(expected)


@pytest.mark.parametrize(("statistic", "truth"), [(difference, 0), (log_spread_ratio, 0)])
def test_intervals_over_runs_cover_as_often_as_they_say(statistic, truth):
    normal = np.random.default_rng(0).standard_normal((400, 2, 10))
    normal[:, 1] = 0.8 * normal[:, 0] + 0.6 * normal[:, 1]
    ends = [effect(statistic, *pair).sample.interval(0.95) for pair in normal]
    assert 0.92 < np.mean([low < truth < high for low, high in ends]) < 0.99


def test_only_pairs_tell_settings_apart_that_differ_by_less_than_runs_do():
    other = NORMAL + 0.1 + 0.01 * RNG.standard_normal(10)
    paired, shuffled = (effect(difference, left, NORMAL).sample.interval(0.95) for left in (other, np.roll(other, 1)))
    assert decide(Claimed.MORE, *paired, 0.01) is Outcome.HOLDS
    assert decide(Claimed.MORE, *shuffled, 0.01) is Outcome.UNDECIDED


def test_pairs_with_a_run_that_ended_early_are_left_out_and_counted():
    left, right = NORMAL.copy(), NORMAL - 1
    left[2], right[7] = np.nan, np.nan
    found = effect(difference, left, right)
    assert (found.value, found.runs, found.ended_early) == (pytest.approx(1), 8, 2)


def test_statistics_by_hand():
    left, right = np.array([2.0, 4.0]), np.array([1.0, 3.0])
    assert difference(left, right) == 1
    assert log_ratio(left, right) == pytest.approx(np.log(1.5))
    assert over(0.5)(left, right) == pytest.approx(np.log(3))
    assert relative_change(left, right) == 0.5
    assert log_spread_ratio(2 * left, right) == pytest.approx(np.log(2))
    assert change_of(difference)(left, right, right, left) == 2
    assert count(lambda runs: runs > 0, np.array([[1, 0], [2, np.nan]])) == exact(2.0, 2) == Effect(2.0, 0.0, 2)


@pytest.mark.parametrize("sample", [np.full(10, np.nan), np.zeros(10)], ids=["none", "alike"])
def test_what_has_no_value_says_so(sample):
    with pytest.raises(EvidenceError, match="runs"):
        effect(log_ratio, np.ones(len(sample)), sample)


@pytest.mark.parametrize("runs", [1, 2])
def test_few_runs_have_a_value_but_no_interval(runs):
    found = effect(mean, NORMAL[:runs])
    assert found.value == NORMAL[:runs].mean()
    assert found.sample.interval(0.95) == (-np.inf, np.inf)


def measured(at, kind=Kind.ERROR, value=-0.1, units=10, deviation=0.001, **more):
    return MeasuredCase(at, Claimed.LESS, kind, 1.0, more.get("is_control", False), Sample(units, value, deviation))


def test_few_units_decide_nothing_unless_no_chance_is_involved():
    cases = [measured({}, units=5), measured({}, units=6), measured({}, Kind.EXACT, units=2)]
    outcomes = [case.outcome for case in judge(CLAIMS[0], cases, CRITERIA).cases]
    assert outcomes == [Outcome.UNDECIDED, Outcome.HOLDS, Outcome.HOLDS]


def test_levels_allow_for_looks_and_for_cases_that_chance_has_a_part_in():
    cases = [*([measured({})] * 3), measured({}, Kind.EXACT), measured({}, is_control=True)]
    found = judge(CLAIMS[0], cases, replace(CRITERIA, looks=4))
    expected = cases[0].sample.interval(1 - 0.05 / 12)
    assert [(case.low, case.high) for case in found.cases[:3]] == [pytest.approx(expected)] * 3
    assert (len(found.cases), len(found.controls)) == (4, 1)


def case(at, outcome):
    return ClaimCase(measured(at), 0.0, 0.0, 0.1, outcome)


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


def test_cases_without_a_difference_are_told_from_those_that_hold():
    made = cases({"m": ["loss", "error"]}, lambda m: Outcome.HOLDS if m == "loss" else Outcome.NO_DIFFERENCE)
    assert condition(made) == "m = loss"


def test_undecided_cases_have_no_say_in_a_condition():
    outcomes = {0.1: Outcome.HOLDS, 0.5: Outcome.UNDECIDED, 2.0: Outcome.FAILS}
    assert condition(cases({"g": [0.1, 0.5, 2.0]}, lambda g: outcomes[g])) == "g ≤ 0.1"


H, N, F, U = Outcome.HOLDS, Outcome.NO_DIFFERENCE, Outcome.FAILS, Outcome.UNDECIDED


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
        ([N, N], "no difference", "no difference", "no difference"),
        ([H, N], "mixed", "mixed", "holds"),
        ([F, N], "fails", "fails", "undecided"),
        ([N, U], "undecided", "undecided", "undecided"),
    ],
)
def test_words(outcomes, each, always, some):
    claim = CLAIMS[0]
    made = [case({"n": number}, outcome) for number, outcome in enumerate(outcomes)]
    words = [
        ClaimVerdict(replace(claim, form=form), made, [], [], [], 0.95).word
        for form in (Form.EACH, Form.ALWAYS, Form.SOME)
    ]
    assert words == [each, always, some]


def test_the_typical_case_is_the_median_of_test_errors():
    values = [-0.3, 0.2, -0.1, 0.4, -0.2]
    made = [measured({"n": place}, value=value) for place, value in enumerate(values)]
    found = judge(CLAIMS[0], [*made, *(measured({"n": 9}, Kind.LOSS, value=5.0) for _ in range(9))], CRITERIA)
    assert found.typical.sample.mean == -0.1
    assert judge(CLAIMS[0], [], CRITERIA).typical is None


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
