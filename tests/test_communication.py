"""What traces tell of messages, and of the node whose own classifier is worst."""

import numpy as np
import pytest

import radmm
from radmm.driver import sent_so_far
from radmm.metrics import snapshot
from tests.conftest import make_data

DIRECTED = 8  # both ways along the four edges of the small network


@pytest.mark.parametrize(
    ("method", "messages", "floats"),
    [
        (radmm.ADMM(), 1, 4),
        (radmm.RADMM(), 1, 4),
        (radmm.DGD(gossip=3), 4, 4 + 3 * 8),
        (radmm.GradientTracking(gossip=3), 4, 4 * 8),
    ],
    ids=repr,
)
def test_traces_count_what_the_whole_network_sends(small, method, messages, floats):
    trace = radmm.solve(small.problem, small.network, method, iterations=5, runs=2).trace
    for column, each in (("messages", messages), ("floats_sent", floats)):
        assert trace[column].tolist() == [DIRECTED * each * t for t in range(6)] * 2


def test_a_plug_in_may_send_another_number_at_each_iteration(small):
    class Sparing(radmm.ADMM):
        def sends(self, iteration, features):
            return (iteration % 2, features * (iteration % 2))

    assert sent_so_far(Sparing(), small.network, 4, 10).tolist() == [[0, 0], [8, 80], [8, 80], [16, 160], [16, 160]]


def test_a_single_node_sends_nothing(small):
    problem = radmm.Problem(small.features, small.labels, np.zeros(43, dtype=int), C=5.0, rho=0.4)
    trace = radmm.solve(problem, radmm.Network([[0]]), radmm.DGD(gossip=2), iterations=2, runs=1).trace
    assert trace[["messages", "floats_sent"]].eq(0).all(axis=None)


@pytest.mark.parametrize("at_a_time", [1000, 5, 1])
def test_the_worst_node_is_told_after_the_last_iteration(small, monkeypatch, at_a_time):
    """Two of three runs and four nodes in pieces of any size; the average may be better than every node."""
    monkeypatch.setattr(snapshot, "POINTS", at_a_time)
    features, labels, _ = make_data(seed=8)
    noise = radmm.GradientNoise(sigma=3.0, cancelling=5.0)
    result = radmm.solve(
        small.problem, small.network, radmm.DGD(0.05), noise=noise, iterations=6, runs=3, test=(features, labels),
        keep_iterates=True,
    )  # fmt: skip
    for column, points in (
        ("error_rate_worst", result.primal[:, -1]),
        ("error_rate_worst_average", averages(result.primal)),
    ):
        told = result.trace[column].to_numpy().reshape(3, 7)
        assert np.isnan(told[:, :-1]).all()
        own = np.array([[np.mean(np.sign(features @ f) != labels) for f in run] for run in points])
        np.testing.assert_allclose(told[:, -1], own.max(axis=1), rtol=1e-14)
        assert (own.std(axis=1) > 0).all()  # or any node would do


def averages(primal):
    """Polyak–Ruppert averages of the released iterates, later ones counting more."""
    average = primal[:, 1]
    for t in range(2, primal.shape[1]):
        average = average + 4 / (t + 3) * (primal[:, t] - average)
    return average


def test_the_worst_node_of_several_classes():
    rng = np.random.default_rng(2)
    features = rng.standard_normal((60, 3))
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    labels = np.argmax(features @ rng.standard_normal((3, 3)), axis=1).astype(float)
    problem = radmm.Problem(features, labels, np.arange(60) % 3, loss="softmax", C=5.0, rho=0.1)
    network = radmm.Network([[0, 1], [1, 2]])
    result = radmm.solve(
        problem, network, radmm.DGD(0.1), iterations=3, runs=2, test=(features, labels), keep_iterates=True
    )
    for run, told in enumerate(result.trace.query("iteration == 3")["error_rate_worst"]):
        scores = [features @ f.reshape(3, 3).T for f in result.primal[run, -1]]
        assert told == max(np.mean(score.argmax(axis=1) != labels) for score in scores)
    assert result.trace.query("iteration == 3")["floats_sent"].eq(4 * 3 * 9).all()


def test_without_test_rows_there_is_no_worst_node(small):
    trace = radmm.solve(small.problem, small.network, radmm.ADMM(), iterations=2, runs=1).trace
    assert trace["error_rate_worst"].isna().all()
