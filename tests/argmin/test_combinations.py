"""Categories told by codes: the same rows in fewer entries, and the same sums of them."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import radmm
from radmm.argmin import combinations, layout
from radmm.argmin.combinations import field_starts, find_combinations
from radmm.argmin.engine import NumpyEngine
from radmm.argmin.kernel import CompiledEngine, load_library
from radmm.argmin.solver import ArgminSolver
from radmm.model.losses.huber_hinge import HuberHinge
from radmm.model.losses.logistic import Logistic
from tests.conftest import needs_compiler

pytestmark = needs_compiler


def table(source, rows, sizes, numbers=1, missing=0.1):
    """Categories of fields that go together more or less, then numbers; rows of norm 1, their entries in any order."""
    common = source.random(rows)
    blocks = []
    for size in sizes:
        mixed = np.where(source.random(rows) < 0.8, common, source.random(rows))
        chosen = np.minimum((size * mixed).astype(int), size - 1)
        blocks.append(np.eye(size)[chosen] * (source.random((rows, 1)) >= missing))
    features = np.hstack([*blocks, source.random((rows, numbers)) * (source.random((rows, numbers)) < 0.7)])
    features /= np.maximum(np.linalg.norm(features, axis=1), 0.1)[:, None]
    compressed = sparse.csr_array(features)
    order = np.lexsort((source.random(compressed.nnz), np.repeat(np.arange(rows), np.diff(compressed.indptr))))
    compressed.data, compressed.indices = compressed.data[order], compressed.indices[order]
    return sparse.csr_array((compressed.data, compressed.indices, compressed.indptr), shape=features.shape)


def spelled_out(told, shape):
    """The rows that the codes stand for, entry by entry."""
    rows = np.zeros(shape)
    for row, codes in enumerate(told.code):
        for code in codes:
            for column in told.member[told.start[code] : told.start[code + 1]]:
                assert rows[row, column] == 0.0  # each entry is told once
                rows[row, column] = told.scale[row]
    return rows


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    rows=st.integers(1, 300),
    sizes=st.lists(st.integers(1, 9), min_size=1, max_size=6),
    numbers=st.integers(0, 2),
    each=st.sampled_from([1, 8, 32]),
)
def test_codes_tell_the_very_rows(seed, rows, sizes, numbers, each):
    data = table(np.random.default_rng(seed), rows, sizes, numbers)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(combinations, "ROWS_EACH", each)
        told = find_combinations(data, load_library())
    expected = np.where(told.columns, data.toarray(), 0.0)
    np.testing.assert_array_equal(spelled_out(told, data.shape), expected)
    assert told.code.shape[1] <= len(sizes) + numbers or not told.columns.any()


def test_fields_are_found_and_those_that_go_together_joined():
    """Two fields that always agree, one of its own, and a number: two parts, with a combination for each category."""
    source = np.random.default_rng(0)
    first, other = source.integers(0, 5, 4000), source.integers(0, 40, 4000)
    number = source.uniform(0.1, 0.9, (4000, 1))
    data = sparse.csr_array(np.hstack([np.eye(5)[first], np.eye(5)[first], np.eye(40)[other], number]))
    told = find_combinations(data, load_library())
    np.testing.assert_array_equal(told.columns, [True] * 50 + [False])
    np.testing.assert_array_equal(told.scale, 1.0)
    assert told.code.shape == (4000, 2)
    used = {tuple(told.member[told.start[code] : told.start[code + 1]]) for code in np.unique(told.code)}
    assert used == {(i, i + 5) for i in range(5)} | {(i,) for i in range(10, 50)}


def test_a_field_ends_before_a_column_that_stands_beside_one_of_its_own():
    columns, nearest = np.array([0, 1, 2, 4, 5, 6]), np.array([5, 4, 7, 7, 6, 7, 7], dtype=np.int32)
    assert field_starts(columns, nearest).tolist() == [0, 4, 6]


@pytest.mark.parametrize("signs", [1.0, -1.0])
def test_scales_have_the_sign_of_the_label(signs):
    data = signs * table(np.random.default_rng(1), 500, [3, 4])
    told = find_combinations(data, load_library())
    assert told.columns.sum() == 7
    assert (signs * told.scale > 0).sum() == np.count_nonzero(data.toarray().any(axis=1))


@pytest.mark.parametrize(
    "features",
    [
        np.random.default_rng(2).random((300, 6)),
        (np.random.default_rng(2).random((300, 60)) < 0.1) * 1.0,  # no fields: some row has any two columns
        np.zeros((20, 3)),
    ],
    ids=["numbers", "words", "nothing"],
)
def test_other_data_have_none(features):
    told = find_combinations(sparse.csr_array(features), load_library())
    assert told.code.shape[1] == 0
    assert not told.columns.any()


def test_codes_have_sixteen_bits(monkeypatch):
    data = table(np.random.default_rng(3), 400, [5, 6], missing=0.0)
    assert find_combinations(data, load_library()).columns.any()
    monkeypatch.setattr(combinations, "MOST_COMBINATIONS", 10)
    assert not find_combinations(data, load_library()).columns.any()


@pytest.fixture(autouse=True)
def codes_for_all(monkeypatch):
    monkeypatch.setattr(layout, "WORTH_CODES", 1)


def problem_of(loss, rows=(600, 900), sizes=(2, 3, 5, 12), numbers=6):
    source = np.random.default_rng(7)
    data = table(source, sum(rows), sizes, numbers)
    labels = np.where(data @ source.standard_normal(data.shape[1]) > 0.1 * source.standard_normal(sum(rows)), 1, -1)
    node = source.permutation(np.repeat([0, 1], rows))
    return radmm.Problem(data, labels, node, loss, C=min(400.0, *rows), rho=0.3)


@pytest.mark.parametrize("runs", [1, 6, 10, 16, 18])
@pytest.mark.parametrize("loss", [Logistic(), HuberHinge(0.4)], ids=lambda loss: loss.name)
def test_sums_over_rows_equal_those_of_the_numpy_engine(loss, runs):
    problem = problem_of(loss)
    compiled, plain = CompiledEngine(problem, load_library()), NumpyEngine(problem)
    for own in compiled._layout.rows:
        assert 0 < own["parts"] < 4  # parts were joined
        assert own["groups"] == 1  # and two of six columns of numbers are left as entries
    point = 3 * np.random.default_rng(2).standard_normal((2, problem.dimension, runs))
    np.testing.assert_allclose(compiled.losses(point), plain.losses(point), rtol=1e-13)
    np.testing.assert_allclose(compiled.gradients(point), plain.gradients(point), atol=1e-11)
    np.testing.assert_array_equal(compiled.mistakes(point), plain.mistakes(point))
    np.testing.assert_allclose(compiled.curvatures(point), plain.curvatures(point), rtol=1e-12)
    weight = np.random.default_rng(4).random(problem.rows.shape[0])
    np.testing.assert_allclose(compiled.hessians(weight), plain.hessians(weight), atol=1e-11)


def test_hessians_of_parts_with_more_pairs_of_combinations_than_rows():
    """Each row's products are then added one by one."""
    problem = problem_of(Logistic(), (260, 300), (100, 110), 1)
    weight = np.random.default_rng(4).random(problem.rows.shape[0])
    compiled = CompiledEngine(problem, load_library())
    assert (compiled._layout.rows["parts"] == 2).all()
    np.testing.assert_allclose(compiled.hessians(weight), NumpyEngine(problem).hessians(weight), atol=1e-12)


@pytest.mark.parametrize("numbers", range(1, 9))
def test_hessians_where_dense_columns_fill_no_whole_group(numbers):
    """A column of a combination never completes a group: its products would be lost."""
    problem = problem_of(Logistic(), numbers=numbers)
    weight = np.random.default_rng(4).random(problem.rows.shape[0])
    compiled = CompiledEngine(problem, load_library())
    for first, last in pairwise(problem.node_start):
        fields = layout._node_fields(problem.rows[first:last], load_library(), with_codes=True)
        assert set(fields["member"]).isdisjoint(fields["dense_column"])
    np.testing.assert_allclose(compiled.hessians(weight), NumpyEngine(problem).hessians(weight), atol=1e-11)


@pytest.mark.parametrize("runs", [2, 10, 13])
def test_argmins_equal_those_of_the_numpy_engine(runs):
    problem = problem_of(Logistic())
    source = np.random.default_rng(runs)
    linear, curvature = 20.0 * source.standard_normal((2, problem.dimension, runs)), np.array([1.3, 2.1])
    solvers = [ArgminSolver(engine, 1e-9) for engine in (CompiledEngine(problem, load_library()), NumpyEngine(problem))]
    for _ in range(3):
        found = [solver.minimise(linear, curvature, np.arange(runs), 0.0 * linear) for solver in solvers]
        assert (found[0].residual <= 1e-9).all()
        assert np.abs(found[0].point - found[1].point).max() <= 2e-9 / curvature.min()
        assert found[0].passes.mean() <= found[1].passes.max() + 2.0
        linear = linear + source.standard_normal(linear.shape)
