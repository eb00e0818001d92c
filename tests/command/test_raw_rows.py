"""A classifier of a table scores the raw table, as if it had been prepared by the workflow."""

import json

import numpy as np
import pandas as pd
import pytest

from radmm.__main__ import main
from radmm.data.source import make_source
from radmm.outcome.classifier import Classifier
from tests.conftest import ROOT

OWN = ROOT / "examples" / "own_csv"


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("saved") / "f.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        flags = ["--setting", "own_csv/ADMM, not private", "--save-classifier", str(path)]
        assert main(["solve", "--config", str(OWN / "config.yaml"), *flags]) == 0
    return path


def test_the_raw_table_is_scored_like_the_prepared_one(saved, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    output = tmp_path / "out.csv"
    table = ["predict", str(saved), str(OWN / "people.csv"), "--label", "income"]
    assert main([*table, "--output", str(output), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    classifier = Classifier.load(saved)
    features = make_source(classifier.made["parameters"]["data"]).build(ROOT)
    scored = pd.read_csv(output)
    np.testing.assert_allclose(scored["score"], classifier.scores(features.matrix), rtol=1e-12)
    assert set(scored["prediction"]) == {"low", "high"}
    wrong = (scored["prediction"] == "high") != (features.labels > 0)
    assert classifier.classes == ("low", "high")
    assert wrong.mean() < 0.3
    assert told["metrics"]["error_rate"] == pytest.approx(wrong.mean())


@pytest.mark.parametrize(
    ("column", "value", "sentence"),
    [
        ("job", "astronaut", "has 'astronaut' in row 2, column 'job': must be one of office"),
        ("age", "old", "has no finite number in row 2, column 'age'"),
    ],
)
def test_a_row_of_another_kind_is_named(saved, tmp_path, capsys, column, value, sentence):
    table = pd.read_csv(OWN / "people.csv", dtype=str).head(5)
    table.loc[1, column] = value
    table.to_csv(tmp_path / "t.csv", index=False)
    assert main(["predict", str(saved), str(tmp_path / "t.csv")]) == 2
    assert sentence in capsys.readouterr().err
