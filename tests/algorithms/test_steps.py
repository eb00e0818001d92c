import numpy as np
import pytest

import radmm
from radmm.algorithms.recycled import RecycledState
from radmm.base.errors import InputError
from radmm.privacy.query_log import record_queries
from tests.conftest import make_data
from tests.reference import PlainHuberHinge, PlainProblem, PlainSoftmax, PlainSquared, argmin, iterate

SCALE, RATIO = [1.0, 1.3, 0.8, 1.1], [1.01, 1.05, 1.02, 1.0]
PER_NODE = radmm.Geometric(SCALE, RATIO)


def per_node_eta(k, i):
    return SCALE[i] * RATIO[i] ** k


CASES = {
    "admm": (radmm.ADMM(0.7), lambda k, i: 0.7, lambda k, i: 0.7),
    "m-admm": (radmm.MADMM(PER_NODE, dual_step=0.5), per_node_eta, lambda k, i: 0.5),
    "r-admm": (radmm.RADMM(0.7, gamma=0.3), lambda k, i: 0.7, lambda k, i: 0.7),
    "mr-admm": (radmm.MRADMM(PER_NODE, gamma=0.3), per_node_eta, per_node_eta),
    "mr-admm, common dual step": (radmm.MRADMM(PER_NODE, gamma=0.3, dual_step=0.6), per_node_eta, lambda k, i: 0.6),
}
NOISES = {
    None: None,
    "objective": radmm.ObjectiveNoise([3.0, 5.0, 4.0, 6.0]),
    "penalty": radmm.PenaltyNoise([3.0, 5.0, 4.0, 6.0]),
    "output": radmm.OutputNoise(radmm.Geometric([3.0, 5.0, 4.0, 6.0], 1.1)),
}


def plain_alpha(noise):
    ratio = 1.1 if noise == "output" else 1.0
    return lambda k, i: [3.0, 5.0, 4.0, 6.0][i] * ratio**k


# Penalty noise is M-ADMM's; after output noise the explicit gradient is not released, so an even step has its own test.
PAIRS = [(case, noise) for case in CASES for noise in (None, "objective")]
PAIRS += [("m-admm", "penalty"), ("admm", "output"), ("m-admm", "output")]


@pytest.mark.parametrize(("case", "noise"), PAIRS)
def test_equals_the_plain_reference_iteration_by_iteration(small, case, noise):
    algorithm, eta, theta = CASES[case]
    result = radmm.solve(
        small.problem, small.network, algorithm, noise=NOISES[noise], iterations=7, runs=3, seed=5, keep_iterates=True
    )
    plain = PlainProblem(small.features, small.labels, small.node, C=5.0, rho=0.4)
    for run in range(3):
        primal, dual = iterate(
            plain, small.neighbours, algorithm.name, eta, theta, 0.3, noise, plain_alpha(noise), 7, run, seed=5
        )
        np.testing.assert_allclose(result.primal[run], primal, rtol=0, atol=1e-7)
        np.testing.assert_allclose(result.dual[run], dual, rtol=0, atol=1e-7)


PLAIN = {"softmax": PlainSoftmax, "squared": PlainSquared, "huber-hinge": PlainHuberHinge}
OTHER_LOSSES = [(loss, None) for loss in PLAIN] + [(loss, "objective") for loss in ("softmax", "huber-hinge")]


@pytest.mark.parametrize("dimension", [3, 10], ids=["large nodes", "small and large nodes"])
@pytest.mark.parametrize(("loss", "noise"), OTHER_LOSSES)
def test_every_loss_equals_the_plain_reference_even_steps_included(small, loss, noise, dimension):
    """The reference's even step has the explicit gradient: with a matrix f, too, it cancels against the odd step's."""
    algorithm, eta, theta = CASES["mr-admm"]
    features, labels, node = make_data(dimension=dimension)
    extra = {}
    if loss == "softmax":
        labels, extra = np.random.default_rng(0).integers(0, 3, len(node)), {"classes": 3}
    problem = radmm.Problem(features, labels, node, loss, C=5.0, rho=0.4)
    plain = PLAIN[loss](features, labels, node, C=5.0, rho=0.4, **extra)
    result = radmm.solve(
        problem, small.network, algorithm, noise=NOISES[noise], iterations=5, runs=2, seed=5, keep_iterates=True
    )
    for run in range(2):
        primal, dual = iterate(
            plain, small.neighbours, algorithm.name, eta, theta, 0.3, noise, plain_alpha(noise), 5, run, seed=5
        )
        np.testing.assert_allclose(result.primal[run], primal, rtol=0, atol=1e-7)
        np.testing.assert_allclose(result.dual[run], dual, rtol=0, atol=1e-7)


@pytest.mark.parametrize("dimension", [4, 10], ids=["large nodes", "small and large nodes"])
@pytest.mark.parametrize(("case", "noise"), [("m-admm", "penalty"), ("mr-admm", "objective")])
def test_rows_that_count_alike_equal_the_plain_reference(small, case, noise, dimension):
    algorithm, eta, theta = CASES[case]
    features, labels, node = make_data(dimension=dimension)
    constants = {"C": 5.0, "rho": 0.4, "weighting": "rows"}
    problem = radmm.Problem(features, labels, node, **constants)
    result = radmm.solve(
        problem, small.network, algorithm, noise=NOISES[noise], iterations=5, runs=2, seed=5, keep_iterates=True
    )
    plain = PlainProblem(features, labels, node, **constants)
    for run in range(2):
        primal, dual = iterate(
            plain, small.neighbours, algorithm.name, eta, theta, 0.3, noise, plain_alpha(noise), 5, run, seed=5
        )
        np.testing.assert_allclose(result.primal[run], primal, rtol=0, atol=1e-7)
        np.testing.assert_allclose(result.dual[run], dual, rtol=0, atol=1e-7)
    margins = labels[:, None] * np.einsum("nd,rnd->nr", features, result.primal[:, 2, node])
    loss = result.trace.query("iteration == 2")["loss"]
    np.testing.assert_allclose(loss, np.logaddexp(0.0, -margins).mean(axis=0), rtol=1e-12)  # of all rows alike


@pytest.mark.parametrize("algorithm", [radmm.RADMM(0.7, gamma=0.3), radmm.MRADMM(PER_NODE, gamma=0.3)])
def test_even_step_after_output_noise_uses_released_values_only(small, algorithm):
    result = radmm.solve(
        small.problem, small.network, algorithm, noise=NOISES["output"], iterations=4, runs=2, keep_iterates=True
    )
    for run in range(2):
        for even in (2, 4):
            eta = algorithm.penalties(even // 2, 4)
            now, before = result.primal[run, even - 1], result.primal[run, even - 2]
            for i, around in enumerate(small.neighbours):
                pull = sum(before[i] + before[j] - 2 * now[j] for j in around)
                expected = now[i] - eta[i] / (2 * eta[i] * len(around) + 0.3) * pull
                np.testing.assert_allclose(result.primal[run, even, i], expected, atol=1e-12)


def test_even_steps_leave_the_dual_alone(small):
    result = radmm.solve(small.problem, small.network, radmm.RADMM(), iterations=6, runs=1, keep_iterates=True)
    np.testing.assert_array_equal(result.dual[:, 1::2][:, :3], result.dual[:, 2::2])


def test_even_steps_do_not_read_the_data(small):
    """With other data and the same released odd values, the even step is the same to the bit."""
    algorithm = radmm.RADMM(0.7, gamma=0.3)
    first = radmm.solve(small.problem, small.network, algorithm, iterations=2, runs=1, keep_iterates=True)
    start, primal, dual = (values[:, :, None] for values in (*first.primal[0, :2], first.dual[0, 1]))
    totals = small.network.neighbour_sum(primal), small.network.neighbour_sum(start)
    state = RecycledState(
        iteration=1, data_steps=1, primal=primal, dual=dual, total=totals[0], previous_total=totals[1]
    )
    again = algorithm.step(state, small.network, None)  # there is no oracle to ask
    np.testing.assert_array_equal(again.primal[:, :, 0], first.primal[0, 2])


@pytest.mark.parametrize(
    ("algorithm", "message"),
    [
        (radmm.MRADMM(radmm.Geometric(1.0, 0.9)), "penalty decreases at node 0, from 0.9 to 0.81"),
        (
            radmm.MADMM(radmm.Geometric([1.0, 0.4, 1.0, 1.0], 1.0), dual_step=0.5),
            "dual_step = 0.5.*node 1 starts at 0.4",
        ),
        (radmm.MRADMM(radmm.Geometric(1.0, [1.0, 1.1, 0.9, 1.0])), "penalty decreases at node 2, from 0.9 to 0.81"),
        (radmm.MADMM(1.0, dual_step=0.0), "dual_step = 0: must be positive"),
        (radmm.MRADMM(1.0, dual_step=-1.0), "dual_step = -1: must be positive"),
        (radmm.MADMM(1.0, dual_step=None), "m-admm has one dual step for all nodes"),
        (radmm.RADMM(radmm.Geometric(1.0, 1.1)), "r-admm has one constant penalty"),
        (radmm.ADMM([1.0, 1.0, 1.0, 1.0]), "admm has one constant penalty"),
        (radmm.MRADMM(radmm.Geometric([1.0, 2.0], 1.0)), "penalty: 2 values are given, but the network has 4 nodes"),
    ],
)
def test_refuses_parameters_that_do_not_fit(small, algorithm, message):
    with pytest.raises(InputError, match=message):
        radmm.solve(small.problem, small.network, algorithm, iterations=1, runs=1)


def test_refuses_a_negative_gamma():
    with pytest.raises(InputError, match="gamma = -1"):
        radmm.RADMM(gamma=-1.0)


@pytest.mark.parametrize(("algorithm", "steps"), [(radmm.ADMM(), [0, 1, 2, 3, 4]), (radmm.RADMM(), [0, 1, 1, 2, 2])])
def test_notes_count_data_touching_steps(small, algorithm, steps):
    assert record_queries(algorithm, small.network, 4).data_steps.tolist() == steps


@pytest.mark.parametrize("scale", [{"alpha": 1.0}, {"sigma": 2.0}])
def test_a_repair_perturbs_what_is_released_and_all_that_follows(small, scale):
    """A data step is the argmin given the released past plus the repair; dual and even steps see nothing else."""
    algorithm, noise = radmm.RADMM(0.7, gamma=0.3), radmm.ObjectiveNoise(**scale, repair=0.05)
    result = radmm.solve(
        small.problem, small.network, algorithm, noise=noise, iterations=4, runs=1, keep_iterates=True, seed=5
    )
    plain = PlainProblem(small.features, small.labels, small.node, C=5.0, rho=0.4)
    f, dual = result.primal[0], result.dual[0]
    for k, t in ((1, 1), (2, 3)):
        epsilon = noise.draw(k, 4, np.array([0]), 5, 4)[:, :, 0]
        zeta = noise.draw_repair(k, 4, np.array([0]), 5, 4)[:, :, 0]
        for i, around in enumerate(small.neighbours):
            linear = 2 * dual[t - 1, i] + epsilon[i] - 0.7 * sum(f[t - 1, i] + f[t - 1, j] for j in around)
            exact = argmin(plain, i, np.zeros(4), linear, 0.7 * len(around))
            np.testing.assert_allclose(f[t, i], exact + zeta[i], atol=1e-7)
            step = dual[t - 1, i] + 0.35 * sum(f[t, i] - f[t, j] for j in around)
            np.testing.assert_allclose(dual[t, i], step, atol=1e-12)
            pull = sum(f[t - 1, i] + f[t - 1, j] - 2 * f[t, j] for j in around)
            even = f[t, i] - 0.7 / (1.4 * len(around) + 0.3) * pull
            np.testing.assert_allclose(f[t + 1, i], even, atol=1e-12)
    assert result.trace["loss"].notna().all()
