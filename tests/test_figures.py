import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from radmm.figures import comparison
from radmm.figures.style import LOOKS, looks_of
from radmm.store import write_parquet


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
                mean = 0.5 + 0.1 * iteration
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
        (rows_of("A", {"algorithm.gamma": 0.1}) + rows_of("A", {"algorithm.gamma": 0.2}), 1, ["A, gamma = 0.1", "A, gamma = 0.2"]),
        (rows_of("A", {"noise.alpha": 1.0}) + rows_of("A", {"noise.alpha": 2.0}) + rows_of("B", {"noise.alpha": 2.0}), 2, ["A", "B"]),
        (rows_of("A", {"noise.alpha": '{"per_node":[1,2]}'}) + rows_of("B", {"noise.alpha": np.nan}), 1, ["A", "B"]),
        (rows_of("A", {"noise.alpha": 1.0, "network.nodes": 5}) + rows_of("A", {"noise.alpha": 1.0, "network.nodes": 6}), 1, ["A, nodes = 5", "A, nodes = 6"]),
    ],
)  # fmt: skip
def test_any_grid_can_be_drawn(rows, panels, curves):
    figure = comparison.draw(pd.DataFrame(rows))
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert sum("training loss" in title for title in titles) == panels
    assert [text.get_text() for text in figure.legends[0].get_texts()] == curves


def test_bars_are_centred_on_the_mean_and_as_long_as_the_range(table):
    axes = comparison.draw(table).axes[0]
    for _, _, (bars,) in axes.containers:
        for (x, low), (_, high) in bars.get_segments():
            assert (low + high) / 2 == pytest.approx(0.5 + 0.1 * x)
            assert high - low == pytest.approx(0.2)


def test_looks_differ_without_colour():
    assert len({(look.marker, look.dashes) for look in LOOKS.values()}) == len(LOOKS)
    looks = looks_of(["ADMM", "mine", "yours"])
    assert looks["ADMM"].color == "black"
    assert looks["mine"] != looks["yours"]


def test_the_same_data_give_the_same_bytes(table, tmp_path):
    metadata = {"settings": ["admm-1"], "data": ["abc"], "code": ["def"]}
    write_parquet(tmp_path / "t.parquet", dict(table.items()), metadata)
    for name in ("one", "two"):
        comparison.figure(tmp_path / "t.parquet", tmp_path / f"{name}.pdf", tmp_path / f"{name}.png")
    for kind in ("pdf", "png"):
        assert (tmp_path / f"one.{kind}").read_bytes() == (tmp_path / f"two.{kind}").read_bytes()
    assert b"settings: admm-1; data: abc; code: def" in (tmp_path / "one.png").read_bytes()
