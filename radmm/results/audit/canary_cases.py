"""Cases of the one-run audits, with a total ε of about 1 for one row that is zeroed out, and what is compared."""

from typing import Any

import numpy as np

from radmm.algorithms.algorithm import Algorithm
from radmm.algorithms.dgd import DGD
from radmm.algorithms.recycled import RADMM
from radmm.privacy.noise import Noise
from radmm.privacy.noises.gradient import GradientNoise
from radmm.privacy.noises.output import OutputNoise
from radmm.results.audit.bound_checks import EPSILON_BOUND, AccountantTotal, BoundCheck
from radmm.results.audit.case import AuditCase, RecordPair, Setup
from radmm.results.audit.one_run import OneRun

CANARY = RecordPair("canaries", (1.0, 0.0), (0.0, 0.0), ((0.0, 0.0),), least_dimension=1)


def with_canaries(canaries: int) -> list[AuditCase]:
    """Return cases for one-run audits: gradient noise once and five times, and output noise; C/B = 0.4.

    Args:
        canaries: Number of canaries, which is the number of rows too.
    """
    runs: list[tuple[Algorithm[Any], Noise, int]] = [
        (DGD(step=0.25 / canaries), GradientNoise(sigma=1.5), 1),
        (DGD(step=0.25 / canaries), GradientNoise(sigma=3.35), 5),
        (RADMM(0.5), OutputNoise(sigma=2.154), 5),
    ]
    return [AuditCase(CANARY, Setup(canaries, 0.4 * canaries, 0.4, 2 * canaries, *run)) for run in runs]


def one_run_check(case: AuditCase, found: OneRun) -> BoundCheck:
    """Compare what canaries in one run show with the claim that they were audited for."""
    claim = AccountantTotal(found.claimed.accountant, float(found.claimed), found.claimed.delta, found.claimed.relation)
    limits = found.shown, found.shown, np.inf
    return BoundCheck(
        "one-run", case, "either", found.canaries, EPSILON_BOUND, claim, claim.epsilon, *limits, found.could_show
    )
