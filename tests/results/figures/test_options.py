"""Options that every kind of figure has: what they change, and what is refused before anything runs."""

import pytest

from radmm.base.errors import InputError
from radmm.results.figures.figure import FIGURES
from radmm.results.figures.files import finish
from tests.results.figures.example_experiments import ADMM, MR_ADMM, R_ADMM, material, noise, settings
from tests.study.configs import complaints, one_experiment

LEVELS = noise([0.5, 1.0])
WRITTEN = {  # two labels that each kind can draw
    "comparison": {"A": ADMM | noise(), "B": R_ADMM | noise()},
    "computation": {"A": ADMM, "B": R_ADMM},
    "condition": {label: {"algorithm": R_ADMM["algorithm"] | {"gamma": [0.5, 1.0]}} | own
                  for label, own in (("A", {}), ("B", {"network": {"nodes": 7}}))},
    "convergence": {"A": ADMM, "B": MR_ADMM},
    "early_stopping": {"A": R_ADMM | LEVELS, "B": ADMM | LEVELS | {"iterations": 2}},
    "frontier": {"A": ADMM | LEVELS, "B": R_ADMM | LEVELS},
    "limit": {"A": ADMM, "B": MR_ADMM},
    "regulariser": {"A": ADMM | {"problem": {"rho": [0.1, 1.0]}}, "B": R_ADMM | {"problem": {"rho": [0.1, 1.0]}}},
    "topology": {"A": ADMM | {"network": {"nodes": [5, 6]}}, "B": R_ADMM | {"network": {"nodes": [5, 6]}}},
}  # fmt: skip


def draw(kind, written=None, **options):
    figure = FIGURES[kind](**options)
    made = settings(written or WRITTEN[kind])
    assert not list(figure.option_faults(made))
    drawn = figure.draw(figure.arranged(material(made)))
    finish(drawn, figure)
    return drawn


def colors_of(figure):
    return {line.get_color() for axes in figure.axes for line in axes.lines}


@pytest.mark.parametrize("kind", WRITTEN)
def test_a_label_has_the_colour_that_it_is_given(kind):
    assert "teal" not in colors_of(draw(kind))
    label = "B" if kind != "early_stopping" else "A"  # whose curves are called by those that recycle
    assert "teal" in colors_of(draw(kind, colors={label: "teal"}))


def test_curves_of_one_label_have_shades_of_its_colour():
    written = {"A": ADMM | noise(), "B": R_ADMM | noise() | {"network": {"nodes": [5, 6, 7]}}}
    before, after = (colors_of(draw("comparison", written, **options)) for options in ({}, {"colors": {"B": "teal"}}))
    assert len(before) == len(after) == 4
    assert len(before & after) == 1


def test_the_legend_has_the_order_that_is_asked_for():
    written = {"A": ADMM | noise(), "B": R_ADMM | noise(), "C": MR_ADMM | noise()}

    def legend(**options):
        return [text.get_text() for text in draw("comparison", written, **options).legends[0].get_texts()]

    assert legend()[:3] == ["A", "B", "C"]
    assert legend(order=["C", "A"])[:3] == ["C", "A", "B"]


@pytest.mark.parametrize("kind", WRITTEN)
def test_titles_and_limits_are_those_of_the_panels(kind):
    figure = draw(kind, title="Mine", titles={"a": "First"}, limits={"a.x": [1.0, 3.0], "y": [0.1, 0.9]})
    assert figure.get_suptitle() == "Mine"
    first, *others = [axes for axes in figure.axes if axes.axison]
    assert "First" in (first.get_title(loc="left"), first.get_title())
    assert first.get_xlim() == (1.0, 3.0)
    assert all(axes.get_ylim() == pytest.approx((0.1, 0.9)) for axes in (first, *others))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"titles": {"z": "no"}}, r"figure\.titles\.z: must be of a panel that the figure has, one of a, b"),
        ({"limits": {"q.y": [0.0, 1.0]}}, r"figure\.limits\.q\.y: must be of a panel"),
        ({"limits": {"a.y": [0.0, 1.0]}}, r"figure\.limits\.a\.y = \[0\.0, 1\.0\]: must be positive"),
    ],
)
def test_a_panel_that_the_figure_lacks_is_named(options, said):
    with pytest.raises(InputError, match=said):
        draw("comparison", **options)


REFUSED = {
    "nope": ".figure = 'nope': must be one of comparison, ",
    "comparisn": "; did you mean comparison?",
    3: ".figure = 3: must be the name of a kind, or a section with a kind and its options",
    "no kind": ".figure = {'title': 'x'}: must have a known kind, which must be one of comparison, ",
    "titel": ".figure.titel is not a known field here: did you mean title?",
    "number": ".figure.title = 3: must be a valid string",
    "letter": ".figure.titles.1: must be the letter of a panel, like a",
    "axis": ".figure.limits.z: must be x or y, or that of one panel, like b.y",
    "ends": ".figure.limits.x = [2.0, 1.0]: must be two numbers, the smaller first",
    "label": ".figure.order has 'ADM': must be one of ",
    "twice": ".figure.order has 'ADMM': must name a label once",
    "colour": ".figure.colors.ADMM = 'gren': must be a colour, like teal or '#0072B2'",
    "whose": ".figure.colors.A = 'red': must be one of ADMM, not private, ADMM, ",
}
WRONG = {
    "no kind": {"title": "x"},
    "titel": {"kind": "comparison", "titel": "x"},
    "number": {"kind": "comparison", "title": 3},
    "letter": {"kind": "comparison", "titles": {"1": "x"}},
    "axis": {"kind": "comparison", "limits": {"z": [0, 1]}},
    "ends": {"kind": "comparison", "limits": {"x": [2, 1]}},
    "label": {"kind": "comparison", "order": ["ADM"]},
    "twice": {"kind": "comparison", "order": ["ADMM", "ADMM"]},
    "colour": {"kind": "comparison", "colors": {"ADMM": "gren"}},
    "whose": {"kind": "comparison", "colors": {"A": "red"}},
}


@pytest.mark.parametrize("case", REFUSED)
def test_an_option_that_cannot_be_used_is_refused_in_a_sentence(case):
    config = one_experiment()
    config["experiments"]["fig5"]["figure"] = WRONG.get(case, case)
    (sentence,) = complaints(config)
    assert sentence.startswith("experiments.fig5.figure")
    assert REFUSED[case] in sentence


def test_all_wrong_options_are_told_at_once():
    config = one_experiment()
    config["experiments"]["fig5"]["figure"] = {"kind": "comparison", "order": ["A"], "colors": {"B": "red"}}
    assert len(complaints(config)) == 2
