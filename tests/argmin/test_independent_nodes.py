"""A node's answers depend on its own rows alone, to the last bit: whichever other nodes are solved with it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radmm.argmin.solver import ArgminSolver
from radmm.model.public_facts import TOLERANCE
from tests.argmin.test_threads import CASES, ENGINES, case_of, problem_of
from tests.conftest import needs_compiler

ASKED = ("losses", "gradients", "mistakes")


def answers(engine, point, linear, weight, steps=3):
    """All that an engine and the solver on it answer, by name; every array is (node, …)."""
    problem, runs = engine.problem, np.arange(point.shape[2])
    found = {name: getattr(engine, name)(point) for name in ASKED}
    rows = np.split(engine.curvatures(point), problem.node_start[1:-1])
    found["curvatures"] = np.array([row.sum() for row in rows])
    found["hessians"] = engine.hessians(engine.curvatures(point))
    solver = ArgminSolver(engine, TOLERANCE)
    for step in range(steps):
        solution = solver.minimise((1.0 + step) * linear, weight * (1.0 + 0.1 * step), runs, point)
        found |= {f"{name} of step {step}": value for name, value in vars(solution).items() if name != "slope"}
    return found


def check_independence(make, problem, parts, runs):
    source = np.random.default_rng(5)
    point, linear = source.standard_normal((2, problem.nodes, problem.dimension, runs))
    weight = source.uniform(0.5, 3.0, problem.nodes)
    together = answers(make(problem, 1), point, linear, weight)
    for nodes in parts:
        alone = answers(make(problem.restricted(nodes), 2), point[nodes], linear[nodes], weight[nodes])
        for name, values in alone.items():
            assert values.tobytes() == together[name][nodes].tobytes(), (name, nodes)


@pytest.mark.parametrize("engine", ["numpy", pytest.param("compiled", marks=needs_compiler)])
@pytest.mark.parametrize("case", CASES)
def test_answers_do_not_depend_on_other_nodes(case, engine, monkeypatch):
    problem, runs = case_of(case, engine, monkeypatch, most_nodes=60)
    half, last = problem.nodes // 2, np.array([problem.nodes - 1])
    check_independence(ENGINES[engine], problem, [np.arange(half), np.arange(half, problem.nodes), last], runs)


@settings(max_examples=25, deadline=None)
@given(
    row_counts=st.lists(st.integers(1, 60), min_size=2, max_size=7),
    dimension=st.integers(1, 30),
    zeros=st.sampled_from([0.0, 0.6, 0.9]),
    loss=st.sampled_from(["logistic", "huber-hinge", "softmax", "squared"]),
    runs=st.integers(1, 6),
    engine=st.sampled_from(["numpy", "compiled"]),
)
@needs_compiler
def test_answers_of_few_rows_do_not_depend_on_other_nodes(row_counts, dimension, zeros, loss, runs, engine):
    make = ENGINES["numpy" if loss == "squared" else engine]
    problem = problem_of(row_counts, dimension, loss, zeros)
    check_independence(make, problem, [np.array([node]) for node in range(problem.nodes)], runs)
