"""Common parts of all commands: help with examples, exit codes, and one-sentence errors for invalid flags."""

import argparse
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn, TypeAlias

from radmm.base.errors import InputError
from radmm.base.registry import one_of

OK, NO, UNUSABLE = 0, 1, 2  # exit codes
Commands: TypeAlias = "argparse._SubParsersAction[Parser]"
Run = Callable[[argparse.Namespace], int]


class Parser(argparse.ArgumentParser):
    """Argument parser that reports errors in one sentence, without the usage before it."""

    def error(self, message: str) -> NoReturn:
        """Exit with one sentence about invalid flags.

        Args:
            message: argparse's message.
        """
        wrong = re.match(r"argument COMMAND: invalid choice: '(.*?)' \(choose from (.*)\)", message)
        if wrong:
            message = f"COMMAND = {wrong[1]}: {one_of(wrong[1], re.findall(r'[a-z]+', wrong[2]))}"
        command = self.prog.partition(" ")[2]
        raise InputError(f"{message}; see {' '.join(['radmm', *command.split(), '--help'])}")


def check_flags(unknown: Sequence[str], parser: Parser) -> None:
    """Refuse words that a command doesn't know, with the flag that was probably meant.

    Args:
        unknown: Words that were left over.
    """
    if unknown:
        flag = unknown[0].partition("=")[0]
        near = get_close_matches(flag, re.findall(r"--[\w-]+", parser.format_help()), n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        parser.error(f"unrecognized arguments: {' '.join(unknown)}{hint}")


def add_command(commands: Commands, name: str, run: Run, about: str, examples: str, codes: str) -> Parser:
    """Add a command with --json, examples in its help and a line on its exit codes.

    Args:
        name: Name of the command.
        run: Function that takes the parsed flags and returns the exit code.
        about: A sentence; its first clause stands in the list of commands.
        examples: Examples, one a line.
        codes: Meanings of the exit codes 0, 1 and 2.
    """
    parser = commands.add_parser(
        name,
        help=about.partition(";")[0].rstrip("."),
        description=about,
        epilog=f"examples:\n{examples}\nexit code: {codes}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--json", action="store_true", help="print the answer as JSON")
    parser.set_defaults(run=run)
    return parser


def tell(given: argparse.Namespace, facts: Any, text: str) -> None:
    """Print the answer, as JSON if asked for.

    Args:
        facts: Answer as JSON; numbers that are not finite become null.
        text: Answer for people.
    """
    print(json.dumps(_plain(facts), indent=2, ensure_ascii=False, allow_nan=False) if given.json else text)


def note(text: str) -> None:
    """Print a line beside the answer, on stderr."""
    print(text, file=sys.stderr, flush=True)


def _plain(facts: Any) -> Any:
    if isinstance(facts, Mapping):
        return {str(name): _plain(value) for name, value in facts.items()}
    if isinstance(facts, list | tuple):
        return [_plain(value) for value in facts]
    if isinstance(facts, float):
        return facts if abs(facts) < float("inf") else None  # neither infinite nor NaN
    return facts


def lines(facts: Mapping[str, str]) -> str:
    """Format facts below each other, with their names in a column.

    Args:
        facts: Texts by name; empty ones are left out.
    """
    width = max(map(len, facts))
    return "\n".join(f"{name:{width}}  {text}" for name, text in facts.items() if text)
