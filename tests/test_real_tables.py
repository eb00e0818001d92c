"""Tables that nobody here wrote, from `to_csv` to a figure with ε: two edits of the example, and no trap is silent."""

import json
import re
import warnings

import palmerpenguins
import pytest
import statsmodels.api
import vega_datasets
import yaml
from PIL import Image
from sklearn import datasets

from radmm.__main__ import main
from tests.conftest import ROOT
from tests.jobs.test_workflow import Project
from tests.workflow.test_elsewhere import snakemake

EXAMPLE = ROOT / "examples" / "own_csv" / "config.yaml"


def of_scikit_learn(name):
    return getattr(datasets, f"load_{name}")(as_frame=True).frame


def cars():
    with warnings.catch_warnings(action="ignore"):  # of how that package calls pandas
        return vega_datasets.data.cars()


TABLES = {
    "breast_cancer": lambda: of_scikit_learn("breast_cancer"),
    "wine": lambda: of_scikit_learn("wine"),
    "digits": lambda: of_scikit_learn("digits"),
    "diabetes": lambda: of_scikit_learn("diabetes"),
    "penguins": palmerpenguins.load_penguins,
    "fair": lambda: statsmodels.api.datasets.fair.load_pandas().data,
    "cars": cars,
}
# What one would write first, and all that is told of it: parts of the sentences, each in one line.
FIRST = {
    "breast_cancer": ({"label": "target", "positive": 1}, []),
    "wine": ({"label": "target", "positive": 1}, ["the label 'target' is sorted"]),
    "digits": (
        {"label": "target", "positive": 8, "bounds": [0, 16]},
        ["the columns 'pixel_0_0', 'pixel_4_0', 'pixel_4_7' have the same value in all rows"],
    ),
    "diabetes": ({"label": "target", "positive": 150}, ["'target' has 214 different numbers, like a quantity"]),
    "penguins": (
        {"label": "species", "positive": "Adelie"},
        ["in the column 'bill_length_mm'", "'bill_depth_mm'", "'flipper_length_mm'", "'body_mass_g'", "'sex'"],
    ),
    "fair": ({"label": "affairs", "positive": 0}, ["'affairs' has 77 different numbers", "'affairs' is sorted"]),
    "cars": ({"label": "Origin", "positive": "USA", "missing": "drop"}, ["'Name' has 'chevrolet chevelle malibu'"]),
}
# The two edits with which nothing is left to be told: the data section, and how many rows train.
EDITS = {
    "breast_cancer": ({"label": "target", "positive": 1}, 450),
    "wine": ({"label": "target", "positive": 1, "accepted": ["sorted"]}, 140),
    "digits": ({"label": "target", "positive": 8, "bounds": [0, 16], "accepted": ["constant"]}, 1400),
    "diabetes": ({"label": "target", "above": 140}, 350),
    "penguins": ({"label": "species", "positive": "Adelie", "missing": "drop", "accepted": ["sorted"]}, 260),
    "fair": ({"label": "affairs", "above": 0, "accepted": ["sorted"]}, 5000),
    "cars": ({"label": "Origin", "positive": "USA", "missing": "drop", "ignore": ["Name", "Year"]}, 310),
}


def edited(name, data, train=None):
    """The example with one or two of its sections replaced."""
    content = yaml.safe_load(EXAMPLE.read_text(encoding="utf-8"))
    defaults = content["experiments"]["own_csv"]["defaults"]
    defaults["data"] = {"file": f"{name}.csv", **data}
    defaults |= {"split": {"train": train}} if train else {}
    return content


@pytest.fixture
def table(request, tmp_path, monkeypatch):
    """A table as its owner would write it, beside a config that is not in the working folder."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    TABLES[request.param]().to_csv(tmp_path / f"{request.param}.csv")
    return request.param


def told_of(content, folder, capsys, *flags):
    file = folder / "my.yaml"
    file.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    code = main(["check", str(file), *flags])
    told = capsys.readouterr()
    return code, told.out + told.err


@pytest.mark.parametrize("table", TABLES, indirect=True)
def test_every_trap_is_avoided_or_told_before_anything_runs(table, tmp_path, capsys):
    data, expected = FIRST[table]
    train = EDITS[table][1]
    _, told = told_of(edited(table, data, train), tmp_path, capsys)
    for part in expected:
        assert sum(part in line for line in told.splitlines()) == 1, told
    assert told.count("suspicious: ") == (len(expected) if "suspicious: " in told else 0)
    code, told = told_of(edited(table, EDITS[table][0], train), tmp_path, capsys, "--strict")
    assert code == 0, told
    assert "(no name)" in told  # the index that pandas wrote
    assert "an index without a name, as pandas writes it" in told


@pytest.mark.parametrize("table", ["cars"], indirect=True)
def test_dates_are_told_once_names_are_left_out(table, tmp_path, capsys):
    data = {**EDITS["cars"][0], "ignore": ["Name"]}
    _, told = told_of(edited(table, data, 310), tmp_path, capsys)
    assert "suspicious: " in told
    assert "the column 'Year' has dates, each of which becomes a feature: turn into numbers, like the year" in told


@pytest.mark.slow
@pytest.mark.xdist_group("examples")
def test_a_table_becomes_a_figure_with_its_epsilon(tmp_path):
    """Three unlike ones in one workflow, in a folder of their own: an experiment each, as its owner would write it."""
    content = edited("wine", *EDITS["wine"]) | {"strict": True}
    content["experiments"] = {}
    names = ("digits", "diabetes", "cars")
    for name in names:
        TABLES[name]().to_csv(tmp_path / f"{name}.csv")
        content["experiments"][name] = edited(name, *EDITS[name])["experiments"]["own_csv"]
        content["experiments"][name]["defaults"] |= {"iterations": 4, "runs": 2}  # so that it takes less time
        for label in ("ADMM", "R-ADMM"):
            content["experiments"][name]["settings"][label]["noise"]["total_epsilon"] = 8.0
    (tmp_path / "my.yaml").write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    figures = [f"results/own_csv/figures/{name}.png" for name in names]
    snakemake(tmp_path, "-s", str(ROOT / "Snakefile"), "--configfile", "my.yaml", "--", *figures)
    for name, figure in zip(names, figures, strict=True):
        with Image.open(tmp_path / figure) as picture:
            told = " ".join(picture.text.values())
        spent = re.search(r"Total ε of one run with noise: ([\d., ]+), for replacing one row, at δ = 1e-05 by", told)
        assert all(7.9 < float(epsilon) <= 8.0 for epsilon in spent[1].split(", "))
        declared = "bounds" in EDITS[name][0]  # else maxima were taken from the data
        assert ("Not covered by ε: " in told) != declared


@pytest.mark.xdist_group("examples")
def test_a_run_tells_suspicions_when_it_starts_and_stops_if_it_is_strict(tmp_path):
    project = Project(tmp_path)
    TABLES["wine"]().to_csv(tmp_path / "wine.csv")
    (tmp_path / "my.yaml").write_text(yaml.safe_dump(edited("wine", FIRST["wine"][0], 140)), encoding="utf-8")
    sentence = "wine.csv: the label 'target' is sorted"
    assert f"Suspicious: {sentence}" in project.snakemake("--cores", "1", "--dry-run", config="my.yaml")
    stopped = project.snakemake("--cores", "1", "--dry-run", "--config", "strict=true", config="my.yaml", fails=True)
    assert f"The configuration can't be used.\n{sentence}" in stopped


@pytest.mark.parametrize("table", ["diabetes"], indirect=True)
def test_labels_that_are_numbers_are_judged_on_the_raw_table(table, tmp_path, capsys):
    told_of(edited(table, *EDITS[table]), tmp_path, capsys)
    saved, raw = str(tmp_path / "f.json"), str(tmp_path / "diabetes.csv")
    setting = ["--config", str(tmp_path / "my.yaml"), "--setting", "own_csv/ADMM, not private"]
    assert main(["solve", *setting, "--save-classifier", saved]) == 0
    capsys.readouterr()
    assert main(["predict", saved, raw, "--label", "target", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told["predictions"]) == {"at most 140", "above 140"}
    assert told["metrics"]["error_rate"] < 0.35
