"""The contract of a loss: its three functions belong together, and what it states about them is so."""

import numpy as np

from radmm.algorithms.admm import ADMM
from radmm.base.arrays import Array, Mask
from radmm.base.errors import InputError
from radmm.contract.broken import Broken, calling, require
from radmm.contract.class_loss import check_class_shapes
from radmm.contract.made import CLASSES, made_network, made_problem
from radmm.driver import solve
from radmm.model.losses.loss import Loss, is_multiclass
from radmm.privacy.proof_conditions import MARGINS
from radmm.privacy.proof_conditions import check_loss as check_stated_bounds
from radmm.result import DONE

NEAR: Array = np.linspace(-12.0, 12.0, 4801)  # margins, finely enough for difference quotients
FAR: Array = np.array([-1e4, 1e4])
SLACK = 1e-3  # relative, of a difference quotient


def check_loss(loss: Loss) -> str | None:
    """All of it.

    Args:
        loss: Any loss.
    """
    if is_multiclass(loss):
        loss = loss.for_classes(CLASSES)
        check_class_shapes(loss)
    else:
        _check_shapes(loss)
        _check_derivatives(loss)
    missing = [name for name in ("G", "c1", "monotone") if getattr(loss, name, None) is None]
    if not {"G", "c1"} & set(missing):
        try:
            check_stated_bounds(loss)
        except InputError as error:
            raise Broken(f"what it states doesn't hold: {error}") from None
    elif not is_multiclass(loss):
        _check_one_bound(loss)
    with calling("minimising it"):
        result = solve(made_problem(loss), made_network(), ADMM(), iterations=3, runs=2)
    ended = [status.reason for status in result.status if status.status != DONE]
    require(not ended, f"it can't be minimised: {ended[0] if ended else ''}")
    return f"it doesn't state {', '.join(missing)}: it runs without noise only" if missing else None


def _check_shapes(loss: Loss) -> None:
    for margin in (np.concatenate([FAR, NEAR]), np.zeros((2, 3)), np.zeros(0)):
        given = margin.copy()
        with calling("value, value_and_slope or curvature"), np.errstate(all="ignore"):
            value, (again, slope), curvature = loss.value(margin), loss.value_and_slope(margin), loss.curvature(margin)
        named = {"value": value, "slope": slope, "curvature": curvature, "value of value_and_slope": again}
        for name, found in named.items():
            shape = np.shape(found)
            require(shape == margin.shape, f"its {name} has shape {shape} for margins of shape {margin.shape}")
            _require_everywhere(np.isfinite(found), margin, f"its {name} is not finite")
        agree = np.isclose(value, again, rtol=1e-12, atol=1e-12)
        _require_everywhere(agree, margin, "value and value_and_slope give different values")
        require(np.array_equal(margin, given), "it must not write into the margins it is given")


def _check_derivatives(loss: Loss) -> None:
    """A difference quotient lies between the derivatives at both ends, up to what bends within one step."""
    value, slope = loss.value_and_slope(NEAR)
    curvature = loss.curvature(NEAR)
    for of, derivative, name in ((value, slope, "slope"), (slope, curvature, "curvature")):
        quotient, slack = np.diff(of) / np.diff(NEAR), SLACK * max(1.0, float(np.abs(derivative).max()))
        ends = np.stack([derivative[:-1], derivative[1:]])
        between = (quotient >= ends.min(axis=0) - slack) & (quotient <= ends.max(axis=0) + slack)
        whose = "value" if name == "slope" else "slope"
        _require_everywhere(between, NEAR[:-1], f"its {name} is not the derivative of its {whose}")
    _require_everywhere(curvature >= 0, NEAR, "its curvature is negative, so it is not convex")


def _check_one_bound(loss: Loss) -> None:
    """One of the two bounds may be stated without the other."""
    _, slope = loss.value_and_slope(MARGINS)
    if loss.G is not None:
        within = np.abs(slope) <= loss.G * (1.0 + SLACK)
        _require_everywhere(within, MARGINS, f"what it states doesn't hold: its slope exceeds G = {loss.G:g}")
    if loss.c1 is not None:
        within = loss.curvature(MARGINS) <= loss.c1 * (1.0 + SLACK)
        _require_everywhere(within, MARGINS, f"what it states doesn't hold: its curvature exceeds c1 = {loss.c1:g}")


def _require_everywhere(holds: Mask, margin: Array, sentence: str) -> None:
    fails = ~np.asarray(holds, dtype=bool)
    if np.any(fails):
        worst = margin[fails][np.abs(margin[fails]).argmin()]
        raise Broken(f"{sentence} at margin {worst:g}")
