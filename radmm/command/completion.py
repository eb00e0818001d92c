"""`radmm --print-completion SHELL`: print a script by which a shell completes commands, flags and files."""

import argparse
from pathlib import Path
from typing import Any

from radmm.command.parser import Commands, Parser

SHELLS = ("bash", "zsh", "tcsh")


def add_completion(parser: Parser, commands: Commands) -> None:
    """Add `--print-completion`, which prints a script that completes commands and flags in a shell.

    Args:
        commands: Its commands, whose flags are completed.
    """

    class PrintCompletion(argparse.Action):
        def __call__(self, parser: argparse.ArgumentParser, given: Any, shell: Any, option: str | None = None) -> None:
            import shtab  # here, as no command needs it

            for command in commands.choices.values():
                for action in command._actions:  # also those of its groups
                    if action.type is Path or action.metavar in ("FILE", "FOLDER"):
                        action.complete = shtab.FILE  # type: ignore[attr-defined]
            print(shtab.complete(parser, shell))
            parser.exit()

    parser.add_argument(
        "--print-completion",
        action=PrintCompletion,
        choices=SHELLS,
        metavar="SHELL",
        help=f"print the completion script of a shell: {', '.join(SHELLS)}",
    )
