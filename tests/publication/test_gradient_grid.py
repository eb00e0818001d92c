"""What rows contribute on the grid: bounded whatever they hold, each by itself, and else the gradient."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import sparse

import radmm
from radmm.argmin.engine_choice import engine_for
from radmm.base.errors import InputError
from radmm.model.losses.huber_hinge import HuberHinge
from radmm.model.losses.logistic import Logistic
from radmm.model.losses.softmax import Softmax
from radmm.publication.gradient_grid import MOST_ENTRIES, GradientGrid
from radmm.publication.row_slopes import check_loss_is_own, rows_of_node, slopes
from tests.conftest import make_data

ROWS, FEATURES = 5, 4
ODD = st.sampled_from([0.0, -0.0, 5e-324, 1e-300, 0.5, 1.0, -1.0, 1e16, 1e300, np.inf, -np.inf, np.nan])
VALUE = st.one_of(st.floats(-2, 2), ODD, st.floats(allow_nan=True, allow_infinity=True))
TABLE = st.lists(st.lists(VALUE, min_size=FEATURES, max_size=FEATURES), min_size=ROWS, max_size=ROWS)
LOSSES = [Logistic(), HuberHinge(0.5), Softmax(3)]


def contributions(grid, loss, table, point):
    """Every row's whole numbers, (row, entry of f), and their sum as the oracle has it."""
    rows = sparse.csr_array(np.array(table))
    classes = np.arange(len(table)) % 3 if loss.outputs > 1 else None
    with np.errstate(all="ignore"):
        slope = slopes(loss, rows, classes, point)
        steps = grid.contributions(rows, slope)
        total = grid.total(rows, slope)
    row = np.repeat(np.arange(len(table)), np.diff(rows.indptr))
    dense = np.zeros((len(table), loss.outputs, FEATURES), dtype=object)
    for place, values in enumerate(steps.tolist()):
        dense[row[place], :, rows.indices[place]] += np.array(values, dtype=object)
    return dense.reshape(len(table), -1), total


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@settings(max_examples=150, deadline=None)
@given(TABLE, st.lists(VALUE, min_size=FEATURES, max_size=FEATURES), st.integers(0, ROWS - 1), st.data())
def test_neighbours_sums_differ_by_at_most_the_stated_sensitivity(loss, table, other, place, data):
    """Huge, infinite, undefined and denormal values included; in exact arithmetic."""
    size = FEATURES * loss.outputs
    grid = GradientGrid.of(size, loss.G)
    point = np.array(data.draw(st.lists(VALUE, min_size=size, max_size=size)))
    changed = [other if row == place else values for row, values in enumerate(table)]
    zeroed = [[0.0] * FEATURES if row == place else values for row, values in enumerate(table)]
    before, total = contributions(grid, loss, table, point)
    assert (before.sum(axis=0) == total).all()  # no sum of 64 bits has overflowed
    for neighbour, legs in ((changed, 2), (zeroed, 1)):
        after, other_total = contributions(grid, loss, neighbour, point)
        assert (np.delete(before, place, axis=0) == np.delete(after, place, axis=0)).all()  # others are as they were
        difference = total.astype(object) - other_total.astype(object)
        assert (difference**2).sum() <= (legs * grid.radius) ** 2


def test_the_bound_is_reached():
    """A sensitivity that nothing comes near would hide that the test above can't fail."""
    grid = GradientGrid.of(FEATURES, 1.0)
    row, far = [[1.0, 0.0, 0.0, 0.0]], np.array([-1e9, 0.0, 0.0, 0.0])
    one, _ = contributions(grid, Logistic(), row, far)
    other, _ = contributions(grid, Logistic(), [[-1.0, 0.0, 0.0, 0.0]], -far)
    assert np.abs(one - other).max() > 1.99 * grid.radius
    assert np.abs(one).max() <= grid.radius


def test_a_row_that_is_too_long_counts_as_zeros():
    grid = GradientGrid.of(FEATURES, 1.0)
    far = np.array([-1e9, -1e9, 0.0, 0.0])
    long, _ = contributions(grid, Logistic(), [[0.8, 0.8, 0.0, 0.0]], far)
    short, _ = contributions(grid, Logistic(), [[0.7, 0.7, 0.0, 0.0]], far)
    assert not long.any()
    assert short.any()


def test_what_is_not_a_number_counts_as_zero():
    grid = GradientGrid.of(FEATURES, 1.0)
    steps = grid.contributions(sparse.csr_array([[np.nan, 0.3, 0.0, 0.0]]), -np.ones((1, 1)))
    assert steps.ravel().tolist() == [0, round(-0.3 / grid.step)]


@pytest.mark.parametrize("loss", [Logistic(), HuberHinge(0.3), Softmax(3)], ids=lambda loss: loss.name)
def test_on_valid_rows_it_is_the_gradient(loss):
    features, labels, node = make_data(row_counts=(40, 25), dimension=6)
    labels = labels if loss.outputs == 1 else np.arange(65) % 3
    problem = radmm.Problem(features, labels, node, loss=loss, C=5.0, rho=0.4)
    grid = GradientGrid.of(problem.dimension, problem.loss.G)
    point = np.random.default_rng(0).standard_normal((2, problem.dimension, 1))
    expected = engine_for(problem).gradients(point)[:, :, 0]
    for each in range(2):
        rows, classes = rows_of_node(problem, each)
        found = grid.step * grid.total(rows, slopes(problem.loss, rows, classes, point[each, :, 0]))
        assert np.abs(found - expected[each]).max() <= 0.5 * grid.step * problem.row_counts[each] + 1e-12
        assert np.abs(found - expected[each]).max() > 0.0  # it was rounded


@settings(max_examples=200, deadline=None)
@given(st.integers(1, MOST_ENTRIES), st.sampled_from([1.0, float(np.sqrt(2.0))]))
@example(MOST_ENTRIES, 1.0)
def test_the_grid_holds_every_valid_gradient_and_64_bits_hold_the_grid(dimension, bound):
    grid = GradientGrid.of(dimension, bound)
    assert dimension * grid.radius**2 < 2**63
    assert bound * (1 + 1e-9) / grid.step + 0.5 * np.sqrt(dimension) <= grid.radius
    assert grid.radius * grid.step <= 1.0011 * bound  # what the grid costs


def test_too_many_entries_are_refused():
    with pytest.raises(InputError, match="f has 3000001 entries: must have at most 3000000 in a release"):
        GradientGrid.of(MOST_ENTRIES + 1, 1.0)


def test_a_column_that_a_row_has_twice_counts_once():
    """Contributions are bounded entry by entry, so two entries of one column would pass the bound together."""
    problem = radmm.Problem(np.eye(3), [1, -1, 1], [0, 0, 0], C=1.0)
    problem.rows = sparse.csr_array(([0.5, 0.5, 1.0], [0, 0, 1], [0, 2, 3, 3]), shape=(3, 3))
    problem.rows.has_canonical_format = True
    rows, _ = rows_of_node(problem, 0)
    assert rows.nnz == 2


@pytest.mark.parametrize("name", ["squared", "mine"])
def test_losses_without_a_bound_or_of_plug_ins_are_refused(name):
    class Mine(Logistic):
        name = "mine"

    loss = Mine() if name == "mine" else radmm.model.losses.loss.get_loss(name)
    with pytest.raises(InputError, match=f"^loss = {name}: must be one of logistic, huber-hinge, softmax in a release"):
        check_loss_is_own(loss)
