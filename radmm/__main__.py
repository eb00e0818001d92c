"""The command line: `radmm COMMAND`, or `python -m radmm COMMAND`."""

import os
import sys
from collections.abc import Sequence

import radmm
from radmm.base.errors import InputError, SourceError
from radmm.base.plugin_faults import plugin_fault
from radmm.command import (
    calibrate,
    check,
    compare,
    epsilon,
    init,
    inspect,
    partition,
    predict,
    recommend,
    release,
    solve,
    table,
    total,
)
from radmm.command.completion import add_completion
from radmm.command.parser import OK, UNUSABLE, Parser, check_flags

COMMANDS = (
    init,
    solve,
    partition,
    epsilon,
    calibrate,
    recommend,
    predict,
    release,
    total,
    compare,
    table,
    inspect,
    check,
)  # in the order of the help
CLOSED_PIPE = 141  # as shells report a program that SIGPIPE has ended


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command of the command line and return its exit code.

    Args:
        arguments: Arguments of the command; those of the process if not given.
    """
    parser = Parser(prog="radmm", description="Differentially private decentralised ADMM.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"radmm {radmm.__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", dest="command")
    add_completion(parser, commands)
    for command in COMMANDS:
        command.add(commands)
    try:
        given, unknown = parser.parse_known_args(arguments)
        if given.command is None and not unknown:
            parser.print_help()
            return OK
        check_flags(unknown, commands.choices.get(given.command, parser))
        code: int = given.run(given)
        sys.stdout.flush()  # here, where a reader that is gone can still be noticed
    except BrokenPipeError:  # of `radmm … | head`, which has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains when it ends
        return CLOSED_PIPE
    except (InputError, SourceError) as error:
        print(f"radmm: {error}", file=sys.stderr)
        return UNUSABLE
    except OSError as error:
        print(f"radmm: {error.filename or 'a file'}: {error.strerror}: must be one that can be used", file=sys.stderr)
        return UNUSABLE
    except MemoryError as error:
        print(f"radmm: there is not enough memory: {error or 'an array found none'}", file=sys.stderr)
        return UNUSABLE
    except Exception as error:
        if not (fault := plugin_fault(error)):
            raise
        print(f"radmm: {fault}", file=sys.stderr)
        return UNUSABLE
    return code


if __name__ == "__main__":
    sys.exit(main())
