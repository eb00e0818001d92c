import shutil
from pathlib import Path
from types import SimpleNamespace

import hypothesis
import numpy as np
import pytest

import radmm
from tests.components import components_of_its_own

ROOT = Path(__file__).parent.parent

# A busy machine is no reason to fail.
hypothesis.settings.register_profile("any machine", deadline=None)
hypothesis.settings.load_profile("any machine")

# Where there is no compiler the NumPy engine serves, and the rest of the tests hold it to the same standard.
needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler: the kernel could not be built")

# Files and folders whose tests `make quick` leaves out.
SLOW = (
    "distributed/test_processes.py",  # several processes of MPI
    "jobs",  # workflows and their steps
    "slurm",
    "workflow",
    "test_benchmarks.py",
    "test_docs.py",
    "test_documented_commands.py",
    "test_examples.py",
    "test_project.py",
    "test_site.py",
    "results/report/test_browser.py",
    "command/test_little_memory.py",  # this and the next ones compute for long
    "privacy/curves/test_independent.py",
    "privacy/test_budgets_are_kept.py",
    "results/test_audit.py",
    "results/test_audit_quadrature.py",
    "results/test_one_run.py",
    "results/test_red_team.py",
    "sklearn/test_checks.py",  # a hundred checks of scikit-learn's own
)

CLUSTER = ROOT / "tests" / "slurm"
EDGES = np.array([[0, 1], [1, 2], [2, 3], [1, 3]])  # a triangle with a tail: degrees 1, 3, 2, 2


def make_data(seed=0, dimension=4, row_counts=(7, 12, 9, 15), skew=0.5):
    """Heterogeneous rows: every node has its own distribution and its own number of rows."""
    rng = np.random.default_rng(seed)
    node = np.repeat(np.arange(len(row_counts)), row_counts)
    centre = skew * rng.standard_normal((len(row_counts), dimension))
    features = centre[node] + rng.standard_normal((len(node), dimension))
    features /= np.maximum(1.0, np.linalg.norm(features, axis=1))[:, None]
    labels = np.where(features @ rng.standard_normal(dimension) + 0.3 * rng.standard_normal(len(node)) > 0, 1.0, -1.0)
    return features, labels, node


def pytest_collection_modifyitems(items):
    for item in items:
        if any(item.path.is_relative_to(ROOT / "tests" / place) for place in SLOW):
            item.add_marker("slow")
    # What takes long comes first, a cluster before all: at the end one worker would wait for another's last test.
    items.sort(key=lambda item: (not item.path.is_relative_to(CLUSTER), item.get_closest_marker("slow") is None))


@pytest.fixture(autouse=True, scope="module")
def own_components_of_a_file():
    """A worker runs many files, in any order: what one of them defines must not be a choice in the next."""
    with components_of_its_own():
        yield


@pytest.fixture
def small():
    """A heterogeneous problem on four nodes."""
    features, labels, node = make_data()
    return SimpleNamespace(
        features=features,
        labels=labels,
        node=node,
        problem=radmm.Problem(features, labels, node, C=5.0, rho=0.4),
        network=radmm.Network.from_edges(EDGES),
        neighbours=[[1], [0, 2, 3], [1, 3], [2, 1]],
    )
