import numpy as np
import pytest

import radmm
from radmm.base.errors import InputError
from radmm.metrics.metric import metric_columns
from tests.reference import PlainProblem

ALL = [radmm.ADMM(), radmm.MADMM(radmm.Geometric(1.0, 1.1)), radmm.RADMM(), radmm.MRADMM(radmm.Geometric(1.0, 1.1))]


def test_the_trace_has_its_columns(small):
    trace = radmm.solve(small.problem, small.network, radmm.RADMM(), iterations=4, runs=3).trace
    assert list(trace) == ["run", "iteration", *metric_columns()]
    assert metric_columns()[:5] == ("loss", "error_rate", "privacy_loss", "consensus", "residual")
    assert trace[["run", "iteration"]].to_numpy().tolist() == [[run, t] for run in range(3) for t in range(5)]
    assert trace["privacy_loss"].isna().all()
    assert trace["error_rate"].isna().all()
    assert trace.query("iteration in (1, 3)")["residual"].le(1e-8).all()
    assert trace.query("iteration in (0, 2, 4)")["residual"].isna().all()


def test_metrics_are_those_of_the_iterates(small):
    test = (small.features[:20], small.labels[:20])
    result = radmm.solve(
        small.problem, small.network, radmm.RADMM(), iterations=3, runs=2, test=test, keep_iterates=True
    )
    for row in result.trace.itertuples():
        f = result.primal[row.run, row.iteration]
        wrong = np.sign(test[0] @ f.mean(axis=0)) != test[1]
        assert row.error_rate == pytest.approx(wrong.mean())
        assert row.consensus == pytest.approx(max(np.linalg.norm(f_i - f.mean(axis=0)) for f_i in f))
        margins = small.labels * (small.features * f[small.node]).sum(axis=1)
        per_node = [np.log1p(np.exp(-margins[small.node == i])).mean() for i in range(4)]
        assert row.loss == pytest.approx(np.mean(per_node))


@pytest.mark.parametrize("algorithm", ALL, ids=lambda algorithm: algorithm.name)
@pytest.mark.parametrize("noise", [radmm.ObjectiveNoise, radmm.OutputNoise])
def test_noise_vanishes_as_alpha_grows(small, algorithm, noise):
    options = {"iterations": 6, "runs": 2, "keep_iterates": True}
    without = radmm.solve(small.problem, small.network, algorithm, **options).primal
    tiny = radmm.solve(small.problem, small.network, algorithm, noise=noise(1e12), **options).primal
    some = radmm.solve(small.problem, small.network, algorithm, noise=noise(10.0), **options).primal
    np.testing.assert_allclose(tiny, without, atol=1e-7)
    assert np.abs(some - without)[:, 1:].max(axis=(2, 3)).min() > 1e-3


def test_algorithms_share_initial_points_and_runs_do_not(small):
    starts = [
        radmm.solve(small.problem, small.network, algorithm, iterations=1, runs=3, keep_iterates=True).primal[:, 0]
        for algorithm in ALL
    ]
    for start in starts[1:]:
        np.testing.assert_array_equal(start, starts[0])
    assert len(np.unique(starts[0])) == starts[0].size


def test_the_same_seed_gives_the_same_trace_and_another_does_not(small):
    def losses(seed):
        options = {"noise": radmm.ObjectiveNoise(1.0), "iterations": 4, "runs": 2, "seed": seed}
        return radmm.solve(small.problem, small.network, radmm.RADMM(), **options).columns["loss"]

    np.testing.assert_array_equal(losses(1), losses(1))
    assert not np.any(losses(1) == losses(2))


def test_a_diverging_run_ends_with_a_reason_and_the_others_go_on(small, monkeypatch):
    """Run 1 is given an initial point from which the arithmetic overflows."""
    original = radmm.solve.__globals__["initial_point"]

    def sabotaged(*arguments):
        point = original(*arguments)
        point[:, :, 1] *= 1e300
        return point

    monkeypatch.setitem(radmm.solve.__globals__, "initial_point", sabotaged)
    result = radmm.solve(
        small.problem, small.network, radmm.RADMM(), noise=radmm.ObjectiveNoise(1.0), iterations=4, runs=3
    )
    assert [status.status for status in result.status] == ["done", "diverged", "done"]
    assert result.status[1].reason == "iteration 1: the iterates overflowed"
    ended = result.trace.query("run == 1 and iteration > 0")
    assert ended.drop(columns=["run", "iteration"]).isna().all(axis=None)
    assert result.trace.query("run != 1")["loss"].notna().all()


def test_a_step_that_writes_into_its_state_can_not_change_what_was_measured(small):
    class InPlace(radmm.ADMM):
        name = "in-place"

        def step(self, state, network, oracle):
            state.primal += 1.0
            return super().step(state, network, oracle)

    with pytest.raises(ValueError, match="read-only"):
        radmm.solve(small.problem, small.network, InPlace(), iterations=3)


def test_progress_is_reported(small):
    seen = []
    radmm.solve(
        small.problem, small.network, radmm.ADMM(), iterations=3, runs=1, progress=lambda *done: seen.append(done)
    )
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_bad_input_is_named(small):
    with pytest.raises(InputError, match="spread over 4 nodes, but the network has 2"):
        radmm.solve(small.problem, radmm.Network([[0, 1], [1, 0]]), radmm.ADMM())
    for field in ("iterations", "runs"):
        for value in (0, 2.5):
            with pytest.raises(InputError, match=f"{field} = {value}: must be a whole number, at least 1"):
                radmm.solve(small.problem, small.network, radmm.ADMM(), **{field: value})
    with pytest.raises(InputError, match="seed = -1: must be a whole number, at least 0"):
        radmm.solve(small.problem, small.network, radmm.ADMM(), seed=-1)
    with pytest.raises(InputError, match="initial_scale = nan"):
        radmm.solve(small.problem, small.network, radmm.ADMM(), initial_scale=float("nan"))
    for value in (0.0, -1e-8, 1e-3):
        with pytest.raises(InputError, match=f"tolerance = {value:g}: must be above 0 and at most 0.0001, as steps"):
            radmm.solve(small.problem, small.network, radmm.ADMM(), tolerance=value)
    with pytest.raises(InputError, match="tolerance = nan: must be a finite number"):
        radmm.solve(small.problem, small.network, radmm.ADMM(), tolerance=float("nan"))


def test_parts_of_the_wrong_kind_are_named(small):
    good = {"problem": small.problem, "network": small.network, "algorithm": radmm.ADMM(), "noise": None}
    for field, value in {"problem": 1, "network": [[0, 1], [1, 0]], "algorithm": "admm", "noise": 1.0}.items():
        with pytest.raises(InputError, match=f"{field} = .*: must be a radmm.{field.capitalize()}, not a "):
            radmm.solve(**(good | {field: value}))


@pytest.mark.parametrize(
    ("features", "labels", "message"),
    [
        (np.ones((3, 2)), np.ones(3), "test: features has 2 columns: must have 4"),
        (np.ones((3, 4)), np.ones(2), r"test: labels has shape \(2,\)"),
        (np.ones((3, 4)), np.zeros(3), r"test: labels\[0\] = 0: must be \+1 or -1"),
        (np.full((3, 4), np.nan), np.ones(3), "test: features of row 0 are not finite"),
    ],
)
def test_a_bad_test_set_is_named(small, features, labels, message):
    with pytest.raises(InputError, match=message):
        radmm.solve(small.problem, small.network, radmm.ADMM(), test=(features, labels))


def test_the_residual_is_the_worst_nodes(small):
    result = radmm.solve(small.problem, small.network, radmm.ADMM(), iterations=2, runs=3, keep_iterates=True)
    plain = PlainProblem(small.features, small.labels, small.node, 5.0, 0.4)
    for run in range(3):
        before, now = result.primal[run, 1], result.primal[run, 2]
        norms = []
        for i, around in enumerate(small.neighbours):
            pull = sum(2 * now[i] - before[i] - before[j] for j in around)
            norms.append(np.linalg.norm(plain.gradient(i, now[i]) + 2 * result.dual[run, 1, i] + pull))
        stated = result.trace.query("run == @run and iteration == 2")["residual"].item()
        assert stated == pytest.approx(max(norms), abs=1e-12)


def test_the_initial_point_has_its_scale(small):
    starts = {
        scale: radmm.solve(
            small.problem, small.network, radmm.ADMM(), iterations=1, runs=2, initial_scale=scale, keep_iterates=True
        ).primal[:, 0]
        for scale in (1.0, 3.0)
    }
    np.testing.assert_allclose(starts[3.0], 3 * starts[1.0])
