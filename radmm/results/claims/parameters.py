"""Claims about ρ, and about γ and η(k) = q_1^k in private MR-ADMM: Figures 2, 3 and 4."""

from collections.abc import Iterator
from functools import partial
from itertools import product

import numpy as np

from radmm.results.claims.claim import CaseParameters, Check
from radmm.results.claims.decision import Claimed, Kind
from radmm.results.claims.evidence import ALPHA, GAMMA, RATIO, RHO, SPLIT, Evidence, Runs
from radmm.results.claims.statistics import (
    ACCURACY,
    COMPARED,
    Effect,
    bound_difference,
    change_of,
    compare,
    difference,
    effect,
    log_spread_ratio,
)

BEST_RHO, CHOSEN_GAMMA = 0.22, 0.5  # the paper's


def rho_is_best(evidence: Evidence) -> Iterator[Check]:
    for rho in evidence.values("fig2", "ADMM", RHO):
        found = [
            runs
            for split in evidence.values("fig2", "ADMM", SPLIT)
            for pair in evidence.together("fig2", *(("ADMM", {RHO: at, SPLIT: split}) for at in (BEST_RHO, rho)))
            for runs in pair
        ]
        if rho != BEST_RHO and found:
            yield Check({"compared with ρ": rho}, tuple(found), _difference_over_splits, Claimed.LESS, Kind.ERROR)


def gamma_hardly_matters(evidence: Evidence) -> Iterator[Check]:
    for (at, runs, chosen), (kind, measure) in product(_other_gammas(evidence), ACCURACY.items()):
        apart = partial(compare, COMPARED[kind], measure)
        yield Check({**at, "metric": str(kind)}, (runs, chosen), apart, Claimed.SAME, kind)


def gamma_costs_no_privacy(evidence: Evidence) -> Iterator[Check]:
    for at, runs, chosen in _other_gammas(evidence):
        yield Check(at, (runs, chosen), bound_difference, Claimed.SAME, Kind.EXACT)


def growth_helps(evidence: Evidence) -> Iterator[Check]:
    for (at, faster, slower), (kind, measure) in product(_growth_steps(evidence), ACCURACY.items()):
        gain = partial(compare, COMPARED[kind], measure)
        yield Check({**at, "metric": str(kind)}, (faster, slower), gain, Claimed.LESS, kind)


def growth_costs_no_privacy(evidence: Evidence) -> Iterator[Check]:
    for at, faster, slower in _growth_steps(evidence):
        yield Check(at, (faster, slower), bound_difference, Claimed.NOT_MORE, Kind.EXACT)


def growth_helps_more_under_noise(evidence: Evidence) -> Iterator[Check]:
    for at, settings in _growth_at_two_alphas(evidence):
        for kind, measure in ACCURACY.items():
            change = partial(compare, change_of(COMPARED[kind]), measure)
            yield Check({**at, "metric": str(kind)}, settings, change, Claimed.LESS, kind)


def growth_stabilises(evidence: Evidence) -> Iterator[Check]:
    slowest, *faster = evidence.values("fig4", "MR-ADMM", RATIO) or [None]
    for alpha, q_1 in product(evidence.values("fig4", "MR-ADMM", ALPHA), faster):
        points = ({ALPHA: alpha, RATIO: growth} for growth in (q_1, slowest))
        for settings in evidence.together("fig4", *(("MR-ADMM", point) for point in points)):
            for kind, measure in ACCURACY.items():
                at = {"α": alpha, "q_1": q_1, "metric": str(kind)}
                yield Check(at, settings, partial(compare, log_spread_ratio, measure), Claimed.LESS, Kind.RATIO)


def _difference_over_splits(*runs: Runs) -> Effect:
    """Return the difference of test errors; here a unit is a split, with the mean over its runs.

    Args:
        runs: The two sides of the comparison on each split, one split after the other.
    """
    errors = np.array([ACCURACY[Kind.ERROR](each).mean() for each in runs])
    return effect(difference, errors[::2], errors[1::2])


def _other_gammas(evidence: Evidence) -> Iterator[tuple[CaseParameters, Runs, Runs]]:
    """Yield runs of Figure 3 at each α: another γ, and the paper's."""
    axes = [evidence.values("fig3", "MR-ADMM", axis) for axis in (ALPHA, GAMMA)]
    for alpha, gamma in product(*axes):
        points = ({ALPHA: alpha, GAMMA: value} for value in (gamma, CHOSEN_GAMMA))
        for runs, chosen in evidence.together("fig3", *(("MR-ADMM", point) for point in points)):
            if gamma != CHOSEN_GAMMA:
                yield {"α": alpha, "γ": gamma}, runs, chosen


def _growth_steps(evidence: Evidence) -> Iterator[tuple[CaseParameters, Runs, Runs]]:
    """Yield runs of Figure 4 at each α: a larger q_1, and the one before it."""
    steps = evidence.steps("fig4", "MR-ADMM", RATIO)
    for alpha, (before, q_1) in product(evidence.values("fig4", "MR-ADMM", ALPHA), steps):
        points = ({ALPHA: alpha, RATIO: value} for value in (q_1, before))
        for faster, slower in evidence.together("fig4", *(("MR-ADMM", point) for point in points)):
            yield {"α": alpha, "q_1": f"{before:g} → {q_1:g}"}, faster, slower


def _growth_at_two_alphas(evidence: Evidence) -> Iterator[tuple[CaseParameters, tuple[Runs, ...]]]:
    """Yield runs of Figure 4: a larger q_1 and the smallest, at one α and then at the next larger one."""
    slowest, *faster = evidence.values("fig4", "MR-ADMM", RATIO) or [None]
    for (low, high), q_1 in product(evidence.steps("fig4", "MR-ADMM", ALPHA), faster):
        points = ({ALPHA: alpha, RATIO: growth} for alpha in (low, high) for growth in (q_1, slowest))
        for settings in evidence.together("fig4", *(("MR-ADMM", point) for point in points)):
            yield {"q_1": q_1, "α": f"{low:g} against {high:g}"}, settings
