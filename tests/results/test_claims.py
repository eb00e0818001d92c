"""Each claim's check must find the claim true where it is true, and false where it is false."""

import json

import numpy as np
import pandas as pd
import pytest

import radmm
from radmm.base.store import write_parquet
from radmm.privacy.accountants.shift import ShiftAccountant
from radmm.results.claims.bodies_of_evidence import Body, ClaimReport
from radmm.results.claims.catalogue import CLAIMS
from radmm.results.claims.decision import Outcome
from radmm.results.claims.evidence import Evidence
from radmm.results.claims.page import as_markdown
from radmm.results.claims.verdict import Criteria, Word, over_runs
from radmm.results.claims.verdict import judge as judge_cases
from radmm.results.claims.verdicts_json import as_json
from tests.ledgers import make_ledger
from tests.made_traces import FACTS, NODES, World

pytestmark = pytest.mark.xdist_group("claims")

NAMES = {claim.name: claim for claim in CLAIMS}
FIGURES = ("fig1a", "fig1b", "fig1c", "fig2", "fig3", "fig4", *NODES, "fig5_epsilon")
COMPARISON = ("fig5", "fig5_n20")
EXCESS = World().excess
CRITERIA = Criteria(0.95, {"test_error": 0.002, "loss": 0.02, "ratio": 0.1})
PROVENANCE = {"settings": [], "data": [], "code_of_traces": [], "code": "", "assumed": ""}


def judge(claim, *evidence):
    """The verdict by some runs, as units."""
    found = Evidence(*evidence)
    cases = over_runs(claim, found)
    return judge_cases(claim, cases, CRITERIA, found.missing, found.settings)


def reported(verdict):
    body = Body("adult", "some runs", {verdict.claim.name: verdict})
    return ClaimReport(verdict.claim, (body,), body)


def page_of(verdict):
    return as_markdown([reported(verdict)], CRITERIA, PROVENANCE)


# For each claim: a world in which it is false, where to look, and what must come out.
FALSE = {
    "even-increases": (World(rises=(-0.01, -0.01)), ["fig1a"], "fails"),
    "odd-compensates": (World(setback=0.1), ["fig1a"], "fails"),
    "rate-like-admm": (World(speeds=(1.0, 0.5)), ["fig1a"], "mixed"),
    "faster-for-its-argmins": (World(speeds=(0.4, 0.4)), ["fig1a"], "fails"),
    "gamma-damps": (World(rises=(0.01, 0.02)), ["fig1a"], "fails"),
    "gamma-slows": (World(speeds=(0.85, 1.0)), ["fig1a"], "fails"),
    "growth-slows": (World(first_slowing=-1.0), ["fig1b", "fig1c"], "fails"),
    "faster-growth-slows-more": (World(slowing=-0.12, first_slowing=0.7), ["fig1b", "fig1c"], "fails"),
    "reaches-consensus": (World(apart=0.5), ["fig1b", "fig1c"], "fails"),
    "reaches-the-optimum": (World(floor=2.0), ["fig1b", "fig1c"], "mixed"),
    "keeps-converging": (World(stall=True), ["fig1b", "fig1c"], "fails"),
    "rho-is-best": (World(best_rho=0.01), ["fig2"], "fails"),
    "gamma-hardly-matters": (World(gamma_effect=0.2), ["fig3"], "fails"),
    "gamma-costs-no-privacy": (World(gamma_bound=0.1), ["fig3"], "fails"),
    "growth-helps": (World(growth_gain=-0.1), ["fig4"], "fails"),
    "growth-stabilises": (World(growth_spread=0.15), ["fig4"], "fails"),
    "growth-costs-no-privacy": (World(growth_bound=0.1), ["fig4"], "fails"),
    "growth-helps-more-under-noise": (World(gain_under_less_noise=3.0), ["fig4"], "fails"),
    "outperform": (
        World(excess=EXCESS | {"ADMM": 0.2}),
        COMPARISON,
        "mixed",
    ),
    "lower-bound": (World(bound={"R-ADMM": 1.0, "MR-ADMM": 1.0}), COMPARISON, "fails"),
    "best-of-all": (
        World(excess=EXCESS | {"MR-ADMM": 0.35}),
        COMPARISON,
        "mixed",
    ),
    "gain-grows": (World(power=-1.0), COMPARISON, "fails"),
    "comparison-stability": (World(spread={"MR-ADMM": 2.0}), COMPARISON, "fails"),
    "similar-when-nodes-differ": (
        World(excess=EXCESS | {"MR-ADMM": 0.35}),
        ["fig5_per_node"],
        "mixed",
    ),
    "recycling-beats-stopping": (
        World(excess=EXCESS | {"ADMM, stopped at T/2": 0.25}),
        COMPARISON,
        "mixed: holds only if algorithm = MR-ADMM",
    ),
    "less-noise": (World(calibrated=0.9), COMPARISON, "fails"),
    "even-iterations-are-free": (World(even_passes=1.0), ["fig1a"], "fails"),
    "costs-much-less": (World(passes=5.0), ["fig1a", *COMPARISON], "fails"),
}


@pytest.fixture(scope="module")
def true_world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("true")
    return World().write(folder, *FIGURES), folder, folder / "ledgers"


def test_every_claim_has_a_world_in_which_it_is_false():
    assert set(FALSE) == set(NAMES)
    assert len(NAMES) == len(CLAIMS)


@pytest.mark.parametrize("name", NAMES)
def test_a_true_claim_holds(name, true_world):
    verdict = judge(NAMES[name], *true_world)
    assert verdict.word is Word.HOLDS, [case for case in verdict.cases if case.outcome is not Outcome.HOLDS]
    assert not verdict.missing


@pytest.mark.parametrize("name", FALSE)
def test_a_false_claim_does_not(name, tmp_path):
    world, figures, expected = FALSE[name]
    assert str(judge(NAMES[name], world.write(tmp_path, *figures), tmp_path)) == expected


def test_what_the_config_leaves_out_is_named(tmp_path):
    experiments = World().write(tmp_path, "fig5")
    verdict = judge(NAMES["rho-is-best"], experiments, tmp_path)
    assert str(verdict) == "not tested: fig2 is not in the config"
    verdict = judge(NAMES["outperform"], experiments, tmp_path)
    absent = ["fig5_n20 is not in the config", "fig5_epsilon is not in the config"]
    assert (verdict.word, verdict.missing) == (Word.HOLDS, absent)
    without = [setting for setting in experiments["fig5"] if setting.label != "M-ADMM"]
    verdict = judge(NAMES["outperform"], {"fig5": without}, tmp_path)
    assert verdict.missing == ["fig5 has no setting M-ADMM", *absent]
    assert {case.at["over"] for case in verdict.cases} == {"ADMM"}


def test_values_of_the_nodes_are_named_by_what_they_lie_around(true_world):
    verdict = judge(NAMES["similar-when-nodes-differ"], *true_world)
    assert verdict.cases[0].at["α"] == {"per_node": [2.0, 2.0]}
    page = page_of(verdict)
    assert "\n| 5 | R-ADMM | ADMM | around 2 | loss | 2 % | holds: " in page


@pytest.mark.parametrize("name", NAMES)
def test_nothing_to_look_at_is_no_error(name, tmp_path):
    verdict = judge(NAMES[name], {}, tmp_path)
    assert verdict.word is Word.NOT_TESTED
    assert str(verdict).startswith("not tested: fig")


def test_a_less_private_algorithm_is_not_compared(tmp_path):
    experiments = World(bound={"R-ADMM": 1.1, "MR-ADMM": 0.4}).write(tmp_path, "fig5")
    verdict = judge(NAMES["outperform"], experiments, tmp_path)
    assert {case.at["algorithm"] for case in verdict.cases} == {"MR-ADMM"}
    assert "fig5, R-ADMM has a larger total bound than fig5, ADMM: no comparison" in verdict.missing


def at_equal_epsilon(folder, world, *more):
    """The verdict with the cases at equal (ε, δ), and these cases."""
    experiments = world.write(folder, "fig5_epsilon", *more)
    verdict = judge(NAMES["outperform"], experiments, folder, folder / "ledgers")
    return verdict, [case for case in verdict.cases if case.at["equal"] == "(ε, δ)"]


def test_who_outperforms_whom_is_asked_on_both_axes_of_privacy(tmp_path):
    verdict, cases = at_equal_epsilon(tmp_path, World(excess_at_equal_epsilon={"ADMM": 0.05, "M-ADMM": 0.05}), "fig5")
    assert str(verdict) == "mixed: holds only if equal = P(T)"
    assert len(cases) == 8
    assert {case.outcome for case in cases} == {Outcome.FAILS}
    (budget,) = {case.at["budget"] for case in cases}
    ledger = make_ledger(FACTS, radmm.ADMM(), radmm.ObjectiveNoise(sigma=3.0), 2)
    assert float(budget.removeprefix("ε = ")) == pytest.approx(ShiftAccountant().epsilon(ledger, 1e-5), rel=1e-3)
    page = page_of(verdict)
    assert f"\n| 5 | R-ADMM | ADMM | (ε, δ) | {budget} | loss | " in page
    assert "\n| 5 | R-ADMM | ADMM | P(T) | that of α = 0.5 | loss | " in page


def test_none_is_compared_with_a_rival_that_spends_less_epsilon(tmp_path):
    verdict, cases = at_equal_epsilon(tmp_path, World(sigma={"R-ADMM": 2.9, "MR-ADMM": 3.1}))
    assert {case.at["algorithm"] for case in cases} == {"MR-ADMM"}
    assert "fig5_epsilon, R-ADMM has a larger total ε than fig5_epsilon, ADMM: no comparison" in verdict.missing


def test_without_a_ledger_no_epsilon_is_known(tmp_path):
    verdict = judge(NAMES["outperform"], World().write(tmp_path, "fig5_epsilon"), tmp_path)
    assert verdict.word is Word.NOT_TESTED
    assert "fig5_epsilon, ADMM has no ledger, so its total ε isn't known" in verdict.missing


def test_the_page_and_the_json_say_the_same(true_world):
    verdicts = [judge(claim, *true_world) for claim in CLAIMS[:6]] + [judge(CLAIMS[-1], {}, true_world[1])]
    provenance = {"settings": ["a", "b"], "data": ["d"], "code_of_traces": ["t"], "code": "c", "assumed": "a"}
    reports = [reported(verdict) for verdict in verdicts]
    page, full = as_markdown(reports, CRITERIA, provenance), as_json(reports, CRITERIA, provenance)
    assert json.loads(json.dumps(full, allow_nan=False)) == full
    assert [entry["verdict"] for entry in full["claims"]] == ["holds"] * 6 + ["not tested"]
    assert page.count("\n| **holds** | ") == 6
    assert page.count("**not tested**: fig1a is not in the config; fig5 is not in the config") == 1
    for entry in full["claims"]:
        assert f"](#{entry['name']})" in page
        assert f"\n## {entry['name']}\n" in page
        for case in entry["cases"]:
            assert case["low"] <= case["value"] <= case["high"]
    assert sum(len(entry["cases"]) for entry in full["claims"]) == page.count(" | holds: ")
    again = [reported(judge(claim, *true_world)) for claim in reversed(CLAIMS[:6])][::-1]
    assert as_json([*again, reports[-1]], CRITERIA, provenance) == full


def test_lost_runs_are_told(tmp_path):
    experiments = World().write(tmp_path, "fig3")
    path = tmp_path / f"{experiments['fig3'][0].id}.parquet"
    trace = pd.read_parquet(path)
    trace.loc[trace["run"] == 3, ["loss", "error_rate", "privacy_loss"]] = np.nan
    write_parquet(path, dict(trace.items()), {})
    verdict = judge(NAMES["gamma-hardly-matters"], experiments, tmp_path)
    assert {case.sample.units for case in verdict.cases} == {7, 8}
    page = page_of(verdict)
    assert "- 2 runs in all were left out, as a run ended early" in page


def test_controls_are_told_and_do_not_count(tmp_path):
    verdict = judge(NAMES["reaches-the-optimum"], World(floor=2.0).write(tmp_path, "fig1b"), tmp_path)
    assert {case.at["q_1"] for case in verdict.controls} == {"1 (R-ADMM)"}
    assert len(verdict.cases) == 10
    fails = [case.at["dual step"] for case in verdict.cases if case.outcome is Outcome.FAILS]
    assert fails == ["η_i"] * 5
    page = page_of(verdict)
    assert page.count(" | fails: ") == 5
    assert page.count(" | control, holds: ") == 1


def test_what_the_paper_does_not_claim_is_marked(true_world):
    reports = [reported(judge(claim, *true_world)) for claim in CLAIMS]
    ours = [entry["name"] for entry in as_json(reports, CRITERIA, PROVENANCE)["claims"] if entry["ours"]]
    assert ours == ["faster-for-its-argmins", "keeps-converging", "recycling-beats-stopping"]
    assert as_markdown(reports, CRITERIA, PROVENANCE).count("| *ours:* [") == len(ours)
