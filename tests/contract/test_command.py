"""`python -m radmm check`: what it prints, and its exit code."""

import json

import pytest

from radmm.__main__ import main
from tests.conftest import ROOT

TOPOLOGY = '''
from dataclasses import dataclass
from typing import ClassVar
import radmm

@dataclass(frozen=True)
class Pair(radmm.Topology):
    """Two nodes."""
    name: ClassVar[str] = "pair"

    def edges(self):
        return [[0, 1]]

    def size(self):
        return SIZE, 1

class NotNamed(Pair):
    """No component, as it has no name of its own."""
'''


@pytest.fixture
def plugin(tmp_path):
    def write(size):
        path = tmp_path / f"pair_{size}.py"
        path.write_text(TOPOLOGY.replace("SIZE", str(size)))
        return str(path)

    return write


def test_a_line_for_each_component_and_0_if_all_is_well(plugin, capsys):
    assert main(["check", plugin(2)]) == 0
    assert capsys.readouterr().out == "topology pair: ok\n"


def test_1_if_a_contract_is_broken(plugin, capsys):
    assert main(["check", plugin(3)]) == 1
    assert capsys.readouterr().out == "topology pair: size says 3 nodes, but the edges have 2\n"


def test_json(plugin, capsys):
    assert main(["check", "--json", plugin(2)]) == 0
    expected = {"kind": "topology", "name": "pair", "broken": None, "remark": None, "ok": True}
    assert json.loads(capsys.readouterr().out) == [expected]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1", "defines no component"),
        ("import nowhere", "can't be executed: ModuleNotFoundError"),
        (None, "is no Python file that can be read"),
    ],
)
def test_2_and_a_sentence_if_the_file_is_no_use(tmp_path, capsys, text, message):
    path = tmp_path / "plugin.py"
    if text:
        path.write_text(text)
    assert main(["check", str(path)]) == 2
    assert message in capsys.readouterr().err


def test_a_config_is_read_as_the_workflow_reads_it(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    good = ROOT / "examples" / "own_csv" / "config.yaml"
    assert main(["check", str(good), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["settings"] == {"own_csv": 5}
    assert main(["check", str(good)]) == 0
    told = capsys.readouterr().out
    for part in (
        "1500 rows, 7 features, 2 classes",
        "label income: low (635 rows), high (865 rows)",
        "divided by 100, the largest value that its bounds allow",
        "4: field, none, office, shop  4 features of 0 and 1; categories declared",
        "network ring, 4 nodes: 300 training rows each",
        "experiments: own_csv (5); 5 settings, 4 searches for noise, about",
    ):
        assert part in told
    assert "suspicious" not in told
    broken = tmp_path / "broken.yaml"
    broken.write_text("experiments:\n  mine: [\n  other: 1\n")
    assert main(["check", str(broken)]) == 2
    assert f"{broken}: line 4, column 1 is no YAML" in capsys.readouterr().err
