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
WHAT_TO_DO = (
    "If that is meant, say so in CHANGELOG.md, for whoever compares results, "
    "and write the new table: RADMM_ENGINE=numpy python -m tests.test_pinned"
)
PINNED_METRICS = ["loss", "error_rate", "privacy_loss", "consensus"]


def table():
    features, labels, node = make_data()
    problem = radmm.Problem(features, labels, node, C=5.0, rho=0.4)
    rows = []
    for name, (algorithm, noise) in SETTINGS.items():
        result = radmm.solve(
            problem, radmm.Network.from_edges(EDGES), algorithm, noise=noise, iterations=6, runs=1, seed=3,
            test=(features, labels),
        )  # fmt: skip
        trace = result.trace[["iteration", *PINNED_METRICS]].itertuples(index=False)
        rows += [[name, row[0], *(f"{value:.10g}" for value in row[1:])] for row in trace]
        rows.append(
            [name, "ε", *(f"{epsilon(result, accountant):.8g}" for accountant in ("pure", "renyi", "shift")), ""]
        )
    return pd.DataFrame(rows, columns=["setting", "iteration", *PINNED_METRICS]).astype(str)


def epsilon(result, accountant):
    try:
        return float(result.epsilon(delta=0 if accountant == "pure" else 1e-5, accountant=accountant))
    except InputError:
        return float("nan")


@pytest.fixture
def numpy_engine(monkeypatch):
    """In a process that may have loaded what is compiled, or will: the kernel is asked for anew.

    Curves have the same digits either way, but take minutes without a compiler.
    """
    compiled.library()
    monkeypatch.setenv("RADMM_ENGINE", "numpy")
    kernel.load_library.cache_clear()
    yield
    kernel.load_library.cache_clear()


def changed(found, pinned):
    """What differs, as a message that says what to do about it; empty if nothing does."""
    if found.shape != pinned.shape or list(found) != list(pinned):
        return f"the table has {found.shape} cells, and {PINNED.name} {pinned.shape}. {WHAT_TO_DO}"
    places = ((row, name) for row in range(len(found)) for name in found if found[name][row] != pinned[name][row])
    lines = [
        f"{found['setting'][row]}, iteration {found['iteration'][row]}: {name} is {found[name][row]}, "
        f"and was {pinned[name][row]}"
        for row, name in places
    ]
    return "\n".join([*lines, WHAT_TO_DO]) if lines else ""


@pytest.mark.usefixtures("numpy_engine")
def test_no_digit_has_changed():
    pinned = pd.read_csv(PINNED, dtype=str, keep_default_na=False)
    message = changed(table(), pinned)
    assert not message, message


def test_a_digit_that_changed_asks_for_a_line_in_the_changelog():
    pinned = pd.read_csv(PINNED, dtype=str, keep_default_na=False)
    for name in PINNED_METRICS:
        for row in range(len(pinned)):
            other = pinned.copy()
            other.loc[row, name] = f"{pinned[name][row]}1"
            assert changed(other, pinned).endswith(WHAT_TO_DO)
    assert "CHANGELOG.md" in WHAT_TO_DO
    assert changed(pinned, pinned) == ""


if __name__ == "__main__":
    table().to_csv(PINNED, index=False)
