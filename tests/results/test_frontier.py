"""A tuned study's choices and judgement, against the same by plain loops."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radmm.results.figures.curve_styles import Role
from radmm.results.figures.tuned import GREY, MOST_COLOURED, draw, role_of
from radmm.results.frontier.judgement import against_best, edges, judged
from radmm.results.frontier.page import page
from radmm.results.frontier.selection import Reading, Scores, TunedBudget, choose, survivors

NAMES = ("a", "b", "c")
errors = st.lists(st.lists(st.tuples(*[st.floats(0, 1)] * 2), min_size=3, max_size=3), min_size=2, max_size=2)


@st.composite
def scores(draw):
    spent = {name: np.sort(draw(st.lists(st.floats(0, 4), min_size=3, max_size=3))) for name in NAMES}
    return Scores({name: np.array(draw(errors)) for name in NAMES}, {"replace": spent})


@settings(max_examples=60, deadline=None)
@given(scores(), st.floats(0.01, 4), st.booleans())
def test_the_choice_is_the_best_that_the_budget_allows(found, epsilon, averages):
    budget = TunedBudget("replace", epsilon)
    allowed = [
        (float(np.mean([seed[place][averaged] for seed in found.errors[name]])), Reading(name, place, bool(averaged)))
        for name in NAMES
        for place in range(3)
        for averaged in range(2 if averages else 1)
        if found.spent["replace"][name][place] <= epsilon
    ]
    chosen = choose(found, [budget], averages)
    if not allowed:
        assert chosen == {}
        return
    error, reading = chosen[budget]
    assert error == pytest.approx(min(allowed)[0], abs=1e-15)
    assert any(each == reading and mean == pytest.approx(error) for mean, each in allowed)
    assert reading.setting in survivors(found, [budget], averages, keep=1)


def test_each_budget_keeps_its_own():
    spent = {"replace": {"a": np.array([0.1, 0.2]), "b": np.array([1.0, 2.0])}}
    found = Scores({"a": np.full((1, 2, 2), 0.3), "b": np.full((1, 2, 2), 0.2)}, spent)
    budgets = [TunedBudget("replace", 0.5), TunedBudget("replace", 2.0)]
    assert survivors(found, budgets, True, keep=1) == {"a", "b"}
    assert [choose(found, budgets, True)[each][1].setting for each in budgets] == ["a", "b"]


def test_a_diverged_candidate_is_never_chosen():
    spent = {"replace": {"a": np.zeros(1), "b": np.zeros(1)}}
    found = Scores({"a": np.full((1, 1, 2), np.nan), "b": np.full((1, 1, 2), 0.5)}, spent)
    (chosen,) = choose(found, [TunedBudget("replace", 1.0)], True).values()
    assert chosen[1].setting == "b"


def group(method, levels, averaged=False, cell="N = 5"):
    """Judged on eight seeds, with an error that the seeds share."""
    shared = 0.01 * np.random.default_rng(3).standard_normal(8)
    own = 0.0005 * np.random.default_rng(len(method)).standard_normal(8)
    rows = [
        {
            "stage": stage,
            "seed": seed,
            "setting": "s",
            "iteration": 5,
            "error_rate": levels[0] + shared[seed] + own[seed],
        }
        for stage in ("selection", "judgement")
        for seed in range(8)
    ]
    table = pd.DataFrame(rows)
    table["error_rate_average"] = table["error_rate"] + levels[1] - levels[0]
    table.loc[table["stage"] == "selection", ["error_rate", "error_rate_average"]] = 9.0  # must not be looked at
    choice = {"neighbours": "replace", "epsilon": 1.0, "setting": "s", "rounds": 5, "averaged": averaged}
    about = {"cell": cell, "method": method, "points": {"s": {"algorithm.penalty": 1.0}}}
    return table, about | {"chosen": [choice | {"spent": 0.97, "selection_error": 0.1}]}


def test_judgement_is_of_other_seeds_and_in_pairs():
    table = judged([group("ADMM", (0.2, 0.18), averaged=True), group("slower", (0.19, 0.3))])
    assert table["error"].tolist() == pytest.approx([0.18, 0.19], abs=0.01)
    assert table["n"].tolist() == [8, 8]
    compared = against_best(table).set_index("method")
    worse = compared.loc["slower"]
    assert worse["best"] == "ADMM"
    assert worse["difference"] == pytest.approx(0.01, abs=0.001)
    assert 0 < worse["difference_low"] < worse["difference_high"]  # though the errors' own intervals overlap
    assert compared.loc["ADMM", "low"] < 0.19 - 0.01 < compared.loc["ADMM", "high"] + 0.01
    assert (compared.loc["ADMM", ["difference", "difference_low", "difference_high"]] == 0).all()


STUDY = {
    "epsilon": [0.01, 1.0],
    "delta": 1e-5,
    "judgement": list(range(8)),
    "selection": [100, 101],
    "untuned": ["paper's"],
}


def test_the_page_answers():
    table = judged([group("ADMM", (0.18, 0.2)), group("alike", (0.1801, 0.2)), group("paper's", (0.25, 0.2))])
    curator = judged([group("trusted curator", (0.16, 0.2), cell="one node")])
    text = page(against_best(table), curator, STUDY, ["paper's"], {"alike": "against outsiders"}, ["on paper"])
    assert "<br>or alike |" in text
    assert "| *trusted curator* | – | 0.1" in text
    assert "would itself cost budget" in text
    assert "No method meets ε = 0.01 with any noise that was tried." in text
    assert "| N = 5 | – | **ADMM** 0.1" in text
    assert "Not tuned, but run as published: paper's." in text
    assert "Of alike, ε holds against outsiders." in text
    assert "| 1 | paper's | 0.2" in text
    assert "penalty = 1 | 0.97 |" in text


def test_the_figure_shows_every_method():
    table = against_best(judged([group("ADMM", (0.18, 0.2)), group("paper's", (0.25, 0.2))]))
    curator = judged([group("trusted curator", (0.16, 0.2), cell="one node")])
    drawn = draw(table, curator, STUDY, {"ADMM": Role("admm"), "paper's": Role("mr-admm")}, {"ADMM": "if nobody tells"})
    assert {text.get_text() for text in drawn.legends[0].get_texts()} == {"ADMM", "paper's", "trusted curator"}
    told = drawn.legends[0].get_title().get_text().replace("\n", " ")
    for words in ("replacing one row", "would cost budget", "Of ADMM, ε holds if nobody tells.", "not tuned: paper's."):
        assert words in told
    lines = {line.get_label(): line for axes in drawn.axes for line in axes.get_lines()}
    assert lines["trusted curator"].get_color() == "0.55"


def test_a_methods_look_goes_by_its_algorithm():
    noise = {"kind": "gradient", "sigma": 1.0}
    parameters = {"algorithm": {"name": "dgd"}, "noise": noise, "iterations": 100}
    assert role_of([parameters]) == Role("dgd")
    assert role_of([parameters | {"noise": noise | {"cancelling": 1.0}}]) == Role("dgd", "cancelling")
    assert role_of([parameters | {"noise": None, "iterations": 1}]) == Role("dgd", stopped=True)


def test_choices_at_the_edge_of_a_grid_are_told():
    grid = [{"step": step, "name": "x", "one": 3.0} for step in (0.1, 0.2, 0.4)]
    assert [edges(point, grid) for point in grid] == [{"step": "least"}, {}, {"step": "largest"}]
    table, about = group("ADMM", (0.18, 0.2))
    about["points"]["other"] = {"algorithm.penalty": 0.3}
    text = page(against_best(judged([(table, about)])), judged([]), STUDY, [], {}, [])
    assert "penalty = 1 (largest tried)" in text
    assert "- ADMM with the largest penalty: N = 5, ε = 1\n" in text


def test_intervals_of_differences_allow_for_all_methods():
    two = [group("ADMM", (0.18, 0.2)), group("slower", (0.185, 0.3))]
    four = [*two, group("third one", (0.2, 0.3)), group("the fourth", (0.21, 0.3))]
    narrow, wide = (against_best(judged(groups)).set_index("method").loc["slower"] for groups in (two, four))
    assert wide["difference_low"] < narrow["difference_low"] < narrow["difference"] == wide["difference"]


def test_of_many_methods_those_that_are_nowhere_best_are_grey():
    names = ["ADMM", "paper's", *(f"method {number}" for number in range(8))]
    table = against_best(judged([group(name, (0.18 + 0.01 * place, 0.2)) for place, name in enumerate(names)]))
    curator = judged([group("trusted curator", (0.16, 0.2), cell="one node")])
    for shown in (names, names[:8]):
        some = table[table["method"].isin(shown)]
        drawn = draw(some, curator, STUDY, {name: Role("admm") for name in shown}, {})
        lines = {line.get_label(): line.get_color() for axes in drawn.axes for line in axes.get_lines()}
        grey = {name for name in shown if lines[name] == GREY}
        assert grey == (set(names[2:]) if len(shown) > MOST_COLOURED else set())
        plt.close(drawn)
