import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from radmm.base.errors import InputError
from radmm.model.losses.logistic import Logistic
from radmm.model.losses.loss import get_loss

LOSS = Logistic()
margins = st.floats(-30, 30).map(lambda value: np.array([value]))


@given(margins)
def test_value_slope_and_curvature_belong_together(z):
    step = 1e-5
    value, slope = LOSS.value_and_slope(z)
    np.testing.assert_allclose(value, LOSS.value(z))
    np.testing.assert_allclose(value, np.logaddexp(0, -z), rtol=1e-14)
    np.testing.assert_allclose(slope, (LOSS.value(z + step) - LOSS.value(z - step)) / (2 * step), atol=1e-9)
    above, below = (LOSS.value_and_slope(z + sign * step)[1] for sign in (1, -1))
    np.testing.assert_allclose(LOSS.curvature(z), (above - below) / (2 * step), atol=1e-9)


@given(st.floats(-1e300, 1e300))
def test_is_safe_at_any_margin(z):
    value, slope = LOSS.value_and_slope(np.array([z]))
    assert np.isfinite(value).all()
    assert np.all((slope >= -1) & (slope <= 0))
    assert 0 <= LOSS.curvature(np.array([z]))[0] <= LOSS.c1 * (1 + 1e-15)


def test_small_losses_keep_their_digits():
    np.testing.assert_allclose(LOSS.value(np.array([50.0])), np.exp(-50.0), rtol=1e-12)


def test_c1_is_attained():
    assert LOSS.curvature(np.zeros(1))[0] == LOSS.c1


def test_an_unknown_loss_is_named():
    with pytest.raises(InputError, match="loss = 'hinge': must be one of logistic"):
        get_loss("hinge")
