"""The effect of one row on a release: its shift, curvature and Jacobian in units of the noise, which curves need."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from radmm.model.losses.loss import LOGISTIC, SOFTMAX
from radmm.privacy.curves.removal_addition import PLAIN, Row
from radmm.privacy.curves.slope_levels import LARGEST_RATE
from radmm.privacy.events import PerturbedArgmin, Release
from radmm.privacy.noise_laws import Law, in_noise
from radmm.privacy.relation import Relation


@dataclass(frozen=True)
class Slopes:
    """Bounds on a margin loss ℓ: |ℓ'| ≤ G, and ℓ'' ≤ 4 c1 s(1 − s) (logistic) or c1 (bounded), s = |ℓ'|/G.

    Args:
        form: Form of the loss: logistic or bounded.
        largest: Largest slope G.
        curvature: Largest curvature c1.
        both_signs: Whether ℓ' can change its sign.
    """

    form: str = LOGISTIC
    largest: float = 1.0
    curvature: float = 0.25
    both_signs: bool = False


@lru_cache(maxsize=65536)
def row_of(release: Release, relation: Relation) -> Row:
    """Return the effect of one row on a release, in units of its noise.

    Args:
        relation: Neighbouring relation, of whose legs the row is one.
    """
    law, scale, d = release.law, release.entering_scale, release.dimension
    if isinstance(release, PerturbedArgmin):
        if release.form == SOFTMAX:
            return softmax_row(law, scale, release.C / release.rows, release.curvature, d, release.classes)
        slopes = Slopes(release.form, release.G, release.c1, both_signs=not release.monotone)
        return argmin_row(law, scale, release.C / release.rows, release.curvature, d, slopes)
    solver = release.solver_shift / relation.legs  # hidden once, however many rows change
    return plain_row(law, scale, release.leg_sensitivity(relation) + solver, d)


def argmin_row(law: Law, scale: float, weight: float, curvature: float, dimension: int, slopes: Slopes) -> Row:
    """Return the effect of a row on a perturbed argmin with noise in the linear term (objective, or penalty times 2ηV).

    Args:
        law: gaussian or exponential-norm.
        scale: σ or α of the noise as it enters the linear term.
        weight: Weight C/B of the row.
        curvature: λ0, at most the strong convexity of everything but the row.
        dimension: Dimension d of the noise.
        slopes: Slopes of the loss, in the margin of a row of norm at most 1.
    """
    shift, firm = (in_noise(law, scale, value) for value in (weight * slopes.largest, curvature))
    if slopes.both_signs:
        return Row(law, shift, np.inf, dimension, PLAIN, 2, weight * slopes.curvature / curvature)
    slowness = slopes.largest * LARGEST_RATE[slopes.form] / slopes.curvature
    return Row(law, shift, firm * slowness, dimension, slopes.form)


def softmax_row(law: Law, scale: float, weight: float, curvature: float, dimension: int, classes: int) -> Row:
    """Return the effect of a row of norm at most 1 on a perturbed argmin with the cross-entropy of q classes.

    Args:
        law: gaussian or exponential-norm.
        scale: σ or α of the noise as it enters the linear term.
        weight: Weight C/B of the row.
        curvature: Strong convexity λ0.
        dimension: Number of all parameters together.
        classes: Number of classes q; two are a logistic loss of √2 times the margin.
    """
    if classes == 2:
        slopes = Slopes(LOGISTIC, float(np.sqrt(2.0)), 0.5)
        return argmin_row(law, scale, weight, curvature, dimension, slopes)
    jacobian = float(np.expm1((classes - 1) * np.log1p(weight / (classes * curvature))))
    shift = in_noise(law, scale, float(np.sqrt(2.0)) * weight)
    return Row(law, shift, np.inf, dimension, PLAIN, classes - 1, jacobian)


def plain_row(law: Law, scale: float, sensitivity: float, dimension: int) -> Row:
    """Return the effect of a row that shifts what noise is added to: a gradient by C G/B, an argmin by C G/(B λ0).

    Args:
        law: gaussian or exponential-norm.
        scale: σ or α of the noise.
        sensitivity: Sensitivity to one leg: zeroing a row, or half of replacing one.
        dimension: Dimension d of the noise.
    """
    return Row(law, in_noise(law, scale, sensitivity), np.inf, dimension)


def coarser_rows(rows: Iterable[Row], most: int = 5) -> dict[Row, Row]:
    """Map each row to one that costs at least as much, so that few curves have to be made.

    Curves fall as the curvature grows, so it is rounded down to a geometric grid that begins at the smallest: equal
    curvatures stay as they are. Where the shifts differ too, as with noise in a growing penalty, all but the cap of
    Theorem B would take too long.

    Args:
        rows: Rows whose curves are needed.
        most: Largest number of curves for rows that differ in curvature alone, and largest number of different shifts.
    """
    kinds: dict[Row, list[Row]] = {}
    for row in dict.fromkeys(rows):
        kinds.setdefault(replace(row, curvature=1.0), []).append(row)
    found: dict[Row, Row] = {}
    for members in kinds.values():
        if len(kinds) > most:
            found.update({row: _capped(row) for row in members})
        else:
            found.update(_rounded_down(members, most))
    return found


def _capped(row: Row) -> Row:
    """Return the row with nothing known of its Jacobian but the largest value."""
    return replace(row, form=PLAIN, curvature=np.inf, jacobian=row.excess)


def _rounded_down(members: list[Row], most: int) -> dict[Row, Row]:
    curvatures = np.array([row.curvature for row in members])
    if len(members) <= most or not np.isfinite(curvatures).all():
        return {row: row for row in members}
    least = float(curvatures.min())
    ratio = (float(curvatures.max()) / least) ** (1.0 / most) * (1.0 + 1e-9)
    rungs = least * ratio ** np.arange(most)
    return {row: replace(row, curvature=float(rungs[rungs <= row.curvature][-1])) for row in members}
