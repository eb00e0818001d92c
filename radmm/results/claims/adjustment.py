"""Many cases, one claim: intervals wide enough that none of the claim's outcomes is there by luck (Holm)."""

from collections.abc import Sequence

from radmm.results.claims.claim import Check, ClaimCase, Outcome
from radmm.results.claims.statistics import LEVEL, Estimate


def adjust(checks: Sequence[Check], estimates: Sequence[Estimate]) -> list[ClaimCase]:
    """Holm's step-down: of m open cases each has the level 1 − (1 − LEVEL)/m; those decided by it are settled, and the
    rest go on with the smaller m, until none is settled. The chance that any outcome is wrong is at most 1 − LEVEL.

    Args:
        checks: Of a claim.
        estimates: What each measured.
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
