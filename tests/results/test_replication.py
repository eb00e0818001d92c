"""A replication's verdicts on pairs of methods, and against whom the ε of a study's methods hold."""

import pandas as pd
import pytest

from radmm.privacy.cancelling_noise import threat
from radmm.results.claims.verdict import Criteria, Word, word_of
from radmm.results.figures.replicated import draw, near_and_far
from radmm.results.frontier.replicated_page import page
from radmm.results.frontier.replication import EVERY, NOISELESS, PUBLISHED, TUNED, along_penalty, verdicts
from radmm.results.frontier.threats import threat_sentences, threats_of

STUDY = {"judgement": list(range(10)), "selection": [100, 101], "pairs": [["R", "A"], ["M", "R"]]}


@pytest.mark.parametrize(
    ("outcomes", "word"),
    [
        (["holds", "holds"], Word.HOLDS),
        (["holds", "undecided"], Word.UNDECIDED),
        (["undecided"], Word.UNDECIDED),
        (["undecided", "fails"], Word.FAILS),
        (["holds", "undecided", "fails"], Word.MIXED),
        (["no difference"], Word.NO_DIFFERENCE),
        (["no difference", "holds"], Word.MIXED),
        (["no difference", "fails"], Word.FAILS),
        (["no difference", "undecided"], Word.UNDECIDED),
        ([], Word.NOT_TESTED),
    ],
)
def test_a_tendency_has_one_of_four_words(outcomes, word):
    assert word_of(outcomes) is word


def difference(left, right, axis, outcome, kind=TUNED, **more):
    shared = {"cell": "N = 5", "metric": "error_rate", "budget": 0.8, "penalty_left": 1.0, "penalty_right": 1.0}
    told = {"left": left, "right": right, "axis": axis, "outcome": outcome, "kind": kind}
    return shared | {"n": 10, "difference": -0.01, "low": -0.02, "high": -0.001} | told | more


DIFFERENCES = pd.DataFrame(
    [
        difference("R", "A", "P(T)", "holds"),
        difference("R", "A", "P(T)", "holds", PUBLISHED),
        difference("R", "A", "ε", "undecided"),
        difference("R", "A", "ε", "fails", PUBLISHED),
        difference("M", "R", "ε", "holds"),
        difference("M", "R", "ε", "fails", cell="N = 20"),
        difference("M", "R", NOISELESS, "fails"),
        difference("R", "A", "P(T)", "fails", metric="loss"),
    ]
)
ALONG = pd.DataFrame([difference("R", "A", "ε", "fails", EVERY, penalty=each) for each in (0.5, 1.0)])


def test_each_pair_is_judged_on_each_axis_by_itself():
    told = {
        (each.left, each.right, each.axis): (each.word, tuple(each.counts.values()))
        for each in verdicts(DIFFERENCES, "error_rate")
    }
    assert told == {
        ("R", "A", "P(T)"): (Word.HOLDS, (2, 0, 0, 0)),
        ("R", "A", "ε"): (Word.FAILS, (0, 0, 1, 1)),
        ("M", "R", "ε"): (Word.MIXED, (1, 0, 1, 0)),
    }


def test_the_page_begins_with_the_verdicts():
    text = page(DIFFERENCES, ALONG, STUDY, {"M": "against outsiders"}, ["on paper"])
    assert "\n| more accurate | than | at equal P(T) | at equal (ε, δ) |\n" in text
    assert "\n| R | A | **holds** (2 better) | **fails** (1 undecided, 1 worse) |\n" in text
    assert "\n| M | R | – | **mixed** (1 better, 1 worse) |\n" in text
    assert "\nOf M, ε holds against outsiders.\n" in text


def test_the_figure_has_three_entries_and_a_panel_for_what_reaches_far():
    drawn = draw(DIFFERENCES, ALONG)
    assert [text.get_text() for text in drawn.legends[0].get_texts()] == [TUNED, PUBLISHED, "95 % interval"]
    near = DIFFERENCES.assign(low=-0.01, high=0.01)
    assert near_and_far(near) == [[("R", "A"), ("M", "R")]]
    third = near[near["left"] == "M"].assign(left="P")
    far = pd.concat([near, third, third.assign(left="Q", high=0.05)])
    assert near_and_far(far) == [[("R", "A"), ("M", "R"), ("P", "R")], [("Q", "R")]]
    assert len(draw(far, ALONG[:0]).axes) == 2 * len(draw(near, ALONG[:0]).axes)


def test_methods_need_not_be_judged_at_every_penalty():
    measured = pd.DataFrame(columns=["cell", "axis", "budget", "penalty", "metric", "method"])
    none = along_penalty(measured, [("R", "A")], [], Criteria(0.95, {"test_error": 0.002, "loss": 0.02}))
    assert "by η" not in page(DIFFERENCES, none, STUDY, {}, [])
    assert len(draw(DIFFERENCES, none).axes) == 4
    assert len(draw(DIFFERENCES, ALONG).axes) == 5  # one cell has them


def test_panels_beside_each_other_don_t_overlap():
    drawn = draw(DIFFERENCES, pd.concat([ALONG, ALONG.assign(cell="N = 20")]))
    drawn.draw_without_rendering()
    *_, left, right = (axes.get_tightbbox() for axes in drawn.axes)
    assert left.x1 <= right.x0


def test_a_method_is_as_safe_as_its_least_safe_candidate():
    def group(method, *noises):
        return {"method": method, "candidates": {str(place): {"noise": noise} for place, noise in enumerate(noises)}}

    shared = {"cancelling": 1.0}
    groups = [
        group("plain", None, {"sigma": 1.0}),
        group("DGD", shared | {"colluders": 2}),
        group("DGD", shared | {"colluders": 1}, shared | {"colluders": 3}),
        group("ADMM", shared | {"colluders": 1}),
    ]
    assert threats_of(groups) == {"DGD": threat(1), "ADMM": threat(1)}
    assert threat_sentences(threats_of(groups)) == [f"Of DGD, ADMM, ε holds {threat(1)}."]
