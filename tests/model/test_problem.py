import numpy as np
import pytest

import radmm
from radmm.base.errors import InputError


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"features": np.array([[1.0], [np.nan]])}, "features of row 1 are not finite"),
        ({"features": np.array([0.5, 0.2])}, "features has 1 dimensions: must have two"),
        ({"labels": [1, 0]}, r"labels\[1\] = 0: must be \+1 or -1"),
        ({"node": [0, 2]}, "node 1 has no rows"),
        ({"node": [0, 1, 1]}, "must have one entry for each of 2 rows"),
        ({"node": [0.0, 1.0]}, "node must hold the number"),
        ({"C": 1.5}, "C = 1.5 is more than the 1 rows of node 0"),
        ({"C": 1.5, "features": np.ones((3, 1)), "labels": [1, 1, -1], "node": [0, 0, 1]}, "1 rows of node 1"),
        ({"C": -1.0}, "C = -1: must be a positive number"),
        ({"rho": 0.0}, "rho = 0: must be a positive number"),
    ],
)
def test_bad_input_is_named(change, message):
    good = {"features": np.array([[0.5], [0.2]]), "labels": [1, -1], "node": [0, 1], "C": 1.0, "rho": 1.0}
    radmm.Problem(**good)
    with pytest.raises(InputError, match=message):
        radmm.Problem(**(good | change))
