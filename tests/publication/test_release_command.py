"""`radmm release` on a declared table: refused before any row is read, or run without a word about rows."""

import json
import os

import numpy as np
import pytest
import yaml

from radmm.__main__ import main
from radmm.data.split import training_rows
from radmm.publication import declared_setting, discrete_noise
from radmm.publication.run import PlannedRun
from tests.conftest import ROOT
from tests.publication.test_release import FIELDS, leaves

PEOPLE = ROOT / "examples" / "own_csv" / "people.csv"
SETTING = {
    "data": {
        "file": str(PEOPLE),
        "rows": 1500,
        "label": "income",
        "positive": "high",
        "bounds": {"age": [18, 100], "hours": [0, 80]},
        "categories": {"job": ["office", "field", "shop", "none"]},
        "missing": "category",
        "intercept": True,
    },
    "split": {"train": 1200},
    "network": {"law": "ring", "nodes": 4},
    "problem": {"C": 100, "rho": 0.01},
    "iterations": 5,
    "runs": 1,
    "algorithm": {"name": "dgd", "step": 0.01},
    "noise": {"kind": "gradient", "law": "gaussian", "total_epsilon": 4.0, "delta": 1e-5},
}


def config(folder, **changes):
    """A config with one setting; a change of None removes a field, and a mapping changes a section."""
    setting = json.loads(json.dumps(SETTING))
    for name, change in changes.items():
        if isinstance(change, dict):
            section = setting.setdefault(name, {})
            section.update(change)
            setting[name] = {key: value for key, value in section.items() if value is not None}
        else:
            setting[name] = change
    written = {"shipped": False, "experiments": {"mine": {"figure": "convergence", "settings": {"it": setting}}}}
    (folder / "config.yaml").write_text(yaml.safe_dump(written), encoding="utf-8")
    return ["release", "--config", str(folder / "config.yaml"), "--setting", "mine/it"]


def released(folder, name="out.json", flags=(), **changes):
    code = main([*config(folder, **changes), "--output", str(folder / name), *flags])
    return code, json.loads((folder / name).read_text(encoding="utf-8")) if (folder / name).exists() else None


def test_a_release_is_written_with_its_label(tmp_path, capsys):
    code, content = released(tmp_path)
    label = content["made"]["privacy_label"]
    assert code == 0
    assert 3.96 < label["privacy_loss"]["epsilon"] <= 4.0
    assert label["recipe"]["row_counts"] == [300] * 4
    assert label["recipe"]["data"]["bounds"] == SETTING["data"]["bounds"]
    assert "people.csv" not in json.dumps(content)  # not even where the rows were
    assert sorted(path.name for path in tmp_path.iterdir()) == ["config.yaml", "out.json", "out.md"]
    said = capsys.readouterr()
    assert "ε = 4 in total at δ = 1e-05, for replacing one row, by the zcdp accountant" in said.out
    assert said.err == ""


def test_every_field_of_the_file_has_a_public_origin(tmp_path):
    """Beyond the fields of `radmm.release`, which their own test lists, there is what the config declares."""
    _, content = released(tmp_path)
    declared = content["made"]["privacy_label"]["recipe"].pop("data")
    assert declared == {
        **{name: SETTING["data"][name] for name in ("label", "positive", "bounds", "categories", "intercept")},
        **{"classes": [], "scale": "largest", "missing_values": ["?", "NA", "NaN", "nan", "null"]},
    }
    written = {
        "weighting": "nodes",  # a default
        "network.law": "ring",
        "network.nodes": 4,
        "partition.law": "even",  # a default
        "split.train": 1200,
        "split.seed": 0,  # a default: which positions train
    }
    found = dict(leaves(content))
    assert set(found) == set(FIELDS) | {f"made.privacy_label.recipe.{name}" for name in written}
    assert {name: found[f"made.privacy_label.recipe.{name}"] for name in written} == written


def test_two_releases_differ_in_every_weight_and_in_nothing_else(tmp_path):
    first, second = (released(tmp_path, name)[1] for name in ("a.json", "b.json"))
    assert (np.array(first.pop("weights")) != np.array(second.pop("weights"))).all()
    assert first == second
    assert (tmp_path / "a.md").read_bytes() == (tmp_path / "b.md").read_bytes()


def test_the_budget_s_relation_and_the_flags_are_kept(tmp_path):
    noise = {"neighbours": "zero-out", "rows": 2}
    _, content = released(tmp_path, noise=noise)
    unit = content["made"]["privacy_label"]["unit_of_privacy"]
    assert (unit["neighbours"], unit["rows_of_a_person"]) == ("zero-out", 2)
    flags = ["--neighbours", "replace", "--person-rows", "3", "--delta", "1e-6"]
    _, content = released(tmp_path, "other.json", flags, noise={"total_epsilon": None, "delta": None, "sigma": 9.0})
    label = content["made"]["privacy_label"]
    assert (label["unit_of_privacy"]["neighbours"], label["unit_of_privacy"]["rows_of_a_person"]) == ("replace", 3)
    assert label["privacy_loss"]["delta"] == 1e-6


def test_each_node_can_spend_the_budget_by_itself(tmp_path):
    sizes = {"law": "sizes", "per_node": [100, 300, 400, 400]}
    _, content = released(tmp_path, partition=sizes, noise={"each_node": True})
    kinds = content["made"]["privacy_label"]["algorithm"]["answers"]
    spent = [
        sum(each["count"] * (each["sensitivity"] / each["sigma"]) ** 2 for each in kind["answers"]) for kind in kinds
    ]
    assert np.ptp(spent) < 1e-2 * max(spent)


REFUSED = {
    "objective noise": ({"noise": {"kind": "objective"}, "algorithm": {"name": "admm", "step": None}}, "noise.kind ="),
    "no noise": ({"noise": None}, "noise = None: must be given"),
    "exponential norm": (
        {"noise": {"law": "exponential-norm", "total_epsilon": None, "delta": None, "alpha": 1.0}},
        "noise.kind = gradient: must be gaussian",
    ),
    "the paper's bound": (
        {"noise": {"total_epsilon": None, "delta": None, "total_bound": 3.0}},
        "total_bound",
    ),
    "cancelling noise": ({"noise": {"cancelling": 2.0}}, "noise.kind = gradient: must be gaussian"),
    "no declared rows": ({"data": {"rows": None}}, "data.rows is missing: must be declared"),
    "rows dropped": ({"data": {"missing": "drop"}}, "data.missing = drop: must be category"),
    "rows refused": ({"data": {"missing": None}}, "data.missing = refuse: must be category"),
    "maxima": ({"data": {"bounds": None, "categories": None}}, "data.bounds and data.categories are empty"),
    "one pair of bounds": ({"data": {"bounds": [0, 100]}}, "data.bounds is one pair: must name every column"),
    "categories found": ({"data": {"categories": {"job": "found"}}}, "data.categories.job = found: must list"),
    "the label as a feature": (
        {"data": {"categories": {"job": ["office"], "income": ["high"]}}},
        "data names the column 'income' twice",
    ),
    "a hash": ({"data": {"sha256": "0" * 64}}, "data.sha256 is given: must be left out"),
    "a node column": ({"data": {"node": "town"}}, "data.node = town: must be left out"),
    "a LIBSVM file": (
        {"data": {"file": "rows.svm", "label": None, "categories": None}},
        "data.file = rows.svm: must be a local .csv or .tsv file",
    ),
    "a built-in set": ({"data": "adult"}, "data = adult: must be a table of your own in a release"),
    "a threshold": ({"data": {"positive": None, "above": 3}}, "data.above is given: must be left out of a release"),
    "decimal commas": ({"data": {"decimal": ","}}, "data.decimal is given: must be left out of a release"),
    "runs": ({"runs": 2}, "runs = 2: must be 1"),
    "a test error": ({"split": {"test": 100}}, "split.test = 100: must be left out"),
    "too many rows": ({"split": {"train": 1501}}, "split.train = 1501: must be at most data.rows = 1500"),
    "label skew": (
        {"partition": {"law": "label-skew", "beta": 0.5}},
        "partition.law = label-skew: must be even or sizes",
    ),
    "a column's nodes": ({"partition": {"law": "column"}}, "partition.law = column: must be even or sizes"),
    "squared loss": ({"problem": {"loss": "squared"}}, "loss = squared: must be one of"),
    "an algorithm of argmins": ({"algorithm": {"name": "admm", "step": None}}, "admm asks for argmins"),
    "a grid": ({"iterations": [5, 6]}, "is a grid of 2 settings: must be one"),
}


@pytest.mark.parametrize("which", REFUSED)
def test_it_is_refused_in_a_sentence_before_any_row_is_read(tmp_path, capsys, monkeypatch, which):
    """The table is a pipe, which to open would wait forever; reading it is forbidden besides."""
    changes, sentence = REFUSED[which]
    os.mkfifo(tmp_path / "pipe.csv")
    monkeypatch.setattr(declared_setting, "read_columns", None)
    data = changes.get("data", {})
    if isinstance(data, dict):
        changes = {**changes, "data": {"file": str(tmp_path / "pipe.csv"), **data}}
    code, content = released(tmp_path, **changes)
    said = capsys.readouterr()
    assert (code, content, said.out) == (2, None, "")
    assert sentence in said.err
    assert len(said.err.splitlines()) == 1
    assert not (tmp_path / "out.md").exists()


@pytest.mark.parametrize("kind", ["exists", "page exists", "folder", "pipe", "not json", "link"])
def test_an_output_that_can_t_be_new_is_refused_first(tmp_path, capsys, monkeypatch, kind):
    monkeypatch.setattr(declared_setting, "read_columns", None)
    output = tmp_path / ("out.txt" if kind == "not json" else "out.json")
    {
        "exists": lambda: output.write_text("mine", encoding="utf-8"),
        "page exists": lambda: output.with_suffix(".md").write_text("mine", encoding="utf-8"),
        "folder": output.mkdir,
        "pipe": lambda: os.mkfifo(output),
        "not json": lambda: None,
        "link": lambda: output.symlink_to(tmp_path / "other.json"),
    }[kind]()
    assert main([*config(tmp_path), "--output", str(output)]) == 2
    said = capsys.readouterr().err
    assert said.startswith("radmm: output = ")
    assert "must" in said
    assert len(said.splitlines()) == 1


def test_a_missing_opendp_is_one_sentence(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(declared_setting, "read_columns", None)
    monkeypatch.setattr(discrete_noise, "find_spec", lambda name: None)
    assert released(tmp_path)[0] == 2
    assert capsys.readouterr().err == (
        "radmm: opendp is not installed: must be, as a release draws its noise with it: install radmm[release]\n"
    )


@pytest.mark.parametrize(
    "flags",
    [["--delta", "2"], ["--delta", "0"], ["--person-rows", "0"], ["--neighbours", "adjacent"], ["--person-rows", "-1"]],
)
def test_a_relation_that_is_none_is_refused(tmp_path, capsys, monkeypatch, flags):
    monkeypatch.setattr(declared_setting, "read_columns", None)
    assert released(tmp_path, flags=flags)[0] == 2
    assert ": must be" in capsys.readouterr().err


def odd_copy(tmp_path):
    """The table, of which a dozen rows are spoiled in every way that comes to mind."""
    lines = PEOPLE.read_bytes().splitlines()
    odd = [
        b"",
        b",,,",
        b"\xff\xfe,\x00,\x80,\xff",
        b'"76,23,office,high',
        b"1e400,-1e400,nan,inf",
        b"76",
        b"x" * 200_000,
    ]
    odd += [
        b"76,23,office,high,more,still more",
        b"\xf0\x9f\x92\xa9,2,shop,",
        b'"a""b",c"d,"e,f",g',
        b"NaN,NaN,NaN,NaN",
        b"76,23\r,office,high",
        b"76,23,office\rhigh\r",
    ]
    lines[5 : 5 + len(odd)] = odd
    (tmp_path / "odd.csv").write_bytes(b"\n".join(lines) + b"\n")
    return str(tmp_path / "odd.csv")


def test_a_row_without_a_label_trains_as_zeros(tmp_path, monkeypatch):
    problems = []
    train = PlannedRun.train
    monkeypatch.setattr(PlannedRun, "train", lambda self, problem: problems.append(problem) or train(self, problem))
    lines = PEOPLE.read_text(encoding="utf-8").splitlines()
    lines[1:] = [line.rpartition(",")[0] + "," if place % 3 == 0 else line for place, line in enumerate(lines[1:])]
    (tmp_path / "some.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert released(tmp_path, data={"file": str(tmp_path / "some.csv")})[0] == 0
    zeros = np.abs(problems[0].rows).sum(axis=1) == 0
    chosen = training_rows(1500, 1200, 0)
    assert zeros.sum() == (chosen % 3 == 0).sum()


def test_spoiled_rows_change_no_word_and_no_exit_code(tmp_path, capsys):
    """The same outputs, byte by byte, but for the weights."""
    answers = []
    for name, file in (("a.json", str(PEOPLE)), ("b.json", odd_copy(tmp_path))):
        code, content = released(tmp_path, name, data={"file": file})
        content.pop("weights")
        said = capsys.readouterr()
        answers.append((code, content, said.out.replace(name[0], ""), said.err))
    assert answers[0][1] == answers[1][1]
    assert answers[0][0] == answers[1][0] == 0
    assert answers[0][3] == answers[1][3] == ""


def test_another_number_of_rows_is_told_by_both_numbers_alone(tmp_path, capsys):
    assert released(tmp_path, data={"rows": 1400})[0] == 2
    assert capsys.readouterr().err == ("radmm: data.rows = 1400: must be 1500, the number of lines below the header\n")


def test_an_error_after_rows_were_read_tells_nothing(tmp_path, capsys, monkeypatch):
    def broken(_, columns):
        raise ValueError(f"row 7 has {columns['age'][7]}")

    monkeypatch.setattr(declared_setting.DeclaredTable, "encode", broken)
    assert released(tmp_path)[0] == 2
    said = capsys.readouterr().err
    assert said.startswith("radmm: the release failed after rows were read")
    assert "row 7" not in said


@pytest.mark.parametrize("file", ["there_is_none.csv", "."])
def test_a_file_that_can_t_be_read_is_one_sentence(tmp_path, capsys, file):
    data = {"file": str(tmp_path / file) if file != "." else str(tmp_path / "folder.csv")}
    (tmp_path / "folder.csv").mkdir()
    assert released(tmp_path, data=data)[0] == 2
    said = capsys.readouterr().err
    assert said.startswith("radmm: data.file = ")
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize(
    ("header", "sentence"),
    [
        ("age,hours,job,wage", "there is no column 'income'"),
        ("age,hours,job,income,town", "the column 'town' must have data.bounds or data.categories"),
        ("age,hours,job,income,age", "the column 'age' is there twice"),
    ],
)
def test_a_header_that_differs_from_the_declaration_is_refused(tmp_path, capsys, header, sentence):
    (tmp_path / "mine.csv").write_text(f"{header}\n76,23,office,high\n", encoding="utf-8")
    assert released(tmp_path, data={"file": str(tmp_path / "mine.csv")})[0] == 2
    assert sentence in capsys.readouterr().err


def test_a_row_in_the_place_of_the_header_is_not_told(tmp_path, capsys):
    (tmp_path / "mine.csv").write_text("76,76,office,high\n", encoding="utf-8")
    assert released(tmp_path, data={"file": str(tmp_path / "mine.csv")})[0] == 2
    said = capsys.readouterr().err
    assert "there is no column 'income'" in said
    assert "76" not in said


def test_predict_refuses_a_label_that_can_t_be_read(tmp_path, capsys):
    _, content = released(tmp_path)
    for change in ({"recipe": {"data": {"x": 1}}}, {"recipe": []}, "x"):
        content["made"]["privacy_label"] = change
        (tmp_path / "out.json").write_text(json.dumps(content), encoding="utf-8")
        assert main(["predict", str(tmp_path / "out.json"), str(PEOPLE)]) == 2
        assert "the privacy label of the classifier can't be read" in capsys.readouterr().err


def test_inspect_and_predict_take_a_release(tmp_path, capsys):
    released(tmp_path)
    capsys.readouterr()
    assert main(["inspect", str(tmp_path / "out.json"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["kind"] == "a release: a classifier that may be published"
    assert "in total at δ = 1e-05" in told["promise"]
    assert main(["predict", str(tmp_path / "out.json"), str(PEOPLE), "--label", "income", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["rows"] == 1500
    assert 0.0 < told["metrics"]["error_rate"] < 0.6
    assert set(told["predictions"]) <= {"high", "not high"}
    assert main(["predict", str(tmp_path / "out.json"), odd_copy(tmp_path)]) in (0, 2)


def test_several_classes_are_released(tmp_path):
    lines = PEOPLE.read_text(encoding="utf-8").splitlines()
    told = [f"{line},{'abc'[place % 3]}" for place, line in enumerate(lines[1:])]
    (tmp_path / "three.csv").write_text("\n".join([f"{lines[0]},kind", *told]) + "\n", encoding="utf-8")
    data = {
        "file": str(tmp_path / "three.csv"),
        "label": "kind",
        "positive": None,
        "classes": ["a", "b", "c"],
        "ignore": ["income"],
    }
    code, content = released(tmp_path, data=data, problem={"loss": "softmax"})
    assert code == 0
    assert np.array(content["weights"]).shape == (3, 10)
    assert content["classes"] == ["a", "b", "c"]
