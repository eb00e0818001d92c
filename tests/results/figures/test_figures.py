"""What each kind of figure shows."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from radmm.results.figures import condition, convergence, early_stopping, frontier, regulariser, topology
from radmm.results.figures.captions import SHIFT
from radmm.results.figures.comparison_panels import Panels
from radmm.results.figures.curve_styles import PAPER, Role, looks_of, shades
from radmm.results.figures.curves import at, typeset
from radmm.results.figures.figure import FIGURES
from radmm.results.figures.palette import ALGORITHMS, COLORS, PLUG_INS
from radmm.results.figures.style import TEXT_WIDTH, in_digits, log_scale, subplots
from radmm.study.figure_style import Style
from tests.results.figures.example_experiments import (
    ADMM,
    M_ADMM,
    MR_ADMM,
    R_ADMM,
    material,
    noise,
    settings,
    with_values,
)


def draw(kind, written, defaults=None, seconds=None, style=Style.CLEAR):
    return FIGURES[kind]().draw(replace(material(settings(written, defaults), seconds), style=style))


def titles(figure):
    return [axes.get_title(loc="left") for axes in figure.axes]


def legend(figure):
    return [text.get_text() for text in figure.legends[0].get_texts()]


def said(kind, written, defaults=None, style=Style.CLEAR):
    """The caption, as far as it is the kind's."""
    return " ".join(FIGURES[kind]().caption(replace(material(settings(written, defaults)), style=style)))


def test_comparison_has_a_panel_for_each_alpha_in_the_order_of_the_config():
    bound = {"values": {"privacy_loss": [0.0, 0.1, 0.2, 0.3, 0.4]}}
    written = {"plain": ADMM, "A": ADMM | noise([1.0, 2.0]) | bound, "B": R_ADMM | noise([1.0, 2.0]) | bound}
    figure = draw("comparison", written)
    levels = ["α = 1, P(T) = 0.4, ε = 0.5", "α = 2, P(T) = 0.4, ε = 0.5"]
    assert titles(figure) == [f"({letter}) {level}" for letter, level in zip("abcd", levels * 2, strict=True)]
    assert [axes.get_ylabel() for axes in figure.axes] == ["training loss, log scale", "", "test error", ""]
    assert legend(figure) == ["plain", "A", "B", "mean and range of 4 runs"]
    assert figure.get_figwidth() == TEXT_WIDTH


def panels_of(bounds, asked):
    """Titles where R has α = 2, and A was calibrated to something else."""
    made = settings({"R": R_ADMM | noise([2.0]), "A": ADMM | noise([2.0])})
    made = [
        replace(setting, values={"privacy_loss": bounds[setting.label]}, parameters=setting.parameters | asked)
        if setting.label == "A" else replace(setting, values={"privacy_loss": bounds["R"]})
        for setting in made
    ]  # fmt: skip
    panels = Panels.of(material(made))
    return panels.title(2.0), panels.rows_of_costs()


def test_panels_are_titled_by_what_is_equal():
    calibrated = {"noise": {"kind": "objective", "total_bound": {"same_as": "R"}}}
    found = {"noise": {"kind": "objective", "alpha": 0.7}}
    for asked in (calibrated, found):
        assert panels_of({"R": 12.3, "A": 12.3}, asked) == ("α = 2, P(T) = 12.3, ε = 0.5", [])
        assert panels_of({"R": 12.3, "A": 12.31}, asked) == ("α = 2, ε = 0.5", ["P(T)"])
    assert (
        panels_of({"R": 12.3, "A": 12.3000001}, {})[0] == "α = 2, P(T) = 12.31, ε = 0.5"
    )  # never less than what it is


def test_a_comparison_prints_every_curves_costs_and_says_what_is_equal():
    spent, (metric, *_) = {"R": 0.7932, "A": 0.5118}, SHIFT
    made = settings({"R": R_ADMM | noise([2.0]), "A": ADMM | noise([2.0]), "free": ADMM})
    made = [
        replace(setting, values={metric: spent[setting.label]}) if setting.label in spent else setting
        for setting in made
    ]
    figure = FIGURES["comparison"]().draw(material(made))
    assert [text.get_text() for text in figure.axes[-1].get_xticklabels()] == ["\nε", "R\n0.794", "A\n0.512"]
    assert "one row replaced" in figure.get_supxlabel()
    equal = [replace(setting, values={metric: 0.7999 if setting.label == "R" else 0.8}) for setting in made]
    for those, title in ((made, "α = 2"), (equal, "α = 2, ε = 0.8")):
        gaussian = material(those)  # whose noise has no bound P(T)
        gaussian = replace(gaussian, table=gaussian.table[gaussian.table["metric"] != "privacy_loss"])
        assert Panels.of(gaussian).title(2.0) == title


EACH = {"per_node": [1.0, 2.0]}
GAMMAS = {"algorithm": R_ADMM["algorithm"] | {"gamma": [0.1, 0.2]}}


@pytest.mark.parametrize(
    ("written", "panels", "curves"),
    [
        ({"A": ADMM, "B": ADMM}, 1, ["A", "B"]),
        ({"A": GAMMAS}, 1, ["A, γ = 0.1", "A, γ = 0.2"]),
        ({"A": ADMM | noise([1.0, 2.0]), "B": ADMM | noise([2.0])}, 2, ["A", "B"]),
        ({"A": ADMM | noise([EACH]), "B": ADMM}, 1, ["A", "B"]),
        ({"A": ADMM | noise([1.0]) | {"network": {"nodes": [5, 6]}}}, 1, ["A, N = 5", "A, N = 6"]),
        ({"A": ADMM | {"noise": [None, {"alpha": 1.0}]}}, 1, ["A, no noise", "A, noise: alpha = 1.0"]),
    ],
)  # fmt: skip
def test_a_comparison_takes_any_grid(written, panels, curves):
    figure = draw("comparison", written)
    assert len(titles(figure)) == 2 * panels
    assert legend(figure) == [*curves, "mean and range of 4 runs"]


def test_a_grid_of_budgets_makes_panels_too():
    budgets = {"noise": {"kind": "objective", "total_epsilon": [0.5, 1.0]}}
    figure = draw("comparison", {"A": ADMM | budgets})
    assert [title.split(",")[0] for title in titles(figure)[:2]] == ["(a) total ε = 0.5", "(b) total ε = 1"]


def test_bounds_are_drawn_in_the_papers_style_where_they_differ():
    written = {"A": ADMM | noise() | {"values": {"privacy_loss": 1.0}}, "B": R_ADMM | noise()}
    assert [axes.get_ylabel() for axes in draw("comparison", written, style=Style.PAPER).axes][1] == "P(t)"
    assert len(draw("comparison", written).axes) == 2
    assert len(draw("comparison", {"A": GAMMAS | noise()}, style=Style.PAPER).axes) == 2


@pytest.mark.parametrize(
    "label", ["$x$ and $y$", "_hidden", "costs 5$", "a_b {c} ^d", "100 % $", "$_{a}$", "_", "α_i of $x$"]
)
@pytest.mark.parametrize("kind", ["comparison", "convergence", "frontier"])
def test_labels_are_drawn_as_written(kind, label):
    figure = draw(kind, {label: R_ADMM | noise(), "other": ADMM | noise()})
    figure.canvas.draw()
    shown = legend(figure)[0]
    assert shown == typeset(label)
    printed = shown.replace(r"$\_$", "_").replace(r"$\alpha_i$", "α_i").replace(r"\$", "$")
    assert printed == label


def test_points_are_written_with_the_papers_symbols():
    assert at("algorithm.penalty.ratio", 1.04) == "q₁ = 1.04"
    assert at("noise.alpha", '{"per_node":[1.0,0.8]}') == "α_i = 1, 0.8"
    many = [at("noise.alpha", f'{{"per_node":{values}}}') for values in ([*range(1, 10)], [*range(9, 0, -1)])]
    assert all(text.startswith("α_i from 1 to 9 (#") for text in many)
    assert many[0] != many[1]
    assert at("network", '{"law": "ring", "nodes": 5}') == "ring, nodes = 5"


def bars_of(style):
    """Ends of bars less their mean; the table's least and largest are moved so that the mean isn't in the middle."""
    found = material(settings({"A": ADMM, "B": R_ADMM}))
    found = replace(found, table=found.table.assign(max=found.table["mean"] + 0.3, range=0.4), style=style)
    axes = FIGURES["comparison"]().draw(found).axes[1]
    assert len(axes.containers) == 2
    segments = [segment for _, _, (drawn,) in axes.containers for segment in drawn.get_segments()]
    return {(round(low - 0.5, 9), round(high - 0.5, 9)) for (_, low), (_, high) in segments}


def test_bars_reach_from_the_least_to_the_largest_and_in_the_papers_style_are_centred():
    assert bars_of(Style.CLEAR) == {(-0.1, 0.3)}
    assert bars_of(Style.PAPER) == {(-0.2, 0.2)}
    assert "least run to the largest" in said("comparison", {"A": ADMM})
    assert "centred" in said("comparison", {"A": ADMM}, style=Style.PAPER)
    assert "bars" not in said("comparison", {"A": ADMM | {"runs": 1}})
    assert legend(draw("comparison", {"A": ADMM | {"runs": 1}})) == ["A"]


def test_a_loss_has_a_band_from_the_least_to_the_largest():
    axes = draw("comparison", {"A": ADMM}).axes[0]
    (band,) = axes.collections
    ends = band.get_paths()[0].get_extents()
    assert (ends.x0, ends.y0, ends.x1, ends.y1) == pytest.approx((1, 0.4, 4, 0.6))


def test_an_algorithm_has_one_colour_and_marker_in_all_figures():
    for kind in ("comparison", "frontier", "convergence", "limit", "computation"):
        axes = draw(kind, {"A": ADMM | noise(), "B": R_ADMM | noise(), "C": MR_ADMM | noise()}).axes[0]
        lines = [line for line in axes.lines if len(line.get_xdata()) and line.get_marker() in "o^D"]
        seen = {(line.get_color(), line.get_marker()) for line in lines}
        assert seen == {ALGORITHMS[name][:2] for name in ("admm", "r-admm", "mr-admm")}, kind


def brightness(color):
    red, green, blue = (int(color[place : place + 2], 16) for place in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_looks_differ_without_colour():
    roles = [Role(name, sort, stopped) for name in ALGORITHMS for sort in (None, "", "gaussian", "output")
             for stopped in (False, True) if sort is not None or not stopped]  # fmt: skip
    looks = looks_of({str(role): role for role in roles}, Style.CLEAR)
    assert len(set(looks.values())) == len(roles)
    private = [look for role, look in zip(roles, looks.values(), strict=True) if role.noise == "" and not role.stopped]
    assert len({look.marker for look in private}) == len(ALGORITHMS)
    assert len({(look.marker, look.dashes) for look in PAPER.values()}) == len(PAPER)
    assert len(set(COLORS)) == len(COLORS)
    assert not {swatch.color for swatch in ALGORITHMS.values()} & {color for color, _ in PLUG_INS}


def test_a_family_has_shades_of_its_algorithms_colour_from_dark_to_light():
    role = Role("mr-admm")
    looks = looks_of(dict.fromkeys("ABCDE", role) | {"Z": Role("admm")}, Style.CLEAR)
    assert [looks[name].color for name in "ABCDE"] == shades(ALGORITHMS["mr-admm"].color, 5)
    bright = [brightness(looks[name].color) for name in "ABCDE"]
    assert all(after - before > 10 for before, after in pairwise(bright))
    assert len({looks[name].marker for name in "ABCDE"}) == 5
    assert looks["Z"][:2] == ALGORITHMS["admm"][:2]
    grey = [brightness(shade) for shade in shades("#000000", 3)]
    assert grey == sorted(grey)


def test_algorithms_of_plugins_have_colours_of_their_own():
    looks = looks_of({"A": Role("mine"), "B": Role("yours"), "C": Role("admm")}, Style.CLEAR)
    assert [looks[name][:2] for name in "AB"] == PLUG_INS[:2]


def test_the_papers_style_has_the_papers_colours():
    stopped = ADMM | noise() | {"iterations": 2}
    other = ADMM | {"noise": {"kind": "output", "alpha": 1.0}}
    written = {"A": ADMM | noise(), "B": stopped, "C": ADMM, "D": other}
    axes = draw("comparison", written, style=Style.PAPER).axes[0]
    colors = {line.get_label(): line.lines[0].get_color() for line in axes.containers}
    assert (colors["A"], colors["B"], colors["C"]) == ("black", "dimgray", "green")
    assert colors["D"] not in ("black", "dimgray", "green")
    twice = looks_of({"A": Role("admm"), "B": Role("admm"), "C": Role("admm", "output")}, Style.PAPER)
    assert len(set(twice.values())) == 3
    assert twice["A"].color != "black"  # two of a role are told apart


def test_who_stops_early_and_who_has_another_noise_looks_different():
    others = [{"noise": {"kind": "output", "alpha": 1.0}}, {"noise": {"kind": "output", "sigma": 1.0}}]
    written = {"A": ADMM | noise(), "B": ADMM | noise() | {"iterations": 2}, "C": ADMM}
    written |= {name: ADMM | other for name, other in zip("DE", others, strict=True)}
    looks = {
        line.get_label(): (
            str(line.get_linestyle()),
            line._unscaled_dash_pattern,
            line.get_fillstyle(),
            line.get_marker(),
        )
        for line in draw("comparison", written).axes[0].lines
    }
    assert len(set(looks.values())) == 5


def test_numbers_are_written_as_people_do():
    assert [in_digits(value) for value in (0.05, 2000.0, 0.0005, 1e5, 3e-6)] == [
        "0.05", "2000", "0.0005", "$10^{5}$", r"$3\cdot 10^{-6}$",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0.36, 0.42, ["0.36", "0.37", "0.38", "0.39", "0.4", "0.41", "0.42"]),
        (0.35, 1.3, ["0.4", "0.6", "0.8", "1"]),
        (0.12, 15.0, ["0.2", "0.5", "1", "2", "5", "10"]),
        (1e-3, 10.0, ["0.001", "0.01", "0.1", "1", "10"]),
    ],
)
def test_logarithmic_axes_have_round_ticks(low, high, ticks):
    _, ((axes,),) = subplots(1, 1, 3.0, 3.0)
    axes.set_ylim(low, high)
    log_scale(axes, "")
    axes.figure.canvas.draw()
    shown = [label for label, place in zip(axes.get_yticklabels(), axes.get_yticks(), strict=True)
             if low * 0.999 <= place <= high * 1.001]  # fmt: skip
    assert [label.get_text() for label in shown] == ticks
    assert not len(axes.get_yticks(minor=True))


def test_convergence_has_a_dash_for_each_network_and_a_colour_for_each_gamma():
    figure = draw("convergence", {"A": ADMM, "B": GAMMAS}, {"network": {"nodes": [5, 20]}})
    every, distance = figure.axes
    assert len({line.get_color() for line in every.lines}) == 3
    assert len({str(line.get_linestyle()) for line in every.lines}) == 2
    assert [line.get_xdata().tolist() for line in distance.lines] == [[1, 3]] * 6
    assert legend(figure) == ["A", "B, γ = 0.1", "B, γ = 0.2", "N = 20", "N = 5"]
    large, small = figure.legends[0].legend_handles[-2:]
    assert (large.get_linestyle(), small.get_linestyle()) == ("-", "--")  # as in the paper


def own_and_common(dual_step):
    penalty = {"scale": {"per_node": [1.0, 2.0]}}
    return {"algorithm": {"name": "mr-admm", "penalty": penalty, "gamma": 0.5, "dual_step": dual_step}}


def test_a_common_dual_step_is_the_same_colour_dashed():
    written = {"C": own_and_common(0.8), "R": R_ADMM, "A": own_and_common(None), "B": M_ADMM}
    figure = draw("limit", written)
    common, reference, own, _ = figure.axes[0].lines
    assert own.get_color() == common.get_color() != reference.get_color()
    assert own.get_linestyle() == "-" != common.get_linestyle()
    assert legend(figure)[:3] == ["A", "R", "B"]
    assert legend(figure)[3:] == [typeset(convergence.OWN), convergence.COMMON]


def test_convergence_leaves_common_dual_steps_to_the_limit():
    written = {"C": own_and_common(0.8), "R": R_ADMM, "A": own_and_common(None), "B": M_ADMM}
    assert legend(draw("convergence", written)) == ["R", "A", "B"]
    assert "are in the table, and not drawn" in said("convergence", written)
    assert "not drawn" not in said("convergence", {"C": own_and_common(0.8)})
    assert legend(draw("convergence", {"C": own_and_common(0.8)})) == ["C"]


def test_a_dual_step_without_its_counterpart_is_no_variant():
    figure = draw("convergence", {"A": ADMM, "B": M_ADMM})
    assert [line.get_linestyle() for line in figure.axes[0].lines] == ["-", "-"]
    assert legend(figure) == ["A", "B"]


def test_a_single_curve_beside_a_family_is_thin_and_on_top_and_in_the_papers_style_black():
    written = {"A": R_ADMM, "B": {"algorithm": MR_ADMM["algorithm"] | {"gamma": [1.0, 2.0]}}}
    alone, *family = draw("convergence", written).axes[0].lines
    assert alone.get_color() == ALGORITHMS["r-admm"].color
    assert all(alone.get_linewidth() < line.get_linewidth() / 2 for line in family)
    assert all(alone.get_zorder() > line.get_zorder() for line in family)
    papers = draw("convergence", written, style=Style.PAPER)
    assert [line.get_color() for line in papers.axes[0].lines].index("black") == 0
    both = draw("convergence", {"A": ADMM, "B": R_ADMM}, style=Style.PAPER).axes[0].lines
    assert [line.get_color() for line in both] == ["black", "red"]


def test_what_is_cut_is_said():
    figure = draw("convergence", {"A": R_ADMM | {"iterations": 60}})
    assert titles(figure)[0].endswith(", the first 50 of 60 iterations")
    assert figure.axes[0].lines[0].get_xdata()[-1] == 50


def test_long_runs_are_compared_with_the_single_curve_beside_a_family():
    family = {"algorithm": MR_ADMM["algorithm"] | {"gamma": [1.0, 2.0]}}
    losses = {"r-admm": 0.3, "mr-admm": 0.5}
    made = settings({"A": R_ADMM, "B": family}, {"iterations": 60, "network": {"nodes": [5, 20]}})
    made = with_values(made, lambda own: {"loss": losses[own["algorithm"]["name"]] + 0.01 * own["network"]["nodes"]})
    axes = FIGURES["convergence"]().draw(material(made)).axes[0]
    assert axes.get_ylabel() == "training loss above A's"
    assert [line.get_ydata()[-1] for line in axes.lines] == pytest.approx([0.0] * 2 + [0.2] * 4)
    assert axes.lines[0].get_xdata()[:2].tolist() == [1, 3]


def test_what_grows_is_said():
    assert "q₁^k" in said("convergence", {"A": MR_ADMM})
    assert "q₁^k" not in said("convergence", {"A": R_ADMM})


def test_the_regulariser_of_least_mean_error_is_marked():
    errors = {(0.1, 0): 0.2, (0.1, 1): 0.4, (1.0, 0): 0.1, (1.0, 1): 0.3, (10.0, 0): 0.3, (10.0, 1): 0.3}
    written = {"A": ADMM | {"problem": {"rho": [0.1, 1.0, 10.0]}, "split": {"seed": [0, 1]}}}
    made = with_values(
        settings(written), lambda own: {"error_rate": errors[own["problem"]["rho"], own["split"]["seed"]]}
    )
    arranged = regulariser.arrange(material(made)).query("rho == 1.0").set_index("split")["mean"]
    assert arranged.to_dict() == {0: 0.1, 1: 0.3}
    figure = FIGURES["regulariser"]().draw(material(made))
    texts = legend(figure)
    assert texts == [
        "one split",
        "mean and range of 2 splits",
        "least mean, ρ = 1",
        "paper's ρ = 0.22",
    ]
    (mean,) = (line for line in figure.axes[0].lines if str(line.get_label()).startswith("mean and"))
    assert mean.get_ydata().tolist() == pytest.approx([0.3, 0.2, 0.3])
    assert figure.axes[0].get_legend() is None  # nothing covers a line


def test_each_split_is_compared_with_the_papers_choice():
    errors = {(0.1, 0): 0.2, (0.1, 1): 0.4, (0.22, 0): 0.1, (0.22, 1): 0.3, (10.0, 0): 0.3, (10.0, 1): 0.3}
    written = {"A": ADMM | {"problem": {"rho": [0.1, 0.22, 10.0]}, "split": {"seed": [0, 1]}}}
    made = with_values(
        settings(written), lambda own: {"error_rate": errors[own["problem"]["rho"], own["split"]["seed"]]}
    )
    zoom = FIGURES["regulariser"]().draw(material(made)).axes[1]
    for line in zoom.lines[:3]:  # both splits, and their mean: in percentage points, up to ρ = 1
        assert line.get_xdata().tolist() == [0.1, 0.22]
        assert line.get_ydata().tolist() == pytest.approx([10.0, 0.0])
    papers = FIGURES["regulariser"]().draw(replace(material(made), style=Style.PAPER))
    assert len(papers.axes) == 1


STOPPED = noise([0.5, 1.0]) | {"iterations": 2}


def test_gamma_is_tuned_by_the_loss_at_the_end():
    made = settings({"A": GAMMAS | noise([0.5, 1.0]), "B": ADMM | STOPPED})
    loss = {0.1: 0.5, 0.2: 0.4, None: 0.3}
    made = with_values(made, lambda own: {"loss": loss[own["algorithm"].get("gamma")]})
    ends = early_stopping.arrange(material(made))
    ends = ends[ends["metric"] == "loss"]
    assert ends.groupby("label")["mean"].unique().str[0].to_dict() == {"A": 0.4, "B": 0.3}
    assert ends["T"].unique().tolist() == [4]
    assert ends["K"].unique().tolist() == [2]
    figure = FIGURES["early_stopping"]().draw(material(made))
    assert titles(figure) == ["(a) Loss, T = 4", "(b) Error, T = 4"]
    caption = FIGURES["early_stopping"]().caption(material(made))
    assert "at the same bound" in caption[0]
    assert "chosen on the same runs" in caption[-1]


def test_each_that_recycles_is_compared_with_the_one_of_its_penalty_that_stops():
    written = {"A": MR_ADMM | noise([0.5, 1.0]), "B": M_ADMM | STOPPED, "C": R_ADMM | noise([0.5, 1.0]),
               "D": ADMM | STOPPED}  # fmt: skip
    loss = {"mr-admm": 0.6, "m-admm": 0.5, "r-admm": 0.9, "admm": 0.3}
    made = with_values(settings(written), lambda own: {"loss": loss[own["algorithm"]["name"]]})
    found = early_stopping.ratios(early_stopping.arrange(material(made)))
    found = found[found["metric"] == "loss"].set_index("curve")
    assert found.groupby(level=0)["ratio"].unique().str[0].to_dict() == pytest.approx({"A": 1.2, "C": 3.0})
    assert found["curve_other"].to_dict() == {"A": "B", "C": "D"}
    # Four runs with a standard deviation of 0.1: the t quantile of three degrees of freedom is 3.182.
    reach = 3.182446 * (((0.1 / 0.6) ** 2 + (0.1 / 0.5) ** 2) / 4) ** 0.5
    assert np.log(found.loc["A", "high"] / 1.2).tolist() == pytest.approx([reach] * 2, rel=1e-5)
    assert np.log(1.2 / found.loc["A", "low"]).tolist() == pytest.approx([reach] * 2, rel=1e-5)
    assert legend(FIGURES["early_stopping"]().draw(material(made))) == [
        "recycling better", "recycling worse", "A  /  B", "C  /  D", "95 % interval of the ratio",
    ]  # fmt: skip


def test_where_nobody_stops_early_the_first_is_the_measure():
    made = settings({"A": MR_ADMM | noise([0.5, 1.0])})
    found = early_stopping.ratios(early_stopping.arrange(material(made)))
    assert (found[["ratio", "low", "high"]] == 1.0).all(axis=None)


def test_the_nodes_of_least_degree_set_the_bound():
    networks = [{"law": "star", "nodes": 4}, {"law": "ring", "nodes": 4}]
    written = {"N = 4": MR_ADMM | {"network": networks, "noise": [None, noise()["noise"]]}}
    assert set(topology.arrange(material(settings(written)))["curve"]) == {"ring", "star"}
    assert "those of least degree determine the bound" in said("topology", written)
    assert len(draw("topology", written).axes) == 4


def test_nobody_says_who_sets_the_bound_where_nodes_differ():
    written = {"A": R_ADMM | noise({"per_node": [1.0, 1.0, 1.0, 1.0, 2.0]})}
    assert titles(draw("topology", written)) == [
        "(a) Test error with noise", "(b) Privacy bound",
    ]  # fmt: skip
    assert "least degree" not in said("topology", written)


def test_the_ratio_of_seconds_is_written_beside_the_bar():
    private = {"C": R_ADMM | noise(), "D": ADMM | noise()}
    seconds = {"A": 4.0, "B": 1.0, "C": 1.0, "D": 2.0}
    figure = draw("computation", {"A": ADMM, "B": R_ADMM} | private, seconds=seconds)
    bars = figure.axes[2]
    assert [text.get_text() for text in bars.texts] == ["0.25", "0.50"]
    assert [bar.get_hatch() for bar in bars.patches] == ["", "", "//", "//"]
    assert [text.get_text() for text in bars.get_xticklabels()] == ["A", "B", "C", "D"]


def test_a_budget_is_where_its_settings_stand():
    made = settings({"plain": ADMM | {"values": {"error_rate": 0.16}}, "A": ADMM | noise([1.0, 0.5])})
    made = made[:1] + with_values(made[1:], lambda own: {"epsilon_shift_delta_1e-05": 2.0 * own["noise"]["alpha"]})
    figure = FIGURES["frontier"]().draw(material(made))
    (container,) = figure.axes[0].containers
    assert container.lines[0].get_xdata().tolist() == [1.0, 2.0]
    assert container.lines[0].get_ydata().tolist() == [0.5, 0.5]
    assert container[2][0].get_segments()[0][:, 1].tolist() == pytest.approx([0.4, 0.6])
    assert figure.axes[0].get_xlabel() == "total ε at δ = 1e-5, shift accountant, one row replaced"


@pytest.mark.parametrize("kind", ["frontier", "comparison"])
def test_averages_are_drawn_where_they_are_asked_for(kind):
    values = {"loss": 0.5, "error_rate": 0.2, "loss_average": 0.4, "error_rate_average": 0.1}
    found = material(settings({"A": ADMM | noise() | {"values": values}}))
    for name, error in ((kind, 0.2), (f"{kind}-average", 0.1)):
        figure = FIGURES[name]().draw(found)
        axes = next(axes for axes in figure.axes if "test error" in axes.get_ylabel())
        assert ("averaged" in axes.get_ylabel()) == name.endswith("average")
        (container,) = axes.containers
        assert container.lines[0].get_ydata().tolist() == [error]


def test_a_frontier_takes_the_accountant_that_bounds_most_and_says_what_it_leaves_out():
    found = material(settings({"A": ADMM | noise(), "B": R_ADMM | noise(2.0), "C": R_ADMM | noise(3.0)}))
    labels, metrics = found.table["label"], found.table["metric"]
    told = metrics.isin([f"epsilon_{name}_delta_1e-05" for name in ("shift", "renyi", "pld")])
    unbounded = (told & (labels == "B")) | (metrics.str.startswith("epsilon_") & (labels == "C"))
    found = replace(found, table=found.table[~unbounded])
    assert frontier.arrange(found)[1] == "epsilon_optimal-pure_delta_1e-05"
    assert "not shown: C." in FIGURES["frontier"]().caption(found)[-1]


def test_the_condition_is_drawn_with_the_gamma_that_would_do():
    found = material(settings({"A": GAMMAS}))
    theory = {name: {"theory.margin": -1.0, "theory.sufficient_gamma": 50.0} for name in found.parameters}
    assert legend(condition.draw(found, theory)) == [
        "least sufficient γ = 50", "distance at the start", "mean and range of 4 runs",
    ]  # fmt: skip


def test_a_theorem_that_says_nothing_says_so():
    found = material(settings({"A": GAMMAS}))
    theory = {name: {"theory.margin": None, "theory.sufficient_gamma": None} for name in found.parameters}
    figure = condition.draw(found, theory)
    assert [text.get_text() for text in figure.axes[0].texts] == ["The theorem says nothing of these settings."]
