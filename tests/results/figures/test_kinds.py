"""Every kind of figure and any experiment: it draws, or says in a sentence why not, before anything runs."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml

from radmm.base.plugins import load_plugin
from radmm.base.store import read_metadata, write_parquet
from radmm.jobs.steps.figure import figure as step
from radmm.results.figures.figure import FIGURES, FigureKind, Material
from radmm.results.figures.files import draw_files
from radmm.study.resolution import resolve
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

ROOT = Path(__file__).parents[3]
OWN = {"per_node": [1.0, 0.8, 1.2, 0.9, 1.1]}
NETWORKS = [{"law": "ring", "nodes": 5}, {"law": "ring", "nodes": 8}, {"law": "star", "nodes": 8}]
SEEDS = [{"law": "erdos-renyi", "nodes": 6, "probability": 0.9, "seed": seed} for seed in (0, 1)]
MINE = {"algorithm": {"name": "mine", "step": 0.1}}  # of a plug-in that knows nothing of penalties


GAMMAS = {"algorithm": R_ADMM["algorithm"] | {"gamma": [0.0, 1.0, 10.0]}}
STEPS = {"algorithm": MR_ADMM["algorithm"] | {"dual_step": [None, 0.5, 0.8]}}
COMMON = {"algorithm": MR_ADMM["algorithm"] | {"dual_step": 1.0}}
LEVELS = noise([0.5, 1.0])
ALPHAS = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0]
SHORT = {"iterations": 2}
EXPERIMENTS = {
    "one plain": {"A": ADMM},
    "one private": {"A": R_ADMM | noise()},
    "two private": {"A": ADMM | noise(), "B": R_ADMM | noise(2.0)},
    "two of one kind": {"A": R_ADMM | noise(), "B": R_ADMM | noise(2.0)},
    "the same twice": {"A": R_ADMM | noise(), "B": R_ADMM | noise()},
    "plain grid": {"A": ADMM | {"network": {"nodes": [5, 6, 7, 8, 9, 10]}}, "B": GAMMAS},
    "gamma": {"A": GAMMAS},
    "one gamma": {"A": {"algorithm": R_ADMM["algorithm"] | {"gamma": [1.0]}}},
    "gamma twice": {"A": GAMMAS, "B": GAMMAS | {"network": {"nodes": [5, 7]}}},
    "rho": {"A": ADMM | {"problem": {"rho": [0.1, 1.0]}}},
    "one rho": {"A": ADMM | {"problem": {"rho": [0.1]}}},
    "rho and seeds": {"A": ADMM | {"problem": {"rho": [0.1, 1.0]}, "split": {"seed": [0, 1]}}, "B": R_ADMM},
    "network file": {"A": R_ADMM | {"network": {"law": "file", "path": "own.edges"}} | noise(), "B": ADMM},
    "networks": {"A": MR_ADMM | {"network": NETWORKS, "noise": [None, noise()["noise"]]}},
    "networks of one size": {"A": MR_ADMM | {"network": SEEDS}, "B": ADMM | {"network": SEEDS}},
    "alpha": {"A": GAMMAS | LEVELS, "B": ADMM | LEVELS | SHORT},
    "alpha, none that recycles": {"A": M_ADMM | LEVELS},
    "alpha of each node": {"A": R_ADMM | noise([OWN, 1.0])},
    "gaussian": {"A": R_ADMM | {"noise": {"kind": "output", "law": "gaussian", "sigma": [1.0, 2.0]}}},
    "budget": {"A": R_ADMM | {"noise": {"kind": "objective", "total_bound": 3.0}}, "B": MINE},
    "dual steps": {"A": STEPS, "B": STEPS | {"network": {"nodes": [5, 7]}}},
    "many": {f"{n:0100}": ADMM | LEVELS | {"problem": {"C": 1.0 + n}, "iterations": 2} for n in range(30)},
    "many alphas": {"A": ADMM | noise(ALPHAS) | SHORT},
    "many networks": {"A": MR_ADMM | {"network": {"nodes": list(range(5, 13))}, "iterations": [1, 5]}},
    "one iteration": {"A": M_ADMM | noise() | {"iterations": 1, "runs": 1}},
}
# Who needs something, and where it is; the others draw anything.
NEEDS = {
    "regulariser": {"rho", "one rho", "rho and seeds"},
    "condition": {"gamma", "one gamma", "gamma twice"},
    "early_stopping": {"alpha", "many", "many alphas", "alpha, none that recycles"},
    "frontier": {
        "one private", "two private", "two of one kind", "the same twice", "network file", "networks", "alpha",
        "alpha, none that recycles", "alpha of each node", "gaussian", "budget", "one iteration", "many", "many alphas",
    },
}  # fmt: skip


def points_in_view(axes):
    """How many of the lines' points are well inside of the axes."""
    points = np.concatenate([np.column_stack(line.get_data()).astype(float) for line in axes.lines])
    with np.errstate(invalid="ignore"):
        places = axes.transAxes.inverted().transform(axes.transData.transform(points[np.isfinite(points).all(axis=1)]))
    return int(((places > 0.01) & (places < 0.99)).all(axis=1).sum())


# Kinds that draw as another does, but other metrics, and those that need options, have tests of their own.
DRAWING = [name for name, kind in FIGURES.items() if kind.__bases__ == (FigureKind,) and not hasattr(kind, "example")]


# All pairs take a minute: each kind draws every third experiment, `make quick` those four that meet one need each.
QUICK = ("one private", "alpha", "gamma", "rho")
PAIRS = [
    pytest.param(kind, name, marks=() if name in QUICK else pytest.mark.slow)
    for row, kind in enumerate(DRAWING)
    for column, name in enumerate(EXPERIMENTS)
    if name in NEEDS.get(kind, EXPERIMENTS) and (name in QUICK or kind in NEEDS or (row + column) % 3 == 0)
]


@pytest.fixture
def in_a_folder_with_edges(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("own.edges").write_text("0 1\n1 2\n2 0\n")


@pytest.mark.parametrize("kind", DRAWING)
@pytest.mark.usefixtures("in_a_folder_with_edges")
def test_a_kind_takes_an_experiment_or_says_why_not(kind):
    for name, written in EXPERIMENTS.items():
        refusal = FIGURES[kind]().refusal(settings(written))
        if name in NEEDS.get(kind, EXPERIMENTS):
            assert refusal is None
        else:
            assert refusal.startswith("must ")
            assert ", but " in refusal
            assert "\n" not in refusal


@pytest.mark.parametrize(("kind", "name"), PAIRS)
@pytest.mark.usefixtures("in_a_folder_with_edges")
def test_a_kind_draws_an_experiment(kind, name):
    figure = FIGURES[kind]().draw(material(settings(EXPERIMENTS[name])))
    figure.canvas.draw()
    drawn = [axes for axes in figure.axes if axes.lines]
    assert drawn
    assert all(points_in_view(axes) for axes in drawn)


def test_what_is_refused_is_named():
    plain, private = settings({"A": ADMM}), settings({"mine": R_ADMM | noise()})
    assert FIGURES["regulariser"]().refusal(plain) == (
        "must have a grid over problem.rho: a list of values there in at least one setting, but none has it"
    )
    assert FIGURES["frontier"]().refusal(plain) == (
        "must have a privacy bound to draw: at least one setting with noise, but none has it"
    )
    assert "'mine' has it" in FIGURES["condition"]().refusal(private)
    large = settings({"mine": R_ADMM | {"network": {"law": "ring", "nodes": 51}}})
    assert "at most 50 nodes" in FIGURES["condition"]().refusal(large)
    assert "'mine' has 51" in FIGURES["condition"]().refusal(large)


def test_shipped_experiments_can_be_drawn():
    raw = yaml.safe_load((ROOT / "config" / "config.yaml").read_text(encoding="utf-8"))
    refusals = {
        name: FIGURES[raw["experiments"][name]["figure"]]().refusal(made) for name, made in resolve(raw).items()
    }
    assert refusals == dict.fromkeys(raw["experiments"])


def drawn(figure):
    """What is seen without reading: each line's data, colour, marker and dashes."""
    return [
        (np.asarray(line.get_xdata(), dtype=float).tolist(), np.asarray(line.get_ydata(), dtype=float).tolist(),
         line.get_color(), line.get_marker(), str(line.get_linestyle()), line.get_fillstyle())
        for axes in figure.axes
        for line in axes.lines
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        ("comparison", {"R-ADMM": R_ADMM | LEVELS, "ADMM, not private": ADMM, "stopped": ADMM | LEVELS | SHORT}),
        ("convergence", {"R-ADMM": R_ADMM, "k": MR_ADMM, "k, common θ": COMMON}),
        ("early_stopping", {"MR-ADMM": MR_ADMM | LEVELS, "ADMM, growing η, stopped at T/2": M_ADMM | LEVELS | SHORT}),
        ("computation", {"R-ADMM": R_ADMM, "ADMM": ADMM, "ADMM, private": ADMM | noise()}),
        ("frontier", {"ADMM, not private": ADMM, "R-ADMM": R_ADMM | LEVELS}),
    ],
)  # fmt: skip
def test_labels_mean_nothing(kind, written):
    made = with_values(settings(written), lambda own: {"loss": 0.1 + len(str(own)) / 1000})
    others = {label: f"setting {place}" for place, label in enumerate(reversed(list(written)))}
    renamed = [replace(setting, label=others[setting.label]) for setting in made]
    figure = FIGURES[kind]()
    assert drawn(figure.draw(material(renamed))) == drawn(figure.draw(material(made)))


def test_the_list_of_kinds_has_all():
    assert " ".join(FIGURES) == (
        "comparison comparison-average computation condition convergence early_stopping frontier frontier-average "
        "grid limit metric regulariser topology"
    )


def write(folder, made):
    """A table as the step before leaves it."""
    found = material(made)
    metadata = {"settings": list(found.parameters), "data": ["abc"], "code": ["def"]}
    metadata |= {"parameters": found.parameters, "data_steps": found.data_steps}
    write_parquet(folder / "table.parquet", dict(found.table.items()), metadata)
    write_parquet(folder / "timings.parquet", dict(found.timings.items()), {})
    return folder / "table.parquet"


def test_material_is_read_from_files(tmp_path):
    made = settings({"A": ADMM, "B": R_ADMM})
    table = write(tmp_path, made)
    found = Material.read(table, tmp_path / "timings.parquet")
    assert found.parameters == {setting.id: setting.parameters for setting in made}
    assert [found.recycles(setting.id) for setting in made] == [False, True]
    assert len(found.table) == len(material(made).table)
    assert len(found.timings) == 4
    assert Material.read(table).timings is None


def test_the_same_data_give_the_same_bytes(tmp_path):
    table = write(tmp_path, settings({"A": ADMM}))
    for name in ("one", "two"):
        draw_files(FIGURES["comparison"](), table, None, tmp_path / f"{name}.pdf", tmp_path / f"{name}.png")
    for kind in ("pdf", "png"):
        assert (tmp_path / f"one.{kind}").read_bytes() == (tmp_path / f"two.{kind}").read_bytes()
    ids = ", ".join(read_metadata(table)["settings"])
    assert f"settings: {ids}; data: abc; code: def".encode() in (tmp_path / "one.png").read_bytes()


PLUGIN = '''
from radmm.results.figures.figure import FigureKind
from radmm.results.figures.style import subplots


class Dots(FigureKind):
    """A dot for each row."""

    name = "dots"
    metrics = ("{metric}",)

    def draw(self, material):
        figure, ((axes,),) = subplots(1, 1, 2.0, 2.0)
        axes.plot(material.table["iteration"], material.table["mean"], ".")
        return figure
'''


@pytest.fixture
def forget_dots():
    yield
    FIGURES._classes.pop("dots", None)


@pytest.mark.usefixtures("forget_dots")
def test_a_plugin_brings_a_kind(tmp_path):
    plugin = tmp_path / "dots.py"
    plugin.write_text(PLUGIN.format(metric="loss"))
    table = write(tmp_path, settings({"A": ADMM}))
    load_plugin(plugin)
    step("dots", table, tmp_path / "a.pdf", tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


BY_SEABORN = '''
import seaborn as sns
from radmm.results.figures.figure import FigureKind


class Panels(FigureKind):
    """A panel for each metric, and a colour for each algorithm."""

    name = "dots"
    metrics = ("loss", "error_rate")

    def draw(self, material):
        rows = material.tidy[material.tidy["metric"].isin(self.metrics)]
        return sns.relplot(rows, x="iteration", y="mean", hue="algorithm.name", col="metric", kind="line").figure
'''


@pytest.mark.usefixtures("forget_dots")
def test_a_kind_may_hand_a_tidy_table_to_seaborn(tmp_path):
    plugin = tmp_path / "panels.py"
    plugin.write_text(BY_SEABORN)
    made = settings({"A": ADMM, "B": R_ADMM | {"algorithm": R_ADMM["algorithm"] | {"gamma": [0.1, 0.2]}}})
    tidy = material(made).tidy
    assert len(tidy) == len(material(made).table)
    for setting in made:
        own = tidy[tidy["setting"] == setting.id]
        assert set(own["algorithm.name"]) == {setting.parameters["algorithm"]["name"]}
        assert (own["algorithm.gamma"].dropna() == setting.parameters["algorithm"].get("gamma")).all()
    load_plugin(plugin)
    step("dots", write(tmp_path, made), tmp_path / "a.pdf", tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.usefixtures("forget_dots")
def test_a_kind_that_wants_what_nobody_measures_is_refused(tmp_path):
    plugin = tmp_path / "dots.py"
    plugin.write_text(PLUGIN.format(metric="accuracy"))
    load_plugin(plugin)
    assert FIGURES["dots"]().refusal(settings({"A": ADMM})).endswith("but needs 'accuracy'")


def test_a_metric_is_drawn_against_messages():
    """Each curve at its own places, from the first iteration on; 0 messages have none on a logarithmic axis."""
    each = {"admm": 10.0, "r-admm": 30.0}
    made = with_values(
        settings({"A": ADMM, "B": R_ADMM}),
        lambda parameters: {"messages": [each[parameters["algorithm"]["name"]] * t for t in range(5)]},
    )
    drawn = FIGURES["metric"](y="error_rate", x="messages").draw(material(made))
    axes = drawn.axes[0]
    assert (axes.get_xscale(), axes.get_xlabel(), axes.get_ylabel()) == ("log", "messages sent", "test error")
    assert len(axes.lines) == 2
    assert axes.lines[0].get_xdata().tolist() == [10.0, 20.0, 30.0, 40.0]
    assert axes.lines[1].get_xdata().tolist() == [30.0, 60.0, 90.0, 120.0]
    assert "needs 'post'" in FIGURES["metric"](y="loss", x="post").refusal(made)
