"""The argmin at the ends of what may be asked: its KKT residual, by a plain reference, or a status with a reason."""

import numpy as np
import pytest

import radmm
from tests.conftest import make_data
from tests.reference import PlainProblem

PLAIN = {"dimension": 4, "row_counts": (7, 12, 9), "C": 5.0, "rho": 0.4, "penalty": 1.0, "gamma": 0.5}
CASES = {
    "plain": {},
    "one row a node": {"row_counts": (1, 1, 1), "C": 1.0},
    "d = 1": {"dimension": 1},
    "d = 2000": {"dimension": 2000, "row_counts": (3, 4, 5), "C": 2.0},
    "zero rows": {"zeros": True},
    "one class at each node": {"one_class": True},
    "C = 1e-6": {"C": 1e-6},
    "C = B": {"C": 7.0},
    "eta = 1e-6": {"penalty": 1e-6},
    "eta = 1e6": {"penalty": 1e6},
    "gamma = 0": {"gamma": 0.0},
    "gamma = 1e6": {"gamma": 1e6},
    "far start": {"initial_scale": 1e4},
    "alpha = 1e-8": {"alpha": 1e-8},
    "alpha = 1e8": {"alpha": 1e8},
    "rho = 1e-6": {"rho": 1e-6},
    "rho = 1e6": {"rho": 1e6},
    "many nodes": {"row_counts": (2,) * 1000, "C": 1.0},
    "one node": {"row_counts": (20,)},
}


@pytest.mark.parametrize("case", CASES)
def test_the_first_step_is_an_argmin_or_says_why_not(case):
    given = PLAIN | CASES[case]
    features, labels, node = make_data(0, given["dimension"], given["row_counts"])
    if given.get("zeros"):
        features[::2] = 0.0
    if given.get("one_class"):
        labels = np.where(node % 2 == 0, 1.0, -1.0)
    nodes = len(given["row_counts"])
    edges = np.array([[i, (i + 1) % nodes] for i in range(nodes)] if nodes > 2 else []).reshape(-1, 2).astype(int)
    network = radmm.Network.from_edges(edges)
    noise = radmm.ObjectiveNoise(alpha=given["alpha"]) if "alpha" in given else None
    result = radmm.solve(
        radmm.Problem(features, labels, node, C=given["C"], rho=given["rho"]),
        network,
        radmm.RADMM(penalty=given["penalty"], gamma=given["gamma"]),
        noise=noise,
        iterations=1,
        runs=1,
        initial_scale=given.get("initial_scale", 1.0),
        keep_iterates=True,
    )
    (status,) = result.status
    if status.status != "done":
        assert status.reason
        return
    start, found = result.primal[0, 0], result.primal[0, 1]
    assert np.isfinite(found).all()
    if noise is not None:
        return  # the noise is not in the reference's condition; the residual in the trace is
    plain, degrees = PlainProblem(features, labels, node, given["C"], given["rho"]), network.degrees
    neighbours = np.zeros_like(start)
    np.add.at(neighbours, edges[:, 0], start[edges[:, 1]])
    np.add.at(neighbours, edges[:, 1], start[edges[:, 0]])
    for i in range(nodes):
        pull = given["penalty"] * (2 * degrees[i] * found[i] - degrees[i] * start[i] - neighbours[i])
        gradient = plain.gradient(i, found[i])
        scale = max(1.0, np.linalg.norm(gradient), given["penalty"] * degrees[i] * np.linalg.norm(found[i]))
        assert np.linalg.norm(gradient + pull) < 1e-7 * scale
