"""Both engines against the per-node formulas, and against each other."""

import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

import radmm
from radmm.argmin import engine_choice, kernel
from radmm.argmin.engine import NumpyEngine
from radmm.argmin.engine_choice import engine_for
from radmm.argmin.kernel import CompiledEngine, load_kernel, load_library
from radmm.argmin.layout import dense_columns, split_dense
from radmm.argmin.row_blocks import are_dense
from radmm.argmin.solver import ArgminSolver
from radmm.base.compiled_library import CompiledCodeError
from radmm.model.losses.huber_hinge import HuberHinge
from radmm.model.losses.logistic import Logistic
from radmm.model.losses.softmax import Softmax
from tests.conftest import make_data, needs_compiler
from tests.reference import PlainProblem, argmin

ENGINES = {
    "numpy": NumpyEngine,
    "compiled": lambda problem, threads=1: CompiledEngine(problem, load_library(), threads),
}


@pytest.fixture(params=["numpy", pytest.param("compiled", marks=needs_compiler)])
def make_engine(request):
    return ENGINES[request.param]


def problem_of(seed=0, dimension=4, row_counts=(7, 12, 9, 15), zeros=0.0):
    features, labels, node = make_data(seed, dimension, row_counts)
    features[np.random.default_rng(5).random(features.shape) < zeros] = 0.0
    shuffled = np.random.default_rng(1).permutation(len(node))  # rows need not come sorted by node
    rows = sparse.csr_array(features[shuffled])
    plain = PlainProblem(features, labels, node, 5.0, 0.4)
    return radmm.Problem(rows, labels[shuffled], node[shuffled], C=5.0, rho=0.4), plain


@pytest.mark.parametrize("runs", [1, 3, 4, 10, 17, 33])
def test_losses_equal_the_plain_sums(make_engine, runs):
    problem, plain = problem_of()
    point = 3 * np.random.default_rng(2).standard_normal((4, 4, runs))
    losses = make_engine(problem).losses(point)
    for i in range(4):
        expected = np.logaddexp(0, -(plain.rows[i] @ point[i])).sum(axis=0)
        np.testing.assert_allclose(losses[i], expected, rtol=1e-13)


@pytest.mark.parametrize("runs", [1, 4, 10, 17])
def test_mistakes_are_the_margins_that_are_not_positive(make_engine, runs):
    problem, plain = problem_of(zeros=0.5)
    point = np.random.default_rng(2).standard_normal((4, 4, runs))
    point[0, :, 0] = 0.0  # a margin of zero decides nothing, and counts
    mistakes = make_engine(problem).mistakes(point)
    for i in range(4):
        np.testing.assert_array_equal(mistakes[i], (plain.rows[i] @ point[i] <= 0).sum(axis=0))


@pytest.mark.parametrize("size", [1e-300, 1e-3, 40.0, 800.0, 1e10, 1e300])
def test_any_margin_is_safe(make_engine, size):
    features, labels, node = make_data()
    problem = radmm.Problem(features, labels, node, C=5.0, rho=0.4)
    point = size * np.random.default_rng(2).standard_normal((4, 4, 3))
    margins = np.einsum("nd,ndr->nr", labels[:, None] * features, point[node])
    expected = np.add.reduceat(np.logaddexp(0, -margins), problem.node_start[:-1], axis=0)
    np.testing.assert_allclose(make_engine(problem).losses(point), expected, rtol=1e-13)


@needs_compiler
@pytest.mark.parametrize("runs", [1, 4, 17])
@pytest.mark.parametrize("zeros", [0.0, 0.7])
@pytest.mark.parametrize("dimension", [3, 40], ids=["large nodes", "small nodes"])
@pytest.mark.parametrize("loss", [HuberHinge(0.3), Softmax(2), Softmax(5)], ids=repr)
def test_both_engines_agree_on_the_other_losses(loss, dimension, zeros, runs):
    features, labels, node = make_data(0, dimension)
    features[np.random.default_rng(5).random(features.shape) < zeros] = 0.0
    labels = labels if isinstance(loss, HuberHinge) else np.random.default_rng(3).integers(0, loss.classes, len(node))
    problem = radmm.Problem(features, labels, node, loss, C=5.0, rho=0.4)
    compiled, plain = (ENGINES[name](problem) for name in ("compiled", "numpy"))
    assert isinstance(engine_for(problem), CompiledEngine)
    point = 3 * np.random.default_rng(2).standard_normal((4, problem.dimension, runs))
    np.testing.assert_allclose(compiled.gradients(point), plain.gradients(point), atol=1e-12)
    np.testing.assert_array_equal(compiled.mistakes(point), plain.mistakes(point))
    weight = np.random.default_rng(4).random(len(node))
    np.testing.assert_allclose(compiled.hessians(weight), plain.hessians(weight), atol=1e-13)
    np.testing.assert_allclose(compiled.losses(point), plain.losses(point), rtol=1e-13)
    np.testing.assert_allclose(compiled.curvatures(point), plain.curvatures(point), rtol=1e-13)
    solutions = [
        ArgminSolver(engine, 1e-8).minimise(point, np.full(4, 2.0), np.arange(runs), 0.0 * point)
        for engine in (compiled, plain)
    ]
    np.testing.assert_allclose(solutions[0].point, solutions[1].point, atol=2e-8)
    np.testing.assert_allclose(solutions[0].loss, solutions[1].loss, atol=1e-6)


def test_other_losses_go_to_the_numpy_engine_which_says_so_once(capsys):
    engine_choice._say_once.cache_clear()
    features, labels, node = make_data()
    for _ in range(2):
        assert isinstance(engine_for(radmm.Problem(features, labels, node, "squared")), NumpyEngine)
    said = capsys.readouterr().err
    assert said.count("not squared)") == 1


@pytest.mark.parametrize("row_counts", [(7, 12, 9, 15), (9, 9, 9, 9)])
@pytest.mark.parametrize("zeros", [0.0, 0.8])
def test_curvatures_and_hessians_equal_the_plain_formulas(make_engine, row_counts, zeros):
    problem, plain = problem_of(row_counts=row_counts, zeros=zeros)
    point = np.random.default_rng(2).standard_normal((4, 4, 1))
    engine = make_engine(problem)
    weight = np.repeat(5.0 / problem.row_counts, problem.row_counts)
    hessian = engine.hessians(weight * engine.curvatures(point))
    for i in range(4):
        np.testing.assert_allclose(hessian[i] + 0.1 * np.eye(4), plain.hessian(i, point[i, :, 0]), atol=1e-12)


def test_columns_that_most_rows_have_are_kept_dense():
    """Six columns in every row, two in half of them, the rest in few: one group is dense, and a second on average."""
    rng = np.random.default_rng(0)
    features = rng.uniform(0.5, 1.0, (400, 20)) * (
        rng.random((400, 20)) < np.r_[np.ones(6), 0.5, 0.5, np.full(12, 0.1)]
    )
    rows = sparse.csr_array(features)
    columns = dense_columns(rows, np.arange(20))
    assert sorted(columns) == list(range(8))
    dense, rest = split_dense(rows, columns)
    np.testing.assert_array_equal(dense.transpose(1, 0, 2).reshape(400, 8), features[:, columns])
    features[:, columns] = 0
    np.testing.assert_array_equal(rest.toarray(), features)
    assert rest.nnz == np.count_nonzero(features)
    assert not len(dense_columns(rest[:, 8:], np.arange(12)))
    assert split_dense(rest, np.zeros(0, dtype=int))[0].shape == (0, 400, 4)


def test_hessians_of_a_few_dense_columns_among_many_sparse_ones(make_engine):
    rng = np.random.default_rng(6)
    features = rng.standard_normal((90, 40)) / 40
    features[:, rng.permutation(40)[9:]] *= rng.random((90, 31)) < 0.05  # nine are dense: two groups, and one left over
    labels, node = rng.choice([-1, 1], 90), np.arange(90) % 3
    problem = radmm.Problem(sparse.csr_array(features), labels, node, C=5.0, rho=0.4)
    assert not are_dense(problem).any()  # else BLAS has a better way
    curvature = rng.random(90)
    hessian = make_engine(problem).hessians(curvature)
    for i in range(3):
        own = slice(problem.node_start[i], problem.node_start[i + 1])
        rows = problem.rows[own].toarray()
        np.testing.assert_allclose(hessian[i], rows.T @ (curvature[own, None] * rows), atol=1e-15)


def test_curvatures_are_averaged_over_the_runs(make_engine):
    problem, _ = problem_of()
    point = np.random.default_rng(2).standard_normal((4, 4, 21))
    engine = make_engine(problem)
    alone = [engine.curvatures(point[:, :, run : run + 1]) for run in range(21)]
    np.testing.assert_allclose(engine.curvatures(point), np.mean(alone, axis=0), rtol=1e-13)


@pytest.mark.parametrize("zeros", [0.0, 0.4, 0.8], ids=["dense", "mixed", "sparse"])
@pytest.mark.parametrize("dimension", [3, 4, 40], ids=["large nodes", "as many", "small nodes"])
def test_solutions_and_what_is_known_there(make_engine, dimension, zeros):
    row_counts = (9, 9, 9, 9) if dimension == 40 else (8, 12, 9, 15)
    problem, plain = problem_of(dimension=dimension, zeros=zeros, row_counts=row_counts)
    rng = np.random.default_rng(0)
    linear, start = rng.standard_normal((2, 4, dimension, 5))
    solver = ArgminSolver(make_engine(problem), tolerance=1e-11)
    for _ in range(3):  # the second and third time from where the last one ended
        linear += 0.3 * rng.standard_normal(linear.shape)
        solution = solver.minimise(linear, np.full(4, 2.1), np.arange(5), start)
        assert solution.residual.max() <= 1e-11
        for i in range(4):
            for run in range(5):
                f = solution.point[i, :, run]
                expected = argmin(plain, i, start[i, :, run], linear[i, :, run], 1.0)
                np.testing.assert_allclose(f, expected, atol=1e-10)
                weight = 5.0 / problem.row_counts[i]
                known = weight * solution.slope[i, :, run]
                if dimension == 40:  # small nodes know it row by row, with its weight
                    own = problem.rows[problem.node_start[i] : problem.node_start[i + 1]]
                    known = own.T @ solution.slope[i, : problem.row_counts[i], run]
                np.testing.assert_allclose(known, plain.gradient(i, f) - 0.1 * f, atol=1e-9)
                np.testing.assert_allclose(
                    solution.loss[i, run], np.logaddexp(0, -(plain.rows[i] @ f)).sum(), rtol=1e-12
                )


@needs_compiler
@pytest.mark.parametrize("dimension", [5, 30])
@pytest.mark.parametrize("runs", [1, 6, 19])
def test_the_engines_give_the_same_iterates(dimension, runs, monkeypatch):
    features, labels, node = make_data(3, dimension)
    problem = radmm.Problem(features, labels, node, C=5.0, rho=0.4)
    network = radmm.Network.from_edges(np.array([[0, 1], [1, 2], [2, 3], [1, 3]]))
    results = []
    for make in ENGINES.values():
        monkeypatch.setitem(radmm.solve.__globals__, "engine_for", make)
        noise = radmm.ObjectiveNoise(2.0)
        options = {"noise": noise, "iterations": 9, "runs": runs, "keep_iterates": True, "tolerance": 1e-11}
        results.append(radmm.solve(problem, network, radmm.MRADMM(radmm.Geometric(0.8, 1.1)), **options))
    np.testing.assert_allclose(results[0].primal, results[1].primal, rtol=0, atol=1e-10)
    np.testing.assert_allclose(results[0].columns["loss"], results[1].columns["loss"], rtol=0, atol=1e-10)
    np.testing.assert_allclose(results[0].columns["passes"], results[1].columns["passes"], rtol=0, atol=0.5)


@needs_compiler
def test_the_baseline_instructions_give_the_same():
    """As a CPU without AVX2 would run it."""
    plain = load_kernel("radmm.argmin._kernel")
    assert plain.radmm_instruction_set() == b"baseline"
    for dimension in (6, 40):  # large nodes, small nodes
        problem, _ = problem_of(dimension=dimension)
        linear, start = np.random.default_rng(0).standard_normal((2, 4, dimension, 7))
        solutions = [
            ArgminSolver(CompiledEngine(problem, which), 1e-11).minimise(linear, np.full(4, 2.1), np.arange(7), start)
            for which in (plain, load_library())
        ]
        np.testing.assert_allclose(solutions[0].point, solutions[1].point, rtol=0, atol=1e-10)


@needs_compiler
def test_another_loss_goes_to_numpy():
    class Other(Logistic):
        name = "other"

    features, labels, node = make_data()
    assert isinstance(engine_for(radmm.Problem(features, labels, node, loss=Other(), C=5.0)), NumpyEngine)
    assert isinstance(engine_for(radmm.Problem(features, labels, node, C=5.0)), CompiledEngine)


def test_without_the_library_numpy_serves_and_says_so_once():
    code = (
        "import radmm, numpy as np\n"
        "problem = radmm.Problem(np.eye(2), [1, -1], [0, 1])\n"
        "for _ in range(2): radmm.solve(problem, radmm.Network([[0, 1], [1, 0]]), radmm.ADMM(), iterations=2, runs=1)\n"
    )
    outcome = subprocess.run(
        [sys.executable, "-c", code], env={"RADMM_ENGINE": "numpy"}, capture_output=True, text=True, check=True
    )
    assert outcome.stderr.count("radmm: using the NumPy engine, which is several times slower (RADMM_ENGINE=numpy") == 1


@needs_compiler
def test_a_library_of_other_sources_is_not_used(monkeypatch):
    load_library.cache_clear()
    monkeypatch.setattr(kernel, "SOURCES", kernel.SOURCES[1:])
    with pytest.raises(CompiledCodeError, match="built from other sources"):
        load_library()
    load_library.cache_clear()
