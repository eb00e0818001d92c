"""What each kind of figure shows."""

from dataclasses import replace

import pytest

from radmm.results.figures import comparison, condition, convergence, early_stopping, frontier, regulariser, topology
from radmm.results.figures.curves import at
from radmm.results.figures.figure import FIGURES
from radmm.results.figures.looks import LOOKS, Role, looks_of
from tests.results.figures.made import ADMM, M_ADMM, MR_ADMM, R_ADMM, material, noise, settings, with_values


def draw(kind, written, defaults=None, seconds=None):
    return FIGURES[kind]().draw(material(settings(written, defaults), seconds))


def titles(figure):
    return [axes.get_title(loc="left") for axes in figure.axes]


def legend(figure):
    return [text.get_text() for text in figure.legends[0].get_texts()]


def test_comparison_has_a_panel_for_each_alpha():
    bound = {"values": {"privacy_loss": [0.0, 0.1, 0.2, 0.3, 0.4]}}
    written = {"plain": ADMM, "A": ADMM | noise([2.0, 1.0]) | bound, "B": R_ADMM | noise([2.0, 1.0])}
    figure = draw("comparison", written)
    assert titles(figure) == [
        "(a) Average training loss, α = 2",
        "(b) Average training loss, α = 1",
        "(c) Privacy bound, α = 2",
        "(d) Privacy bound, α = 1",
        "(e) Test error after the last iteration",
    ]
    assert legend(figure) == ["plain", "A", "B"]
    assert (
        "mean of 4 runs. Bars: centred on the mean, as long as the runs' range."
        in figure.legends[0].get_title().get_text()
    )


OWN = {"per_node": [1.0, 2.0]}
GAMMAS = {"algorithm": R_ADMM["algorithm"] | {"gamma": [0.1, 0.2]}}


@pytest.mark.parametrize(
    ("written", "panels", "curves"),
    [
        ({"A": ADMM, "B": ADMM}, 1, ["A", "B"]),
        ({"A": GAMMAS}, 1, ["A, γ = 0.1", "A, γ = 0.2"]),
        ({"A": ADMM | noise([1.0, 2.0]), "B": ADMM | noise([2.0])}, 2, ["A", "B"]),
        ({"A": ADMM | noise([OWN]), "B": ADMM}, 1, ["A", "B"]),
        ({"A": ADMM | noise([1.0]) | {"network": {"nodes": [5, 6]}}}, 1, ["A, N = 5", "A, N = 6"]),
        ({"A": ADMM | {"noise": [None, {"alpha": 1.0}]}}, 1, ["A, no noise", "A, noise: alpha = 1.0"]),
    ],
)  # fmt: skip
def test_a_comparison_takes_any_grid(written, panels, curves):
    figure = draw("comparison", written)
    assert sum("training loss" in title for title in titles(figure)) == panels
    assert legend(figure) == curves


def test_equal_bounds_need_no_panel():
    def differ(own):
        made = with_values(settings({"A": GAMMAS | noise()}), own)
        return comparison.bounds_differ(comparison.arrange(material(made).table)[0])

    assert not differ(lambda own: {})
    assert differ(lambda own: {"privacy_loss": own["algorithm"]["gamma"]})


def test_points_are_written_with_the_papers_symbols():
    assert at("algorithm.penalty.ratio", 1.04) == "q₁ = 1.04"
    assert at("noise.alpha", '{"per_node":[1.0,0.8]}') == "α_i = 1, 0.8"
    many = [at("noise.alpha", f'{{"per_node":{values}}}') for values in ([*range(1, 10)], [*range(9, 0, -1)])]
    assert all(text.startswith("α_i from 1 to 9 (#") for text in many)
    assert many[0] != many[1]
    assert at("network", '{"law": "ring", "nodes": 5}') == "ring, nodes = 5"


def test_bars_are_centred_on_the_mean_and_as_long_as_the_range():
    rising = {"values": {"loss": [0.5, 0.6, 0.7, 0.8, 0.9]}}
    axes = draw("comparison", {"A": ADMM | rising, "B": R_ADMM | rising}).axes[0]
    assert len(axes.containers) == 2
    for _, _, (bars,) in axes.containers:
        for (x, low), (_, high) in bars.get_segments():
            assert x >= 1
            assert (low + high) / 2 == pytest.approx(0.5 + 0.1 * x)
            assert high - low == pytest.approx(0.2)


def test_looks_differ_without_colour():
    assert len({(look.marker, look.dashes) for look in LOOKS.values()}) == len(LOOKS)
    role = Role("admm", private=True, stopped=False)
    assert looks_of({"A": role, "B": None, "C": None})["A"].color == "black"
    assert len(set(looks_of({"A": role, "B": role, "C": None}).values())) == 3
    assert looks_of({"A": role, "B": role})["A"].color != "black"  # two of a role are told apart


def test_who_stops_early_and_who_has_another_noise_looks_different():
    stopped = ADMM | noise() | {"iterations": 2}
    other = ADMM | {"noise": {"kind": "output", "alpha": 1.0}}
    axes = draw("comparison", {"A": ADMM | noise(), "B": stopped, "C": ADMM, "D": other}).axes[0]
    colors = {line.get_label(): line.lines[0].get_color() for line in axes.containers}
    assert (colors["A"], colors["B"], colors["C"]) == ("black", "dimgray", "green")
    assert colors["D"] not in ("black", "dimgray", "green")


def test_convergence_has_a_dash_for_each_network_and_a_colour_for_each_gamma():
    figure = draw("convergence", {"A": ADMM, "B": GAMMAS}, {"network": {"nodes": [5, 20]}})
    every, odd, _ = figure.axes
    assert len({line.get_color() for line in every.lines}) == 3
    assert len({str(line.get_linestyle()) for line in every.lines}) == 2
    assert [line.get_xdata().tolist() for line in odd.lines] == [[1, 3]] * 6
    assert legend(figure) == ["A", "B, γ = 0.1", "B, γ = 0.2", "N = 20", "N = 5"]


def own_and_common(dual_step):
    penalty = {"scale": {"per_node": [1.0, 2.0]}}
    return {"algorithm": {"name": "mr-admm", "penalty": penalty, "gamma": 0.5, "dual_step": dual_step}}


def test_a_common_dual_step_is_the_same_colour_dashed():
    written = {"C": own_and_common(0.8), "R": R_ADMM, "A": own_and_common(None), "B": M_ADMM}
    figure = draw("convergence", written)
    common, reference, own, _ = figure.axes[0].lines
    assert own.get_color() == common.get_color() != reference.get_color()
    assert own.get_linestyle() == "-" != common.get_linestyle()
    assert legend(figure)[:3] == ["A", "R", "B"]
    assert legend(figure)[3:] == [convergence.OWN.replace("η_i", r"$\eta_i$"), convergence.COMMON]


def test_a_dual_step_without_its_counterpart_is_no_variant():
    figure = draw("convergence", {"A": ADMM, "B": M_ADMM})
    assert [line.get_linestyle() for line in figure.axes[0].lines] == ["-", "-"]
    assert legend(figure) == ["A", "B"]


def test_a_single_curve_beside_a_family_is_black():
    lines = draw("convergence", {"A": R_ADMM, "B": {"algorithm": MR_ADMM["algorithm"] | {"gamma": [1.0, 2.0]}}})
    assert [line.get_color() for line in lines.axes[0].lines].index("black") == 0
    both = draw("convergence", {"A": ADMM, "B": R_ADMM}).axes[0].lines
    assert [line.get_color() for line in both] == ["black", "red"]


def test_the_regulariser_of_least_mean_error_is_marked():
    errors = {(0.1, 0): 0.2, (0.1, 1): 0.4, (1.0, 0): 0.1, (1.0, 1): 0.3, (10.0, 0): 0.3, (10.0, 1): 0.3}
    written = {"A": ADMM | {"problem": {"rho": [0.1, 1.0, 10.0]}, "split": {"seed": [0, 1]}}}
    made = with_values(
        settings(written), lambda own: {"error_rate": errors[own["problem"]["rho"], own["split"]["seed"]]}
    )
    assert regulariser.by_split(material(made))["A"].loc[1.0].tolist() == [0.1, 0.3]
    figure = FIGURES["regulariser"]().draw(material(made))
    texts = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert texts == ["one split", "least mean, ρ = 1", "the paper's ρ = 0.22", "mean of 2 splits; bar: their range"]


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
    assert titles(figure) == ["T = 4, constant η"] * 2
    assert "both have the same bound at each α" in figure.legends[0].get_title().get_text()


def test_growing_penalties_have_a_row_of_their_own():
    written = {"A": MR_ADMM | noise([0.5, 1.0]), "B": M_ADMM | STOPPED, "C": ADMM | noise([0.5, 1.0])}
    figure = draw("early_stopping", written)
    assert titles(figure) == [
        f"{length}, {penalty}"
        for penalty in ("constant η", "growing η") * 2
        for length in ("T = 4", "K = 4")
    ]  # fmt: skip
    drawn = [len(axes.containers) for axes in figure.axes]
    assert drawn == [0, 1, 2, 0] * 2


def test_the_nodes_of_least_degree_set_the_bound():
    networks = [{"law": "star", "nodes": 4}, {"law": "ring", "nodes": 4}]
    written = {"N = 4": MR_ADMM | {"network": networks, "noise": [None, noise()["noise"]]}}
    ends = topology.arrange(material(settings(written)))
    shares = ends[ends["metric"] == topology.SHARE].groupby("curve")["mean"].unique().str[0]
    assert shares.to_dict() == {"ring": 1.0, "star": 0.75}
    assert len(draw("topology", written).axes) == 6


def test_nobody_says_who_sets_the_bound_where_nodes_differ():
    written = {"A": R_ADMM | noise({"per_node": [1.0, 1.0, 1.0, 1.0, 2.0]})}
    assert titles(draw("topology", written)) == [
        "(a) Training loss with noise", "(b) Test error with noise", "(c) Privacy bound", "",
    ]  # fmt: skip


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
    made = made[:1] + with_values(made[1:], lambda own: {"epsilon_renyi_delta_1e-05": 2.0 * own["noise"]["alpha"]})
    figure = FIGURES["frontier"]().draw(material(made))
    (container,) = figure.axes[0].containers
    assert container.lines[0].get_xdata().tolist() == [1.0, 2.0]
    assert figure.axes[0].lines[0].get_ydata() == [0.16, 0.16]


@pytest.mark.parametrize("kind", ["frontier", "comparison"])
def test_averages_are_drawn_where_they_are_asked_for(kind):
    values = {"loss": 0.5, "error_rate": 0.2, "loss_average": 0.4, "error_rate_average": 0.1}
    found = material(settings({"A": ADMM | noise() | {"values": values}}))
    for name, error in ((kind, 0.2), (f"{kind}-average", 0.1)):
        figure = FIGURES[name]().draw(found)
        axes = next(axes for axes in figure.axes if "Test error" in axes.get_title(loc="left"))
        assert ("averaged" in axes.get_title(loc="left")) == name.endswith("average")
        (container,) = axes.containers
        assert container.lines[0].get_ydata().tolist() == [error]


def test_a_frontier_takes_the_accountant_that_bounds_most_and_says_what_it_leaves_out():
    found = material(settings({"A": ADMM | noise(), "B": R_ADMM | noise(2.0), "C": R_ADMM | noise(3.0)}))
    labels, metrics = found.table["label"], found.table["metric"]
    told = metrics.isin(["epsilon_renyi_delta_1e-05", "epsilon_pld_delta_1e-05"])
    unbounded = (told & (labels == "B")) | (metrics.str.startswith("epsilon_") & (labels == "C"))
    found = replace(found, table=found.table[~unbounded])
    assert frontier.arrange(found)[1] == "epsilon_optimal-pure_delta_1e-05"
    assert "not shown: C." in FIGURES["frontier"]().draw(found).legends[0].get_title().get_text()


def test_the_condition_is_drawn_with_the_gamma_that_would_do():
    found = material(settings({"A": GAMMAS}))
    theory = {name: {"theory.margin": -1.0, "theory.sufficient_gamma": 50.0} for name in found.parameters}
    assert legend(condition.draw(found, theory)) == ["least sufficient γ = 50"]


def test_a_theorem_that_says_nothing_says_so():
    found = material(settings({"A": GAMMAS}))
    theory = {name: {"theory.margin": None, "theory.sufficient_gamma": None} for name in found.parameters}
    figure = condition.draw(found, theory)
    assert [text.get_text() for text in figure.axes[0].texts] == ["The theorem says nothing of these settings."]
