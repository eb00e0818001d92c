import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from radmm.base.store import write_parquet
from radmm.results.figures import (
    comparison,
    computation,
    condition,
    convergence,
    early_stopping,
    frontier,
    regulariser,
    topology,
)
from radmm.results.figures.curves import at, draw_files
from radmm.results.figures.style import LOOKS, looks_of


@pytest.fixture
def table():
    """Two algorithms at two α, and one without noise, three iterations, four runs."""
    rows = []
    cases = [("ADMM, not private", np.nan), ("ADMM", 2.0), ("ADMM", 1.0), ("R-ADMM", 2.0), ("R-ADMM", 1.0)]
    for label, alpha in cases:
        for iteration in range(3):
            for metric in ("loss", "error_rate", "privacy_loss"):
                if metric == "privacy_loss" and np.isnan(alpha):
                    continue
                mean = 0.5 + 0.1 * iteration + 0.1 * (metric == "privacy_loss" and label == "ADMM")
                row = {"label": label, "setting": f"{label}{alpha}", "noise.alpha": alpha, "iteration": iteration}
                rows.append(row | {"metric": metric, "n": 4, "mean": mean, "range": 0.2})
    return pd.DataFrame(rows)


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def test_panels_and_curves(table):
    figure = comparison.draw(table)
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles == [
        "(a) Average training loss, α = 2",
        "(b) Average training loss, α = 1",
        "(c) Privacy bound, α = 2",
        "(d) Privacy bound, α = 1",
        "(e) Test error after the last iteration",
    ]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["ADMM, not private", "ADMM", "R-ADMM"]
    assert (
        "mean of 4 runs. Bars: centred on the mean, as long as the runs' range."
        in figure.legends[0].get_title().get_text()
    )


def rows_of(label, axes, mean=0.5, metrics=("loss", "error_rate", "privacy_loss")):
    setting = f"{label}{axes}"
    return [
        {
            "label": label,
            "setting": setting,
            **axes,
            "iteration": t,
            "metric": metric,
            "n": 4,
            "mean": mean,
            "range": 0.1,
        }
        for t in range(3)
        for metric in metrics
    ]


@pytest.mark.parametrize(
    ("rows", "panels", "curves"),
    [
        (rows_of("A", {}) + rows_of("B", {}), 1, ["A", "B"]),
        (rows_of("A", {}, metrics=("loss", "error_rate")), 1, ["A"]),
        (rows_of("A", {"algorithm.gamma": 0.1}) + rows_of("A", {"algorithm.gamma": 0.2}), 1, ["A, γ = 0.1", "A, γ = 0.2"]),
        (rows_of("A", {"noise.alpha": 1.0}) + rows_of("A", {"noise.alpha": 2.0}) + rows_of("B", {"noise.alpha": 2.0}), 2, ["A", "B"]),
        (rows_of("A", {"noise.alpha": '{"per_node":[1,2]}'}) + rows_of("B", {"noise.alpha": np.nan}), 1, ["A", "B"]),
        (rows_of("A", {"noise.alpha": 1.0, "network.nodes": 5}) + rows_of("A", {"noise.alpha": 1.0, "network.nodes": 6}), 1, ["A, N = 5", "A, N = 6"]),
    ],
)  # fmt: skip
def test_any_grid_can_be_drawn(rows, panels, curves):
    figure = comparison.draw(pd.DataFrame(rows))
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert sum("training loss" in title for title in titles) == panels
    assert [text.get_text() for text in figure.legends[0].get_texts()] == curves


def test_equal_bounds_need_no_panel():
    same = rows_of("A", {"algorithm.gamma": 0.1}) + rows_of("A", {"algorithm.gamma": 0.2})
    assert not comparison.bounds_differ(comparison.arrange(pd.DataFrame(same))[0])
    other = rows_of("A", {"algorithm.gamma": 0.1}) + rows_of("A", {"algorithm.gamma": 0.2}, mean=0.6)
    assert comparison.bounds_differ(comparison.arrange(pd.DataFrame(other))[0])


def test_points_are_written_with_the_papers_symbols():
    assert at("algorithm.penalty.ratio", 1.04) == "q₁ = 1.04"
    assert at("noise.alpha", '{"per_node":[1.0,0.8]}') == "α_i = 1, 0.8"


def test_bars_are_centred_on_the_mean_and_as_long_as_the_range(table):
    axes = comparison.draw(table).axes[0]
    for _, _, (bars,) in axes.containers:
        for (x, low), (_, high) in bars.get_segments():
            assert x >= 1
            assert (low + high) / 2 == pytest.approx(0.5 + 0.1 * x)
            assert high - low == pytest.approx(0.2)


def test_looks_differ_without_colour():
    assert len({(look.marker, look.dashes) for look in LOOKS.values()}) == len(LOOKS)
    looks = looks_of(["ADMM", "mine", "yours"])
    assert looks["ADMM"].color == "black"
    assert looks["mine"] != looks["yours"]


def test_the_same_data_give_the_same_bytes(table, tmp_path, monkeypatch):
    metadata = {"settings": ["admm-1"], "data": ["abc"], "code": ["def"]}
    write_parquet(tmp_path / "t.parquet", dict(table.items()), metadata)
    for name in ("one", "two"):
        files = [f"--{kind}={tmp_path / name}.{kind}" for kind in ("pdf", "png")]
        monkeypatch.setattr("sys.argv", ["figure", f"--table={tmp_path / 't.parquet'}", *files])
        draw_files(comparison.draw, None)
    for kind in ("pdf", "png"):
        assert (tmp_path / f"one.{kind}").read_bytes() == (tmp_path / f"two.{kind}").read_bytes()
    assert b"settings: admm-1; data: abc; code: def" in (tmp_path / "one.png").read_bytes()


CONVERGENCE = ("loss", "distance")


def test_convergence_has_a_dash_for_each_network_and_a_colour_for_each_gamma():
    rows = []
    for nodes in (5, 20):
        rows += rows_of("ADMM", {"network.nodes": nodes, "algorithm.gamma": np.nan}, metrics=CONVERGENCE)
        for gamma in (0.1, 0.5):
            rows += rows_of("R-ADMM", {"network.nodes": nodes, "algorithm.gamma": gamma}, metrics=CONVERGENCE)
    figure = convergence.draw(pd.DataFrame(rows))
    every, odd, _ = figure.axes
    assert len({line.get_color() for line in every.lines}) == 3
    assert len({line.get_linestyle() for line in every.lines}) == 2
    assert [line.get_xdata().tolist() for line in odd.lines] == [[1]] * 6
    legend = [text.get_text() for text in figure.legends[0].get_texts()]
    assert legend == ["ADMM", "R-ADMM, γ = 0.1", "R-ADMM, γ = 0.5", "N = 20", "N = 5"]


def test_a_common_dual_step_is_the_same_colour_dashed():
    rows = [row for label in ("R-ADMM", "k = 1", "k = 1, common θ") for row in rows_of(label, {}, metrics=CONVERGENCE)]
    reference, own, common = convergence.draw(pd.DataFrame(rows)).axes[0].lines
    assert reference.get_color() == "black"
    assert own.get_color() == common.get_color() != "black"
    assert own.get_linestyle() == "-" != common.get_linestyle()


def test_the_regulariser_of_least_mean_error_is_marked():
    errors = {0.1: (0.2, 0.4), 1.0: (0.1, 0.3), 10.0: (0.3, 0.3)}
    rows = [
        row
        for rho, values in errors.items()
        for seed, error in enumerate(values)
        for row in rows_of("ADMM", {"problem.rho": rho, "split.seed": seed}, error, ("error_rate",))
    ]
    table = pd.DataFrame(rows)
    assert regulariser.by_split(table).loc[1.0].tolist() == [0.1, 0.3]
    labels = [text.get_text() for text in regulariser.draw(table).axes[0].get_legend().get_texts()]
    assert "least mean, ρ = 1" in labels


def stopped(label, length, alpha, gamma, loss):
    axes = {"iterations": length, "noise.alpha": alpha, "algorithm.gamma": gamma}
    return rows_of(label, axes, loss, ("loss", "error_rate"))


def test_gamma_is_tuned_by_the_loss_at_the_end():
    rows = stopped("R-ADMM", 2, 1.0, 0.1, 0.5) + stopped("R-ADMM", 2, 1.0, 0.2, 0.4)
    rows += stopped("ADMM, stopped at T/2", 1, 1.0, np.nan, 0.3)
    ends = early_stopping.tune(pd.DataFrame(rows).query("iteration == 2"))
    assert ends.groupby("label")["mean"].unique().str[0].to_dict() == {"ADMM, stopped at T/2": 0.3, "R-ADMM": 0.4}
    assert ends["T"].unique().tolist() == [2]
    titles = [axes.get_title(loc="left") for axes in early_stopping.draw(pd.DataFrame(rows)).axes]
    assert titles == ["T = 2, constant η"] * 2


def test_the_nodes_of_least_degree_set_the_bound():
    star, ring = '{"law":"star","nodes":4}', '{"law":"ring","nodes":4}'
    rows = []
    for network in (star, ring):
        rows += rows_of("N = 4", {"network": network, "noise": '{"alpha":1.0}'})
        rows += rows_of("N = 4", {"network": network, "noise": None}, metrics=("loss", "distance"))
    table = pd.DataFrame(rows)
    ends = topology.arrange(table)
    shares = ends[ends["metric"] == topology.SHARE].groupby("shape")["mean"].unique().str[0]
    assert shares.to_dict() == {"ring": 1.0, "star": 0.75}
    assert len(topology.draw(table).axes) == 6


def test_the_ratio_of_seconds_is_written_beside_the_bar():
    rows, timings = [], []
    for label, seconds in {"ADMM": 4.0, "R-ADMM": 1.0}.items():
        rows += rows_of(label, {"network.nodes": 5}, metrics=("loss", "passes"))
        timings += [
            {"label": label, "setting": label, "network.nodes": 5, "repeat": n, "seconds": seconds + n} for n in (0, 1)
        ]
    figure = computation.draw(pd.DataFrame(rows), pd.DataFrame(timings))
    assert [text.get_text() for text in figure.axes[2].texts] == ["0.25"]


def test_a_budget_is_where_its_settings_stand():
    rows = rows_of("ADMM, not private", {"noise.alpha": np.nan}, 0.16, ("loss", "error_rate"))
    for alpha, spent in {1.0: 2.0, 0.5: 1.0}.items():
        rows += rows_of("ADMM", {"noise.alpha": alpha}, 0.2, ("loss", "error_rate"))
        rows += rows_of("ADMM", {"noise.alpha": alpha}, spent, (frontier.BUDGET,))
    figure = frontier.draw(pd.DataFrame(rows))
    (container,) = figure.axes[0].containers
    assert container.lines[0].get_xdata().tolist() == [1.0, 2.0]
    assert figure.axes[0].lines[0].get_ydata() == [0.16, 0.16]


def test_the_condition_is_drawn_with_the_gamma_that_would_do():
    rows = [row for gamma in (1.0, 10.0) for row in rows_of("R-ADMM", {"algorithm.gamma": gamma}, metrics=CONVERGENCE)]
    table = pd.DataFrame(rows)
    theory = {name: {"theory.margin": -1.0, "theory.sufficient_gamma": 50.0} for name in table["setting"].unique()}
    figure = condition.draw(table, theory)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["least sufficient γ = 50"]
