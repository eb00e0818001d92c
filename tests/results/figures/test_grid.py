"""The kind `grid`: what its forms draw, and what it refuses before anything runs."""

from dataclasses import replace

import numpy as np
import pytest

from radmm.results.figures.figure import FIGURES
from tests.results.figures.example_experiments import ADMM, R_ADMM, material, settings, with_values
from tests.study.configs import WHOLE, complaints

EPSILONS, NODES, LAWS, SEEDS = [0.5, 1.0, 4.0], [4, 8], ["ring", "star"], [0, 1, 2]
SPREAD = {"network": {"law": LAWS, "nodes": NODES}, "split": {"seed": SEEDS}}
BUDGET = {"kind": "objective", "law": "gaussian", "total_epsilon": EPSILONS, "delta": 1e-6, "neighbours": "zero-out"}
WRITTEN = {
    "ADMM": ADMM | SPREAD | {"noise": BUDGET},
    "R-ADMM": R_ADMM | SPREAD | {"noise": BUDGET},
    "plain": ADMM | SPREAD,
}
OPTIONS = {
    "x": "noise.total_epsilon",
    "color": "label",
    "facet_row": "network.law",
    "facet_column": "network.nodes",
    "over": "split.seed",
}


def error(parameters):
    """Far apart for every point, so that one in a wrong place is seen; seeds are .01 apart."""
    spent = (parameters["noise"] or {"total_epsilon": 10.0})["total_epsilon"]
    network, algorithm = parameters["network"], parameters["algorithm"]["name"]
    places = (
        EPSILONS.index(spent) if spent in EPSILONS else 3,
        LAWS.index(network["law"]),
        NODES.index(network["nodes"]),
    )
    return (
        0.1 * places[0] + places[1] + 2 * places[2] + 4 * (algorithm == "r-admm") + 0.01 * parameters["split"]["seed"]
    )


def made(written=None):
    return with_values(settings(written or WRITTEN), lambda own: {"error_rate": error(own)})


def faults(planned=None, **options):
    figure = FIGURES["grid"](**options)
    planned = planned or made()
    return [f"{option}: {reason}" for option, reason in figure.option_faults(planned)] or figure.refusal(planned)


def arranged(planned=None, **options):
    """The figure's kind, and what it is drawn from."""
    planned = planned or made()
    assert not faults(planned, **options)
    figure = FIGURES["grid"](**options)
    asked = {each.id: each.parameters["noise"] for each in planned if each.parameters["noise"]}
    found = {each.id: each.parameters | {"noise": each.parameters["noise"] and {"kind": "objective", "sigma": 1.0}}
             for each in planned}  # fmt: skip
    return figure, figure.arranged(replace(material(planned), asked=asked, parameters=found))


def draw(planned=None, **options):
    figure, found = arranged(planned, **options)
    drawn = figure.draw(found)
    drawn.canvas.draw()
    return drawn


def panels(figure):
    return {axes.get_title(loc="left"): axes for axes in figure.axes if axes.get_title(loc="left")}


def said(planned=None, **options):
    figure, found = arranged(planned, **options)
    return " ".join(figure.caption(found))


def test_lines_are_means_over_what_is_averaged_with_a_band():
    figure = draw(**OPTIONS)
    titles = ["(a) law = ring, N = 4", "(b) law = ring, N = 8", "(c) law = star, N = 4", "(d) law = star, N = 8"]
    assert list(panels(figure)) == titles
    for place, axes in enumerate(panels(figure).values()):
        first = place // 2 + 2 * (place % 2) + 0.01
        without_x = [line for line in axes.lines if line.get_linestyle() == "--"]
        (plain,), (admm, recycled) = without_x, [line for line in axes.lines if line not in without_x]
        np.testing.assert_allclose(admm.get_xdata(), EPSILONS)
        np.testing.assert_allclose(admm.get_ydata(), first + np.array([0.0, 0.1, 0.2]))
        np.testing.assert_allclose(recycled.get_ydata(), first + 4 + np.array([0.0, 0.1, 0.2]))
        np.testing.assert_allclose(plain.get_ydata(), first + 0.3)  # a setting without ε is a horizontal line
        band = axes.collections[0].get_paths()[0].get_extents()
        assert (band.y0, band.y1) == pytest.approx((first - 0.01, first + 0.21))
        assert axes.get_xscale() == "log"
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [
        "ADMM", "R-ADMM", "plain", "mean, least to largest",
    ]  # fmt: skip


def test_the_caption_says_what_is_averaged_and_on_which_terms_an_epsilon_was_asked_for():
    text = said(**OPTIONS)
    assert "Lines: mean over 3 values of split.seed, each the mean of 4 runs, after the last iteration." in text
    assert "Bands: least to largest." in text
    assert "Total ε asked for, over all iterations: shift accountant, δ = 1e-06, zeroing out one row." in text
    assert "Bands: 95 % interval of the mean." in said(**OPTIONS, interval="confidence")


def test_an_interval_of_confidence_is_student_s():
    axes = panels(draw(**OPTIONS, interval="confidence"))["(a) law = ring, N = 4"]
    half = 4.302652729911275 * 0.01 / np.sqrt(3)  # t of two degrees of freedom
    band = axes.collections[0].get_paths()[0].get_extents()
    assert (band.y0, band.y1) == pytest.approx((0.01 - half, 0.21 + half))


def test_without_over_bands_are_of_the_runs():
    written = {"ADMM": ADMM | {"noise": BUDGET}}
    planned = with_values(settings(written), lambda own: {"error_rate": own["noise"]["total_epsilon"]})
    figure = draw(planned, x="noise.total_epsilon")
    band = figure.axes[0].collections[0].get_paths()[0].get_extents()
    assert (band.y0, band.y1) == pytest.approx((0.4, 4.1))
    caption = said(planned, x="noise.total_epsilon")
    assert caption.startswith("Lines: mean of 4 runs, after the last iteration. Bands: least to largest.")


def test_a_heat_map_has_a_cell_for_each_point():
    options = OPTIONS | {"color": "network.nodes", "facet_row": "label", "facet_column": "network.law"}
    found = panels(draw(**options, form="heatmap"))
    cells = found["(d) R-ADMM, law = star"].collections[0].get_array()
    beside = [text.get_text() for text in found["(c) R-ADMM, law = ring"].get_yticklabels()]
    assert beside == ["8", "4"]  # numbers grow upwards
    np.testing.assert_allclose(cells[:, :3].filled(np.nan), 5.01 + np.array([[2.0], [0.0]]) + [0.0, 0.1, 0.2])
    assert cells.mask[:, 3].all()  # settings without ε have a column of their own


def test_boxes_are_made_of_the_values_of_over():
    figure = draw(**OPTIONS, form="box", colors={"R-ADMM": "teal"})
    for place, axes in enumerate(panels(figure).values()):
        medians = {round(float(line.get_ydata()[0]), 6) for line in axes.lines if len(set(line.get_ydata())) == 1}
        first = place // 2 + 2 * (place % 2) + 0.01
        assert {round(first + step + more, 6) for step in (0.0, 0.1, 0.2) for more in (0, 4)} <= medians
    colors = [handle.get_edgecolor() for handle in figure.legends[0].legend_handles]
    assert len(set(colors)) == 3
    assert "Boxes: median and quartiles over 3 values of split.seed" in said(**OPTIONS, form="box")


def test_lines_may_go_over_the_iterations():
    options = {"x": "iteration", "y": "loss", "color": "noise.total_epsilon", "facet_column": "label",
               "facet_row": "network.law", "over": ["split.seed", "network.nodes"], "log": ["y"]}  # fmt: skip
    figure = draw(**options)
    assert "mean over 6 values of split.seed and network.nodes" in said(**options)
    assert [line.get_xdata().tolist() for line in figure.axes[0].lines] == [[0, 1, 2, 3, 4]] * 3
    assert figure.axes[0].get_yscale() == "log"


def test_a_metric_may_be_read_earlier():
    options = {"x": "noise.total_epsilon", "iteration": 2}
    planned = with_values(settings({"ADMM": ADMM | {"noise": BUDGET}}), lambda own: {"error_rate": [9, 8, 7, 6, 5]})
    axes = draw(planned, **options).axes[0]
    assert axes.lines[0].get_ydata().tolist() == [7, 7, 7]
    assert axes.get_ylabel() == "test error at t = 2"


MANY = {"ADMM": ADMM | {"noise": BUDGET | {"total_epsilon": [1.0, 2.0]}, "network": {"nodes": list(range(4, 16))}}}
REFUSED = [
    ({"x": "noise.epsilon"}, "x = 'noise.epsilon': must be a parameter of the settings, or label; did you mean "),
    ({"color": "problem.rho"}, "color = 'problem.rho': must be a parameter with several values here, but has one; "),
    ({"color": "noise.total_epsilon"}, "color = 'noise.total_epsilon': must be named by one option, "),
    ({"over": "zzz"}, "over = 'zzz': must be a parameter of the settings, or label; those that vary are label, "),
    ({"color": None, "over": ["split.seed", "label"]}, "over = 'label': must be a parameter, as a mean over labels"),
    ({"y": "error"}, "y = 'error': must be one of loss, error_rate, "),
    ({"y": "privacy_loss"}, "y = 'privacy_loss': must be a metric that at least one setting has"),
    ({"iteration": 5}, "iteration = 5: must be at most 4, which is where a setting ends"),
    ({"form": "box", "over": []}, "over is missing: must be given with as: box"),
    ({"form": "heatmap", "color": None, "facet_row": None}, "color is missing: must be given with as: heatmap"),
    ({"colors": {"ADM": "red"}}, "colors.ADM = 'red': must be one of ADMM, R-ADMM, plain; did you mean ADMM?"),
    ({"x": "split.seed", "over": [], "log": ["x"]}, "log = ['x']: must leave out x, as split.seed has "),
]  # fmt: skip


@pytest.mark.parametrize(("options", "sentence"), REFUSED)
def test_options_that_do_not_fit_are_refused_in_a_sentence(options, sentence):
    told = faults(**OPTIONS | options)
    assert isinstance(told, list)
    assert any(each.startswith(sentence) for each in told), told


@pytest.mark.parametrize(("option", "most"), [("facet_column", 5), ("facet_row", 8), ("color", 10)])
def test_more_than_a_reader_can_tell_apart_is_refused(option, most):
    (told,) = faults(settings(MANY), x="noise.total_epsilon", **{option: "network.nodes"})
    assert told == f"{option} = 'network.nodes': must have at most {most} values with as: line, but has 12"


def test_what_varies_must_be_shown_or_averaged():
    told = faults(x="noise.total_epsilon", color="label", facet_row="network.law")
    assert told == (
        "must show or average all that varies, but settings that x, color, facets and over don't tell apart differ in "
        "split.seed, network.nodes"
    )


def test_a_config_with_wrong_options_is_told_where():
    setting = {"algorithm": {"name": "admm"}, "noise": {"kind": "objective", "alpha": [1.0, 2.0]}}
    config = WHOLE | {"experiments": {"mine": {"figure": {"kind": "grid", "as": "pie"}, "settings": {"A": setting}}}}
    assert complaints(config) == [
        "experiments.mine.figure.x is missing: must be given",
        "experiments.mine.figure.as = 'pie': must be one of line, heatmap, box",
    ]
    config["experiments"]["mine"]["figure"] = {"kind": "grid", "x": "noise.alfa"}
    (sentence,) = complaints(config)
    assert sentence.startswith(
        "experiments.mine.figure.x = 'noise.alfa': must be a parameter of the settings, or label"
    )
    assert sentence.endswith("did you mean noise.alpha?")
