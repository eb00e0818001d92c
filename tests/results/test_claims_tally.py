"""What all claims say together: how many hold where, and what recycling buys."""

import pytest

from radmm.results.claims.recycling import STOPPED, VERBS, against_rivals, sentences, shares
from radmm.results.claims.tally import category, tally
from radmm.results.figures.recycling import draw

DATA = ("adult", "census_kdd", "bank")


@pytest.mark.parametrize(
    ("words", "counted"),
    [
        (["holds", "holds"], "holds"),
        (["holds", "fails"], "holds on some"),
        (["mixed", "fails"], "mixed"),
        (["fails", "undecided"], "fails"),
        (["no difference", "undecided"], "no difference"),
        (["undecided", "undecided"], "undecided"),
        (["not tested"], "not tested"),
    ],
)
def test_a_claim_counts_in_one_category(words, counted):
    assert category(words) == counted


def test_claims_are_counted_once_whatever_the_number_of_data_sets():
    entries = [("holds", "holds", "holds"), ("holds", "mixed", "fails"), ("fails", "fails", "undecided")]
    claims = [{"words": dict(zip(DATA, words, strict=True)), "ours": False} for words in entries]
    assert tally(claims) == (
        "Of the paper's 3 claims, 1 holds on all three data sets, 1 holds on some data sets only and 1 fails."
    )
    ours = {"words": {"adult": "mixed"}, "ours": True}
    assert tally([*claims, ours]).endswith(" Of 1 that we added, 1 is mixed.")


def case_of(difference, outcome, **at):
    ends = {"value": difference, "low": difference - 0.001, "high": difference + 0.001}
    return {"at": {"N": 5, "algorithm": "R-ADMM", **at}, "kind": "test error", "outcome": outcome, **ends}


def recycling_claims(at_t, stopped, outcome):
    """Claims of one case each on two data sets: R-ADMM against both rivals at equal P(T), and at equal (ε, δ)."""
    equal = {"over": "ADMM", "equal": "P(T)", "budget": "that of α = 1"}
    cases = [case_of(at_t, "holds", **equal), {**case_of(-9.0, "holds", **equal), "kind": "loss"}]
    cases += [case_of(-9.0, "holds", **equal | {"over": "M-ADMM"})]
    cases += [case_of(0.0005, "no difference", over="ADMM", equal="(ε, δ)", budget="ε = 0.8")]
    own = {"outperform": cases, "recycling-beats-stopping": [case_of(stopped, outcome, over=STOPPED, α=1.0)]}
    return [
        {"name": name, "words": {"adult": "holds", "bank": "holds"}, "cases": found}
        | {"data_sets": {"bank": {"cases": found}}}
        for name, found in own.items()
    ]


@pytest.mark.parametrize(
    ("stopped", "outcome", "most", "share"),
    [
        (-0.002, "holds", "Stopping early explains most of the gain.", 80),
        (-0.008, "holds", "Recycling explains most of the gain.", 20),
        (0.005, "fails", "Stopping early gains as much as recycling.", 150),
    ],
)
def test_what_recycling_buys_is_what_stopping_leaves_of_the_gain(stopped, outcome, most, share):
    found = against_rivals(recycling_claims(-0.010, stopped, outcome))
    assert len(found) == 6
    assert shares(found).tolist() == pytest.approx([share / 100] * 2)
    first, bound, epsilon = sentences(found)
    assert first.startswith(f"**{most}** ADMM that stops at T/2, after half of the iterations, has R-ADMM's noise")
    assert f"Compared with it R-ADMM is {VERBS[outcome]} in 2 of 2 cases. In the 2 cases in which R-ADMM beats" in first
    assert f"stopping alone reaches {share} % of that gain in the median ({share} to {share} %)" in first
    assert "compared with ADMM with T iterations: on Adult better (−1.00 points); on Bank better" in bound
    assert epsilon.endswith("on Adult no different (+0.05 points); on Bank no different (+0.05 points).")


def test_the_figure_of_recycling_has_a_panel_for_each_rival():
    found = against_rivals(recycling_claims(-0.010, 0.005, "fails"))
    figure = draw(found.assign(case=found["equal"], evidence=found["data"]), 0.2)
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles == ["(a) R-ADMM − ADMM with T iterations", "(b) R-ADMM − ADMM that stops at T/2"]
    drawn = [container.lines[0].get_xdata().tolist() for container in figure.axes[0].containers]
    assert drawn == [pytest.approx([-1.0, 0.05])] * 2
    assert figure.axes[1].containers[0].lines[0].get_xdata().tolist() == pytest.approx([0.5])
