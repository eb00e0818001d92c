"""Many searches at once against SciPy's, one by one: the same points, to the last bit."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from radmm.results.simplex import minimise

NEAR, ALIKE = 1e-3, 1e-9


def valleys(points, bends):
    """Curved, with an edge along which simplices collapse, each with a bend of its own."""
    x, y = points.T
    return np.maximum(np.abs(y - bends * x**2), np.abs(x - 1.0)) + 0.01 * np.abs(bends) * (x - y) ** 2


@given(st.lists(st.tuples(st.floats(-20, 20), st.floats(-3, 3), st.floats(-3, 3)), min_size=1, max_size=8))
@settings(max_examples=40, deadline=None)
def test_every_search_goes_the_way_of_scipys(cases):
    bends, starts = np.array(cases)[:, 0], np.array(cases)[:, 1:]
    found = minimise(lambda points, which: valleys(points, bends[which]), starts, NEAR, ALIKE)
    for bend, start, point in zip(bends, starts, found, strict=True):
        options = {"xatol": NEAR, "fatol": ALIKE}
        alone = minimize(lambda x, b=bend: valleys(x[None], b)[0], start, method="Nelder-Mead", options=options)
        assert point.tolist() == alone.x.tolist()


def test_a_search_that_never_ends_is_ended_as_scipys_is():
    start = np.array([[0.0, 3.0]])
    found = minimise(lambda points, which: points.sum(axis=1), start, NEAR, ALIKE)
    alone = minimize(lambda x: x.sum(), start[0], method="Nelder-Mead", options={"xatol": NEAR, "fatol": ALIKE})
    assert found[0].tolist() == alone.x.tolist()
    assert alone.nfev == 400
