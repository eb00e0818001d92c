"""Rows by public bounds: norms of at most 1 whatever the numbers are, and each row by itself."""

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from sklearn.preprocessing import MinMaxScaler

from radmm.base.errors import InputError
from radmm.data.tables.recipe import Scale
from radmm.model.problem import NORM_SLACK
from radmm.sklearn.bounded_features import LEAST, MOST, BoundedFeatures, bounds_of

COLUMNS = ["a", "b", "c"]
ODD = st.sampled_from([np.nan, np.inf, -np.inf, 0.0, -0.0, 5e-324, 1.7e308, -1.7e308])
TABLES = arrays.arrays(np.float64, (4, 3), elements=st.floats() | ODD)
FINITE = st.floats(min_value=-MOST / 2, max_value=MOST / 2)


@st.composite
def bounds(draw):
    low, high = (np.array(draw(st.lists(FINITE, min_size=3, max_size=3))) for _ in range(2))
    return np.minimum(low, high), np.maximum(low, high)


@given(TABLES, bounds() | st.just((0.0, 1.0)) | st.just((5.0, 5.0)), st.sampled_from(list(Scale)))
def test_no_row_is_longer_than_1_or_refused(table, pair, scale):
    try:
        features = BoundedFeatures.declared(pair, scale, COLUMNS)
    except InputError:  # bounds that are too close
        reject()
    rows = features.rows(table)
    assert np.isfinite(rows).all()
    assert (np.linalg.norm(rows, axis=1) <= 1.0 + NORM_SLACK).all()
    assert (rows[:, -1] > 0).all()


@given(TABLES, TABLES, st.integers(0, 3))
def test_a_row_changes_no_other(table, others, kept):
    features = BoundedFeatures.declared(([-1.0, 0.0, 2.0], [1.0, 10.0, 3.0]), "symmetric", COLUMNS)
    others[kept] = table[kept]
    assert features.rows(table)[kept].tobytes() == features.rows(others)[kept].tobytes()


@pytest.mark.parametrize(("scale", "ends"), [("unit", (0, 1)), ("symmetric", (-1, 1))])
def test_columns_are_mapped_as_scikit_learn_does_and_cut_off(scale, ends):
    low, high = np.array([0.0, -5.0, 17.0]), np.array([2.0, -1.0, 90.0])
    table = np.random.default_rng(0).uniform(-100, 100, size=(50, 3))
    mapped = MinMaxScaler(ends, clip=True).fit([low, high]).transform(table)
    expected = np.column_stack([mapped, np.ones(50)])
    expected /= np.maximum(1.0, np.linalg.norm(expected, axis=1))[:, None]
    np.testing.assert_allclose(
        BoundedFeatures.declared((low, high), scale, COLUMNS).rows(table), expected, rtol=1e-12, atol=1e-15
    )


def test_largest_keeps_zero_and_missing_is_what_becomes_zero():
    rows = BoundedFeatures.declared((-4.0, 2.0), "largest", COLUMNS).rows(np.array([[0.0, np.nan, 0.0]]))
    assert rows.tolist() == [[0.0, 0.0, 0.0, 1.0]]
    middle = BoundedFeatures.declared((10.0, 20.0), "symmetric", COLUMNS)
    np.testing.assert_array_equal(middle.rows(np.full((1, 3), 15.0)), middle.rows(np.full((1, 3), np.nan)))


@pytest.mark.parametrize("scale", list(Scale))
def test_weights_in_units_score_a_row_like_its_features_times_its_norm(scale):
    rng = np.random.default_rng(1)
    low, high = np.array([0.0, -5.0, 17.0]), np.array([2.0, -1.0, 90.0])
    features, weights = BoundedFeatures.declared((low, high), scale, COLUMNS), rng.standard_normal((2, 4))
    table = rng.uniform(low, high, size=(20, 3))
    coefficients, intercepts = features.in_units(weights)
    rows = features.rows(table)
    norm = 1.0 / rows[:, -1]  # the intercept was 1 before the row was divided by its norm
    np.testing.assert_allclose(table @ coefficients.T + intercepts, (rows @ weights.T) * norm[:, None], rtol=1e-10)


def test_bounds_have_one_form_for_arrays_and_one_for_names():
    one = BoundedFeatures.declared(([0, 1, 2], 10), "unit", COLUMNS)
    other = BoundedFeatures.declared({"b": (1, 10), "c": [2, 10], "a": (0, 10)}, "unit", COLUMNS)
    for name in ("low", "high", "centre", "width"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_bounds_of_the_data_are_apart_and_ignore_what_is_no_number():
    table = np.array([[1.0, 7.0, np.nan], [np.inf, 7.0, np.nan], [-3.0, 7.0, np.nan]])
    low, high = bounds_of(table)
    assert low.tolist() == [-3.0, 7.0, 0.0]
    assert high.tolist() == [1.0, 14.0, 1.0]


@pytest.mark.parametrize(
    ("pair", "scale", "sentence"),
    [
        (None, "unit", r"bounds = None: must be the \(lowest, highest\) .* 'from data' looks at them, and voids"),
        ("data", "unit", "bounds = 'data': must be the"),
        (3.0, "unit", r"bounds = 3.0: must be a pair \(lowest, highest\)"),
        ((1, 2, 3), "unit", r"bounds = \(1, 2, 3\): must be a pair"),
        ((0, [1, 2]), "unit", "bounds has 2 numbers on a side: must be one, or one for each of 3"),
        ((0, np.ones((2, 2))), "unit", "bounds has 2 dimensions: must have one"),
        (("low", 1), "unit", "bounds = 'low': must be a finite number"),
        ((0, np.inf), "unit", "bounds = inf: must be a finite number"),
        ((0, [1, np.nan, 2]), "unit", r"bounds = \[1.0, nan, 2.0\]: must be finite numbers"),
        ((2, 1), "unit", r"bounds.a = \[2, 1\]: must be \[lowest, highest\], not both 0"),
        ((0, 0), "largest", r"bounds.a = \[0, 0\]: must be \[lowest, highest\], not both 0"),
        ((5, 5), "unit", r"bounds.a = \[5, 5\]: must be two numbers with scale = unit"),
        ((0, LEAST / 10), "unit", r"bounds.a = \[0, 1e-101\]: must span from 1e-100 to 1e\+100"),
        ({"a": (0, 1), "z": (0, 1)}, "unit", r"bounds names \['a', 'z'\]: must name each column of X once, see 'b'"),
        ((0, 1), "wide", "scale = 'wide': must be one of largest, unit, symmetric"),
    ],
)
def test_wrong_bounds_are_one_sentence(pair, scale, sentence):
    with pytest.raises(InputError, match=f"^{sentence}"):
        BoundedFeatures.declared(pair, scale, COLUMNS)
