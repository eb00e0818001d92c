"""`radmm check`: test whether a plug-in's components keep their contracts, and whether a config is valid."""

import argparse
from dataclasses import asdict
from pathlib import Path

from radmm.command.chosen_setting import read_configs
from radmm.command.config_overview import as_text, overview
from radmm.command.parser import NO, OK, Commands, add_command, tell
from radmm.jobs.study import Study

EXAMPLES = """\
  radmm check my.yaml                      how radmm reads the config, all its errors, and what looks suspicious
  radmm check --strict my.yaml             the same; what looks suspicious is an error
  radmm check my_algorithm.py              one line for each component in the file: ok, or what fails
  radmm check --json my_algorithm.py       the same as JSON
  radmm check --raw data/raw my_data.py    also builds the features of a data source
"""
CODES = "0 if the config is valid or every contract is kept, 1 if a contract is broken, 2 if the file can't be used"
CONFIGS = (".yaml", ".yml")


def add(commands: Commands) -> None:
    """Add `radmm check` and its flags to the command line."""
    about = (
        "Validate a config or a plug-in; every setting of a config, or the contract of each component on small data."
    )
    parser = add_command(commands, "check", run, about, EXAMPLES, CODES)
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="config, or a Python file with plug-ins, which is executed"
    )
    parser.add_argument("--strict", action="store_true", help="treat each suspicion about a table as an error")
    parser.add_argument("--raw", type=Path, metavar="FOLDER", help="folder with the raw files of the data source")


def run(given: argparse.Namespace) -> int:
    """Print the verdict on each component of a plug-in, or the number of settings of a config."""
    if given.file.suffix in CONFIGS:
        return _check_config(given)
    from radmm.contract.verdicts import check_plugin  # which draws figures: Seaborn takes seconds to import

    verdicts = check_plugin(given.file, given.raw)
    facts = [asdict(verdict) | {"ok": verdict.broken is None} for verdict in verdicts]
    tell(given, facts, "\n".join(str(verdict) for verdict in verdicts))
    return NO if any(verdict.broken for verdict in verdicts) else OK


def _check_config(given: argparse.Namespace) -> int:
    """Read a config as the workflow does, laid over the shipped one; an InputError says what is wrong."""
    config = read_configs([str(given.file)])
    study = Study.of(config | {"strict": True} if given.strict else config)
    facts = overview(study)
    tell(given, {"file": str(given.file), "ok": True, **facts}, f"{given.file}: ok\n{as_text(facts)}")
    return OK
