"""Decisions on single cases: what an interval shows about an effect, given the smallest effect that matters.

An effect is zero where nothing differs: a difference of test errors, or the logarithm of a ratio. Each kind of effect
has one margin, from the config, for all claims.
"""

from collections.abc import Mapping
from enum import StrEnum
from math import log1p

import numpy as np

ROUNDING = 1e-12  # an interval that ends at zero doesn't exclude it, whatever its last bit


class Outcome(StrEnum):
    """Outcome of a case; `fails` means that the contrary was shown."""

    HOLDS = "holds"
    NO_DIFFERENCE = "no difference"  # the effect is shown to be smaller than the margin
    FAILS = "fails"
    UNDECIDED = "undecided"


class Claimed(StrEnum):
    """Statement of a claim about an effect."""

    LESS = "less"
    MORE = "more"
    SAME = "same"
    NOT_LESS = "not less"
    NOT_MORE = "not more"
    HAPPENS = "happens"  # of a number of events: at least one


class Kind(StrEnum):
    """Kind of an effect, which decides its margin and its unit."""

    ERROR = "test error"  # a difference of error rates
    LOSS = "loss"  # the logarithm of a ratio of losses
    RATIO = "ratio"  # the logarithm of a ratio of rates, spreads, times or distances
    CHANGE = "change"  # a relative change of something that may become zero
    EXACT = "exact number"  # no chance is involved


MIRRORED = {Claimed.MORE: Claimed.LESS, Claimed.NOT_MORE: Claimed.NOT_LESS}


def margin_of(kind: Kind, margins: Mapping[str, float]) -> float:
    """Return the smallest effect of a kind that matters, in the effect's own unit; exact numbers need none.

    Args:
        margins: The config's margins: `test_error`, and `loss` and `ratio` as shares.
    """
    if kind is Kind.EXACT:
        return 0.0
    if kind is Kind.ERROR:
        return margins["test_error"]
    if kind is Kind.CHANGE:
        return margins["ratio"]
    return log1p(margins[kind])


def decide(claimed: Claimed, low: float, high: float, margin: float) -> Outcome:
    """Return what an interval shows.

    An interval within ± the margin shows no difference. Otherwise a claimed direction holds or fails if the interval is
    on one side of zero. That nothing differs, or not in one direction, holds or fails by the margin.

    Args:
        claimed: What the claim says.
        low: Lower end of the effect's interval.
        high: Upper end of the effect's interval; for an exact number the same.
        margin: Smallest effect that matters; zero for an exact number.
    """
    if claimed in MIRRORED:
        return decide(MIRRORED[claimed], -high, -low, margin)
    if claimed is Claimed.HAPPENS:
        return Outcome.HOLDS if low > 0 else Outcome.FAILS
    if claimed is Claimed.NOT_LESS:
        return _between(low >= -margin, high < -margin)
    is_small = -margin <= low and high <= margin
    if claimed is Claimed.SAME:
        return _between(is_small, low > margin or high < -margin)
    return Outcome.NO_DIFFERENCE if is_small else _between(high < -ROUNDING, low > ROUNDING)


def _between(holds: bool, fails: bool) -> Outcome:
    return Outcome.HOLDS if holds else Outcome.FAILS if fails else Outcome.UNDECIDED


def in_units(kind: Kind, effect: float, reference: float = 1.0) -> float:
    """Return an effect as people read it: percentage points of test error, per cent of a loss, or a ratio itself.

    Args:
        reference: What a ratio was compared with.
    """
    if kind is Kind.ERROR:
        return 100.0 * effect
    if kind is Kind.LOSS:
        return 100.0 * float(np.expm1(effect))
    if kind is Kind.RATIO:
        return reference * float(np.exp(effect))
    return 1.0 + effect if kind is Kind.CHANGE else effect
