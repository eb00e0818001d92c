"""`radmm inspect`: print what a file is, and how it was made."""

import argparse
from pathlib import Path

from radmm.base.errors import InputError
from radmm.base.regular_files import require_regular
from radmm.command.file_kinds import describe
from radmm.command.parser import NO, OK, Commands, add_command, lines, tell
from radmm.results.settings_table import flatten

EXAMPLES = """\
  radmm inspect results/traces/r-admm-da332e0c16.parquet    its parameters, hashes, versions and how its runs ended
  radmm inspect results/figures/fig5.png                    the settings, data and code that it was drawn from
  radmm inspect f.json --json
"""
CODES = "0 if radmm wrote the file, 1 if not, 2 if it can't be read"


def add(commands: Commands) -> None:
    """Add `radmm inspect` and its flags to the command line."""
    about = (
        "Describe a file; what a trace, ledger, table, figure, classifier or other result holds, and how it was made."
    )
    parser = add_command(commands, "inspect", run, about, EXAMPLES, CODES)
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="any file of results/ or data/, a classifier, or a release"
    )


def run(given: argparse.Namespace) -> int:
    """Print the file's description of itself."""
    require_regular("file", given.file)
    if not given.file.is_file():
        raise InputError(f"{given.file}: must be a file that there is")
    found = describe(given.file)
    if found is None:
        tell(
            given,
            {"file": str(given.file), "kind": None},
            f"{given.file} is no file of radmm's, or says nothing of itself",
        )
        return NO
    kind, facts = found
    tell(given, {"file": str(given.file), "kind": kind, **facts}, f"{given.file}: {kind}\n{_text(facts)}")
    return OK


def _text(facts: dict[str, object]) -> str:
    flat = {name: value for name, value in flatten(facts).items() if value not in (None, [], {}, "")}
    return lines({f"  {name}": _short(value) for name, value in flat.items()}) if flat else ""


def _short(value: object) -> str:
    items = value if isinstance(value, list) else [value]
    more = f" … ({len(items)} in all)" if len(items) > 8 else ""
    return ", ".join(map(str, items[:8])) + more
