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


@pytest.mark.parametrize(("block", "told"), [("errors", estimator.markdown), ("choice", estimator.markdown_of_choice)])
def test_the_numbers_are_those_that_were_measured(block, told):
    (shown,) = re.findall(rf"<!-- {block}: begin -->\n(.*?)<!-- {block}: end -->", PAGE, re.DOTALL)
    assert shown == told(json.loads(estimator.STORED.read_text())[block]), "run `python docs/refresh.py estimator`"


def test_the_benchmark_runs(monkeypatch):
    monkeypatch.setattr(estimator, "EPSILONS", (50.0,))
    found = estimator.measure(estimator.breast_cancer(splits=2))
    errors = {each["method"]: each["mean"] for each in found["errors"]}
    assert errors.pop("the larger class") == pytest.approx(0.37, abs=0.02)
    assert len(errors) == 4
    assert all(0.0 <= error < 0.2 for error in errors.values())
