"""A metric in one file of one's own: from the trace's column by table and report to a figure."""

import copy

import numpy as np
import pytest

import radmm
from radmm.jobs.steps.solve import solver_digest
from radmm.metrics.metric import metric_columns
from radmm.results.figures.figure import FIGURES, Material
from radmm.results.report.display_names import metric_names
from radmm.results.report.packing import Curves
from radmm.results.tables import setting_statistics
from radmm.study.resolution import resolve
from tests.components import components_of_its_own
from tests.made_settings import made_setting
from tests.study.configs import WHOLE, complaints

PLUGIN = '''
from typing import ClassVar

import numpy as np

import radmm


class Norm(radmm.Metric):
    """Norm of the averaged classifier."""

    name: ClassVar[str] = "norm"
    label: ClassVar[str] = "norm of the classifier"
    meaning: ClassVar[str] = "Euclidean norm of the average of the nodes' iterates"
    unit: ClassVar[str] = "feature units"
    better: ClassVar[None] = None

    def measure(self, snapshot):
        return np.linalg.norm(snapshot.mean, axis=0)
'''


@pytest.fixture(autouse=True)
def plugin(tmp_path):
    file = tmp_path / "norm.py"
    file.write_text(PLUGIN)
    with components_of_its_own():
        radmm.load_plugin(file)
        yield file


@pytest.fixture
def result(small):
    return radmm.solve(small.problem, small.network, radmm.RADMM(), iterations=4, runs=2, keep_iterates=True)


def test_it_is_a_column_of_the_trace_after_those_of_radmm(result):
    assert list(result.trace)[-2:] == ["error_rate_worst_average", "norm"]
    expected = np.linalg.norm(result.primal.mean(axis=2), axis=2)
    np.testing.assert_allclose(result.trace["norm"], expected.ravel(), rtol=1e-14)


def test_it_is_in_tables_report_and_pictures(result):
    statistics = setting_statistics(result.trace)
    assert len(statistics.query("metric == 'norm'")) == 5
    assert metric_names()["norm"].long == "Euclidean norm of the average of the nodes' iterates"
    assert "norm" in Curves.of(result.trace).metrics
    (axes,) = result.plot("norm").axes
    assert axes.get_ylabel() == "norm of the classifier, feature units"


def test_a_figure_draws_it(result):
    table = setting_statistics(result.trace).assign(label="R-ADMM", setting="r-admm-0")
    first = ["label", "setting"]
    table = table[[*first, *(name for name in table if name not in first)]]
    drawn = FIGURES["metric"](y="norm").draw(Material(table, {"r-admm-0": made_setting().to_json()}, {"r-admm-0": 2}))
    (axes,) = drawn.axes
    assert axes.get_ylabel() == "norm of the classifier, feature units"
    mean = result.trace.groupby("iteration")["norm"].mean()
    (line,) = axes.get_lines()
    np.testing.assert_allclose(line.get_ydata(), mean)


def config(metric):
    setting = {"algorithm": {"name": "r-admm"}, "iterations": 4, "runs": 2, "noise": None}
    experiments = {"mine": {"figure": {"kind": "metric", "y": metric}, "settings": {"one": setting}}}
    return copy.deepcopy(WHOLE | {"experiments": experiments})


def test_a_config_asks_for_it_by_name():
    assert [entry.label for entry in resolve(config("norm"))["mine"]] == ["one"]
    (said,) = complaints(config("nrom"))
    assert "must draw what is measured (loss, error_rate, " in said
    assert "but needs 'nrom'" in said
    (said,) = complaints(config("privacy_loss"))
    assert "must have a privacy bound to draw" in said


def test_an_edit_to_its_file_reruns_traces(plugin):
    before = solver_digest(made_setting())
    plugin.write_text(PLUGIN.replace("axis=0)", "axis=0) / 2"))
    radmm.Metric.registry._classes.pop("norm")
    assert solver_digest(made_setting()) != before
    radmm.load_plugin(plugin)
    assert solver_digest(made_setting()) != before


def test_without_it_traces_have_the_columns_that_they_always_had():
    radmm.Metric.registry._classes.pop("norm")
    assert metric_columns() == (
        "loss", "error_rate", "privacy_loss", "consensus", "residual", "distance", "passes", "loss_average",
        "error_rate_average", "error_rate_worst", "messages", "floats_sent", "error_rate_worst_average",
    )  # fmt: skip
