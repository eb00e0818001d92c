import sys

import numpy as np
import pytest

import radmm
from radmm.argmin.engine import NumpyEngine
from radmm.averages import averages_of, weight


def plain_average(iterates):
    """Σ w_s f(s) with every weight written out: f(s) has w_s times all (1 − w) of what came after."""
    last = len(iterates) - 1
    if last == 0:
        return iterates[0]
    shares = [4 / (s + 3) * np.prod([1 - 4 / (t + 3) for t in range(s + 1, last + 1)]) for s in range(1, last + 1)]
    assert sum(shares) == pytest.approx(1.0)
    return sum(share * f for share, f in zip(shares, iterates[1:], strict=True))


def test_later_iterates_count_more_and_the_initial_point_does_not():
    iterates = np.random.default_rng(0).standard_normal((2, 7, 3, 4))
    averages = averages_of(iterates)
    for run in range(2):
        for t in range(7):
            assert averages[run, t] == pytest.approx(plain_average(list(iterates[run, : t + 1])))
    assert weight(1) == 1.0
    assert (averages[:, :2] == iterates[:, :2]).all()


@pytest.mark.parametrize("engine", ["compiled", "numpy"])
@pytest.mark.parametrize("algorithm", [radmm.ADMM(), radmm.RADMM()], ids=lambda algorithm: algorithm.name)
def test_the_trace_measures_each_nodes_own_average(small, algorithm, engine, monkeypatch):
    if engine == "numpy":
        monkeypatch.setattr(sys.modules["radmm.driver"], "engine_for", NumpyEngine)
    test = (small.features[:20], small.labels[:20])
    noise = radmm.ObjectiveNoise(3.0)
    result = radmm.solve(
        small.problem, small.network, algorithm, noise=noise, iterations=5, runs=2, test=test, keep_iterates=True
    )
    assert (result.trace.query("iteration < 2").eval("loss == loss_average & error_rate == error_rate_average")).all()
    for row in result.trace.itertuples():
        f = plain_average(list(result.primal[row.run, : row.iteration + 1]))
        assert result.average[row.run, row.iteration] == pytest.approx(f)
        margins = small.labels * (small.features * f[small.node]).sum(axis=1)
        assert row.loss_average == pytest.approx(
            np.mean([np.log1p(np.exp(-margins[small.node == i])).mean() for i in range(4)])
        )
        assert row.error_rate_average == pytest.approx(np.mean(np.sign(test[0] @ f.mean(axis=0)) != test[1]))


def test_a_result_gives_the_averaged_classifier_too(small):
    test = (small.features[:20], small.labels[:20])
    noise = radmm.ObjectiveNoise(1.0)
    result = radmm.solve(
        small.problem, small.network, radmm.ADMM(), noise=noise, iterations=6, runs=2, test=test, keep_iterates=True
    )
    average = averages_of(result.primal)[:, -1]
    assert result.last_average == pytest.approx(average)
    assert result.classifier(1, averaged=True).weights == pytest.approx(average[1].mean(axis=0))
    assert result.classifier(1, node=2, averaged=True).weights == pytest.approx(average[1, 2])
    last = result.trace.query("iteration == 6")
    told = result.metrics("error_rate", averaged=True)["error_rate"]
    assert told.to_numpy() == pytest.approx(last["error_rate_average"].to_numpy())


def test_a_run_that_ends_takes_its_average_along(small, monkeypatch):
    """The others' averages are what they would be without it."""
    whole = radmm.solve(small.problem, small.network, radmm.ADMM(), iterations=6, runs=3).trace
    network = radmm.Network(small.network.adjacency)
    summed, calls = network.neighbour_sum, []

    def sabotaged(values):
        calls.append(1)
        total = summed(values)
        if len(calls) == 4:  # after the third iteration
            total[..., 1] = np.inf
        return total

    monkeypatch.setattr(network, "neighbour_sum", sabotaged)
    ended = radmm.solve(small.problem, network, radmm.ADMM(), iterations=6, runs=3)
    assert [status.status for status in ended.status] == ["done", "diverged", "done"]
    others = ended.trace["run"] != 1
    assert ended.trace[others]["loss_average"].to_numpy() == pytest.approx(whole[others]["loss_average"].to_numpy())
    assert ended.trace.query("run == 1 and iteration > 3")["loss_average"].isna().all()
