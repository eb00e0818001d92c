"""Bounds on the loss itself, for exponential-norm noise (docs/proofs.md, Theorem C)."""

import math

from radmm.privacy.curves.levels import LARGEST_RATE, LOGISTIC


def removal_loss(form: str, shift: float, curvature: float) -> float:
    """g*, the largest of ln dP/dM, row present against absent; the other way round it is the shift itself.

    g* = max over slopes s of α c s + ln(1 + (c/λ) κ(s)), which is α c where α λ ≥ 1 and the loss is logistic.

    Args:
        form: of the slopes: logistic or bounded.
        shift: α c, in units of the noise.
        curvature: α λ.
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


def pure_loss(form: str, shift: float, curvature: float, replaced: bool) -> float:
    """The ε of one release with δ = 0.

    Args:
        form: of the slopes: logistic or bounded.
        shift: α c, in units of the noise.
        curvature: α λ.
        replaced: whether neighbours replace a row, rather than zero it.
    """
    return removal_loss(form, shift, curvature) + (shift if replaced else 0.0)
