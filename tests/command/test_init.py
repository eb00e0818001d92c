"""A study that `radmm init` began can be checked and run by the commands of its README."""

import re
import shlex
import subprocess

import pytest

from radmm.__main__ import main
from radmm.jobs.study import Study
from radmm.study.config_files import read_configs


@pytest.fixture
def folder(tmp_path, capsys):
    study = tmp_path / "my study"
    assert main(["init", str(study)]) == 0
    assert "README.md written" in capsys.readouterr().out
    return study


def commands(folder):
    return [shlex.split(line) for line in re.findall(r"^    (.*)$", (folder / "README.md").read_text(), re.MULTILINE)]


def run(folder, command):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.slow
def test_its_config_is_right_and_planned_by_snakemake_alone(folder):
    check, plan, _ = commands(folder)
    run(folder, check)
    assert "5 settings would be solved" in run(folder, plan)


@pytest.mark.slow
def test_its_figure_is_drawn(folder):
    *_, whole = commands(folder)
    figure = "results/my_study/figures/comparison.png"
    run(folder, [*whole, "--", figure])
    assert (folder / figure).stat().st_size > 1000


@pytest.mark.parametrize(
    ("folder_name", "name"),
    [("my study", "my_study"), ("Straße 7", "Stra_e_7"), ("traces", "study_traces"), ("…", "study")],
)
def test_a_study_is_named_after_its_folder(tmp_path, folder_name, name):
    assert main(["init", str(tmp_path / folder_name)]) == 0
    study = Study.of(read_configs([tmp_path / folder_name / "config" / "config.yaml"]))
    assert study.config.name == name
    assert f"`results/{name}/report.html`" in (tmp_path / folder_name / "README.md").read_text()


def test_nothing_is_overwritten(folder, capsys):
    (folder / "README.md").unlink()
    (folder / "config" / "config.yaml").write_text("mine")
    assert main(["init", str(folder)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert (folder / "config" / "config.yaml").read_text() == "mine"
    assert not (folder / "README.md").exists()
