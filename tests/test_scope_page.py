"""What docs/scope.md says is refused is refused, in the words that it quotes."""

import re

import numpy as np
import pytest

import radmm
from radmm.base.errors import InputError
from tests.conftest import ROOT, make_data

PAGE = " ".join((ROOT / "docs" / "scope.md").read_text().split())
RING = [(0, 1), (1, 2), (2, 3), (0, 3)]
DIRECTED = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]])


def problem(labels=None, **options):
    features, found, node = make_data()
    return radmm.Problem(features, found if labels is None else labels, node, C=2.0, rho=0.3, **options)


def private_squares():
    noise = radmm.ObjectiveNoise(1.0)
    return radmm.solve(problem(loss="squared"), radmm.Network(RING), radmm.RADMM(), noise=noise, iterations=2, runs=1)


@pytest.mark.parametrize(
    ("attempt", "quoted"),
    [
        (lambda: radmm.Network(DIRECTED), "the network is undirected, so A must equal its transpose"),
        (lambda: problem(labels=np.linspace(0.0, 2.0, 43)), "must be +1 or -1"),
        (private_squares, "no privacy bound holds for it, as it states no bound G on its slope"),
    ],
)
def test_what_is_out_of_scope_is_refused_as_quoted(attempt, quoted):
    assert f'"{quoted}"' in PAGE
    with pytest.raises(InputError, match=re.escape(quoted)):
        attempt()


def test_the_squared_loss_runs_without_noise():
    result = radmm.solve(problem(loss="squared"), radmm.Network(RING), radmm.RADMM(), iterations=2, runs=1)
    assert np.isfinite(result.trace["loss"]).all()
