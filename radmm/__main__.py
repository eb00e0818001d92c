"""The command line: `radmm check FILE`, or `python -m radmm check FILE`."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from radmm.base.errors import InputError

OK, BROKEN, USAGE = 0, 1, 2  # exit codes

CHECK_EXAMPLES = """\
examples:
  radmm check my_algorithm.py              a line for each component of the file: ok, or what fails
  radmm check --json my_algorithm.py       the same for programs to read
  radmm check --raw data/raw my_data.py    builds the features of a data source, too

exit code: 0 if every contract is kept, 1 if one is broken, 2 if the file can't be used
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand and give the exit code.

    Args:
        arguments: Those of the command line if not given.
    """
    parser = argparse.ArgumentParser(prog="radmm", description="Differentially private decentralised ADMM.")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for add in COMMANDS:
        add(commands)
    given = parser.parse_args(arguments)
    try:
        code: int = given.run(given)
    except InputError as error:
        print(f"radmm: {error}", file=sys.stderr)
        return USAGE
    return code


def _add_check(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "check",
        help="try a plug-in's components: whether each keeps its contract",
        description="Load a plug-in and try the contract of each component that it defines, on small made data.",
        epilog=CHECK_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="a Python file that defines components; it is executed")
    parser.add_argument("--raw", type=Path, metavar="FOLDER", help="the raw files of a data source that has some")
    parser.add_argument("--json", action="store_true", help="verdicts as a JSON list")
    parser.set_defaults(run=_check)


def _check(given: argparse.Namespace) -> int:
    from radmm.contract import check_plugin  # which imports all of radmm

    verdicts = check_plugin(given.file, given.raw)
    if given.json:
        told = [asdict(verdict) | {"ok": verdict.broken is None} for verdict in verdicts]
        print(json.dumps(told, indent=2, ensure_ascii=False))
    else:
        print("\n".join(str(verdict) for verdict in verdicts))
    return BROKEN if any(verdict.broken for verdict in verdicts) else OK


COMMANDS: tuple[Callable[["argparse._SubParsersAction[argparse.ArgumentParser]"], None], ...] = (_add_check,)

if __name__ == "__main__":
    sys.exit(main())
