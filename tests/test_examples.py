"""The examples, at small size: every config resolves, and one setting of each is solved."""

import json
import subprocess
import sys

import pytest

from radmm.__main__ import main
from radmm.base.store import read_metadata
from radmm.command.chosen_setting import read_configs
from radmm.study.resolution import resolve
from tests.conftest import ROOT
from tests.jobs.test_workflow import Project

EXAMPLES = ROOT / "examples"
CONFIGS = sorted(EXAMPLES.glob("*/config.yaml"))
MADE = "synthetic,rows=3000,features=5"  # in place of what would have to be fetched
SMALL = ["--network", "small-world,nodes=6,neighbours=2,probability=0.1,seed=0", "--iterations", "4", "--runs", "2"]


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: config.parent.name)
def test_a_config_can_be_used_as_it_is(config, monkeypatch):
    monkeypatch.chdir(ROOT)
    experiments = resolve(read_configs([str(config)]))
    assert all(name.startswith(config.parent.name) for name in experiments)


@pytest.mark.parametrize(
    ("setting", "flags"),
    [
        ("own_csv/ADMM, not private", []),
        ("own_csv/R-ADMM", ["--noise", "output,sigma=0.1"]),
        ("new_algorithm/gossip-ADMM", ["--iterations", "6"]),
        *[
            (f"skewed_{data}/{loss}", ["--data", MADE, "--train", "2500", "--C", "20", *SMALL])
            for data, loss in (
                ("bank", "logistic, private"),
                ("census_kdd", "Huberised hinge, private"),
                ("bank", "squared"),
            )
        ],
    ],
)
def test_a_setting_is_solved(setting, flags, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    folder = next(config for config in CONFIGS if setting.startswith(config.parent.name))
    assert main(["solve", "--config", str(folder), "--setting", setting, *flags, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["last"]["error_rate"]["mean"] < 0.5
    private = said["parameters"]["noise"] is not None
    assert (said["privacy"] is not None) == private
    if private:
        assert said["privacy"]["total_epsilon"] > 0


LITTLE = """
experiments:
  own_csv:
    defaults: {iterations: 4, runs: 2}
    settings: {ADMM: {noise: {total_epsilon: 8.0}}, R-ADMM: {noise: {total_epsilon: 8.0}}}
"""


@pytest.mark.xdist_group("examples")
def test_a_table_becomes_a_figure_by_one_command(tmp_path):
    project = Project(tmp_path)
    (tmp_path / "little.yaml").write_text(LITTLE)
    figure = "results/own_csv/figures/own_csv.png"
    project.snakemake("little.yaml", "--cores", "2", "--", figure, config="examples/own_csv/config.yaml")
    assert (tmp_path / figure).stat().st_size > 10_000
    stored = read_metadata(tmp_path / "results" / "own_csv" / "tables" / "own_csv.parquet")
    assert len(stored["settings"]) == 3
    assert stored["caveats"] == []  # as all bounds and categories are declared


def test_a_release_is_made_by_one_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    output = tmp_path / "classifier.json"
    given = ["--config", "examples/release/config.yaml", "--setting", "release/DGD", "--output", str(output)]
    assert main(["release", *given]) == 0
    assert "privacy        ε = 4 in total at δ = 1e-05, for replacing one row" in capsys.readouterr().out
    assert main(["predict", str(output), "examples/own_csv/people.csv", "--label", "income", "--json"]) == 0
    assert (
        json.loads(capsys.readouterr().out)["metrics"]["error_rate"] < 0.35
    )  # 0.2 on average, 0.4 for the larger class


FEW = """
defaults:
  data: {name: synthetic, rows: 600, features: 3}
  split: {train: 400, seed: [0, 1]}
  network: {law: [ring, star], nodes: [3, 4]}
  problem: {C: 20}
  iterations: 2
  runs: 2
"""


@pytest.mark.xdist_group("examples")
def test_another_option_of_a_figure_draws_it_again_and_runs_nothing_else(tmp_path):
    project, few = Project(tmp_path), tmp_path / "few.yaml"
    few.write_text(FEW)
    config, figures = (
        "examples/grid/config.yaml",
        [f"results/grid/figures/grid_{form}.png" for form in ("lines", "boxes")],
    )
    project.snakemake("few.yaml", "--cores", "2", "--", *figures, config=config)
    assert all((tmp_path / figure).stat().st_size > 10_000 for figure in figures)
    undo = project.edit(config, "title: Test error against the total ε", "title: Errors")
    counted = project.snakemake("few.yaml", "--cores", "2", "--dry-run", "--", *figures, config=config)
    assert "Drawing grid_lines" in counted
    assert "Drawing grid_boxes" not in counted
    assert "No setting would be solved" in counted
    assert "Statistics over the runs" not in counted
    undo()
    project.edit(config, "as: box", "as: heatmap")
    counted = project.snakemake("few.yaml", "--cores", "2", "--dry-run", "--", figures[1], config=config)
    assert "No setting would be solved" in counted
    assert "Statistics over the runs" not in counted


def test_the_plug_in_keeps_its_contract(capsys):
    assert main(["check", str(EXAMPLES / "new_algorithm" / "gossip.py")]) == 0
    assert capsys.readouterr().out == "algorithm gossip-admm: ok\n"


def test_the_notebook_runs(tmp_path):
    command = [sys.executable, str(EXAMPLES / "notebook.py")]
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert "no noise" in told
    assert "ε = 0.49" in told
    assert (tmp_path / "notebook.png").stat().st_size > 1000
