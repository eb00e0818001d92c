"""Schedules: what every one of them checks, and the geometric one."""

import numpy as np
import pytest

import radmm
from radmm.base.errors import InputError
from radmm.model.schedules.schedule import SCHEDULES, values_at


def test_a_geometric_schedule_is_scale_times_ratio_to_the_step():
    schedule = radmm.Geometric([1.0, 2.0, 3.0], 1.04)
    np.testing.assert_array_equal(schedule.at(5, 3), np.array([1.0, 2.0, 3.0]) * 1.04**5.0)
    assert dict(SCHEDULES) == {"geometric": radmm.Geometric}


def test_plain_numbers_are_constant():
    np.testing.assert_array_equal(values_at(2, 7, 3), [2.0, 2.0, 2.0])
    np.testing.assert_array_equal(values_at((1.0, 2.0), 7, 2), [1.0, 2.0])


@pytest.mark.parametrize(
    ("values", "nodes", "message"),
    [
        ([1.0, 2.0], 3, "2 values are given, but the network has 3 nodes: must be one for each"),
        (radmm.Geometric(1.0, [1.0, 1.0]), 3, "2 values are given, but the network has 3 nodes"),
        (radmm.Geometric(1.0, 1e10), 2, "inf at data-touching step 40: must be from 1e-30 to 1e[+]30"),
        (radmm.Geometric([1.0, 1.0], [1.0, 1e-2]), 2, "1e-80 at data-touching step 40"),
    ],
)
def test_values_that_cannot_be_used_are_refused(values, nodes, message):
    with pytest.raises(InputError, match=message):
        values_at(values, 40, nodes)


@pytest.mark.parametrize("value", [0.0, -1.0, float("nan"), "1", True, None, [], [1.0, 0.0], [[1.0]], np.ma.masked])
def test_a_scale_that_is_no_positive_number_is_refused(value):
    with pytest.raises(InputError, match="ratio = .*: must be a positive number, or one for each node"):
        radmm.Geometric(1.0, value)
