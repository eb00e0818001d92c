"""What docs/command_line.md shows is what the commands say."""

import re
import shlex

from radmm.__main__ import COMMANDS, main
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "command_line.md").read_text()
SHOWN = [
    re.match(r"\$ radmm (.*)\n((?:.|\n)*)", part).groups()
    for block in re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    for part in re.split(r"^(?=\$ )", block, flags=re.MULTILINE)
    if part
]
CHANGES = r"^(took .*| *made\.hashes\..*)$"  # seconds, and hashes of numbers whose last digits a processor may change


def test_the_page_shows_what_is_said(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)  # one command goes on with what another saved
    for command, shown in SHOWN:
        assert main(shlex.split(command)) == 0, command
        told, expected = (re.sub(CHANGES, "", text, flags=re.MULTILINE) for text in (capsys.readouterr().out, shown))
        assert told == expected, command


def test_every_command_is_on_the_page():
    for module in COMMANDS:
        assert f"| `{module.__name__.rpartition('.')[2]}` |" in PAGE
