"""Holm's correction of the intervals of a claim's many cases, so that none of its outcomes is there by luck."""

from collections.abc import Sequence

from radmm.results.claims.claim import Check, ClaimCase, Outcome
from radmm.results.claims.statistics import LEVEL, Estimate


def adjust(checks: Sequence[Check], estimates: Sequence[Estimate]) -> list[ClaimCase]:
    """Adjust the intervals of a claim's cases by Holm's step-down procedure.

    Of m open cases each has the level 1 − (1 − LEVEL)/m; those decided by it are settled, and the rest go on with the
    smaller m, until none is settled. The chance that any outcome is wrong is at most 1 − LEVEL.

    Args:
        checks: Checks of a claim.
        estimates: Estimate of each check.
    """
    adjusted = list(estimates)
    open_cases = [at for at, estimate in enumerate(estimates) if not estimate.is_exact and not checks[at].is_control]
    while open_cases:
        level = 1 - (1 - LEVEL) / len(open_cases)
        for at in open_cases:
            adjusted[at] = estimates[at].widened(level)
        undecided = [at for at in open_cases if checks[at].decide(adjusted[at]) is Outcome.UNDECIDED]
        if len(undecided) == len(open_cases):
            break
        open_cases = undecided
    return [
        ClaimCase(check.at, estimate, check.decide(estimate), wide, check.decide(wide))
        for check, estimate, wide in zip(checks, estimates, adjusted, strict=True)
    ]
