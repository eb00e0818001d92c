"""Argmins at the ends of what may be asked: the KKT condition by plain formulas, or a reason why there is no result."""

import warnings
from dataclasses import replace

import numpy as np
from hypothesis import example, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

import radmm
from radmm.argmin.solver import ArgminSolver
from radmm.base.errors import InputError
from radmm.privacy.noise_laws import draw_noise
from tests.reference import PlainHuberHinge, PlainProblem

TOLERANCE = 1e-8  # as documented, whatever the code has
ROUNDING = 1e-14  # of each term of a gradient, relative to it
LOSSES = {"logistic": PlainProblem, "huber-hinge": PlainHuberHinge}
SEED, ITERATIONS = 5, 3  # two steps that touch the data, and one between them that doesn't


def powers(low, high):
    """From 10^low to 10^high, the ends among them."""
    return st.sampled_from([low, high]).map(lambda power: 10.0**power) | st.floats(low, high).map(lambda x: 10.0**x)


PLAIN = {
    "counts": (7, 12, 9), "dimension": 4, "seed": 0, "zeros": False, "one_class": False, "loss": "logistic",
    "share": 0.5, "rho": 0.4, "penalty": 1.0, "gamma": 0.5, "alpha": None, "scale": 1.0, "rows": 1.0,
}  # fmt: skip
CASES = st.fixed_dictionaries(
    {
        "counts": st.lists(st.integers(1, 12), min_size=1, max_size=5).map(tuple),
        "dimension": st.sampled_from([1, 2, 7, 40]),
        "seed": st.integers(0, 100),
        "zeros": st.booleans(),
        "one_class": st.booleans(),
        "loss": st.sampled_from(list(LOSSES)),
        "share": st.sampled_from([0.0, 1.0]) | st.floats(0, 1),  # from C = 1e-6 to C = min B_i, in powers of ten
        "rho": powers(-6, 6),
        "penalty": powers(-6, 6),
        "gamma": st.just(0.0) | powers(-6, 6),
        "alpha": st.none() | powers(-8, 8),
        "scale": powers(-4, 4),  # of the starting point: margins up to ±1e4
        "rows": st.sampled_from([1.0, 1e-8, 1e3]),  # their norm; above 1 there is no noise
    }
)


def make(case):
    """Features, labels and nodes of a case, its edges, and C."""
    draw, nodes = np.random.default_rng(case["seed"]), len(case["counts"])
    node = np.repeat(np.arange(nodes), case["counts"])
    features = draw.standard_normal((len(node), case["dimension"]))
    features *= case["rows"] / np.linalg.norm(features, axis=1)[:, None]
    if case["zeros"]:
        features[::2] = 0.0
    labels = np.where(node % 2 == 0, 1.0, -1.0) if case["one_class"] else draw.choice([-1.0, 1.0], len(node))
    edges = np.array([[i, (i + 1) % nodes] for i in range(nodes if nodes > 2 else nodes - 1)], int).reshape(-1, 2)
    return features, labels, node, edges, 1e-6 * (min(case["counts"]) / 1e-6) ** case["share"]


def outcome(case):
    """The result of a case, or the sentence that refuses it."""
    features, labels, node, edges, C = make(case)
    network = radmm.Network.from_edges(edges)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # that iterates may grow without bound
            return radmm.solve(
                radmm.Problem(features, labels, node, case["loss"], C, case["rho"]),
                network,
                radmm.RADMM(penalty=case["penalty"], gamma=case["gamma"]),
                noise=None if case["alpha"] is None else radmm.ObjectiveNoise(alpha=case["alpha"]),
                iterations=ITERATIONS,
                runs=1,
                seed=SEED,
                initial_scale=case["scale"],
                keep_iterates=True,
            )
    except InputError as error:
        return str(error)


def excess(case, result, t, step):
    """How far the gradient of node i's subproblem is from zero at what iteration t found, and how far it may be."""
    features, labels, node, edges, C = make(case)
    plain = LOSSES[case["loss"]](features, labels, node, C, case["rho"])
    before, found, dual = (
        values[0, at] for values, at in ((result.primal, t - 1), (result.primal, t), (result.dual, t - 1))
    )
    nodes, eta = plain.nodes, case["penalty"]
    noise = np.zeros_like(found)
    if case["alpha"] is not None:
        noise = draw_noise(np.full(nodes, case["alpha"]), found.shape[1], np.array([0]), SEED, step)[:, :, 0]
    pairs = np.concatenate([edges, edges[:, ::-1]])
    pull, size = np.zeros_like(found), np.zeros(nodes)
    for i, j in pairs:
        parts = (2 * found[i], -before[i], -before[j])
        pull[i] += eta * sum(parts)
        size[i] += eta * sum(np.linalg.norm(part) for part in parts)
    for i in range(nodes):
        gradient = plain.gradient(i, found[i])
        rows = np.linalg.norm(plain.rows[i], axis=1)
        at = np.linalg.norm(found[i])
        size[i] += 2 * np.linalg.norm(dual[i]) + np.linalg.norm(noise[i]) + plain.rho / nodes * at
        size[i] += C * np.mean(rows * (1 + rows * at))
        yield np.linalg.norm(gradient + noise[i] + 2 * dual[i] + pull[i]), TOLERANCE + ROUNDING * size[i]


@hypothesis_settings(max_examples=60, deadline=None, derandomize=True)
@given(CASES)
@example(PLAIN)
@example(PLAIN | {"counts": (1, 1, 1), "share": 1.0})
@example(PLAIN | {"dimension": 5000, "counts": (3, 4, 5)})
@example(PLAIN | {"counts": (2,) * 1000})
@example(PLAIN | {"counts": (20,), "scale": 1e4})
def test_argmins_are_argmins_or_a_reason_is_given(case):
    result = outcome(case)
    if isinstance(result, str):
        assert ": " in result or " must " in result
        return
    (status,) = result.status
    reached = int(result.trace["loss"].notna().sum()) - 1
    assert reached == ITERATIONS or status.reason
    assert (status.status == "done") != bool(status.reason)
    for step, t in enumerate(range(1, reached + 1, 2), start=1):
        assert np.isfinite(result.primal[0, t]).all()
        for residual, allowed in excess(case, result, t, step):
            assert residual <= allowed, (t, residual, allowed)


def test_an_argmin_that_misses_the_tolerance_ends_its_run_with_a_reason(monkeypatch):
    minimise = ArgminSolver.minimise

    def missing(*given):
        found = minimise(*given)
        return replace(found, residual=np.full_like(found.residual, 2e-8))

    monkeypatch.setattr(ArgminSolver, "minimise", missing)
    (status,) = outcome(PLAIN).status
    assert status.status == "not converged"
    assert status.reason.endswith("reached gradient norm 2.0e-08, not 1e-08")
