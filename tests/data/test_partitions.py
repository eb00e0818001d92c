import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from radmm.base.errors import InputError
from radmm.data.partition import make_partition
from radmm.data.split import split_rows

EVEN = make_partition({"law": "even"})


@given(st.integers(1, 500), st.integers(1, 20))
def test_rows_are_spread_evenly(rows, nodes):
    counts = EVEN.row_counts(rows, nodes)
    assert counts.sum() == rows
    assert counts.max() - counts.min() <= 1
    assert np.all(np.diff(counts) <= 0)  # the first nodes have one more
    np.testing.assert_array_equal(np.bincount(EVEN.assign(np.ones(rows), nodes), minlength=nodes), counts)


def test_nodes_get_rows_in_the_order_of_the_split():
    train = split_rows(1000, 900, None, 0).train
    owner = EVEN.assign(np.ones(900), 3)
    assert np.all(np.diff(owner) >= 0)
    means = [train[owner == node].mean() for node in range(3)]
    np.testing.assert_allclose(means, 500, atol=60)  # every node has rows from everywhere


def test_an_unknown_law_is_named():
    with pytest.raises(InputError, match=r"partition.law = 'evn': must be one of even; did you mean even\?"):
        make_partition({"law": "evn"})
