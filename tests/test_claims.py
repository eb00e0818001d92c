"""Each claim's check must find the claim true where it is true, and false where it is false."""

import pytest

from radmm.claims.catalogue import CLAIMS
from radmm.claims.claim import Outcome
from radmm.claims.verdict import Word, judge
from tests.made_traces import NODES, World

NAMES = {claim.name: claim for claim in CLAIMS}
FIGURES = ("fig1a", "fig1b", "fig1c", "fig2", "fig3", "fig4", *NODES)
COMPARISON = ("fig5", "fig5_n20")
EXCESS = World().excess

# For each claim: a world in which it is false, where to look, and what must come out.
FALSE = {
    "even-increases": (World(rises=(-0.01, -0.01)), ["fig1a"], "fails"),
    "odd-compensates": (World(setback=0.1), ["fig1a"], "fails"),
    "rate-like-admm": (World(speeds=(1.0, 0.5)), ["fig1a"], "holds only if γ = 0.5"),
    "faster-for-its-argmins": (World(speeds=(0.4, 0.4)), ["fig1a"], "fails"),
    "gamma-damps": (World(rises=(0.01, 0.02)), ["fig1a"], "fails"),
    "gamma-slows": (World(speeds=(0.9, 1.0)), ["fig1a"], "fails"),
    "growth-slows": (World(first_slowing=-0.1), ["fig1b", "fig1c"], "fails"),
    "faster-growth-slows-more": (World(slowing=-0.01, first_slowing=0.1), ["fig1b", "fig1c"], "fails"),
    "converges": (
        World(floor=2.0),
        ["fig1b", "fig1c"],
        "holds only if figure = fig1c, or dual step in {η, θ}, or to = consensus",
    ),
    "keeps-converging": (World(stall=True), ["fig1b", "fig1c"], "fails"),
    "rho-is-best": (World(best_rho=0.01), ["fig2"], "holds only if compared with ρ = 1"),
    "gamma-hardly-matters": (World(gamma_effect=0.2), ["fig3"], "fails"),
    "gamma-costs-no-privacy": (World(gamma_bound=0.1), ["fig3"], "fails"),
    "growth-helps": (World(growth_gain=-0.1), ["fig4"], "fails"),
    "growth-stabilises": (World(growth_spread=0.1), ["fig4"], "fails"),
    "growth-costs-no-privacy": (World(growth_bound=0.1), ["fig4"], "fails"),
    "growth-helps-more-under-noise": (World(gain_under_less_noise=3.0), ["fig4"], "fails"),
    "outperform": (
        World(excess=EXCESS | {"ADMM": 0.2}),
        COMPARISON,
        "holds only if algorithm = MR-ADMM, or over = M-ADMM",
    ),
    "lower-bound": (World(bound={"R-ADMM": 1.0, "MR-ADMM": 1.0}), COMPARISON, "fails"),
    "best-of-all": (
        World(excess=EXCESS | {"MR-ADMM": 0.35}),
        COMPARISON,
        "holds only if over in {ADMM, M-ADMM}, or metric = total bound",
    ),
    "gain-grows": (World(power=-1.0), COMPARISON, "fails"),
    "comparison-stability": (World(spread={"MR-ADMM": 2.0}), COMPARISON, "fails"),
    "similar-when-nodes-differ": (
        World(excess=EXCESS | {"MR-ADMM": 0.35}),
        ["fig5_per_node"],
        "holds only if over in {ADMM, M-ADMM}",
    ),
    "recycling-beats-stopping": (
        World(excess=EXCESS | {"ADMM, stopped at T/2": 0.25}),
        COMPARISON,
        "holds only if algorithm = MR-ADMM",
    ),
    "less-noise": (World(calibrated=0.9), COMPARISON, "fails"),
    "even-iterations-are-free": (World(even_passes=1.0), ["fig1a"], "fails"),
    "costs-much-less": (World(passes=5.0), ["fig1a", *COMPARISON], "fails"),
}


@pytest.fixture(scope="module")
def true_world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("true")
    return World().write(folder, *FIGURES), folder


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
