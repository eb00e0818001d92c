"""One-shot learning against plain loops, and against the optimum where its quadratic is the loss itself."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import radmm
from radmm.algorithms.one_shot import minima
from radmm.argmin.optimum import centralised_optimum
from radmm.base.errors import InputError
from radmm.model.quadratic_model import pack
from radmm.privacy.noise_laws import draw_gaussian
from tests.reference import PlainProblem, gossip_matrix, metropolis, outwards

SIGMA = np.array([0.3, 0.5, 0.2, 0.4])
CURVATURE = {"logistic": 0.18884624535942829, "squared": 1.0}  # the former by polyfit in test_moments.py
SLOPE = {"logistic": -0.5, "squared": -1.0}


def plain_run(problem, neighbours, loss, sigma, method, iterations, run, seed):
    """f(t) of one run, (iterations, N, d), by loops over nodes and the entries of matrices."""
    N, d, W = problem.nodes, problem.dimension, metropolis(neighbours)
    P = gossip_matrix(W, method.gossip, *outwards(*np.linalg.eigvalsh(W)[[0, -2]]))
    draws = draw_gaussian(sigma, d + d * (d + 1) // 2, np.array([run]), seed, 1)[..., 0]
    m, M = np.zeros((N, d)), np.zeros((N, d, d))
    for i, rows in enumerate(problem.rows):
        weight = problem.C[i] / len(rows)
        m[i] = SLOPE[loss] * (weight * sum(rows) + draws[i, :d])
        M[i] = CURVATURE[loss] * weight * sum(np.outer(w, w) for w in rows) + problem.rho / N * np.eye(d)
        entry = iter(draws[i, d:])
        for a in range(d):
            for b in range(a, d):
                noise = CURVATURE[loss] * next(entry) / np.sqrt(2)  # σ₂ = σ/√2 on the diagonal
                M[i, a, b] += noise if a == b else noise / np.sqrt(2)
                M[i, b, a] = M[i, a, b]
    norm = CURVATURE[loss] * np.sqrt(2 * d) * np.sqrt(sum(s**2 / 2 for s in sigma)) / N
    path = []
    for _ in range(iterations):
        m, M = P @ m, np.einsum("ij,jab->iab", P, M)
        f = np.zeros((N, d))
        for i in range(N):
            values, vectors = np.linalg.eigh(M[i])
            raised = vectors @ np.diag(np.maximum(values, method.floor * norm)) @ vectors.T
            f[i] = -np.linalg.solve(raised, m[i])
        path.append(f)
    return np.array(path)


@pytest.mark.parametrize("loss", ["logistic", "squared"])
@pytest.mark.parametrize("sigma", [0 * SIGMA, SIGMA, 10 * SIGMA], ids=["none", "some", "much"])
def test_equals_the_plain_loops(small, loss, sigma):
    method = radmm.OneShot(gossip=4, floor=0.7)
    problem = radmm.Problem(small.features, small.labels, small.node, loss, C=5.0, rho=0.4)
    noise = radmm.MomentNoise(sigma=sigma) if sigma.any() else None
    result = radmm.solve(problem, small.network, method, noise=noise, iterations=3, runs=2, seed=5, keep_iterates=True)
    plain = PlainProblem(small.features, small.labels, small.node, C=5.0, rho=0.4)
    for run in range(2):
        path = plain_run(plain, small.neighbours, loss, sigma, method, 3, run, 5)
        np.testing.assert_allclose(result.primal[run, 1:], path, rtol=0, atol=1e-9)
    assert result.dual is None


def test_without_noise_the_squared_loss_is_minimised_and_the_logistic_nearly(small):
    def distance(loss, gossip):
        problem = radmm.Problem(small.features, small.labels, small.node, loss, C=5.0, rho=0.4)
        optimum = centralised_optimum(problem)
        found = radmm.solve(problem, small.network, radmm.OneShot(gossip), iterations=1, runs=1, optimum=optimum)
        return found.trace["distance"].iloc[-1] / np.abs(optimum).max()

    assert distance("squared", 40) < 1e-9
    assert distance("squared", 1) > 1e-3
    assert 1e-4 < distance("logistic", 40) < 0.25


def test_shared_noise_cancels_in_what_the_nodes_agree_on(small):
    """However much neighbours share, the mean has the nodes' own noise, and enough gossip leaves nothing else."""
    ring = radmm.Network.from_edges([[0, 1], [1, 2], [2, 3], [0, 3]])
    own, shared = (
        radmm.solve(
            small.problem,
            ring,
            radmm.OneShot(60),
            noise=radmm.MomentNoise(sigma=0.5, cancelling=ratio),
            iterations=1,
            runs=3,
            keep_iterates=True,
        ).primal[:, -1]
        for ratio in (0.0, 100.0)
    )
    np.testing.assert_allclose(shared, own, rtol=1e-6)
    np.testing.assert_allclose(shared, shared[:, :1].repeat(4, axis=1), rtol=1e-6)


@settings(max_examples=40, deadline=None)
@given(d=st.integers(1, 5), seed=st.integers(0, 99), floor=st.floats(1e-3, 10.0))
def test_minima_are_those_of_the_nearest_matrix_above_the_floor(d, seed, floor):
    """Raising eigenvalues is the projection, in Frobenius norm, onto matrices of at least so large eigenvalues."""
    rng = np.random.default_rng(seed)
    M = rng.standard_normal((3, 2, d, d))
    M = M + M.swapaxes(2, 3)
    m = rng.standard_normal((3, d, 2))
    found = minima(m, pack(M).swapaxes(1, 2), floor)
    for node in range(3):
        for run in range(2):
            part = M[node, run] - floor * np.eye(d)
            root = np.real(np.linalg.eigvals(part @ part).astype(complex) ** 0.5)
            if root.min() < 1e-3:  # next to the floor the plain square root loses digits
                continue
            values, vectors = np.linalg.eigh(part @ part)
            polar = vectors @ np.diag(np.sqrt(values)) @ vectors.T
            nearest = floor * np.eye(d) + (part + polar) / 2  # Higham, 1988
            np.testing.assert_allclose(found[node, :, run], -np.linalg.solve(nearest, m[node, :, run]), atol=1e-6)


def test_flat_directions_stay_at_zero():
    m = np.ones((1, 2, 1))
    np.testing.assert_array_equal(minima(m, pack(np.diag([2.0, 0.0]))[None, :, None], 0.0)[0, :, 0], [-0.5, 0.0])


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"gossip": -1}, "algorithm.gossip = -1: must be at least 0"),
        ({"gossip": 1_000_000}, "algorithm.gossip = 1000000: must be at most 10000"),
        ({"floor": 0.0}, "algorithm.floor = 0.0: must be above 0"),
    ],
)
def test_bad_input_is_named(given, sentence):
    with pytest.raises(InputError, match=sentence):
        radmm.OneShot(**given)
