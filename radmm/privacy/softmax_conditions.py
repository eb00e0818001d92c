"""Test of the properties that the proofs for more than two classes rest on, for a loss that claims them.

Their one form is that of the softmax: the slopes in the margins are minus probabilities p, and the Hessian in the
scores is diag p − p pᵀ. All that is used of it follows (docs/proofs.md, section 7).
"""

import numpy as np

from radmm.base.arrays import Array, Mask
from radmm.base.errors import InputError
from radmm.model.losses.loss import LOGISTIC, SOFTMAX, Loss

UNPROVED = "no privacy bound holds for it, as"
NOT_FINITE = "its value or slope is not a finite number"  # in no comparison would NaN be found too large
STEP, SLACK = 1e-4, 1e-6  # of the difference quotients
SCALES = (0.0, 0.3, 1.0, 3.0, 10.0, 30.0, 1e3, 1e6)  # of the scores: from even chances to certainty


def check_softmax(loss: Loss, name: str) -> None:
    """Refuse a loss of many margins that is not of softmax form, or states bounds that don't hold.

    Args:
        name: Name of the loss, for the message.
    """
    if not (loss.form == SOFTMAX or (loss.form == LOGISTIC and loss.outputs == 2)):
        raise InputError(f"loss = {name}: {UNPROVED} with a margin for each class its form must be softmax")
    for field, least in (("G", np.sqrt(2.0)), ("c1", 0.5)):
        bound = getattr(loss, field, None)
        if bound is None or not least * (1.0 - 1e-12) <= bound < np.inf:
            raise InputError(f"loss = {name}: {UNPROVED} {field} = {bound} must be at least {least:g}")
    scores, own = tried_scores(loss.outputs)
    with np.errstate(all="ignore"):
        value, slope = loss.value_and_slope(margins_of(scores, own))
    _refuse_where(~np.isfinite(value + slope.sum(axis=-2)), scores, name, NOT_FINITE)
    probability = -slope
    strange = (probability.min(axis=-2) < 0.0) | (np.abs(probability.sum(axis=-2) - 1.0) > SLACK)
    _refuse_where(strange, scores, name, "its slopes are not of softmax form")
    for direction in np.eye(loss.outputs):
        move = STEP * direction[:, None]
        ahead, behind = (loss.value_and_slope(margins_of(scores + sign * move, own)) for sign in (1.0, -1.0))
        chance = (direction[:, None] * probability).sum(axis=-2, keepdims=True)
        bends = (behind[1] - ahead[1]) / (2.0 * STEP)
        known = probability * (direction[:, None] - chance)  # (diag p − p pᵀ) e_k
        _refuse_where(np.abs(bends - known).max(axis=-2) > SLACK, scores, name, "its curvature is not of softmax form")
        rises = chance[..., 0, :] - (own == np.flatnonzero(direction)[0])[:, None]
        size = SLACK + 1e-11 * np.abs(value) / STEP  # far out the quotient's rounding grows with the value
        wrong = np.abs((ahead[0] - behind[0]) / (2.0 * STEP) - rises) > size
        _refuse_where(wrong, scores, name, "its slope is not the derivative of its value")


def tried_scores(classes: int) -> tuple[Array, Array]:
    """Return scores (row, class, 1) of all sizes to test a loss at, and the own class of each row."""
    source = np.random.default_rng(0)
    scores = np.concatenate([scale * source.standard_normal((40, classes, 1)) for scale in SCALES])
    own: Array = source.integers(0, classes, len(scores)).astype(np.float64)
    return scores, own


def margins_of(scores: Array, own: Array) -> Array:
    """Return by how much the own class's score exceeds each class's.

    Args:
        scores: Scores, (row, class, run).
        own: Own class of each row.
    """
    at_own = np.take_along_axis(scores, own.astype(np.int64)[:, None, None], axis=1)
    margins: Array = at_own - scores
    return margins


def _refuse_where(fails: Mask, scores: Array, name: str, what: str) -> None:
    if np.any(fails):
        row = int(np.flatnonzero(np.any(fails, axis=-1))[0])
        seen = ", ".join(f"{score:g}" for score in scores[row, :, 0])
        raise InputError(f"loss = {name}: {UNPROVED} at the scores {seen} {what}")
