"""The example of docs/estimator.md prints what the page shows, and the page names what there is."""

import inspect
import json
import re

import pytest

from benchmarks import estimator
from radmm.sklearn import PrivateLogisticRegression
from radmm.sklearn.training import ITERATIONS, MOMENTUM
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "estimator.md").read_text(encoding="utf-8")


def test_the_example_prints_what_is_shown(capsys):
    (example,), (shown,) = (re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL) for kind in ("python", "text"))
    exec(example, {})  # noqa: S102
    assert capsys.readouterr().out == shown


def test_every_parameter_has_a_row_and_constants_are_those_of_the_code():
    section = PAGE.split("## Parameters")[1].split("\n## ")[0]
    cells = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    named = re.findall(r"`(\w+)`", " ".join(cells))
    assert sorted(named) == sorted(inspect.signature(PrivateLogisticRegression).parameters)
    assert f"{ITERATIONS} iterations of gradient descent with momentum {MOMENTUM} (" in PAGE


def test_the_errors_are_those_that_were_measured():
    (shown,) = re.findall(r"<!-- errors: begin -->\n(.*?)<!-- errors: end -->", PAGE, re.DOTALL)
    assert shown == estimator.markdown(json.loads(estimator.STORED.read_text())), "run docs/refresh.py estimator"


def test_the_benchmark_runs(monkeypatch):
    monkeypatch.setattr(estimator, "EPSILONS", (50.0,))
    found = estimator.measure(estimator.breast_cancer(splits=2))
    errors = {each["method"]: each["mean"] for each in found["errors"]}
    assert errors.pop("the larger class") == pytest.approx(0.37, abs=0.02)
    assert len(errors) == 4
    assert all(0.0 <= error < 0.2 for error in errors.values())
