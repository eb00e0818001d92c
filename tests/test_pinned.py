"""Results of the NumPy engine that must not change by accident: whoever changes a digit says so in CHANGELOG.md."""

import pandas as pd
import pytest

import radmm
from radmm.argmin import kernel
from radmm.base.errors import InputError
from radmm.privacy.curves import compiled
from tests.conftest import EDGES, ROOT, make_data

PINNED = ROOT / "tests" / "pinned.csv"
PENALTY, NOISE = radmm.Geometric(1.0, 1.04), radmm.ObjectiveNoise(alpha=2.0)
SETTINGS = {
    "ADMM": (radmm.ADMM(penalty=1.0), NOISE),
    "M-ADMM": (radmm.MADMM(penalty=PENALTY, dual_step=0.5), radmm.PenaltyNoise(alpha=2.0)),
    "R-ADMM": (radmm.RADMM(penalty=1.0, gamma=0.5), NOISE),
    "MR-ADMM": (radmm.MRADMM(penalty=PENALTY, gamma=0.5), radmm.OutputNoise(alpha=50.0)),
    "DGD": (radmm.DGD(step=0.05), radmm.GradientNoise(sigma=1.0)),
}
METRICS = ["loss", "error_rate", "privacy_loss", "consensus"]


def table():
    features, labels, node = make_data()
    problem = radmm.Problem(features, labels, node, C=5.0, rho=0.4)
    rows = []
    for name, (algorithm, noise) in SETTINGS.items():
        result = radmm.solve(
            problem, radmm.Network.from_edges(EDGES), algorithm, noise=noise, iterations=6, runs=1, seed=3,
            test=(features, labels),
        )  # fmt: skip
        trace = result.trace[["iteration", *METRICS]].itertuples(index=False)
        rows += [[name, row[0], *(f"{value:.10g}" for value in row[1:])] for row in trace]
        rows.append(
            [name, "ε", *(f"{epsilon(result, accountant):.8g}" for accountant in ("pure", "renyi", "shift")), ""]
        )
    return pd.DataFrame(rows, columns=["setting", "iteration", *METRICS]).astype(str)


def epsilon(result, accountant):
    try:
        return result.epsilon(delta=0 if accountant == "pure" else 1e-5, accountant=accountant)
    except InputError:
        return float("nan")


@pytest.fixture
def numpy_engine(monkeypatch):
    """In a process that may have loaded what is compiled, or will: both libraries are asked for anew."""
    monkeypatch.setenv("RADMM_ENGINE", "numpy")
    for load in (kernel.load_library, compiled.library):
        load.cache_clear()
    yield
    for load in (kernel.load_library, compiled.library):
        load.cache_clear()


@pytest.mark.usefixtures("numpy_engine")
def test_no_digit_has_changed():
    pinned = pd.read_csv(PINNED, dtype=str, keep_default_na=False)
    pd.testing.assert_frame_equal(table(), pinned)
