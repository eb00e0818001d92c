"""Nodes and rows that are shared out to threads: the same bytes with any number of them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import radmm
from radmm.argmin import row_blocks
from radmm.argmin.engine import NumpyEngine
from radmm.argmin.kernel import CompiledEngine, load_library
from radmm.argmin.row_blocks import cut_rows
from radmm.base.errors import InputError
from radmm.base.threads import in_threads
from tests.conftest import needs_compiler

ENGINES = {"numpy": NumpyEngine, "compiled": lambda problem, threads: CompiledEngine(problem, load_library(), threads)}
WORTH_THREADS = 2**17  # as in kernel.c: rows times runs


@pytest.fixture(params=["numpy", pytest.param("compiled", marks=needs_compiler)])
def make_engine(request):
    return ENGINES[request.param]


def problem_of(row_counts, dimension=6, loss="logistic", zeros=0.5, seed=0):
    """Rows of norm at most 1, half of whose entries are zero, among them columns of a category."""
    source, rows = np.random.default_rng(seed), sum(row_counts)
    features = source.standard_normal((rows, dimension)) * (source.random((rows, dimension)) >= zeros)
    features = np.hstack([features, np.eye(3)[source.integers(0, 3, rows)]])
    features /= np.linalg.norm(features, axis=1)[:, None]
    scores = features @ source.standard_normal((dimension + 3, 3)) + source.standard_normal((rows, 3))
    labels = scores.argmax(axis=1) if loss == "softmax" else np.where(scores[:, 0] > 0, 1, -1)
    node = source.permutation(np.repeat(np.arange(len(row_counts)), row_counts))
    constants = {"C": min(row_counts) * 1.0, "rho": 0.4, "classes": 3 if loss == "softmax" else None}
    return radmm.Problem(sparse.csr_array(features), labels, node, loss, **constants)


def columns_of(problem, threads, runs=3, iterations=3):
    nodes = np.arange(problem.nodes)
    network = radmm.Network.from_edges(np.stack([nodes, (nodes + 1) % problem.nodes], axis=1)[: max(1, len(nodes) - 1)])
    test = problem.rows, np.ones(problem.rows.shape[0]) if problem.label is None else problem.label
    result = radmm.solve(
        problem, network, radmm.RADMM(1.0), noise=radmm.ObjectiveNoise(5.0), iterations=iterations, runs=runs,
        test=test, threads=threads,
    )  # fmt: skip
    return {**result.columns, "last": result.last}


CASES = {
    "few nodes": ([20_000, 30_000], 6, "logistic", 0.5, 3),
    "dense rows": ([17_000, 18_000], 6, "logistic", 0.0, 4),
    "unequal nodes": ([40_000, 900, 12, 17_000, 3], 8, "logistic", 0.5, 3),
    "huberised hinge": ([17_000, 33_000], 5, "huber-hinge", 0.5, 3),
    "softmax": ([20_000, 30_000], 4, "softmax", 0.5, 3),
    "softmax on dense rows": ([17_000, 33_000], 4, "softmax", 0.0, 3),
    "many nodes": ([300] * 150, 6, "logistic", 0.5, 3),
    "small nodes": ([9, 5, 14] * 300, 20, "logistic", 0.5, 20),
}


def case_of(case, engine, monkeypatch, most_nodes=None):
    """A case's problem and its number of runs; NumPy's is an eighth of it, rows and blocks alike."""
    row_counts, dimension, loss, zeros, runs = CASES[case]
    if engine == "compiled":
        assert sum(row_counts) * runs >= WORTH_THREADS
    elif len(row_counts) > 100:
        row_counts = row_counts[: len(row_counts) // 8]
    else:
        row_counts = [max(count // 8, 1) for count in row_counts]
    if engine == "numpy":
        monkeypatch.setattr(row_blocks, "BLOCK_ROWS", row_blocks.BLOCK_ROWS // 8)
    return problem_of(row_counts[:most_nodes], dimension, loss, zeros), runs


@pytest.mark.parametrize("engine", ["numpy", pytest.param("compiled", marks=needs_compiler)])
@pytest.mark.parametrize("case", CASES)
def test_traces_are_the_same_bytes_with_any_number_of_threads(case, engine, monkeypatch):
    problem, runs = case_of(case, engine, monkeypatch)
    monkeypatch.setattr("radmm.driver.engine_for", ENGINES[engine])
    monkeypatch.setattr("radmm.recorder.engine_for", ENGINES[engine])
    one, *others = (columns_of(problem, threads, runs) for threads in (1, 2, 3, 8))
    for other in others:
        for name, values in one.items():
            assert values.tobytes() == other[name].tobytes(), name


def plain_sums(problem, point, curvature):
    """Σ L, Σ ∇L, mistakes and Σ curvature x xᵀ of each node by the formulas, for the logistic loss."""
    for node in range(problem.nodes):
        own = slice(problem.node_start[node], problem.node_start[node + 1])
        rows, margin = problem.rows[own].toarray(), problem.rows[own] @ point[node]
        slope = -1.0 / (1.0 + np.exp(margin))
        hessian = rows.T @ (curvature[own, None] * rows)
        yield np.logaddexp(0.0, -margin).sum(axis=0), rows.T @ slope, (margin <= 0.0).sum(axis=0), hessian


@pytest.mark.parametrize("zeros", [0.0, 0.7])
def test_sums_over_pieces_equal_the_plain_sums(make_engine, zeros):
    problem = problem_of([30_000, 20, 17_000], 6, "logistic", zeros)
    source = np.random.default_rng(1)
    point, curvature = source.standard_normal((3, problem.dimension, 5)), source.random(problem.rows.shape[0])
    engine = make_engine(problem, 3)
    found = zip(
        engine.losses(point), engine.gradients(point), engine.mistakes(point), engine.hessians(curvature), strict=False
    )
    for own, (loss, slope, mistakes, hessian) in zip(found, plain_sums(problem, point, curvature), strict=True):
        np.testing.assert_allclose(own[0], loss, rtol=1e-12)
        np.testing.assert_allclose(own[1], slope, rtol=0, atol=1e-9)
        np.testing.assert_array_equal(own[2], mistakes)
        np.testing.assert_allclose(own[3], hessian, rtol=0, atol=1e-9)


@settings(max_examples=30, deadline=None)
@given(
    row_counts=st.lists(st.integers(1, 40), min_size=1, max_size=6),
    rows=st.integers(1, 30),
    threads=st.integers(2, 9),
    runs=st.integers(1, 3),
    loss=st.sampled_from(["logistic", "softmax", "squared"]),
)
def test_blocks_of_any_size_give_the_same_sums(row_counts, rows, threads, runs, loss):
    """The same bytes with any number of threads, and the sums that there are without blocks."""
    problem = problem_of(row_counts, 3, loss)
    whole = NumpyEngine(problem)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(row_blocks, "BLOCK_ROWS", rows)
        one, several = (NumpyEngine(problem, number) for number in (1, threads))
    point = np.random.default_rng(0).standard_normal((problem.nodes, problem.dimension, runs))
    curvature = np.random.default_rng(1).random(problem.rows.shape[0])
    asked = dict.fromkeys(("losses", "gradients", "mistakes", "curvatures"), point) | {"hessians": curvature}
    for name, argument in asked.items():
        alone, shared, uncut = (getattr(engine, name)(argument) for engine in (one, several, whole))
        assert alone.tobytes() == shared.tobytes(), name
        np.testing.assert_allclose(alone, uncut, rtol=1e-12, atol=1e-12)


@given(st.lists(st.integers(1, 50), min_size=1, max_size=8), st.integers(1, 60))
def test_blocks_have_every_row_once_with_its_node(row_counts, rows):
    problem = problem_of(row_counts, 2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(row_blocks, "BLOCK_ROWS", rows)
        blocks = cut_rows(problem)
    pieces = [min(max(count // rows, 1), row_blocks.MOST_BLOCKS) for count in row_counts]
    assert len(blocks) <= sum(pieces)
    assert all(len(block.part.row_counts) == 1 or block.part.rows.shape[0] <= rows for block in blocks)
    for node, count in enumerate(pieces):
        assert sum(block.nodes == slice(node, node + 1) for block in blocks) == count or count == 1
    assert (sparse.vstack([block.part.rows for block in blocks]) != problem.rows).nnz == 0
    counted = np.zeros(problem.nodes, dtype=int)
    for block in blocks:
        assert block.part.row_counts.min() > 0
        counted[block.nodes] += block.part.row_counts
    np.testing.assert_array_equal(counted, problem.row_counts)


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_an_exception_of_one_thread_is_raised(threads):
    def work(item):
        if item == 3:
            raise ZeroDivisionError("the third")
        return item

    with pytest.raises(ZeroDivisionError, match="the third"):
        in_threads(threads, work, range(6))
    assert in_threads(threads, work, range(3)) == [0, 1, 2]


def test_a_loss_that_fails_in_a_thread_ends_the_solve():
    class Failing(radmm.Loss):
        name = "failing"

        def value(self, margin):
            return self.value_and_slope(margin)[0]

        def value_and_slope(self, margin):
            raise FloatingPointError("no such loss")

        def curvature(self, margin):
            return 0.0 * margin

    problem = problem_of([20_000, 20_000])
    problem.loss = Failing()
    with pytest.raises(FloatingPointError, match="no such loss"):
        radmm.solve(problem, radmm.Network([[0, 1], [1, 0]]), radmm.ADMM(), iterations=1, runs=1, threads=2)


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_treat_overflow_as_their_caller_does(threads):
    with np.errstate(over="ignore"):
        assert in_threads(threads, lambda number: np.float64(number) * 1e308, [10, 20]) == [np.inf, np.inf]
    with np.errstate(over="raise"), pytest.raises(FloatingPointError):
        in_threads(threads, lambda number: np.float64(number) * 1e308, [10, 20])


@needs_compiler
def test_memory_that_no_thread_finds_is_an_error():
    problem = problem_of([20_000, 20_000])
    engine = CompiledEngine(problem, load_library(), 2)
    engine._layout.rows["combinations"] = 2**50  # as if sums needed so much room
    with pytest.raises(MemoryError, match="found no memory"):
        engine.losses(np.zeros((2, problem.dimension, 10)))


@pytest.mark.parametrize("threads", [0, -1, 1.5, True, "2", None])
def test_threads_that_are_no_number(threads):
    problem = problem_of([5, 5])
    with pytest.raises(InputError, match=rf"^threads = {threads!r}: must be a whole number, at least 1$"):
        radmm.solve(problem, radmm.Network([[0, 1], [1, 0]]), radmm.ADMM(), threads=threads)
