"""What a setting's parameters mean to a figure."""

import pytest

from radmm.results.figures.setting_parameters import nodes_are_equal


@pytest.mark.parametrize(
    ("penalty", "equal"),
    [
        (1.0, True),
        ({"scale": 1.0, "ratio": 1.04}, True),
        ([1.0, 2.0], False),
        ({"scale": [1.0, 2.0], "ratio": 1.04}, False),
        ({"scale": 1.0, "ratio": [1.04, 1.05]}, False),
    ],
)
def test_a_penalty_of_each_nodes_own_tells_nodes_apart(penalty, equal):
    """However it is kept: a constant one is a number or a list."""
    parameters = {"algorithm": {"penalty": penalty}, "noise": {"alpha": 1.0}, "partition": {"law": "even"}}
    assert nodes_are_equal(parameters) == equal
