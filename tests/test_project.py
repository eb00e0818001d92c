"""Files that say the same thing in two places must agree."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import yaml

import radmm
from tests.conftest import ROOT

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_conda_users_get_the_same_packages_and_bounds():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    python = f"python{PYPROJECT['requires-python']}"
    assert sorted(environment) == sorted([*PYPROJECT["dependencies"], python, "pip"])


def test_the_lock_has_every_requirement_with_hashes():
    lock = (ROOT / "requirements.lock").read_text()
    locked = dict(re.findall(r"^([a-z0-9-]+)==(\S+)", lock, re.MULTILINE))
    wanted = PYPROJECT["dependencies"] + PYPROJECT["optional-dependencies"]["dev"]
    assert {re.match(r"[a-z0-9-]+", requirement)[0] for requirement in wanted} <= set(locked)
    entries = re.split(r"^(?=[a-z])", lock, flags=re.MULTILINE)[1:]
    assert all("--hash=sha256:" in entry for entry in entries)


def test_versions_agree():
    assert radmm.__version__ == PYPROJECT["version"]


def test_the_package_is_found_from_the_clone_s_parent_folder(tmp_path):
    """There the clone itself, a folder named radmm, would pass for a namespace package if Python found nothing else."""
    (tmp_path / "radmm").mkdir()
    command = [sys.executable, "-c", "import radmm; print(radmm.__file__)"]
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    found = subprocess.run(command, cwd=tmp_path, env=inherited, capture_output=True, text=True, check=True).stdout
    assert Path(found.strip()) == ROOT / "radmm" / "__init__.py"


def test_the_package_never_imports_snakemake():
    for source in (ROOT / "radmm").rglob("*.py"):
        assert not re.search(r"^\s*(import|from) snakemake", source.read_text(), re.MULTILINE), source
