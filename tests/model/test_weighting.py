import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import radmm
from radmm.model.weighting import Weighting, check_constants, node_weights

COUNTS = st.lists(st.integers(1, 10_000), min_size=1, max_size=30).map(np.array)


@given(st.floats(0.01, 1e4), COUNTS)
def test_rows_count_alike_and_c_is_still_the_mean(C, counts):
    weights = node_weights(C, counts, Weighting.ROWS)
    np.testing.assert_allclose(weights / counts, C * len(counts) / counts.sum(), rtol=1e-14)
    np.testing.assert_allclose(weights.mean(), C, rtol=1e-12)


@given(st.floats(0.01, 1e4), COUNTS)
def test_nodes_count_alike_to_the_bit(C, counts):
    np.testing.assert_array_equal(node_weights(C, counts, Weighting.NODES), C)


def test_a_small_node_allows_a_c_above_its_rows_where_rows_count_alike():
    counts = np.array([2, 100])
    check_constants(51.0, 1.0, counts, Weighting.ROWS)
    with pytest.raises(radmm.InputError, match="more than the 2 rows of node 0"):
        check_constants(51.0, 1.0, counts, Weighting.NODES)


def test_some_nodes_keep_the_weights_they_have_among_all():
    features = np.random.default_rng(0).standard_normal((60, 3)) / 10.0
    node = np.repeat(np.arange(3), [10, 20, 30])
    problem = radmm.Problem(features, np.ones(60), node, C=15.0, weighting="rows")
    part = problem.restricted(np.array([0, 2]))
    np.testing.assert_array_equal(part.node_weights, problem.node_weights[[0, 2]])
    np.testing.assert_allclose(part.node_weights, [7.5, 22.5])
    np.testing.assert_array_equal(part.rows.toarray(), features[node != 1])
    np.testing.assert_array_equal(part.node_start, [0, 10, 40])
