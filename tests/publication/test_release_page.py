"""The worked example of docs/release.md is what the commands say, in a folder that has no file yet."""

import re
import shlex

from radmm.__main__ import main
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "release.md").read_text(encoding="utf-8")
SHOWN = [
    re.match(r"\$ radmm (.*)\n((?:.|\n)*)", part).groups()
    for block in re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    for part in re.split(r"^(?=\$ )", block, flags=re.MULTILINE)
    if part
]


def test_the_example_says_what_the_page_shows(tmp_path, monkeypatch, capsys):
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    assert len(SHOWN) == 3
    for command, shown in SHOWN:
        assert main(shlex.split(command)) == 0, command
        assert capsys.readouterr().out == shown
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("again.json", "again.md", "classifier.json", "classifier.md", "examples")
    ]
