"""One component of each kind, each in one file of one's own, used from a config by a real run: no edit elsewhere."""

import json

import pandas as pd
import pytest
import yaml

from radmm.base.store import read_metadata
from tests.jobs.test_workflow import Project
from tests.results.report.browser import data_of

pytestmark = pytest.mark.xdist_group("plugins")

FILES = {
    "loss.py": '''
from dataclasses import dataclass
from typing import ClassVar
import numpy as np
import radmm

@dataclass(frozen=True)
class Softplus(radmm.Loss):
    """width·log(1 + e^(−z/width)).

    Args:
        width: How soft the corner is.
    """

    width: float = 0.5
    name: ClassVar[str] = "softplus"
    G: ClassVar[float | None] = 1.0
    c1: ClassVar[float | None] = 0.5
    monotone: ClassVar[bool | None] = True

    def value(self, margin):
        return self.width * np.logaddexp(0.0, -margin / self.width)

    def value_and_slope(self, margin):
        return self.value(margin), -1.0 / (1.0 + np.exp(np.clip(margin / self.width, -700, 700)))

    def curvature(self, margin):
        share = 1.0 / (1.0 + np.exp(np.clip(margin / self.width, -700, 700)))
        return share * (1.0 - share) / self.width
''',
    "algorithm.py": '''
from dataclasses import dataclass
from typing import Annotated, ClassVar
from annotated_types import Gt
import radmm

@dataclass(frozen=True)
class Lazy(radmm.Algorithm):
    """Each node asks for its own argmin every third iteration, and rests in between.

    Args:
        weight: Of staying where it is.
    """

    weight: Annotated[float, Gt(0)] = 2.0
    name: ClassVar[str] = "lazy"

    def first(self, primal, network):
        return radmm.State(iteration=0, primal=primal)

    def step(self, state, network, oracle):
        primal, now = state.primal, state.iteration + 1
        if now % 3 == 1:
            pull = network.neighbour_sum(primal) / (2.0 * network.degrees[:, None, None])
            primal = oracle.argmin(-self.weight * pull, 0.0 * network.degrees + self.weight, primal)
        return radmm.State(iteration=now, primal=primal)
''',
    "noise.py": '''
from typing import ClassVar
import radmm

class Shifted(radmm.ObjectiveNoise):
    """Objective noise by another name."""

    name: ClassVar[str] = "shifted"
''',
    "schedule.py": '''
from dataclasses import dataclass
from typing import ClassVar
import radmm

@dataclass(frozen=True)
class Climbing(radmm.Schedule):
    """As much more at every step.

    Args:
        rise: From one step to the next.
    """

    rise: float = 1.0
    name: ClassVar[str] = "climbing"

    def values(self, step, nodes):
        return 1.0 + self.rise * step
''',
    "metric.py": '''
from typing import ClassVar
import numpy as np
import radmm

class Norm(radmm.Metric):
    """Norm of the averaged classifier."""

    name: ClassVar[str] = "norm"
    label: ClassVar[str] = "norm of the classifier"
    meaning: ClassVar[str] = "norm of the average of the nodes' iterates"
    better: ClassVar[None] = None

    def measure(self, snapshot):
        return np.linalg.norm(snapshot.mean, axis=0)
''',
    "topology.py": '''
from dataclasses import dataclass
from typing import Annotated, ClassVar
import numpy as np
from annotated_types import Ge
import radmm

@dataclass(frozen=True)
class Wheel(radmm.Topology):
    """A ring around a hub.

    Args:
        spokes: Nodes on the ring.
    """

    spokes: Annotated[int, Ge(3)]
    name: ClassVar[str] = "wheel"

    def edges(self):
        rim = np.arange(1, self.spokes + 1)
        return np.concatenate([np.column_stack([0 * rim, rim]), np.column_stack([rim, np.roll(rim, -1)])])

    def size(self):
        return self.spokes + 1, 2 * self.spokes
''',
    "partition.py": '''
from dataclasses import dataclass
from typing import ClassVar
import numpy as np
import radmm

@dataclass(frozen=True)
class Signs(radmm.Partition):
    """Negative rows in turn to all nodes but the first; how many there are, only the data tell."""

    name: ClassVar[str] = "signs"

    def assign(self, rows, nodes):
        turn = np.arange(len(rows))
        return np.where(rows.labels > 0, turn % nodes, 1 + turn % (nodes - 1))
''',
    "source.py": '''
from typing import ClassVar
import numpy as np
from radmm.data.source import DataSource, Features

class Blobs(DataSource):
    """Two clouds of points: made, not fetched."""

    name: ClassVar[str] = "blobs"
    rows: ClassVar[int] = 120
    features: ClassVar[int] = 4
    classes: ClassVar[int] = 2

    def sources(self, local_files):
        return []

    def build(self, raw):
        random = np.random.default_rng(0)
        labels = np.where(np.arange(self.rows) % 2, 1.0, -1.0)
        matrix = 0.4 * random.standard_normal((self.rows, self.features)) + 0.2 * labels[:, None]
        matrix /= np.maximum(1.0, np.linalg.norm(matrix, axis=1))[:, None]
        return Features(matrix, [f"x{column}" for column in range(self.features)], labels, {"rows": self.rows})
''',
    "figure.py": '''
from typing import ClassVar
import radmm

class Dots(radmm.FigureKind):
    """A dot for each setting: its last loss."""

    name: ClassVar[str] = "dots"

    def draw(self, material):
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots()
        last = material.table[material.table["metric"] == "loss"].groupby("label")["mean"].last()
        axes.plot(last.to_numpy(), "o")
        return figure
''',
    "accountant.py": '''
from typing import ClassVar
from radmm.privacy.accountants.pure import PureAccountant

class Cautious(PureAccountant):
    """Twice what the pure accountant says."""

    name: ClassVar[str] = "cautious"

    def cost(self, release):
        return 2.0 * super().cost(release)
''',
}
ONE = {
    "data": "blobs",
    "split": {"train": 90},
    "network": {"law": "wheel", "spokes": 3},
    "partition": {"law": "signs"},
    "problem": {"C": 5.0, "rho": 0.3, "loss": {"name": "softplus", "width": 0.75}},
    "algorithm": {"name": "lazy", "weight": 3.0},
    "iterations": 6,
    "runs": 2,
}
CLIMBING = {
    "algorithm": {"name": "mr-admm", "penalty": {"schedule": "climbing", "rise": 0.5}},
    "noise": {"kind": "output", "law": "gaussian", "sigma": {"schedule": "climbing", "rise": 2.0}},
}
BUDGET = {"kind": "shifted", "total_epsilon": 40.0, "accountant": "cautious"}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    project = Project(tmp_path_factory.mktemp("plugins"))
    for name, text in FILES.items():
        (project.folder / name).write_text(text)
    settings = {"plain": {}, "private": {"noise": BUDGET}, "climbing": CLIMBING}
    experiments = {"mine": {"figure": "dots", "defaults": ONE, "settings": settings}}
    experiments["norms"] = {"figure": {"kind": "metric", "y": "norm"}, "defaults": ONE, "settings": {"plain": {}}}
    config = {"shipped": False, "plugins": list(FILES), "experiments": experiments}
    (project.folder / "mine.yaml").write_text(yaml.safe_dump(config))
    project.snakemake("--cores", "2", config="mine.yaml")
    return project


def test_one_component_of_each_kind_is_used(finished):
    results = finished.folder / "results"
    settings = pd.read_parquet(results / "settings.parquet").query("experiment == 'mine'").set_index("label")
    expected = {"data": "blobs", "network.law": "wheel", "partition.law": "signs", "problem.loss.name": "softplus"}
    assert settings.loc["private", list(expected)].to_dict() == expected
    assert settings.loc["private", "calibrated_to.accountant"] == "cautious"
    private = settings.loc["private", "id"]
    assert private.startswith("lazy-")
    metadata = read_metadata(results / "traces" / f"{private}.parquet")
    found = json.loads((results / "calibrations" / "mine.json").read_text())
    assert metadata["setting"]["noise"] == found[private]["noise"]
    assert metadata["asked"]["noise"] == BUDGET
    table = pd.read_parquet(results / "tables" / "mine.parquet").query("label == 'private'").set_index("metric")
    assert table.loc["epsilon_cautious", "mean"] == pytest.approx(40.0, rel=1e-6)
    assert table.loc["epsilon_cautious", "mean"] == pytest.approx(2 * table.loc["epsilon_pure", "mean"])
    assert read_metadata(results / "tables" / "mine.parquet")["data_steps"][private] == 2
    assert pd.read_parquet(results / "traces" / f"{private}.parquet")["norm"].notna().all()
    assert table.loc["norm", "mean"].between(0.0, 10.0).all()
    assert (results / "figures" / "norms.png").read_bytes().startswith(b"\x89PNG")
    assert data_of((results / "report.html").read_text())["metrics"]["norm"][0] == "norm of the classifier"
    assert settings.loc["climbing", "noise.sigma.schedule"] == "climbing"
    ledger = pd.read_parquet(results / "ledgers" / f"{settings.loc['climbing', 'id']}.parquet")
    assert ledger.query("node == 0")["scale"].dropna().tolist() == [3.0, 5.0, 7.0]
    assert (results / "figures" / "mine.png").read_bytes().startswith(b"\x89PNG")
    assert (results / "networks" / "wheel-spokes3.edges").is_file()


def test_there_are_no_claims_without_the_papers_experiments(finished):
    results = finished.folder / "results"
    assert not (results / "claims.md").exists()
    assert data_of((results / "report.html").read_text())["claims"] == []
    assert set(pd.read_parquet(results / "settings.parquet")["experiment"]) == {"mine", "norms"}


REMADE = {"calibrate", "calibrations", "traces", "table", "figure", "report", "settings", "pictures_of_main_networks"}


@pytest.mark.parametrize(
    ("name", "old", "new", "rules"),
    [
        (
            "algorithm.py",
            "now % 3 == 1",
            "now % 2 == 1",
            REMADE,
        ),
        ("algorithm.py", "and rests in between", "and sleeps in between", set()),
        ("figure.py", '"o"', '"s"', {"figure", "report"}),
        ("accountant.py", "2.0", "2.5", REMADE),
    ],
)
def test_an_edit_to_a_plug_in_reruns_what_uses_it(finished, name, old, new, rules):
    undo = finished.edit(name, old, new)
    planned = finished.plan("main", config="mine.yaml")
    undo()
    assert set(planned) - {"main"} == rules


def test_a_plug_in_that_cannot_be_read_is_one_sentence(finished):
    undo = finished.edit("loss.py", "import radmm", "import radm")
    output = finished.snakemake("--cores", "2", fails=True, config="mine.yaml")
    undo()
    assert "plugins: loss.py, line 5, can't be executed: ModuleNotFoundError: No module named 'radm'" in output
    assert "Traceback" not in output


def test_a_plug_in_that_fails_while_a_run_is_planned_is_one_sentence(finished):
    undo = finished.edit("algorithm.py", "now % 3 == 1", "now % (now - 1) == 1")
    output = finished.snakemake("--cores", "2", "--dry-run", fails=True, config="mine.yaml")
    undo()
    assert "plugins: algorithm.py, line 23: Lazy.step raised ZeroDivisionError (" in output
    assert "Traceback" not in output
