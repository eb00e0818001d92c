"""Components of the other kinds that break their contract, each with the sentence that says so."""

import pytest

START = """
import itertools
from dataclasses import dataclass
from typing import Annotated, ClassVar
import numpy as np
import radmm
from annotated_types import Ge
from radmm.data.source import DataSource, Features
from radmm.privacy.accountants.pure import ARGMINS, PureAccountant
from radmm.privacy.accountants.renyi import RenyiAccountant
from radmm.privacy.events import NoisyArgmin, PerturbedArgmin
from radmm.privacy.noises.objective import ObjectiveNoise
NUMBERS = itertools.count()
"""

LOSS = '''
class Mine(radmm.Loss):
    """Half a squared hinge."""
    name: ClassVar[str] = "mine"
    c1: ClassVar[float | None] = 1.0

    def value(self, margin):
        return np.maximum(1.0 - margin, 0.0) ** 2 / 2.0

    def value_and_slope(self, margin):
        return self.value(margin), -np.maximum(1.0 - margin, 0.0)

    def curvature(self, margin):
        return (margin < 1.0) * 1.0
'''
NOISE = '''
class Mine(ObjectiveNoise):
    """Noise in the objective."""
    name: ClassVar[str] = "mine"

    def draw(self, step, dimension, runs, seed, nodes):
        return super().draw(step, dimension, runs, seed, nodes)
'''
TOPOLOGY = '''
@dataclass(frozen=True)
class Mine(radmm.Topology):
    """Two stars whose centres are linked.

    Args:
        nodes: N, an even number.
    """
    name: ClassVar[str] = "mine"
    nodes: Annotated[int, Ge(4)]

    def edges(self):
        half = self.nodes // 2
        return np.array([(0, half), *((0, i) for i in range(1, half)), *((half, half + i) for i in range(1, half))])

    def size(self):
        return self.nodes, self.nodes - 1
'''
PARTITION = '''
@dataclass(frozen=True)
class Mine(radmm.Partition):
    """Row by row, as cards are dealt."""
    name: ClassVar[str] = "mine"

    def assign(self, rows, nodes):
        return np.arange(len(rows)) % nodes

    def row_counts(self, rows, nodes):
        return np.bincount(np.arange(rows) % nodes, minlength=nodes)
'''
SOURCE = '''
class Mine(DataSource):
    """Points on a circle."""
    name: ClassVar[str] = "mine"
    rows, features, classes = 10, 2, 2

    def sources(self, local_files):
        return []

    def build(self, raw):
        angle = np.arange(10.0)
        matrix = np.stack([np.cos(angle), np.sin(angle)], axis=1) / 1.1
        return Features(matrix, ["x", "y"], np.where(angle % 2 == 0, 1.0, -1.0), {})
'''
FIGURE = '''
class Mine(radmm.FigureKind):
    """Losses as dots."""
    name: ClassVar[str] = "mine"

    def draw(self, material):
        from matplotlib.figure import Figure
        figure = Figure()
        rows = material.table[material.table["metric"] == "loss"]
        figure.subplots().plot(rows["iteration"], rows["mean"], ".")
        return figure
'''
ACCOUNTANT = '''
class Mine(RenyiAccountant):
    """As Rényi's."""
    name: ClassVar[str] = "mine"
'''
SCHEDULE = '''
@dataclass(frozen=True)
class Mine(radmm.Schedule):
    """A power of the step's number.

    Args:
        scale: The first value.
        exponent: The power.
    """
    name: ClassVar[str] = "mine"
    scale: float = 2.0
    exponent: float = 0.5

    def values(self, step, nodes):
        return self.scale * step**self.exponent
'''
METRIC = '''
class Mine(radmm.Metric):
    """Largest entry of any node's iterate."""
    name: ClassVar[str] = "mine"
    label: ClassVar[str] = "largest entry"
    meaning: ClassVar[str] = "largest size of an entry of any node's iterate"

    def measure(self, snapshot):
        return np.abs(snapshot.primal).max(axis=(0, 1))
'''
RIGHT = {
    "loss": LOSS, "noise": NOISE, "topology": TOPOLOGY, "partition": PARTITION, "data source": SOURCE,
    "figure": FIGURE, "accountant": ACCOUNTANT, "schedule": SCHEDULE, "metric": METRIC,
}  # fmt: skip
BROKEN = [  # kind, what is replaced, by what, the sentence
    ("loss", "c1: ClassVar[float | None] = 1.0", "c1, G = 1.0, 5.0", "at margin -4.005 its slope exceeds the stated bound G = 5"),
    ("loss", "= 1.0\n", "= 0.9\n", "its curvature exceeds c1 = 0.9 at margin 0"),
    ("loss", "(margin < 1.0) * 1.0", "(margin < 1.0) * 2.0", "its curvature is not the derivative of its slope"),
    ("loss", "-np.maximum(1.0 - margin, 0.0)", "np.maximum(1.0 - margin, 0.0)", "its slope is not the derivative of its value"),
    ("loss", "-np.maximum(1.0 - margin, 0.0)", "-np.exp(-margin)", "its slope is not finite at margin -10000"),
    ("loss", "return self.value(margin),", "return 2 * self.value(margin),", "value and value_and_slope give different values"),
    ("loss", "(margin < 1.0) * 1.0", "1.0", "its curvature has shape ()"),
    ("noise", "seed, nodes)\n", "seed, nodes) / 2\n", "at node 0 norms are 0.508 times what they should be"),
    ("noise", "draw(step, dimension, runs,", "draw(step, dimension, 0 * runs,", "two runs share their noise"),
    ("noise", "draw(step, dimension, runs,", "draw(1, dimension, runs,", "two steps share their noise"),
    ("noise", "runs, seed, nodes)\n", "runs, 0, nodes)\n", "two seeds share their noise"),
    ("noise", "runs, seed, nodes)\n", "runs, seed, nodes)[[0, 0, 2, 3]]\n", "two nodes share their noise"),
    ("noise", "draw(step, dimension, runs,", "draw(step, dimension, np.arange(len(runs)),", "depends on which other runs there are"),
    ("noise", "return super()", "return super().draw(step, dimension, runs, seed, nodes).__abs__()\n        super()", "the directions of its noise are not uniform"),
    ("noise", "    def draw", "    def linear_term(self, epsilon, weight):\n        return epsilon / 2\n    def draw", "0.508 times what they should be"),
    ("noise", "    def draw", "    def __post_init__(self): pass\n    def draw", "must be refused by an InputError, but it is taken"),
    ("noise", 'name: ClassVar[str] = "mine"', 'name: ClassVar[str] = "mine"\n    event = str', "must be a type of radmm.Release"),
    ("schedule", "return self.scale", "return np.random.random() + self.scale", "its values at step 1 are others the second time"),
    ("schedule", "return self.scale", "return next(NUMBERS) + self.scale", "they must depend on the step alone"),
    ("schedule", "return self.scale", "return -self.scale", "its values are refused: -2 at data-touching step 1: must be from 1e-30 to 1e+30"),
    ("schedule", "step**self.exponent", "(3.0 - step)", "its values are refused: 0 at data-touching step 3"),
    ("schedule", "step**self.exponent", "float('nan')", "its values are refused: nan at data-touching step 1"),
    ("schedule", "step**self.exponent", "np.ones((nodes, 2))", "raised ValueError"),
    ("schedule", "step**self.exponent", "np.ones(7)", "its values are refused: 7 values are given, but the network has 4 nodes"),
    ("schedule", "step**self.exponent", "np.array('two')", "raised"),
    ("schedule", "    def values", "    def at(self, step, nodes): return 1.0\n    def values", "at gives shape () for 1 nodes: must be one value a node"),
    ("schedule", "    def values", "    def __hash__(self): return id(self)\n    def values", "equal schedules have different hashes"),
    ("schedule", "        exponent: The power.\n", "", "its docstring must say under Args: what exponent is"),
    ("metric", "axis=(0, 1)", "axis=(0, 2)", "measure raised ValueError"),
    ("metric", ".max(axis=(0, 1))", ".max() * np.ones(snapshot.runs)", "a run's values depend on which other runs there are"),
    ("metric", "np.abs(snapshot.primal).max(axis=(0, 1))", "np.full(snapshot.runs, float(next(NUMBERS)))", "the same run is measured differently"),
    ("metric", "np.abs(snapshot.primal)", "np.inf + snapshot.primal", "values that are not finite"),
    ("metric", "return np", "return None and np", "measure gives no value at any iteration"),
    ("metric", "np.abs(snapshot.primal).max(axis=(0, 1))", "np.where(np.arange(snapshot.runs) > 0, np.nan, 1.0)", "to some of the runs only"),
    ("metric", '    label: ClassVar[str] = "largest entry"\n', "", "label = None: must be text, for figures and tables"),
    ("metric", 'label: ClassVar[str] = "largest', 'better = "less"\n    label: ClassVar[str] = "largest', "better = 'less': must be 'lower', 'higher' or None"),
    ("metric", 'name: ClassVar[str] = "mine"', 'name: ClassVar[str] = "label"', "name = 'label': must be another"),
    ("metric", 'name: ClassVar[str] = "mine"', 'name: ClassVar[str] = "epsilon_mine"', "must not begin with epsilon_"),
    ("topology", "(0, half), *", "*", "its edges make no network: node 6 can't be reached from node 0"),
    ("topology", "return self.nodes,", "return self.nodes + 1,", "size says 13 nodes, but the edges have 12"),
    ("topology", "self.nodes - 1", "self.nodes ** 2", "size says about 144 edges, but there are 11"),
    ("topology", "(0, half), *", "(0, half + next(NUMBERS) % 6), *", "equal parameters give different edges"),
    ("topology", "(0, half), *", "(0, 0.5), *", "must be (edges, 2) whole numbers"),
    ("topology", "Ge(4)", "Ge(400)", "no values tried for nodes were taken"),
    ("partition", "np.arange(len(rows)) %", "np.arange(len(rows) - 1) %", "assign gives shape (199,) for 200 rows"),
    ("partition", "np.arange(len(rows)) % nodes", "np.zeros(len(rows), dtype=int)", "node 1 of 4 gets none"),
    ("partition", "np.arange(len(rows)) % nodes", "1 + np.arange(len(rows)) % nodes", "names the nodes 1 to 4: must be from 0 to 3"),
    ("partition", "np.arange(rows)", "np.arange(rows - 1)", "row_counts says [50 50 50 49], but assign gives the nodes [50 50 50 50] rows"),
    ("partition", "np.arange(len(rows)) %", "np.random.default_rng().integers(99, size=len(rows)) %", "spread differently the second time"),
    ("data source", "rows, features, classes = 10", "rows, features, classes = 11", "build gives (10, 2) rows and features, not the stated (11, 2)"),
    ("data source", "/ 1.1", "* 1.1", "a row of norm 1.1: must be at most 1"),
    ("data source", "1.0, -1.0)", "1.0, 0.0)", "build gives the labels [0.0, 1.0]: must be +1 and -1"),
    ("data source", '["x", "y"]', '["x", "x"]', "1 different names for 2 columns"),
    ("data source", "    def sources", "    files = {'a': 'b'}\n    def sources", "must be a SHA-256"),
    ("figure", "return figure", "return None", "draw must give a Matplotlib figure, not a NoneType"),
    ("figure", '== "loss"', '== "los"].iloc[[0]', "draw, of 1 settings (without noise), raised IndexError"),
    ("figure", "        return figure", "        figure.suptitle('$\\\\never$')\n        return figure", "drawing what draw gave raised"),
    ("figure", "    def draw", "    metrics = ('lost',)\n    def draw", "metrics names lost"),
    ("figure", "    def draw", "    def refusal(self, settings): return False\n    def draw", "refusal must give a sentence or None, not False"),
    ("figure", "    def draw", "    def refusal(self, settings): return 'no'\n    def draw", "refuses every experiment that was tried"),
    ("accountant", '= "mine"', '= "mine"\n    def cost(self, release): return 0.5 * super().cost(release)', "its ε is too small"),
    ("accountant", '= "mine"', '= "mine"\n    knows = (PerturbedArgmin,)\n    def refuses(self, ledger): return None', "it must refuse"),
    ("accountant", '= "mine"', '= "mine"\n    def convert(self, total, delta): return super().convert(total, 1e-3) + delta', "its ε must not fall as δ gets smaller"),
    ("accountant", '= "mine"', '= "mine"\n    def convert(self, total, delta): return 9 / (1 + super().convert(total, delta))', "its ε falls as more is released"),
    ("accountant", '= "mine"', '= "mine"\n    def refusal(self, release): return "at all"', "it refuses every noise that there is"),
]  # fmt: skip


@pytest.mark.parametrize("kind", RIGHT)
def test_what_the_broken_ones_are_made_from_is_ok(verdict_on, kind):
    verdict = verdict_on(START + RIGHT[kind])
    assert (verdict.kind, verdict.broken) == (kind, None), verdict


@pytest.mark.parametrize(("kind", "old", "new", "sentence"), BROKEN)
def test_a_broken_component_is_told_so(verdict_on, kind, old, new, sentence):
    assert old in RIGHT[kind]
    verdict = verdict_on(START + RIGHT[kind].replace(old, new))
    assert sentence in (verdict.broken or ""), verdict
    assert "\n" not in verdict.broken


def test_a_loss_without_bounds_is_told_what_that_means(verdict_on):
    remark = verdict_on(START + LOSS).remark
    assert remark == "it doesn't state G, monotone: it runs without noise only"
