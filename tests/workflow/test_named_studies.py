"""Studies with names in one folder: each has its results, a common setting runs once, and none outdates another."""

import subprocess
from pathlib import Path

import pytest
import yaml

from radmm.study.study_folder import FOLDERS
from tests.conftest import ROOT
from tests.results.report.browser import data_of
from tests.workflow.test_elsewhere import CONFIG, snakemake

pytestmark = pytest.mark.xdist_group("named studies")

CHANGED = {"algorithm": {"name": "dgd", "step": 0.1}, "noise": {"kind": "gradient", "law": "gaussian", "sigma": 5.0}}
RESULTS = ["figures/mine.pdf", "report.html", "settings.parquet", "tables/mine.csv"]


def with_name(folder, name, **settings):
    content = yaml.safe_load((ROOT / CONFIG).read_text(encoding="utf-8"))
    content["experiments"]["mine"]["settings"] |= settings
    text = yaml.safe_dump({"name": name, **content}, sort_keys=False)
    (folder / f"{name}.yaml").write_text(text, encoding="utf-8")


def run(folder, name, *arguments):
    return snakemake(folder, "-s", str(ROOT / "Snakefile"), "--configfile", f"{name}.yaml", *arguments)


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def names(folder):
    return {path.name for path in folder.glob("[!.]*")}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where study one was run, then study two, whose experiment has the same name and one setting in common."""
    folder = tmp_path_factory.mktemp("studies")
    with_name(folder, "one")
    with_name(folder, "two", **{"R-ADMM": CHANGED})
    run(folder, "one")
    before = contents(folder / "results" / "one")
    run(folder, "two")
    assert contents(folder / "results" / "one") == before
    return folder


@pytest.mark.parametrize("name", ["one", "two"])
def test_each_is_up_to_date_whichever_ran_last(folder, name):
    assert "Nothing to be done" in run(folder, name, "--dry-run")


def test_a_setting_of_both_runs_once(folder):
    one, two = (folder / "results" / name / "traces" for name in ("one", "two"))
    (shared,) = names(one) & names(two)
    assert shared.startswith("admm")
    assert names(folder / "results" / "traces") == names(one) | names(two)
    assert (one / shared).samefile(two / shared)
    assert (one / shared).samefile(folder / "results" / "traces" / shared)
    logs = "".join(path.read_text() for path in (folder / "results" / "two" / "logs" / "batches").iterdir())
    assert f"{Path(shared).stem} begins" not in logs


@pytest.mark.parametrize("name", ["one", "two"])
def test_each_has_its_results(folder, name):
    results = folder / "results" / name
    assert all((results / each).is_file() for each in RESULTS)
    assert not any((folder / "results" / each).exists() for each in RESULTS)
    shown = data_of((results / "report.html").read_text())
    (page,) = shown["experiments"]
    assert page["command"].endswith(f"{name}.yaml -- results/{name}/figures/mine.pdf")
    assert {row[0] for row in shown["settings"]["rows"]} == {Path(each).stem for each in names(results / "traces")}


def test_one_is_verified_with_the_networks_that_both_share(folder):
    assert "made again with the same bytes: " in run(folder, "one", "--", "verify")
    edges = folder / "results" / "networks" / "ring-nodes4.edges"
    before = edges.read_bytes()
    edges.write_bytes(before + b"0 2\n")
    with pytest.raises(AssertionError, match=r"results/networks/ring-nodes4\.edges has SHA-256"):
        run(folder, "one", "--", "verify")
    assert not edges.exists()  # it was set aside


def test_no_study_can_have_the_name_of_a_folder_that_radmm_makes(folder):
    made = {path.name for part in ("", "one") for path in (folder / "results" / part).iterdir() if path.is_dir()}
    assert {name for name in made if not name.startswith(".")} - {"one", "two"} <= set(FOLDERS)


@pytest.fixture
def filled(tmp_path):
    """A clone's folders, with a file in each: what `make clean` is about."""
    for name in (*(f"results/{each}" for each in FOLDERS), "results/.resume/traces", "data/splits", "data/raw"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "file").touch()
    for name in (
        "results/README.md",
        "results/report.html",
        "results/settings.parquet",
        "data/README.md",
        "data/a.npz",
    ):
        (tmp_path / name).touch()
    return tmp_path


def left_by_clean(folder):
    subprocess.run(["make", "--file", str(ROOT / "Makefile"), "clean"], cwd=folder, capture_output=True, check=True)
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_make_clean_removes_the_shipped_results(filled):
    assert left_by_clean(filled) == {"results/README.md", "data/README.md", "data/raw/file"}


def test_make_clean_leaves_studies_with_names_and_what_they_share(filled):
    (filled / "results" / "mine" / "traces").mkdir(parents=True)
    for name in ("settings.parquet", "traces/a.parquet"):
        (filled / "results" / "mine" / name).touch()
    shared = {"results/.resume/traces/file", "results/networks/file", "data/splits/file", "data/a.npz"}
    mine = {"results/mine/settings.parquet", "results/mine/traces/a.parquet"}
    assert left_by_clean(filled) == {"results/README.md", "data/README.md", "data/raw/file"} | shared | mine
