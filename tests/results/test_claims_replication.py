"""Claims over pairs of a split and a graph: effects in a pair, what they show together, and how often that is wrong."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from radmm.results.claims.bodies_of_evidence import Body, ClaimReport, replicated_body, reports
from radmm.results.claims.catalogue import CLAIMS
from radmm.results.claims.claim import ClaimCase, Form, MeasuredCase, Topic
from radmm.results.claims.decision import Claimed, Kind, Outcome
from radmm.results.claims.evidence import Evidence
from radmm.results.claims.page import as_markdown
from radmm.results.claims.replication import (
    OpenCases,
    cases_from_json,
    cases_to_json,
    effects_on_pair,
    judge_all,
    needed_settings,
    over_pairs,
)
from radmm.results.claims.statistics import Sample, sample_of
from radmm.results.claims.verdict import ClaimVerdict, Criteria, Word, judge
from radmm.results.claims.verdicts_json import as_json, corrected
from radmm.results.figures.claims import draw
from tests.made_traces import World

LOOKS = [10, 20, 40, 80]
CRITERIA = Criteria(0.95, {"test_error": 0.002, "loss": 0.02, "ratio": 0.1}, len(LOOKS))
PROVENANCE = {"settings": [], "data": [], "code_of_traces": [], "code": "", "assumed": ""}


def skewed(rng, *shape):
    """Effects with mean 0 and standard deviation 1: means over five runs whose effects have a skewness of 1."""
    runs = rng.gamma(4.0, size=(*shape, 5)) / 2.0 - 2.0
    return runs.mean(axis=-1) * np.sqrt(5)


def outcomes_at_looks(effects, truth, criteria):
    """Of a claim whose cases have these effects, (case, pair): the outcomes until all are decided."""
    for pairs in LOOKS:
        cases = [
            MeasuredCase({"n": place}, Claimed.LESS, Kind.ERROR, 1.0, False, sample_of(truth + own[:pairs]))
            for place, own in enumerate(effects)
        ]
        verdict = judge(CLAIMS[0], cases, criteria)
        if verdict.is_decided:
            break
    return verdict


def is_wrong(outcome, truth, margin):
    return {
        Outcome.HOLDS: truth >= 0,
        Outcome.FAILS: truth <= 0,
        Outcome.NO_DIFFERENCE: abs(truth) > margin,
        Outcome.UNDECIDED: False,
    }[outcome]


@pytest.mark.parametrize("truth", [0.0, -0.0022, 0.0022])
@pytest.mark.parametrize("spread", [0.002, 0.02])
def test_a_claim_has_a_wrong_outcome_in_at_most_one_of_twenty_replications(truth, spread):
    """With skewed effects, and looking four times: no difference, and effects just beyond the margin."""
    rng, repeats = np.random.default_rng(1), 300
    effects = spread * skewed(rng, repeats, 8, LOOKS[-1])
    verdicts = [outcomes_at_looks(own, truth, CRITERIA) for own in effects]
    wrong = [any(is_wrong(case.outcome, truth, 0.002) for case in verdict.cases) for verdict in verdicts]
    assert np.mean(wrong) < 0.05 + 2 * np.sqrt(0.05 * 0.95 / repeats)


def test_looking_often_without_paying_for_it_would_be_wrong_more_often():
    rng, repeats = np.random.default_rng(1), 300
    effects = 0.02 * skewed(rng, repeats, 8, LOOKS[-1])
    wrong = {}
    for looks in (1, len(LOOKS)):
        verdicts = [outcomes_at_looks(own, 0.0, replace(CRITERIA, looks=looks)) for own in effects]
        wrong[looks] = np.mean([any(is_wrong(case.outcome, 0.0, 0.002) for case in each.cases) for each in verdicts])
    assert wrong[1] > 2 * wrong[4]


def test_with_enough_pairs_every_case_is_decided():
    rng = np.random.default_rng(3)
    for truth, expected in ((0.0, Word.NO_DIFFERENCE), (-0.01, Word.HOLDS), (0.01, Word.FAILS)):
        assert outcomes_at_looks(0.002 * skewed(rng, 8, 80), truth, CRITERIA).word is expected


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pair")
    return World().write(folder, "fig1a", "fig2", "fig4", "fig5", "fig5_epsilon"), folder, folder / "ledgers"


def table(pair, *seeds):
    names = ["odd-compensates", "growth-helps", "outperform", "lower-bound"]
    found = pd.concat([effects_on_pair(OpenCases(), Evidence(*pair), seed) for seed in seeds], ignore_index=True)
    return found[found["claim"].isin(names)].reset_index(drop=True)


def test_the_effect_in_a_pair_is_that_over_its_runs(pair):
    effects = table(pair, 7)
    assert set(effects["pair"]) == {7}
    assert not effects.duplicated(["claim", "at"]).any()
    at = {"α": 1.0, "q_1": "1.01 → 1.02", "metric": "test error"}
    own = effects[(effects["claim"] == "growth-helps") & (effects["at"] == json.dumps(at, ensure_ascii=False))]
    entries = {
        entry.grid_point["algorithm.penalty.ratio"]: entry
        for entry in pair[0]["fig4"]
        if entry.grid_point["noise.alpha"] == 1.0
    }
    last = [pd.read_parquet(pair[1] / f"{entries[ratio].id}.parquet")["error_rate"].mean() for ratio in (1.02, 1.01)]
    assert own["effect"].item() == pytest.approx(last[0] - last[1])


def test_pairs_are_the_units(pair):
    effects = table(pair, 0, 1, 2, 3, 4, 5)
    effects["effect"] += np.where(effects["kind"] == Kind.EXACT, 0.0, 0.001 * effects["pair"])
    for case in over_pairs(effects)["growth-helps"]:
        assert case.sample.units == 6
        assert case.sample.deviation == pytest.approx(0.001 * np.arange(6).std(ddof=1))


@pytest.mark.parametrize(
    ("claimed", "values", "worst"),
    [
        (Claimed.LESS, [-1.0, 0.5, -2.0], 0.5),
        (Claimed.NOT_MORE, [-1.0, -2.0], -1.0),
        (Claimed.SAME, [0.0, -3.0, 1.0], -3.0),
        (Claimed.HAPPENS, [0.0, 2.0], 2.0),
    ],
)
def test_of_exact_numbers_the_pair_counts_that_speaks_most_against_the_claim(claimed, values, worst):
    rows = {"claim": "x", "at": "{}", "claimed": claimed, "kind": Kind.EXACT, "reference": 1.0, "is_control": False}
    effects = pd.DataFrame([{**rows, "pair": seed, "effect": value} for seed, value in enumerate(values)])
    assert over_pairs(effects)["x"][0].sample == Sample(len(values), worst, 0.0)


def test_a_file_keeps_all_that_verdicts_need(pair):
    cases = over_pairs(table(pair, *range(6)))
    stored = json.loads(json.dumps(cases_to_json(cases), allow_nan=False))
    assert cases_from_json(stored) == cases
    assert judge_all(cases_from_json(stored), CRITERIA) == judge_all(cases, CRITERIA)


def test_open_cases_need_the_settings_they_compare_and_no_traces(pair, tmp_path):
    case = {"α": 1.0, "q_1": "1.01 → 1.02", "metric": "test error"}
    ids = needed_settings(OpenCases({"growth-helps": [case]}), Evidence(pair[0], tmp_path, tmp_path))
    compared = [entry for entry in pair[0]["fig4"] if entry.grid_point["noise.alpha"] == 1.0]
    assert ids == {entry.id for entry in compared if entry.grid_point["algorithm.penalty.ratio"] in (1.01, 1.02)}
    assert needed_settings(OpenCases({}), Evidence(pair[0], tmp_path, tmp_path)) == set()
    assert ids < needed_settings(OpenCases(), Evidence(pair[0], tmp_path, tmp_path))


def look(pair, data, pairs=10, **more):
    cases = over_pairs(table(pair, *range(pairs)))
    about = {"data": data, "source": data, "pairs": pairs, "looks": LOOKS, "runs": 5, "train": 40000, "test": 5222}
    return about | {"level": 0.95, "margins": dict(CRITERIA.margins), "claims": cases_to_json(cases)} | more


@pytest.fixture(scope="module")
def reported(pair):
    verdicts = {claim.name: judge(claim, [], CRITERIA, ["nothing was run"]) for claim in CLAIMS}
    this_run = Body("adult", "runs on one split and graph", verdicts)
    return reports(this_run, [replicated_body(look(pair, name), "adult") for name in ("bank", "adult")])


def test_a_verdict_rests_on_the_replication_and_says_so(reported):
    (found,) = (each for each in reported if each.claim.name == "growth-helps")
    assert found.words == {"adult": Word.HOLDS, "bank": Word.HOLDS}
    assert found.holds_on == "all 2 data sets"
    (other,) = (each for each in reported if each.claim.name == "gamma-damps")
    assert other.words == {"adult": Word.NOT_TESTED}
    page = as_markdown(reported, CRITERIA, PROVENANCE)
    assert "\n| Adult / Bank | claim | " in page
    assert page.count("\n| **holds** / **holds** | [In private MR-ADMM a larger q_1 improves") == 1
    number = len(found.verdict.cases)
    told = f"**holds**: of {number} cases, {number} hold (10 pairs)"
    assert f"- On Adult: {told}\n- On Bank: {told}\n" in page
    assert "- Holds on all 2 data sets.\n" in page
    assert "- This run: **not tested**: nothing was run (runs on one split and graph)" in page
    assert "\n| α | q_1 | metric | margin | Adult | Bank |\n" in page
    level = 1 - 0.05 / (len(LOOKS) * number)
    assert f"at {level:.4%} (Bonferroni: 0.05 over {len(LOOKS) * number} looks and cases)" in page
    entry = next(each for each in as_json(reported, CRITERIA, PROVENANCE)["claims"] if each["name"] == "growth-helps")
    assert entry["data_sets"]["bank"]["verdict"] == "holds"
    assert entry["this_run"]["verdict"] == "not tested"
    assert json.dumps(entry, allow_nan=False)


def test_the_corrected_interval_is_that_of_nadeau_and_bengio():
    """Of k splits the variance of the mean is (1/k + n_test/n_train) s², by their corrected resampled t."""
    case = MeasuredCase({}, Claimed.LESS, Kind.ERROR, 1.0, False, Sample(20, -0.01, 0.004))
    (judged,) = judge(CLAIMS[0], [case], CRITERIA).cases
    arm = stats.t.ppf(1 - 0.05 / 4 / 2, 19) * 0.004 * np.sqrt(1 / 20 + 5222 / 40000)
    assert corrected(judged, 5222 / 40000) == pytest.approx((-0.01 - arm, -0.01 + arm))


@pytest.mark.parametrize(
    ("words", "where"),
    [
        (["holds", "holds", "holds"], "all 3 data sets"),
        (["holds", "fails", "no difference"], "Adult alone"),
        (["mixed", "holds", "holds"], "Census and Bank"),
        (["fails", "mixed", "undecided"], ""),
        (["holds"], ""),
    ],
)
def test_it_is_said_where_a_claim_holds(words, where):
    """A claim that holds on one data set alone says so; with one data set there is nothing to say."""
    bodies = tuple(
        Body(data, "pairs", {CLAIMS[0].name: verdict_of(word)}) for data, word in zip(DATA, words, strict=False)
    )
    assert ClaimReport(CLAIMS[0], bodies, bodies[0]).holds_on == where


DATA = ("adult", "census_kdd", "bank")


def verdict_of(word):
    """A verdict with a case for each of the outcomes that make up its word."""
    outcomes = {"mixed": ["holds", "fails"]}.get(word, [word])
    measured = MeasuredCase({}, Claimed.LESS, Kind.ERROR, 1.0, False, Sample(10, -0.01, 0.004))
    cases = [ClaimCase(measured, -0.02, -0.01, 0.002, Outcome(outcome)) for outcome in outcomes]
    return ClaimVerdict(replace(CLAIMS[0], form=Form.EACH), cases, [], [], [], 0.95)


def test_the_forest_plot_has_one_row_a_claim_and_a_column_of_verdicts_a_data_set(reported):
    effects, verdicts = draw(reported).axes
    assert len(effects.get_yticks()) == len(CLAIMS) + len(Topic)  # a row each, and a heading for each topic
    assert [label.get_text() for label in verdicts.get_xticklabels()] == ["Adult", "Bank"]
    shown = [text.get_text() for text in verdicts.texts]
    assert shown.count("✓") == 8  # four claims on two data sets
    assert len(shown) == len(verdicts.patches) == len(CLAIMS) + 4  # the others were tested nowhere


def test_claims_of_no_difference_and_our_own_are_marked_in_the_forest_plot():
    same = MeasuredCase({}, Claimed.SAME, Kind.ERROR, 1.0, False, Sample(10, 0.0, 0.001))
    ours = next(claim for claim in CLAIMS if claim.is_ours)
    body = Body("adult", "pairs", {ours.name: judge(ours, [same], CRITERIA)})
    effects, _ = draw([ClaimReport(ours, (body,), body)]).axes
    assert [label.get_text() for label in effects.get_yticklabels()] == [ours.topic, f"≈ {ours.title} *"]


def test_the_median_case_is_drawn_with_its_interval_in_margins():
    case = MeasuredCase({}, Claimed.LESS, Kind.ERROR, 1.0, False, Sample(10, -0.01, 0.002))
    verdict = judge(CLAIMS[0], [case], CRITERIA)
    body = Body("adult", "pairs", {CLAIMS[0].name: verdict})
    effects, _ = draw([ClaimReport(CLAIMS[0], (body,), body)]).axes
    _, _, interval, median = effects.lines
    assert median.get_xdata() == pytest.approx([5.0])  # less is what is claimed: to the right
    assert interval.get_xdata() == pytest.approx(
        [-end / 0.002 for end in (verdict.cases[0].high, verdict.cases[0].low)]
    )
