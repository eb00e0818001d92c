"""`radmm init`: begin a study in a folder of its own, with a config that runs and a README that says how."""

import argparse
import re
import shlex
import sys
from pathlib import Path

from radmm.base.errors import InputError
from radmm.base.store import replacing
from radmm.command.chosen_setting import CLONE
from radmm.command.parser import OK, Commands, add_command, tell
from radmm.study.config import LONGEST_NAME
from radmm.study.study_folder import FOLDERS

EXAMPLES = """\
  radmm init my_study        my_study/config/config.yaml and my_study/README.md
"""
CODES = "0 if the files were written, 2 if they are there already or can't be written"
CONFIG = """\
# A study of your own. It runs as it is, on made-up rows; README.md beside this folder says how.
name: {name} # its results are in results/{name}

defaults:
  # A table of your own in place of the made-up rows: its path begins in this file's folder.
  # data:
  #   file: ../people.csv
  #   label: income # the column with the labels
  #   positive: high # the label that is +1
  #   bounds: {age: [18, 100]} # from what is publicly known: what is taken from the data is covered by no ε
  #   categories: {job: [office, field, shop]}
  #   intercept: true
  data: {name: synthetic, rows: 2000, features: 5}
  split: {train: 1600} # some four fifths of the rows; the others test
  network: {law: ring, nodes: 4}
  problem: {C: 200, rho: 0.01} # C is at most the rows of a node
  iterations: 20
  runs: 5

experiments:
  comparison:
    figure: comparison
    settings:
      "ADMM, not private": {algorithm: {name: admm, penalty: 0.5}}
      ADMM:
        algorithm: {name: admm, penalty: 0.5}
        noise: {kind: objective, law: gaussian, total_epsilon: [2.0, 8.0], delta: 1.0e-5}
      R-ADMM:
        algorithm: {name: r-admm, penalty: 0.5, gamma: 0.5}
        noise: {kind: objective, law: gaussian, total_epsilon: [2.0, 8.0], delta: 1.0e-5}
"""
README = """\
# {name}

A study with radmm. Edit `config/config.yaml`, then, in this folder:

    {tools}radmm check config/config.yaml
    {tools}snakemake -s {snakefile} -n
    {tools}snakemake -s {snakefile}

The first command validates the config, the second says how many settings would be solved and how long that takes, and
the third runs them. `results/{name}/figures` has the figures, `results/{name}/tables` the numbers behind them, and
`results/{name}/report.html` shows them all. In Python, `radmm.load_results("results/{name}")` is a table of every run.

A second study is a file that is laid over this config, like `config/second.yaml` with another `name`, `shipped: false`
to leave out the experiments above, and its own: add `--configfile config/second.yaml` to the last two commands.
Studies don't touch each other's results, and a setting that both have runs once.
"""


def add(commands: Commands) -> None:
    """Add `radmm init` and its flags to the command line."""
    about = "Start a study in a new folder; write a config that runs as it is, and a README with the commands."
    parser = add_command(commands, "init", run, about, EXAMPLES, CODES)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="folder of the study; created if missing")


def run(given: argparse.Namespace) -> int:
    """Write the config and the README, over no file that is there."""
    folder = given.folder.expanduser()
    name = _name(folder)
    readme = README.format(
        name=name,
        tools=f"{shlex.quote(str(Path(sys.executable).parent))}/",
        snakefile=shlex.quote(str(CLONE / "Snakefile")),
    )
    files = {folder / "config" / "config.yaml": CONFIG.replace("{name}", name), folder / "README.md": readme}
    for path in files:
        if path.exists():
            raise InputError(f"{path}: is there already: FOLDER must have none, so that nothing of yours is lost")
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as temporary:
            temporary.write_text(text, encoding="utf-8")
    written = [str(path) for path in files]
    tell(given, {"written": written}, f"{' and '.join(written)} written: the second says how to go on")
    return OK


def _name(folder: Path) -> str:
    """Return the folder's name as that of a study: with letters, digits, _ and - alone, and not one that is taken."""
    letters = re.sub(r"[^A-Za-z0-9_-]+", "_", folder.resolve().name).strip("_-")[:LONGEST_NAME]
    return f"study_{letters}".rstrip("_") if not letters or letters.casefold() in FOLDERS else letters
