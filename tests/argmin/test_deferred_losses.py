"""Losses that nobody waits for: the same bits as one by one, in fewer passes, and none is put aside for long."""

import numpy as np
import pytest

import radmm
from radmm.argmin import deferred_losses
from radmm.argmin.deferred_losses import DeferredLosses
from radmm.argmin.engine import NumpyEngine
from radmm.argmin.engine_choice import engine_for
from radmm.argmin.kernel import CompiledEngine
from tests.conftest import make_data, needs_compiler


class Counting:
    """An engine that counts the points it is asked for."""

    def __init__(self, engine):
        self._engine, self.runs_together, self.asked = engine, engine.runs_together, []

    def losses(self, point):
        self.asked.append(point.shape[2])
        return self._engine.losses(point)


@pytest.fixture
def problem():
    return radmm.Problem(*make_data(row_counts=(600, 40, 3)), C=3.0, rho=0.4)


@pytest.mark.parametrize("make", [engine_for, NumpyEngine])
@pytest.mark.parametrize("runs", [[10] * 13, [1, 3, 2, 70, 5]])
def test_every_point_is_told_what_it_loses_by_itself(problem, make, runs):
    engine, told = Counting(make(problem)), {}
    asked, rng = DeferredLosses(engine), np.random.default_rng(0)
    points = [rng.standard_normal((problem.nodes, problem.dimension, each)) for each in runs]
    for place, point in enumerate(points):
        asked.ask(point, lambda loss, place=place: told.setdefault(place, loss))
    asked.settle_all()
    asked.settle_all()  # nobody is told twice
    assert sum(engine.asked) == sum(runs)
    assert list(told) == list(range(len(runs)))
    for place, point in enumerate(points):
        np.testing.assert_array_equal(told[place], make(problem).losses(point))


@needs_compiler
def test_whole_batches_are_asked_for_at_once_where_room_is_not_by_the_rows(problem):
    compiled, plain = (Counting(engine) for engine in (engine_for(problem), NumpyEngine(problem)))
    for engine in (compiled, plain):
        asked = DeferredLosses(engine)
        for _ in range(8):
            asked.ask(np.zeros((problem.nodes, problem.dimension, 10)), lambda _: None)
        asked.settle_all()
    assert compiled.asked == [70, 10]
    assert plain.asked == [10] * 8


@needs_compiler
def test_large_points_do_not_wait(problem, monkeypatch):
    engine, point = Counting(engine_for(problem)), np.zeros((problem.nodes, problem.dimension, 1))
    monkeypatch.setattr(deferred_losses, "MOST_BYTES", 2 * point.nbytes)
    asked = DeferredLosses(engine)
    for _ in range(4):
        asked.ask(point, lambda _: None)
    assert engine.asked == [2, 2]


@pytest.mark.filterwarnings("ignore:step")
def test_traces_are_the_same_bytes_where_runs_end_early(small, monkeypatch):
    """Points of the runs that are left stand beside points of all."""

    def columns():
        dgd = radmm.DGD(step=1e3)
        return radmm.solve(small.problem, small.network, dgd, iterations=200, runs=12, initial_scale=3e289)

    together = columns()
    monkeypatch.setattr(CompiledEngine, "runs_together", 1)
    by_themselves = columns()
    ends = {status.reason for status in together.status}
    assert len(ends) > 1  # not all at the same time
    for name, values in by_themselves.columns.items():
        np.testing.assert_array_equal(together.columns[name], values)
