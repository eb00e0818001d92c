"""Every component that radmm ships keeps its contract."""

import hashlib

import numpy as np
import pytest

import radmm
from radmm.algorithms.algorithm import ALGORITHMS
from radmm.contract.algorithm import iterates
from radmm.contract.counting_network import CountingNetwork
from radmm.contract.example_problem import RUNS, example_network, example_start
from radmm.contract.oracles import QuadraticOracle
from radmm.contract.verdicts import KINDS, check_component
from radmm.data.sources.table import OwnTable
from radmm.data.topologies.file import EdgeFile
from radmm.privacy.accountants.shift import ShiftAccountant
from radmm.results.figures.figure import FigureKind

OF_A_FILE = (EdgeFile, OwnTable)
SHIPPED = [component for base in KINDS for component in base.registry.values() if component not in OF_A_FILE]
# A contract fetches nothing, and says so.
FETCHED = {"adult", "bank", "census_kdd", "covertype", "default_cb", "nycflights13"}
REMARKS = {
    "squared",
    "moments",
    "label-skew",
    "column",
    "residual",
    "error_rate_worst",
    "error_rate_worst_average",
} | FETCHED


def named(component):
    """A parameter by the component's name; figures, and the accountant whose curves take seconds, are slow."""
    marks = [pytest.mark.slow] if component is ShiftAccountant or issubclass(component, FigureKind) else []
    return pytest.param(component, id=f"{component.registry.kind}-{component.name}", marks=marks)


@pytest.mark.parametrize("component", [named(component) for component in SHIPPED])
def test_what_radmm_ships_keeps_its_contract(component):
    verdict = check_component(component)
    assert verdict.broken is None, verdict
    assert (verdict.remark is not None) == (component.name in REMARKS)


def test_an_edge_list_on_disk_keeps_its_contract(tmp_path):
    """With a file, which no contract could make up."""
    assert "example" in check_component(EdgeFile).broken
    file = tmp_path / "a.edges"
    file.write_text("0 1\n1 2\n")
    assert str(check_component(EdgeFile(str(file)))) == "topology file: ok"


def test_a_table_on_disk_keeps_its_contract(tmp_path):
    assert "example" in check_component(OwnTable).broken
    file = tmp_path / "a.csv"
    file.write_text("x,y\n1,no\n-2,yes\n")
    table = OwnTable(str(file), label="y", positive="yes", bounds={"x": [-2.0, 2.0]})
    assert str(check_component(table)) == "data source table: ok"


GOSSIPING = [radmm.DGD(0.05, 0.5, gossip=6), radmm.GradientTracking(0.05, gossip=1)]


STATED = [
    (radmm.ADMM(), (1, 3)),
    (radmm.MADMM(), (1, 3)),
    (radmm.RADMM(), (1, 3)),
    (radmm.MRADMM(), (1, 3)),
    (radmm.DGD(0.05, 0.5), (1, 3)),
    (radmm.DGD(0.05, 0.5, gossip=2), (3, 15)),
    (radmm.GradientTracking(0.05), (1, 6)),
    (radmm.GradientTracking(0.05, gossip=2), (3, 18)),
    (radmm.OneShot(gossip=5), (5, 45)),
]


@pytest.mark.parametrize(("algorithm", "stated"), STATED, ids=repr)
def test_what_is_stated_is_what_is_sent(algorithm, stated):
    """Of three features: all but f(0), which everybody knows, at the first iteration."""
    start, known = example_start(), 3 if "dgd" in algorithm.name or "tracking" in algorithm.name else 0
    network = CountingNetwork(example_network(), start)
    state = algorithm.first(start, network)
    for iteration in range(1, 6):
        state = algorithm.advance(state, network, QuadraticOracle())
        assert algorithm.sends(iteration, 3) == stated
        assert network.numbers == iteration * stated[1] - known


@pytest.mark.parametrize("algorithm", GOSSIPING, ids=repr)
def test_gossip_keeps_the_contract(algorithm):
    """Among others, answers of the oracle alone give every iterate, where there are no data."""
    assert check_component(algorithm).broken is None


@pytest.mark.parametrize("algorithm", [*(each() for each in ALGORITHMS.values()), *GOSSIPING], ids=repr)
def test_with_plain_answers_a_run_alone_is_bit_for_bit_that_among_others(algorithm):
    """Plug-ins are allowed a rounding: their sums may have another order."""
    together = iterates(algorithm, QuadraticOracle(), example_start())[-1].primal
    for run in range(RUNS):
        alone = iterates(algorithm, QuadraticOracle(), example_start()[..., [run]])[-1].primal
        np.testing.assert_array_equal(alone[..., 0], together[..., run])


SOURCE = """
from dataclasses import dataclass
import numpy as np
import radmm
from radmm.data.download import LocalFiles
from radmm.data.source import DataSource, Features

@dataclass(frozen=True)
class Letters(DataSource):
    \"\"\"Two rows.\"\"\"
    name = "letters"
    rows, features, classes = 2, 1, 2
    files = {{"letters.txt": "{digest}"}}

    def sources(self, local_files):
        return [LocalFiles(local_files)]

    def build(self, raw):
        values = np.array([[float(line)] for line in (raw / "letters.txt").read_text().split()])
        return Features(values, ["letter"], np.sign(values[:, 0]), {{}})
"""


def test_a_data_source_is_built_where_its_files_are(verdict_on, tmp_path):
    raw = tmp_path / "raw"
    raw.mkdir()
    (raw / "letters.txt").write_text("1.0\n-0.5\n")
    text = SOURCE.format(digest=hashlib.sha256(b"1.0\n-0.5\n").hexdigest())
    assert "--raw" in verdict_on(text).remark
    assert str(verdict_on(text, raw)) == "data source letters: ok"
    (raw / "letters.txt").write_text("1.0\n-0.25\n")
    assert "has SHA-256" in verdict_on(text, raw).broken
