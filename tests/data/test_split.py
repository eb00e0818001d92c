import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from radmm.base.errors import InputError
from radmm.base.seeds import Purpose, generator
from radmm.data.split import Split, check_classes, split_rows


@given(st.integers(2, 500), st.integers(0, 5), st.data())
def test_every_row_is_used_once(rows, seed, data):
    train = data.draw(st.integers(1, rows - 1))
    split = split_rows(rows, train, None, seed)
    assert len(split.train) == train
    np.testing.assert_array_equal(np.sort(np.concatenate([split.train, split.test])), np.arange(rows))
    np.testing.assert_array_equal(split.train, split_rows(rows, train, None, seed).train)


def test_rows_are_shuffled():
    train = split_rows(1000, 900, None, 0).train
    assert abs(np.corrcoef(train, np.arange(900))[0, 1]) < 0.1
    assert (np.diff(train) == 1).mean() < 0.01


def test_a_split_has_a_stream_of_its_own():
    np.testing.assert_array_equal(split_rows(50, 40, None, 7).train, generator(7, Purpose.SPLIT).permutation(50)[:40])


def test_seeds_give_different_splits():
    assert not np.array_equal(split_rows(100, 50, None, 0).train, split_rows(100, 50, None, 1).train)


@pytest.mark.parametrize(("train", "test"), [(100, None), (60, 41), (100, 1), (0, None), (-5, None), (50, 0)])
def test_more_rows_than_there_are(train, test):
    with pytest.raises(InputError, match=f"split.train = {train} and split.test = {test}"):
        split_rows(100, train, test, 0)


def test_a_class_that_no_training_row_has_is_refused():
    labels, split = np.array([0, 1, 2, 1]), Split(np.array([0, 1]), np.array([2, 3]))
    with pytest.raises(
        InputError, match=r"split\.train = 2 and split\.seed = 7: none of the training rows has the label 2"
    ):
        check_classes(labels, split, seed=7)
    check_classes(labels, Split(np.array([0, 1, 2]), np.array([3])), seed=7)
