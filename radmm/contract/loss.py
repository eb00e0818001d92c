"""The contract of a loss: its three functions belong together, and what it states about them is so."""

import numpy as np

from radmm.algorithms.admm import ADMM
from radmm.base.arrays import Array, Mask
from radmm.base.errors import InputError
from radmm.contract.contract_error import Broken, calling, require
from radmm.contract.example_problem import CLASSES, example_network, example_problem
from radmm.driver import solve
from radmm.model.losses.loss import Loss, is_multiclass, quadratic_of
from radmm.privacy.proof_conditions import MARGINS, check_stated_bounds
from radmm.privacy.softmax_conditions import margins_of, tried_scores
from radmm.result import DONE

NEAR: Array = np.linspace(-12.0, 12.0, 4801)  # margins, finely enough for difference quotients
FAR: Array = np.array([-1e4, 1e4])
SLACK = 1e-3  # relative, of a difference quotient between margins
STEP, CLASS_SLACK = 1e-4, 1e-5  # of difference quotients with a margin for each class


def check_loss(loss: Loss) -> str | None:
    """Raise Broken if a loss breaks its contract; else return a remark."""
    if is_multiclass(loss):
        loss = loss.for_classes(CLASSES)
        margin = margins_of(*tried_scores(loss.outputs))
        for tried in (margin, np.tile(margin[:4], (1, 1, 3)), margin[:0]):
            _check_functions(loss, tried, np.abs(tried).max(axis=1))
        _check_class_derivatives(loss, margin[np.abs(margin).max(axis=(1, 2)) < 100.0])
    else:
        for tried in (np.concatenate([FAR, NEAR]), np.zeros((2, 3)), np.zeros(0)):
            _check_functions(loss, tried, tried)
        _check_derivatives(loss)
    if getattr(loss, "quadratic", None) is not None:
        with calling("quadratic"):
            slope, curvature = quadratic_of(loss)
        require(np.isfinite(slope) and 0 < curvature < np.inf, f"its quadratic {loss.quadratic} is not convex")
    missing = [name for name in ("G", "c1", "monotone") if getattr(loss, name, None) is None]
    if not {"G", "c1"} & set(missing):
        try:
            check_stated_bounds(loss)
        except InputError as error:
            raise Broken(f"what it states doesn't hold: {error}") from None
    elif not is_multiclass(loss):
        _check_one_bound(loss)
    with calling("minimising it"):
        result = solve(example_problem(loss), example_network(), ADMM(), iterations=3, runs=2)
    ended = [status.reason for status in result.status if status.status != DONE]
    require(not ended, f"it can't be minimised: {ended[0] if ended else ''}")
    if not missing:
        return None
    private = "" if getattr(loss, "quadratic", None) is None else ", or where moments are released,"
    return f"it doesn't state {', '.join(missing)}: it runs without noise{private} only"


def _check_functions(loss: Loss, margin: Array, sizes: Array) -> None:
    """Check shapes and values of a loss's functions at margins of all sizes.

    Args:
        margin: What its functions are given; with more than two classes (row, class, run).
        sizes: One number for each value of the loss, which messages name: the margin, or the largest over the
            classes.
    """
    given = margin.copy()
    with calling("value, value_and_slope or curvature"), np.errstate(all="ignore"):
        value, (again, slope), curvature = loss.value(margin), loss.value_and_slope(margin), loss.curvature(margin)
    named = {"value": value, "slope": slope, "curvature": curvature, "value of value_and_slope": again}
    for name, found in named.items():
        expected = margin.shape if name == "slope" else sizes.shape
        require(np.shape(found) == expected, f"its {name} has shape {np.shape(found)} for margins of {margin.shape}")
        finite = np.isfinite(found)
        _require_everywhere(
            finite if finite.shape == sizes.shape else finite.all(axis=1), sizes, f"its {name} is not finite"
        )
    agree = np.isclose(value, again, rtol=1e-12, atol=1e-12)
    _require_everywhere(agree, sizes, "value and value_and_slope give different values")
    require(np.array_equal(margin, given), "it must not write into the margins it is given")


def _check_derivatives(loss: Loss) -> None:
    """Check that a difference quotient lies between the derivatives at both ends, up to what bends within one step."""
    value, slope = loss.value_and_slope(NEAR)
    curvature = loss.curvature(NEAR)
    for of, derivative, name in ((value, slope, "slope"), (slope, curvature, "curvature")):
        quotient, slack = np.diff(of) / np.diff(NEAR), SLACK * max(1.0, float(np.abs(derivative).max()))
        ends = np.stack([derivative[:-1], derivative[1:]])
        between = (quotient >= ends.min(axis=0) - slack) & (quotient <= ends.max(axis=0) + slack)
        whose = "value" if name == "slope" else "slope"
        _require_everywhere(between, NEAR[:-1], f"its {name} is not the derivative of its {whose}")
    _require_everywhere(curvature >= 0, NEAR, "its curvature is negative, so it is not convex")


def _check_class_derivatives(loss: Loss, margin: Array) -> None:
    """Check slopes along each class's margin, and that the curvature is what the slopes' own changes say."""
    slope, trace = loss.value_and_slope(margin)[1], np.zeros((len(margin), margin.shape[2]))
    for direction in np.eye(loss.outputs):
        move = STEP * direction[:, None]
        ahead, behind = (loss.value_and_slope(margin + sign * move) for sign in (1.0, -1.0))
        quotient = (ahead[0] - behind[0]) / (2.0 * STEP)
        along = (slope * direction[:, None]).sum(axis=1)
        require(np.allclose(quotient, along, atol=CLASS_SLACK), "its slope is not the derivative of its value")
        bend = ((ahead[1] - behind[1]) * direction[:, None]).sum(axis=1) / (2.0 * STEP)
        require(np.all(bend >= -CLASS_SLACK), "it is not convex")
        trace += bend
    stated = loss.curvature(margin) * (loss.outputs - 1)
    require(np.allclose(stated, trace, atol=CLASS_SLACK), "its curvature is not the mean eigenvalue of its Hessian")


def _check_one_bound(loss: Loss) -> None:
    """Check a bound on the slope or the curvature that is stated without the other."""
    slope = np.abs(loss.value_and_slope(MARGINS)[1])
    stated = (("slope", slope, "G", loss.G), ("curvature", loss.curvature(MARGINS), "c1", loss.c1))
    for what, found, name, bound in stated:
        if bound is not None:
            sentence = f"what it states doesn't hold: its {what} exceeds {name} = {bound:g}"
            _require_everywhere(found <= bound * (1.0 + SLACK), MARGINS, sentence)


def _require_everywhere(holds: Mask, margin: Array, sentence: str) -> None:
    fails = ~np.asarray(holds, dtype=bool)
    if np.any(fails):
        worst = margin[fails][np.abs(margin[fails]).argmin()]
        raise Broken(f"{sentence} at margin {worst:g}")
