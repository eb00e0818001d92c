"""A tuned study's choices and judgement, against the same by plain loops."""

import re

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radmm.results.figures.tuned import draw
from radmm.results.frontier.answers import all_answers, answer, over_data_sets, priced, under
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


def group(method, levels, averaged=False, cell="N = 5", data_set="", secrets=False):
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
    table["error_rate_worst"], table["error_rate_worst_average"] = 0.4, 0.3
    table["messages"], table["floats_sent"] = 20.0, 20.0 * table["seed"]
    table.loc[table["stage"] == "selection", ["error_rate", "error_rate_average"]] = 9.0  # must not be looked at
    choice = {"neighbours": "replace", "epsilon": 1.0, "setting": "s", "rounds": 5, "averaged": averaged}
    about = {"data_set": data_set, "cell": cell, "method": method, "points": {"s": {"algorithm.penalty": 1.0}}}
    about |= {"candidates": {"s": {"noise": {"cancelling": 1.0} if secrets else {}}}}
    return table, about | {"chosen": [choice | {"spent": 0.97, "selection_error": 0.1}]}


def test_judgement_is_of_other_seeds_and_in_pairs():
    table = judged([group("ADMM", (0.2, 0.18), averaged=True), group("slower", (0.19, 0.3))])
    assert table["error"].tolist() == pytest.approx([0.18, 0.19], abs=0.01)
    assert table["n"].tolist() == [8, 8]
    assert table["worst"].tolist() == pytest.approx([0.3, 0.4])  # of averages, and of last iterates
    assert table["messages"].tolist() == [20.0, 20.0]
    assert table["floats_sent"].tolist() == [70.0, 70.0]
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


def compared(*groups, curator=0.16):
    """Judged methods as a page and a figure get them, and the references."""
    references = judged([group("trusted curator", (curator, 0.2), cell="one node")])
    return priced(against_best(judged(groups)), references), references


def test_the_page_answers():
    groups = [group("ADMM", (0.18, 0.2)), group("alike", (0.1801, 0.2), secrets=True), group("paper's", (0.25, 0.2))]
    text = page(*compared(*groups), STUDY, ["paper's"], {"alike": "against outsiders"}, ["on paper"])
    assert "| *trusted curator* | – | 0.1" in text
    assert "would itself cost budget" in text
    assert "No method meets ε = 0.01 with any noise that was tried." in text
    assert "Not tuned, but run as published: paper's." in text
    assert "Of alike, ε holds against outsiders." in text
    alone, together = text.split("\n### ")[1:]
    assert re.search(r"\| N = 5 \| – \| \*\*ADMM\*\* 0\.1\d+ \(0\.1\d+ to 0\.1\d+\), \+2\.0 \|", alone)
    assert "alike" not in alone
    assert "<br>or alike |" in together


def test_threat_models_are_not_mixed():
    """With secrets every method's ε holds; without, only those that need none."""
    table, _ = compared(group("ADMM", (0.2, 0.2)), group("shared", (0.17, 0.2), secrets=True))
    best = {secrets: answer(under(table, secrets)).best["method"] for secrets in (False, True)}
    assert best == {False: "ADMM", True: "shared"}
    assert table.set_index("method")["best"].to_dict() == {"ADMM": "ADMM", "shared": "shared"}


def test_half_a_point_is_alike():
    errors = {"best": 0.170, "near": 0.1749, "at": 0.175, "far": 0.1751}
    table = pd.DataFrame({"method": list(errors), "error": list(errors.values())})
    assert answer(table).best["method"] == "best"
    assert answer(table).alike == ["near", "at"]


def test_the_curator_is_the_best_private_reference_of_the_same_data():
    methods = judged([group("ADMM", (0.2, 0.2), data_set=name) for name in ("one", "two")])
    curators = [group("good", (0.15, 0.2)), group("bad", (0.19, 0.2)), group("no privacy", (0.1, 0.2))]
    curators[2][1]["chosen"][0]["spent"] = 0.0
    references = judged([(table, about | {"data_set": "one", "cell": "one node"}) for table, about in curators])
    found = priced(methods, references).set_index("data_set")
    good = references.set_index("method").loc["good", "error"]
    assert found.loc["one", "above"] == pytest.approx(found.loc["one", "error"] - good)
    assert np.isnan(found.loc["two", "above"])


def test_means_over_data_sets_are_of_methods_that_all_of_them_have():
    levels = {"one": 0.2, "two": 0.3}
    rows = [group("ADMM", (level, 0.2), data_set=name) for name, level in levels.items()]
    table = judged([*rows, group("alone", (0.1, 0.2), data_set="one")])
    (mean,) = over_data_sets(table).to_dict("records")
    assert mean["method"] == "ADMM"
    assert mean["error"] == pytest.approx(table["error"][:2].mean())
    seeds = [np.mean([part[seed] for part in table["by_seed"][:2]]) for seed in range(8)]
    assert [mean["by_seed"][seed] for seed in range(8)] == pytest.approx(seeds)


def test_the_figure_shows_the_best_of_each_threat_model():
    groups = [group("ADMM", (0.18, 0.2)), group("paper's", (0.25, 0.2)), group("shared", (0.165, 0.2), secrets=True)]
    drawn = draw(compared(*groups)[0], STUDY)
    maps = [axes for axes in drawn.axes if axes.get_title(loc="left")]
    shown = [sorted(text.get_text() for text in axes.texts) for axes in maps]
    assert [[text.split("\n")[0] for text in texts] for texts in shown] == [["ADMM", "–"], ["shared", "–"]]
    assert shown[0][0].endswith("(+2.0)")
    assert drawn.get_suptitle() == ""  # a caption tells the rest
    plt.close(drawn)


def test_a_threat_model_under_which_no_method_holds_is_left_out():
    table, references = compared(group("shared", (0.165, 0.2), secrets=True))
    text = page(table, references, STUDY, [], {"shared": "against outsiders"}, ["on paper"])
    assert [part.split("\n")[0] for part in text.split("\n### ")[1:]] == ["Neighbours that keep the draws they share"]
    drawn = draw(table, STUDY)
    titles = [axes.get_title(loc="left") for axes in drawn.axes if axes.get_title(loc="left")]
    assert titles == ["(a) Neighbours that keep the draws they share"]
    plt.close(drawn)


def test_all_answers_are_those_of_each_data_set_and_of_their_mean():
    groups = [
        group(method, (level + 0.01 * (data_set == "b"), 0.3), data_set=data_set, secrets=method == "shared")
        for data_set in ("a", "b")
        for method, level in (("ADMM", 0.18), ("slower", 0.183), ("shared", 0.165))
    ]
    table = judged(groups)
    curators = pd.concat([judged([group("curator", (0.16, 0.3), data_set=each)]) for each in ("a", "b")])
    found = all_answers(priced(against_best(table), curators)).set_index(["threat_model", "data_set"])
    alone = found.loc["No secrets between nodes"]
    assert alone["method"].to_dict() == dict.fromkeys(("mean", "a", "b"), "ADMM")
    assert alone["or"].to_dict() == dict.fromkeys(("mean", "a", "b"), "slower")
    assert alone.loc["mean", "above"] == pytest.approx(alone.loc[["a", "b"], "above"].mean())
    assert (found.loc["Neighbours that keep the draws they share", "method"] == "shared").all()
    assert (found["worst"] == 0.4).all()


def test_without_a_curator_methods_are_shown_without_a_price():
    table = priced(against_best(judged([group("ADMM", (0.18, 0.2))])), judged([]))
    assert "**ADMM** 0.1" in page(table, judged([]), STUDY, [], {}, [])
    drawn = draw(table, STUDY)
    assert any(text.get_text().startswith("ADMM\n0.1") for text in drawn.axes[0].texts)
    plt.close(drawn)


def test_choices_at_the_edge_of_a_grid_are_told():
    grid = [{"step": step, "name": "x", "one": 3.0} for step in (0.1, 0.2, 0.4)]
    assert [edges(point, grid) for point in grid] == [{"step": "least"}, {}, {"step": "largest"}]
    windows = [{"level": level, "step": step * level} for level in (1, 2) for step in (1, 3, 9)]
    assert [edges(point, windows).get("step") for point in windows] == 2 * ["least", None, "largest"]
    table, about = group("ADMM", (0.18, 0.2))
    about["points"]["other"] = {"algorithm.penalty": 0.3}
    text = page(*compared((table, about)), STUDY, [], {}, [])
    assert "- ADMM with the largest penalty: N = 5, ε = 1\n" in text


def test_intervals_of_differences_allow_for_all_methods():
    two = [group("ADMM", (0.18, 0.2)), group("slower", (0.185, 0.3))]
    four = [*two, group("third one", (0.2, 0.3)), group("the fourth", (0.21, 0.3))]
    narrow, wide = (against_best(judged(groups)).set_index("method").loc["slower"] for groups in (two, four))
    assert wide["difference_low"] < narrow["difference_low"] < narrow["difference"] == wide["difference"]
