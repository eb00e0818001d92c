"""The command line: `radmm COMMAND`, or `python -m radmm COMMAND`."""

import sys
from collections.abc import Sequence

from radmm.base.errors import InputError, SourceError
from radmm.command import calibrate, check, compare, epsilon, inspect, predict, solve
from radmm.command.parser import UNUSABLE, Parser

COMMANDS = (solve, epsilon, calibrate, predict, compare, inspect, check)  # in the order of the help


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command of the command line and return its exit code.

    Args:
        arguments: Arguments of the command; those of the process if not given.
    """
    parser = Parser(prog="radmm", description="Differentially private decentralised ADMM.", allow_abbrev=False)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add(commands)
    try:
        given = parser.parse_args(arguments)
        code: int = given.run(given)
    except (InputError, SourceError) as error:
        print(f"radmm: {error}", file=sys.stderr)
        return UNUSABLE
    except OSError as error:
        print(f"radmm: {error.filename or 'a file'}: {error.strerror}: must be one that can be used", file=sys.stderr)
        return UNUSABLE
    except MemoryError as error:
        print(f"radmm: there is not enough memory: {error or 'an array found none'}", file=sys.stderr)
        return UNUSABLE
    return code


if __name__ == "__main__":
    sys.exit(main())
