"""The contract of a loss with a margin for each class: shapes, and derivatives by difference quotients."""

import numpy as np

from radmm.base.arrays import Array
from radmm.contract.broken import calling, require
from radmm.model.losses.loss import Loss
from radmm.privacy.softmax import SCALES, margins_of, tried_scores

STEP, SLACK = 1e-4, 1e-5
LARGEST = max(SCALES)


def check_class_shapes(loss: Loss) -> None:
    """Of many rows and runs at once, of none, and at margins of all sizes.

    Args:
        loss: That knows how many classes there are.
    """
    scores, own = tried_scores(loss.outputs)
    margin = margins_of(scores, own)
    for tried in (margin, np.tile(margin[:4], (1, 1, 3)), margin[:0]):
        given = tried.copy()
        with calling("value, value_and_slope or curvature"), np.errstate(all="ignore"):
            value, (again, slope), bend = loss.value(tried), loss.value_and_slope(tried), loss.curvature(tried)
        without = (len(tried), tried.shape[2])
        wanted = {"value": (value, without), "slope": (slope, tried.shape), "curvature": (bend, without)}
        for name, (found, shape) in wanted.items():
            require(np.shape(found) == shape, f"its {name} has shape {np.shape(found)} for margins of {tried.shape}")
            require(np.all(np.isfinite(found)), f"its {name} is not finite at some margin up to {LARGEST:g}")
        agree = np.allclose(value, again, rtol=1e-12, atol=1e-12)
        require(agree, "value and value_and_slope give different values")
        require(np.array_equal(tried, given), "it must not write into the margins it is given")
    near = margin[np.abs(margin).max(axis=(1, 2)) < 100.0]
    _check_slopes(loss, near)


def _check_slopes(loss: Loss, margin: Array) -> None:
    """Along each margin, and that the mean eigenvalue is what the slopes' own changes say."""
    slope, trace = loss.value_and_slope(margin)[1], np.zeros((len(margin), margin.shape[2]))
    for direction in np.eye(loss.outputs):
        move = STEP * direction[:, None]
        ahead, behind = (loss.value_and_slope(margin + sign * move) for sign in (1.0, -1.0))
        quotient = (ahead[0] - behind[0]) / (2.0 * STEP)
        along = (slope * direction[:, None]).sum(axis=1)
        require(np.allclose(quotient, along, atol=SLACK), "its slope is not the derivative of its value")
        bend = ((ahead[1] - behind[1]) * direction[:, None]).sum(axis=1) / (2.0 * STEP)
        require(np.all(bend >= -SLACK), "it is not convex")
        trace += bend
    told = loss.curvature(margin) * (loss.outputs - 1)
    require(np.allclose(told, trace, atol=SLACK), "its curvature is not the mean eigenvalue of its Hessian")
