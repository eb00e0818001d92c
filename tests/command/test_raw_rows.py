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
    np.testing.assert_allclose(scored["score"], classifier.scores(features.matrix), rtol=1e-12, atol=1e-14)
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


def libsvm(path, labels, matrix):
    rows = (" ".join(f"{j + 1}:{v!r}" for j, v in enumerate(row.tolist()) if v) for row in matrix)
    path.write_text("".join(f"{label:g} {row}\n" for label, row in zip(labels, rows, strict=True)))
    return path


@pytest.mark.parametrize("intercept", [False, True])
def test_a_libsvm_file_is_scored_by_the_scales_of_the_training_rows(tmp_path, capsys, monkeypatch, intercept):
    monkeypatch.chdir(tmp_path)
    generator = np.random.default_rng(3)
    matrix = np.round(generator.normal(size=(60, 4)) * [1, 5, 0.1, 2], 3) * (generator.random((60, 4)) < 0.7)
    labels = np.where(matrix @ [1, -1, 3, 0.5] > 0, 2.0, 1.0)
    libsvm(tmp_path / "train.svm", labels, matrix)
    defaults = {
        "data": {"file": "train.svm", "positive": 2, "intercept": intercept},
        "split": {"train": 50},
        "network": {"law": "path", "nodes": 3},
        "problem": {"C": 10},
        "algorithm": {"name": "admm", "penalty": 0.5},
        "iterations": 5,
        "runs": 1,
    }
    experiment = {"figure": "comparison", "defaults": defaults, "settings": {"a": {}}}
    (tmp_path / "c.yaml").write_text(json.dumps({"shipped": False, "experiments": {"e": experiment}}))
    assert main(["solve", "--config", "c.yaml", "--setting", "e/a", "--save-classifier", "f.json"]) == 0
    others = generator.normal(size=(7, 3))  # no value in the last column, and larger ones than the training rows had
    libsvm(tmp_path / "new.svm", np.ones(7), others)
    capsys.readouterr()
    assert main(["predict", "f.json", "new.svm", "--label", "label", "--output", "out.csv", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    rows = np.column_stack([others / np.abs(matrix).max(axis=0)[:3], np.zeros(7), *([np.ones(7)] if intercept else [])])
    rows /= np.maximum(1.0, np.linalg.norm(rows, axis=1))[:, None]
    scores = rows @ Classifier.load("f.json").weights
    np.testing.assert_allclose(pd.read_csv("out.csv")["score"], scores, rtol=1e-12)
    assert told["metrics"]["error_rate"] == pytest.approx((scores > 0).mean())
    libsvm(tmp_path / "wide.svm", np.ones(1), np.ones((1, 5)))
    assert main(["predict", "f.json", "wide.svm"]) == 2
    assert "wide.svm has the index 5: must have none above 4" in capsys.readouterr().err


TABLE = """age;job;sex;label
31;clerk;f;yes
?;nurse;m;no
1.250,5;None;f;yes
44;NA;m;no
27;clerk;?;no
35;nurse;f;yes
"""


@pytest.mark.parametrize(("missing", "scored"), [("drop", [0, 2, 5]), ("category", [0, 1, 2, 3, 4, 5])])
def test_its_own_training_table_with_missing_values(tmp_path, capsys, monkeypatch, missing, scored):
    """Also with separators, decimal commas and a category that pandas takes for a missing value."""
    monkeypatch.chdir(tmp_path)
    more = (f"{20 + i};clerk;f;{'yes' if i % 3 else 'no'}" for i in range(30))
    (tmp_path / "t.csv").write_text(TABLE + "\n".join(more))
    data = "file=t.csv,label=label,positive=yes,separator=;,thousands=.,missing=" + missing
    flags = [
        "--network",
        "path,nodes=3",
        "--C",
        "5",
        "--rho",
        "0.3",
        "--train",
        "20",
        "--runs",
        "1",
        "--iterations",
        "3",
    ]
    learn = ["solve", "--data", data, "--set", 'data.decimal=","', "--algorithm", "admm", *flags]
    assert main([*learn, "--save-classifier", "f.json"]) == 0
    capsys.readouterr()
    assert main(["predict", "f.json", "t.csv", "--label", "label", "--output", "out.csv"]) == 0
    told = capsys.readouterr().err
    assert ("3 rows miss a value and get no prediction" in told) == (missing == "drop")
    classifier, found = Classifier.load(tmp_path / "f.json"), pd.read_csv("out.csv")
    features = make_source(classifier.made["parameters"]["data"]).build(tmp_path)
    assert [row for row in found["row"] if row < 6] == scored
    np.testing.assert_allclose(found["score"], classifier.scores(features.matrix), rtol=1e-12, atol=1e-14)


def test_a_value_that_was_never_missing_in_training_is_named(saved, tmp_path, capsys):
    table = pd.read_csv(OWN / "people.csv", dtype=str).head(5)
    table.loc[2, "job"] = None
    table.to_csv(tmp_path / "t.csv", index=False)
    assert main(["predict", str(saved), str(tmp_path / "t.csv")]) == 2
    assert "has no value in row 3, column 'job': must be one of office" in capsys.readouterr().err
