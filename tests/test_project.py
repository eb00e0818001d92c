"""Files that say the same thing in two places must agree."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import radmm
from tests.conftest import ROOT

CONTENTS = tomllib.loads((ROOT / "pyproject.toml").read_text())
PYPROJECT, GROUPS = CONTENTS["project"], CONTENTS["dependency-groups"]
# Neither conda-forge nor bioconda has a version that will do.
NOT_FROM_A_CHANNEL = {"snakemake-executor-plugin-slurm", "snakemake-logger-plugin-rich"}


def name_of(requirement):
    return re.match(r"[a-z0-9-]+", requirement)[0]


def test_conda_users_get_the_same_packages_and_bounds():
    *packages, last = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    by_pip = [item for item in PYPROJECT["dependencies"] if name_of(item) in NOT_FROM_A_CHANNEL]
    by_conda = [item for item in PYPROJECT["dependencies"] if name_of(item) not in NOT_FROM_A_CHANNEL]
    assert sorted(packages) == sorted([*by_conda, f"python{PYPROJECT['requires-python']}", "pip"])
    assert last == {"pip": by_pip}


def read_lock(name):
    lock = (ROOT / name).read_text()
    assert all("--hash=sha256:" in entry for entry in re.split(r"^(?=[a-z])", lock, flags=re.MULTILINE)[1:])
    return set(re.findall(r"^([a-z0-9-]+)==(\S+)", lock, re.MULTILINE))


def test_the_locks_have_every_requirement_with_hashes_and_agree():
    run, tools = read_lock("requirements.lock"), read_lock("requirements-dev.lock")
    assert {name_of(item) for item in PYPROJECT["dependencies"] + GROUPS["build"]} <= {name for name, _ in run}
    assert {name_of(item) for item in GROUPS["dev"]} <= {name for name, _ in tools}
    shared = {name for name, _ in run} & {name for name, _ in tools}
    assert {entry for entry in run if entry[0] in shared} == {entry for entry in tools if entry[0] in shared}


def test_what_is_only_for_development_is_not_installed_to_run():
    names = {name for name, _ in read_lock("requirements.lock")}
    assert names.isdisjoint({"dp-accounting", "mypy", "pytest", "ruff", "scikit-learn", "snakefmt", "uv"})


def test_the_build_has_what_it_says_it_needs():
    assert CONTENTS["build-system"]["requires"] == GROUPS["build"]


@pytest.mark.xdist_group("together")
def test_groups_stay_on_one_worker(request):
    """Else every worker would make the projects that the tests of a group share."""
    if hasattr(request.config, "workerinput"):
        assert request.node.nodeid.endswith("@together")


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


def test_the_citation_names_this_version_and_the_paper():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert (cited["title"].split(":")[0], cited["version"], cited["license"]) == (
        PYPROJECT["name"], PYPROJECT["version"], PYPROJECT["license"],
    )  # fmt: skip
    assert cited["preferred-citation"]["doi"] == "10.1109/TIFS.2019.2947867"


def test_the_workflow_is_found_where_the_catalogue_looks_for_it(tmp_path):
    """From a folder without a config, so that the shipped one must be found from the Snakefile."""
    told = [
        subprocess.run(
            [sys.executable, "-m", "snakemake", "--snakefile", ROOT / path, "--dry-run", "--", "results/ladder.csv"],
            cwd=tmp_path, capture_output=True, text=True, check=True,
        ).stderr
        for path in ("Snakefile", "workflow/Snakefile")
    ]  # fmt: skip
    counts = [set(re.findall(r"^ (\w+) +(\d+) *$", text, re.MULTILINE)) for text in told]
    assert counts == [{("ladder", "1"), ("total", "1")}] * 2
    assert (ROOT / "config" / "README.md").exists()
    usage = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text())["usage"]
    assert usage["software-stack-deployment"] == {"conda": True, "report": True}
    assert (ROOT / "workflow" / "envs" / "radmm.yaml").resolve() == ROOT / "environment.yml"


def test_no_option_of_snakemake_swallows_a_target():
    """`--logger` and `--configfile` take all words that follow, up to `--`."""
    calls = re.findall(r"^\t\$\(SNAKEMAKE\)(.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert len(calls) >= 4
    for call in calls:
        words = call.replace("$(OWN)", "").replace("--configfile config/frontier.yaml", "").split()
        assert not words or words[0] == "--", call


DOCUMENTS = [
    ROOT / "README.md",
    *(ROOT / "docs").glob("*.md"),
    *(ROOT / "examples").rglob("*.md"),
    *(ROOT / "examples").rglob("*.yaml"),
    *(ROOT / "config").iterdir(),
    *(ROOT / "workflow").rglob("*.smk"),
    *(ROOT / "workflow").rglob("config.yaml"),
    ROOT / "workflow" / "Snakefile",
]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_command_of_a_document_has_a_target_that_configfile_swallows(document):
    text = document.read_text().replace("ends with `No such file or directory: 'fetch'`", "")
    for words in re.findall(
        r"snakemake[^\n#`]*? --configfile ([^\n#`]*)", text.replace("`--configfile my.yaml fetch`", "")
    ):
        taken = words.split(" -")[0].split()
        assert all(re.search(r"\.yaml[,;:.)]*$|^…$", word) for word in taken), words


@pytest.mark.parametrize("folder", [".", "docs"])
def test_snakemake_alone_uses_all_cores(folder):
    """From the clone, or from a folder of one's own with the clone's Snakefile."""
    code = "from snakemake.cli import parse_args; import sys; print(parse_args(sys.argv[1:])[1].cores)"
    command = [sys.executable, "-c", code, "--snakefile", ROOT / "Snakefile"]
    for options, expected in (([], len(os.sched_getaffinity(0))), (["--cores", "7"], 7)):
        done = subprocess.run([*command, *options], cwd=ROOT / folder, capture_output=True, text=True, check=True)
        assert int(done.stdout) == expected
