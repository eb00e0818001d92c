import numpy as np
import pytest

from radmm.base import arrays


@pytest.mark.parametrize("cached", [1, 7, 30, 10**6], ids=["less than a node", "a node", "five nodes", "all"])
def test_sums_are_the_same_whatever_the_blocks(cached, monkeypatch):
    monkeypatch.setattr(arrays, "CACHED", cached)
    rng = np.random.default_rng(0)
    first, second, third = rng.standard_normal((3, 11, 3, 2))
    weight = rng.standard_normal(11)
    expected = 2.0 * first + weight[:, None, None] * second - third
    np.testing.assert_allclose(arrays.combine((2.0, first), (weight, second), (-1.0, third)), expected, rtol=1e-14)
    covered = np.concatenate([np.arange(11)[block] for block in arrays.blocks_of_nodes(first)])
    np.testing.assert_array_equal(covered, np.arange(11))
