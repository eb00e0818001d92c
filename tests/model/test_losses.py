import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import root
from scipy.special import logsumexp
from sklearn.linear_model import LogisticRegression, Ridge

import radmm
from radmm.argmin.engine import NumpyEngine
from radmm.argmin.optimum import centralised_optimum
from radmm.base.errors import InputError
from radmm.model.losses.huber_hinge import HuberHinge
from radmm.model.losses.logistic import Logistic
from radmm.model.losses.loss import get_loss
from radmm.model.losses.softmax import Softmax
from radmm.model.losses.squared import Squared
from tests.conftest import make_data

LOSS = Logistic()
BY_HAND = {
    "logistic": (Logistic(), lambda z: np.logaddexp(0.0, -z)),
    "huber-hinge": (
        HuberHinge(0.3),
        lambda z: np.where(z > 1.3, 0.0, np.where(z < 0.7, 1.0 - z, (1.3 - z) ** 2 / 1.2)),
    ),
    "squared": (Squared(), lambda z: (1.0 - z) ** 2 / 2.0),
}
margins = st.floats(-30, 30).map(lambda value: np.array([value]))
C, RHO, CLASSES = 5.0, 0.4, 3


@pytest.mark.parametrize("name", BY_HAND)
@given(margins)
def test_value_slope_and_curvature_belong_together(name, z):
    loss, by_hand = BY_HAND[name]
    step = 1e-5
    value, slope = loss.value_and_slope(z)
    np.testing.assert_allclose(value, loss.value(z))
    np.testing.assert_allclose(value, by_hand(z), rtol=1e-13, atol=1e-15)
    bends = step * (loss.c1 if name == "huber-hinge" else 0.0)  # a quotient across the end of the parabola is off
    np.testing.assert_allclose(slope, (loss.value(z + step) - loss.value(z - step)) / (2 * step), atol=1e-8 + bends)
    above, below = (loss.value_and_slope(z + sign * step)[1] for sign in (1, -1))
    if name != "huber-hinge" or np.abs(np.abs(1.0 - z) - 0.3) > step:
        np.testing.assert_allclose(loss.curvature(z), (above - below) / (2 * step), atol=1e-8)


@pytest.mark.parametrize(
    "loss", [Logistic(), HuberHinge(0.5), HuberHinge(1e-3)], ids=["logistic", "huber-hinge", "narrow huber-hinge"]
)
@given(st.floats(-1e300, 1e300))
def test_is_safe_at_any_margin(loss, z):
    value, slope = loss.value_and_slope(np.array([z]))
    assert np.isfinite(value).all()
    assert np.all((slope >= -1) & (slope <= 0))
    assert 0 <= loss.curvature(np.array([z]))[0] <= loss.c1 * (1 + 1e-15)


def test_small_losses_keep_their_digits():
    np.testing.assert_allclose(LOSS.value(np.array([50.0])), np.exp(-50.0), rtol=1e-12)


def test_c1_is_attained():
    assert LOSS.curvature(np.zeros(1))[0] == LOSS.c1
    assert HuberHinge(0.2).curvature(np.ones(1))[0] == HuberHinge(0.2).c1 == 2.5


def test_an_unknown_loss_is_named():
    with pytest.raises(InputError, match="loss = 'hinge': must be one of huber-hinge, logistic, "):
        get_loss("hinge")


def test_a_width_must_be_positive():
    with pytest.raises(InputError, match="loss.width = 0: must be above 0"):
        HuberHinge(0)


def made(loss, classes=2):
    features, labels, node = make_data(skew=1.0)
    if classes > 2:
        scores = features @ np.random.default_rng(3).standard_normal((features.shape[1], classes))
        labels = np.argmax(scores + 0.5 * np.random.default_rng(4).standard_normal(scores.shape), axis=1)
    return features, labels, node, radmm.Problem(features, labels, node, loss, C=C, rho=RHO)


def objective(flat, features, labels, node, loss):
    """Σ_i O(f, D_i) and its gradient, from the formulas in the docs."""
    weight = C / np.bincount(node)[node]
    if loss == "softmax":
        f = flat.reshape(CLASSES, -1)  # class by class
        scores = features @ f.T
        own = np.eye(CLASSES)[labels]
        value = logsumexp(scores, axis=1) - (own * scores).sum(axis=1)
        chance = np.exp(scores - logsumexp(scores, axis=1, keepdims=True))
        gradient = ((chance - own) * weight[:, None]).T @ features
    else:
        loss, by_hand = BY_HAND[loss]
        value = by_hand(labels * (features @ flat))
        gradient = (weight * labels * loss.value_and_slope(labels * (features @ flat))[1]) @ features
    return weight @ value + RHO / 2 * flat @ flat, gradient.ravel() + RHO * flat


LOSSES = {**{name: (loss, 2) for name, (loss, _) in BY_HAND.items()}, "softmax": (Softmax(), CLASSES)}


@pytest.mark.parametrize("name", LOSSES)
def test_value_gradient_and_optimum_are_scipys(name):
    features, labels, node, problem = made(*LOSSES[name])
    at = np.random.default_rng(1).standard_normal((1, problem.dimension))
    engine = NumpyEngine(problem)
    point = np.repeat(at[:, :, None], 4, axis=0)
    weight = C / problem.row_counts
    value, gradient = objective(at[0], features, labels, node, name)
    ours = weight @ engine.losses(point)[:, 0] + RHO / 2 * at[0] @ at[0]
    np.testing.assert_allclose(ours, value, rtol=1e-12)
    np.testing.assert_allclose(weight @ engine.gradients(point)[..., 0] + RHO * at[0], gradient, atol=1e-12)
    best = root(lambda f: objective(f, features, labels, node, name)[1], np.zeros(problem.dimension), tol=1e-14).x
    assert np.linalg.norm(objective(best, features, labels, node, name)[1]) < 1e-11
    found = centralised_optimum(problem)
    assert np.linalg.norm(objective(found, features, labels, node, name)[1]) <= 1e-8
    np.testing.assert_allclose(found, best, atol=1e-8)


def test_the_optima_are_scikit_learns():
    features, labels, node, problem = made("softmax", CLASSES)
    weight = C / np.bincount(node)[node]
    model = LogisticRegression(C=1 / RHO, fit_intercept=False, tol=1e-12, max_iter=10_000, solver="newton-cholesky")
    found = model.fit(features, labels, sample_weight=weight).coef_
    np.testing.assert_allclose(centralised_optimum(problem).reshape(CLASSES, -1), found, atol=1e-8)
    features, labels, node, problem = made("squared")
    ridge = Ridge(alpha=RHO, fit_intercept=False, solver="cholesky").fit(features, labels, sample_weight=weight)
    np.testing.assert_allclose(centralised_optimum(problem), ridge.coef_, atol=1e-8)


def test_the_softmax_of_two_classes_is_the_logistic_loss_of_their_difference():
    features, labels, node, problem = made("softmax")
    assert problem.classes == problem.outputs == 2
    f = np.random.default_rng(0).standard_normal((4, 2, 4, 3))
    plain = NumpyEngine(radmm.Problem(features, labels, node))
    engine, point = NumpyEngine(problem), f.reshape(4, 8, 3)
    np.testing.assert_allclose(engine.losses(point), plain.losses(f[:, 1] - f[:, 0]), rtol=1e-12)
    np.testing.assert_array_equal(engine.mistakes(point), plain.mistakes(f[:, 1] - f[:, 0]))


@pytest.mark.parametrize(
    ("labels", "classes", "message"),
    [
        ([0, 2, 2, 0], None, "labels: class 1 has no rows"),
        ([0, 0, 0, 0], None, "labels: class 1 has no rows"),
        ([0, 1.5, 2, 1], None, r"labels\[1\] = 1.5: must be the number of its class, 0, 1, …"),
        ([0, 1, -1, 2], None, r"labels\[2\] = -1: must be the number of its class"),
        ([0, 1, 3, 2], 3, r"labels\[2\] = 3: must be the number of its class, from 0 to 2"),
    ],
)
def test_labels_that_are_no_classes_are_refused(labels, classes, message):
    with pytest.raises(InputError, match=message):
        radmm.Problem(np.eye(4), labels, np.zeros(4, dtype=int), "softmax", classes=classes)


def test_a_loss_of_one_margin_is_refused_for_more_classes():
    with pytest.raises(InputError, match="loss = logistic: must be softmax, as the data have 3 classes"):
        Logistic().for_classes(3)
    with pytest.raises(InputError, match="loss.classes = 4: must be 3"):
        Softmax(4).for_classes(3)
