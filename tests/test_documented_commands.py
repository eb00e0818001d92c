"""Every `sh` block of the documents runs when it is pasted, in a copy of the clone where long commands are planned.

The rule, for each page: all its blocks run in one shell, in order, in the folder of a clone after `make`. So a bare
`snakemake` works only after `source .venv/bin/activate`, as for a reader. A `yaml` block that begins with `# my.yaml`
is that file; on other pages my.yaml is the config of examples/own_csv. In that clone

- `snakemake` plans what it was asked for (`--dry-run`), and only reads its options where there is nothing to plan
  (`--unlock`, `--report`) or where a cluster is needed (`--workflow-profile`),
- `make` prints what it would do (`--dry-run`), which fails for a target that isn't there,
- `pytest` collects the tests, and `rsync`, `sbatch` and `pip` do nothing,
- everything else runs: `radmm` with rows that need no download, in a home of its own.

`console` blocks, which show an answer, are run by the tests of their pages; `text` blocks are not for pasting.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.jobs.test_workflow import Project

TOOLS = Path(sys.executable).parent
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "examples/README.md")]
PAGES += sorted([*(ROOT / "docs").glob("*.md"), *(ROOT / "config").glob("*.md")])
PAGES += [ROOT / "docs" / "reproduction" / "fig5.md"]  # the pages of other figures are made by the same code
READ_OPTIONS = "import sys; from snakemake.cli import parse_args; parse_args(sys.argv[1:])"
STAND_INS = {
    "snakemake": f"""
for word in "$@"; do
  case $word in --unlock|--report|--workflow-profile) exec {sys.executable} -c '{READ_OPTIONS}' "$@" ;; esac
done
exec {TOOLS}/snakemake --dry-run --quiet all "$@" """,
    "radmm": f"""
small="--data synthetic,rows=300,features=3 --train 200 --C 20 --iterations 2 --runs 1"
case "$*" in *fig5/*) set -- "$@" $small ;; esac
exec {TOOLS}/radmm "$@" """,
    "python": f'exec {sys.executable} "$@" ',
    "pytest": f'exec {TOOLS}/pytest --collect-only -q -p no:cacheprovider "$@" ',
    "pip": "exit 0",
}
PLANNED_MAKE = 'exec /usr/bin/make --dry-run "$@" '


def blocks(page):
    """The `sh` blocks of a page, without their indentation in lists."""
    found = re.findall(r"^( *)```sh\n(.*?)^ *```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return [re.sub(rf"^{indent}", "", block, flags=re.MULTILINE) for indent, block in found]


def named_configs(page):
    """The configs of a page that begin with their name, by name."""
    found = re.findall(r"```yaml\n# (\S+\.yaml)\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    return dict(found)


def script(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/bash\n{content}\n")
    path.chmod(0o755)


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A clone as `make` leaves it, with a table and a config of one's own, and a study beside it.

    Its config has no tuned studies: no page asks Snakemake for one, and planning them takes as long as all the rest.
    """
    home = tmp_path_factory.mktemp("home")
    folder = home / "radmm"
    folder.mkdir()
    Project(folder)
    config = folder / "config" / "config.yaml"
    config.write_text(config.read_text().partition("\ntuned:\n")[0] + "\n")
    for name, content in STAND_INS.items():
        script(folder / ".venv" / "bin" / name, content)
    (folder / ".venv" / "bin" / "activate").write_text(f'PATH="{folder}/.venv/bin:$PATH"\n')
    for name in ("ready", "dev"):
        (folder / ".venv" / name).touch()
    script(home / "bin" / "make", PLANNED_MAKE)
    for name in ("rsync", "sbatch"):
        script(home / "bin" / name, "exit 0")
    (home / ".cache" / "radmm").mkdir(parents=True)
    example = ROOT / "examples" / "own_csv"
    table = (example / "people.csv").read_text()
    for name in ("people.csv", "new.csv"):
        (folder / name).write_text(table)
    settings = "{ADMM: {algorithm: {name: admm}}}"
    second = f"name: second\nshipped: false\nexperiments: {{other: {{figure: metric, settings: {settings}}}}}\n"
    (home / "second.yaml").write_text(second)
    return folder


def paste(clone, page):
    """Run the blocks of a page in one shell; where it says CLONE, a reader puts in the path."""
    home = clone.parent
    configs = {"my.yaml": (ROOT / "examples" / "own_csv" / "config.yaml").read_text()} | named_configs(page)
    for name, content in configs.items():
        (clone / name).write_text(content)
    pasted = "\n".join(blocks(page)).replace("CLONE", str(clone))
    put_config = f'cd() {{ builtin cd "$@" && cp -n {home}/second.yaml config/ 2>/dev/null || true; }}\n'
    shell = {"PATH": f"{home}/bin:/usr/bin:/bin", "HOME": str(home), "LANG": os.environ.get("LANG", "C.UTF-8")}
    command = ["bash", "-e", "-o", "pipefail", "-c", put_config + pasted]
    done = subprocess.run(command, cwd=clone, env=shell, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.xdist_group("pasted")
@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=lambda page: str(page.relative_to(ROOT)))
def test_pasted_commands_work(clone, page):
    code, told = paste(clone, page)
    assert code == 0, told[-3000:]


@pytest.mark.xdist_group("pasted")
@pytest.mark.parametrize(
    "wrong",
    ["snakemake", "make nonsense", ".venv/bin/radmm chek my.yaml", ".venv/bin/snakemake --configfile my.yaml fetch"],
)
def test_what_does_not_work_is_noticed(clone, tmp_path, wrong):
    page = tmp_path / "page.md"
    page.write_text(f"```sh\n{wrong}\n```\n")
    assert paste(clone, page)[0] != 0
