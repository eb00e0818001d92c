import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import radmm
from radmm.base.errors import InputError
from radmm.model.losses.logistic import Logistic
from radmm.model.problem import NORM_SLACK
from tests.strangers import anything, arrays, refusal

GOOD = {
    "features": np.array([[0.5], [0.2]]),
    "labels": [1, -1],
    "node": [0, 1],
    "loss": "logistic",
    "C": 1.0,
    "rho": 1.0,
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"features": np.array([[1.0], [np.nan]])}, "features of row 1 are not finite"),
        ({"features": np.array([[1.0], [np.inf]])}, "features of row 1 are not finite"),
        ({"features": np.array([[1], [np.longdouble("1e400")]])}, "features of row 1 are not finite"),
        ({"features": np.array([0.5, 0.2])}, "features has 1 dimensions: must have two"),
        ({"features": np.zeros((2, 0))}, r"features has shape \(2, 0\): must have at least one row and one column"),
        ({"features": "rows"}, "features = 'rows': must be an array of real numbers"),
        ({"features": None}, "features = None: must be"),
        ({"features": [["a"], ["b"]]}, "features holds values of type <U1"),
        ({"features": [[1j], [0]]}, "features holds values of type complex128"),
        ({"features": [[True], [False]]}, "features holds booleans"),
        ({"features": np.ma.array([[1.0], [0.0]], mask=[[0], [1]])}, "features is a masked array"),
        ({"labels": [1, 0]}, r"labels\[1\] = 0: must be \+1 or -1"),
        ({"labels": [1, np.nan]}, r"labels\[1\] = nan: must be \+1 or -1"),
        ({"labels": [True, False]}, "labels holds booleans"),
        ({"labels": np.ma.array([1, -1])}, "labels is a masked array"),
        ({"labels": None}, "labels = None: must be"),
        ({"labels": [[1], [-1]]}, "labels has 2 dimensions: must have one"),
        ({"labels": ["yes", "no"]}, "labels holds values of type <U3"),
        ({"node": [0, 2]}, "node 1 has no rows: every node from 0 to 2"),
        ({"node": [0, 10**15]}, "node 1 has no rows"),
        ({"node": [0, 1, 1]}, "must have one entry for each of 2 rows"),
        ({"node": [0.0, 1.0]}, "node must hold the number"),
        ({"node": [-1, 0]}, "node must hold the number"),
        ({"node": [False, True]}, "node holds booleans"),
        ({"node": "ab"}, "node = 'ab': must be"),
        ({"C": 1.5}, "C = 1.5 is more than the 1 rows of node 0"),
        ({"C": 1.5, "features": np.ones((3, 1)), "labels": [1, 1, -1], "node": [0, 0, 1]}, "1 rows of node 1"),
        ({"C": -1.0}, "C = -1: must be a positive number"),
        (
            {"C": 3.0, "features": np.ones((5, 1)), "labels": np.ones(5), "node": [0, 0, 0, 0, 1], "weighting": "rows"},
            "C = 3 with weighting: rows gives node 1 the weight C_i = 1.2, more than its 1 rows: must be at most 2.5",
        ),
        ({"weighting": "row"}, "weighting = 'row': must be nodes or rows"),
        ({"weighting": ["rows"]}, r"weighting = \['rows'\]: must be nodes or rows"),
        ({"C": True}, "C = True: must be a finite number"),
        ({"C": "1"}, "C = '1': must be a finite number"),
        ({"C": None}, "C = None: must be a finite number"),
        ({"rho": 0.0}, "rho = 0: must be a positive number"),
        ({"rho": np.nan}, "rho = nan: must be a finite number"),
        ({"rho": [1.0]}, r"rho = \[1.0\]: must be a finite number"),
        ({"loss": "hinge"}, "loss = 'hinge': must be one of"),
        ({"loss": None}, "loss = None: must be a name, or an object with the methods value"),
        ({"loss": 3.0}, "loss = 3.0: must be a name"),
        ({"loss": Logistic}, "loss = .*Logistic.*: must be a name, or an object"),
    ],
    ids=str,
)
def test_bad_input_is_named(change, message):
    radmm.Problem(**GOOD)
    with pytest.raises(InputError, match=message):
        radmm.Problem(**(GOOD | change))


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(sorted(GOOD)), anything | arrays)
def test_what_a_stranger_brings_is_taken_or_refused_in_a_sentence(field, value):
    message = refusal(radmm.Problem, **(GOOD | {field: value})) or ""
    assert field == "loss" or "\n" not in message


class Duck:
    def value(self, margin):
        return margin**2

    def value_and_slope(self, margin):
        return margin**2, 2 * margin

    def curvature(self, margin):
        return np.full_like(margin, 2.0)


@pytest.mark.parametrize("loss", [Logistic(), Duck()], ids=lambda loss: type(loss).__name__)
def test_a_loss_may_be_an_object(loss):
    assert radmm.Problem(**(GOOD | {"loss": loss})).loss is loss


@pytest.mark.parametrize(
    "make",
    [np.asarray, np.asfortranarray, pd.DataFrame, sparse.csr_matrix, sparse.coo_array, np.ndarray.tolist],
)
@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int8])
def test_rows_of_any_form(make, kind):
    features = np.array([[0, 1], [1, 0], [0, 1]], kind)
    problem = radmm.Problem(make(features), [1, -1, 1], np.array([1, 0, 0], np.uint8))
    np.testing.assert_array_equal(problem.rows.toarray(), [[-1, 0], [0, 1], [0, 1]])  # signed, sorted by node
    np.testing.assert_array_equal(problem.row_counts, [2, 1])


def test_half_precision_is_read_too():
    problem = radmm.Problem(np.array([[0.5], [0.25]], np.float16), [1, 1], [0, 0])
    np.testing.assert_array_equal(problem.rows.toarray(), [[0.5], [0.25]])


def test_entries_given_twice_are_added_and_what_was_given_stays():
    given = sparse.csr_array((np.array([0.25, 0.5]), np.array([0, 0]), np.array([0, 2])), shape=(1, 1))
    problem = radmm.Problem(given, [1], [0])
    assert problem.rows.toarray() == 0.75
    assert problem.longest_row.norm == 0.75
    assert given.nnz == 2


def single_precision_rows(seed, rows=200, dimension=50):
    features = np.random.default_rng(seed).standard_normal((rows, dimension)).astype(np.float32)
    return features / np.linalg.norm(features, axis=1, keepdims=True)


@pytest.mark.parametrize("kind", [np.float32, np.float64], ids=["as they are", "stored in double precision"])
def test_rows_scaled_to_norm_one_in_single_precision_pass(kind):
    features = single_precision_rows(0)
    assert features.dtype == np.float32
    norms = np.linalg.norm(features.astype(np.float64), axis=1)
    assert norms.max() > 1 + 1e-9  # by rounding
    problem = radmm.Problem(features.astype(kind), np.ones(200), np.repeat([0, 1], 100), C=1.0)
    stored = problem.rows.toarray()
    assert np.linalg.norm(stored, axis=1).max() <= 1.0
    assert problem.longest_row.norm <= 1.0
    np.testing.assert_allclose(stored, features, rtol=2e-7)
    np.testing.assert_array_equal(stored[norms <= 1], features[norms <= 1])
    network, noise = radmm.Network([[0, 1], [1, 0]]), radmm.ObjectiveNoise(alpha=1.0)
    radmm.solve(problem, network, radmm.ADMM(), noise=noise, iterations=1, runs=1)


def test_a_row_is_scaled_whatever_the_others_are():
    """Else a neighbouring data set, which differs in one row, would differ in all."""
    features = single_precision_rows(0).astype(np.float64)
    before = radmm.Problem(features, np.ones(200), np.zeros(200, int)).rows.toarray()
    features[0] = 0.1  # no single-precision number
    after = radmm.Problem(features, np.ones(200), np.zeros(200, int)).rows.toarray()
    np.testing.assert_array_equal(after[1:], before[1:])


@pytest.mark.parametrize(
    "features", [[[1.0 + 5e-7 + 1e-12]], np.array([[1.00001]], np.float32)], ids=["finer", "more than rounding"]
)
def test_other_rows_beyond_norm_one_stay_so(features):
    problem = radmm.Problem(features, [1], [0])
    np.testing.assert_array_equal(problem.rows.toarray(), features)
    assert problem.longest_row.norm > 1 + NORM_SLACK


def test_its_repr_is_short():
    text = "<Problem: 2 rows, 1 features, 2 nodes, logistic loss, C = 1, rho = 1>"
    assert repr(radmm.Problem(**GOOD)) == text
    assert "Duck loss" in repr(radmm.Problem(**(GOOD | {"loss": Duck()})))
