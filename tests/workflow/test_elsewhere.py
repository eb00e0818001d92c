"""The workflow and the package where they were not written: in another workflow, another folder, on another disk."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.jobs.test_faults import held_by_modes
from tests.jobs.test_workflow import Project

TOOLS = Path(sys.executable).parent
CONFIG = ".test/config/config.yaml"
SECONDS = 900  # a run that hangs is ended
OUTER = """
configfile: "outer.yaml"

module radmm:
    snakefile: "{root}/workflow/Snakefile"
    config: config["study"]

use rule * from radmm as radmm_*

rule everything:
    default_target: True
    input:
        rules.radmm_main.input,
        "results/own.txt",

rule own:
    input:
        "results/inner/tables/mine.csv",
    output:
        "results/own.txt",
    shell:
        "wc -l {{input}} > {{output}}"
"""
SUBMIT = """#!/bin/sh
# Run a job in a new folder with nothing but the sources in it, and with no variable of ours; its id is the folder.
folder=$(mktemp --directory "{jobs}/XXXXXX")
cp -Rp "{sources}/." "$folder"
(
  cd "$folder" && env --ignore-environment HOME="$folder" PATH="{tools}:$PATH" sh "$1" > "$folder.log" 2>&1
  echo $? > "$folder.part" && mv "$folder.part" "$folder.code"
) > /dev/null 2>&1 &
echo "$folder"
"""
STATUS = """#!/bin/sh
if [ ! -f "$1.code" ]; then echo running; elif [ "$(cat "$1.code")" = 0 ]; then echo success; else echo failed; fi
"""


def snakemake(folder, *arguments, held=(), **environment):
    command = [*held, str(TOOLS / "snakemake"), "--cores", "2", "--scheduler", "greedy", *arguments]
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    said = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    done = subprocess.run(command, cwd=folder, env={**inherited, **environment}, check=False, timeout=SECONDS, **said)
    assert done.returncode == 0, done.stdout
    return done.stdout


def made(results):
    """The names of what users look at."""
    return {path.name for kind in ("tables", "figures") for path in (results / kind).glob("mine.*")}


EVERYTHING = {"mine.parquet", "mine.csv", "mine.pdf", "mine.png", "mine.svg"}


def test_as_a_module_of_another_workflow(tmp_path):
    study = (ROOT / CONFIG).read_text().replace("\n", "\n  ")
    (tmp_path / "outer.yaml").write_text(f"study:\n  name: inner\n  {study}\nmine: of the outer workflow\n")
    (tmp_path / "Snakefile").write_text(OUTER.format(root=ROOT))
    snakemake(tmp_path)
    results = tmp_path / "results" / "inner"
    assert made(results) == EVERYTHING
    assert (tmp_path / "results" / "own.txt").read_text().split()[1] == "results/inner/tables/mine.csv"
    assert (results / "report.html").is_file()
    (results / "figures" / "mine.pdf").unlink()
    said = snakemake(tmp_path, "--dry-run", "--", "results/inner/figures/mine.pdf")
    assert "radmm_figure" in said
    assert "radmm_table " not in said


def test_in_another_folder_with_a_clone_that_is_read_only_and_has_spaces_in_its_path(tmp_path):
    clone = tmp_path / "a clone of mine"
    clone.mkdir()
    Project(clone)
    held, parts = held_by_modes(), [clone, *clone.rglob("*")]
    before = {path: path.stat().st_mtime_ns for path in parts if path.is_file()}
    for path in parts:
        path.chmod(0o555 if path.is_dir() else 0o444)
    folder = tmp_path / "my results"
    folder.mkdir()
    arguments = [
        "--snakefile",
        str(clone / "Snakefile"),
        "--configfile",
        str(clone / CONFIG),
        "--directory",
        str(folder),
    ]
    snakemake(tmp_path, *arguments, "--", "results/figures/mine.pdf", held=held)
    for path in parts:
        path.chmod(0o755 if path.is_dir() else 0o644)
    assert made(folder / "results") == EVERYTHING
    assert {path: path.stat().st_mtime_ns for path in clone.rglob("*") if path.is_file()} == before


@pytest.mark.skipif(
    shutil.which("rsync") is None and "RADMM_NEEDS_SLURM" not in os.environ, reason="the storage plug-in needs rsync"
)
def test_without_a_shared_disk_every_job_in_an_empty_folder(tmp_path):
    """Stands for object stores, Kubernetes and batch services: nothing but sources, inputs and outputs travels."""
    clone, sources, store, jobs = (tmp_path / name for name in ("clone", "sources", "store", "jobs"))
    for folder in (clone, store, jobs):
        folder.mkdir()
    Project(clone)
    shutil.copytree(clone, sources)
    for command in (["init", "--quiet"], ["add", "--all"]):
        subprocess.run(["git", *command], cwd=clone, check=True)
    submit = SUBMIT.format(jobs=jobs, sources=sources, tools=TOOLS)
    for name, text in (("submit", submit), ("status", STATUS)):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    cluster = ["--executor", "cluster-generic", "--cluster-generic-submit-cmd", str(tmp_path / "submit")]
    cluster += ["--cluster-generic-status-cmd", str(tmp_path / "status"), "--seconds-between-status-checks", "1"]
    storage = ["--default-storage-provider", "fs", "--default-storage-prefix", str(store), "--shared-fs-usage", "none"]
    target = ["--configfile", CONFIG, "--config", "name=far", "--jobs", "2", "--", "results/far/figures/mine.pdf"]
    try:
        snakemake(clone, *cluster, *storage, *target)
    except (AssertionError, subprocess.TimeoutExpired):
        print(*(log.read_text() for log in jobs.glob("*.log")), sep="\n")
        raise
    assert made(store / "results" / "far") == EVERYTHING
    assert len(list((store / "results" / "far" / "traces").glob("*.parquet"))) == 2
    assert not (clone / "results" / "far" / "traces").exists()
    logs = [log.read_text() for log in jobs.glob("*.log")]
    assert len(logs) >= 4  # features, noise, traces, table and figure; what takes a moment runs where Snakemake does


@pytest.mark.xdist_group("package")
def test_from_an_sdist_in_a_fresh_environment_with_the_compiled_kernel(tmp_path):
    """As `pip install .` does; the packages that radmm needs are those of this environment."""
    clone = tmp_path / "clone"
    clone.mkdir()
    Project(clone)
    for library in (clone / "radmm").rglob("_*.so"):
        library.unlink()
    build = "from setuptools.build_meta import build_sdist as build; print(build('..'))"
    packed = subprocess.run([sys.executable, "-c", build], cwd=clone, capture_output=True, text=True, check=True)
    archive = tmp_path / packed.stdout.splitlines()[-1]
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "fresh"], check=True)
    (packages,) = (tmp_path / "fresh" / "lib").glob("python*/site-packages")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*install, "--target", packages, archive], check=True)
    theirs = next(Path(entry) for entry in sys.path if entry.endswith("site-packages"))
    (packages / "others.pth").write_text(f"{theirs}\n")
    code = """
import radmm, numpy
from radmm.argmin.engine_choice import engine_for
draw = numpy.random.default_rng(0)
rows = draw.normal(size=(40, 3)); rows /= 2 * numpy.linalg.norm(rows, axis=1, keepdims=True)
problem = radmm.Problem(rows, numpy.where(rows[:, 0] > 0, 1.0, -1.0), numpy.arange(40) % 4, C=2.0, rho=0.3)
ring = radmm.Network([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]])
radmm.solve(problem, ring, radmm.RADMM(), iterations=3, runs=1)
print(radmm.__file__, type(engine_for(problem)).__module__)
"""
    python = tmp_path / "fresh" / "bin" / "python"
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    said = subprocess.run(
        [python, "-c", code], cwd=tmp_path, env=inherited, capture_output=True, text=True, check=False
    )
    assert said.returncode == 0, said.stderr
    assert said.stdout.split() == [str(packages / "radmm" / "__init__.py"), "radmm.argmin.kernel"]
