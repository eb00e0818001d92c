"""A study that `radmm init` began can be checked and run by the commands of its README."""

import re
import shlex
import subprocess

import pytest

from radmm.__main__ import main


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


def test_its_config_is_right_and_planned_by_snakemake_alone(folder):
    check, plan, _ = commands(folder)
    run(folder, check)
    assert "5 settings would be solved" in run(folder, plan)


@pytest.mark.slow
def test_its_figure_is_drawn(folder):
    *_, whole = commands(folder)
    run(folder, [*whole, "--", "results/figures/comparison.png"])
    assert (folder / "results" / "figures" / "comparison.png").stat().st_size > 1000


def test_nothing_is_overwritten(folder, capsys):
    (folder / "README.md").unlink()
    (folder / "config" / "config.yaml").write_text("mine")
    assert main(["init", str(folder)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert (folder / "config" / "config.yaml").read_text() == "mine"
    assert not (folder / "README.md").exists()
