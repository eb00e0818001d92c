"""Bounds on the privacy loss itself, for exponential-norm noise (docs/proofs.md, Theorem C)."""

import math

from radmm.model.losses.loss import LOGISTIC
from radmm.privacy.curves.slope_levels import LARGEST_RATE


def removal_loss(form: str, shift: float, curvature: float) -> float:
    """Return g*, the largest ln dP/dM of row present against absent; the other way round it is the shift itself.

    g* = max over slopes s of α c s + ln(1 + (c/λ) κ(s)), which is α c where α λ ≥ 1 and the loss is logistic.

    Args:
        form: Form of the loss: logistic or bounded.
        shift: α c, in units of the noise.
        curvature: α λ, in units of the noise.
    """
    if form != LOGISTIC:
        return shift + math.log1p(shift / curvature * LARGEST_RATE[form])
    if shift == 0.0 or curvature >= 1.0:
        return shift
    x = shift / (4.0 * curvature)
    steepest = ((shift - 2.0) + math.sqrt((shift - 2.0) ** 2 + shift * (shift + 4.0 * x) / x)) / (2.0 * shift)
    best = min(max(steepest, 0.5), 1.0)  # below 1/2 both terms grow
    found = shift * best + math.log1p(4.0 * x * best * (1.0 - best))
    return max(found, shift) * (1.0 + 1e-12)
