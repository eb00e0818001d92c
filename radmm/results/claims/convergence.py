"""Claims about the algorithms without noise: Figure 1."""

from collections.abc import Iterator
from functools import partial
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np

from radmm.base.arrays import Array
from radmm.results.claims.claim import CaseParameters, Check
from radmm.results.claims.decision import Claimed, Kind
from radmm.results.claims.evidence import GAMMA, NODES, RATIO, Evidence, EvidenceError, Runs, check_pair
from radmm.results.claims.statistics import (
    Effect,
    Measure,
    Statistic,
    compare,
    count,
    effect,
    log_ratio,
    over,
    relative_change,
)

# Figure 1(b)'s q_1(i) = 1 + k q_2(i), for k = 1 to 5, as its labels name them
OWN_GROWTHS = tuple(
    f"q₁ from {least} to {largest}"
    for least, largest in ((1.003, 1.015), (1.006, 1.03), (1.009, 1.045), (1.012, 1.06), (1.015, 1.075))
)


def rises(runs: Runs) -> Array:
    """Return L(2k) − L(2k−1), positive where an even iteration increases the loss."""
    before, now = runs.odd("loss"), runs.even("loss")
    return now - before[:, : now.shape[1]]


def oscillation(runs: Runs) -> Array:
    """Return the mean rise of the loss at even iterations; a fall is progress, not oscillation, and counts as 0."""
    means: Array = np.maximum(rises(runs), 0.0).mean(axis=1)
    return means


def mean_loss(runs: Runs) -> Array:
    """Return the mean loss over the odd iterations, the height of the curve in the paper's plot: higher is slower."""
    means: Array = runs.odd("loss").mean(axis=1)
    return means


def rate(distance: Array) -> Array:
    """Return the mean decrease of the logarithm of the distance to the optimum from one column to the next."""
    if distance.shape[1] < 2:
        raise EvidenceError("too few iterations for a rate")
    rates: Array = np.log(distance[:, 0] / distance[:, -1]) / (distance.shape[1] - 1)
    return rates


def odd_rate(runs: Runs) -> Array:
    """Return the rate over the odd iterations."""
    return rate(runs.odd("distance"))


def log_ratio_of_times(left: Array, right: Array) -> Array:
    """Return the logarithm of the ratio of the times that two rates need for the same progress."""
    return -log_ratio(left, right)


class Slowness(NamedTuple):
    """A way to tell how much slower one setting is than another.

    Args:
        kind: Kind of the effect.
        measure: One value a run.
        statistic: Effect of two settings' values; positive where the first is slower.
    """

    kind: Kind
    measure: Measure
    statistic: Statistic

    def check(self, at: CaseParameters, claimed: Claimed, runs: Runs, other: Runs) -> Check:
        """Return the check that compares two settings in this way.

        Args:
            at: What tells the case from the others.
            claimed: What the claim says of the first one's slowness.
            runs: Runs of the first.
            other: Runs of the second.
        """
        return Check(at, (runs, other), partial(compare, self.statistic, self.measure), claimed, self.kind)


SLOW = {
    "loss": Slowness(Kind.LOSS, mean_loss, log_ratio),
    "distance": Slowness(Kind.RATIO, odd_rate, log_ratio_of_times),
}
ARRIVED = 0.01  # share of the initial distance at which a run counts as converged

CONSTANT = "1 (R-ADMM)"
DUAL_STEPS = {"η_i": "", "θ": ", common θ"}


def even_increases(evidence: Evidence) -> Iterator[Check]:
    for at, runs in _recycled(evidence):
        rising = partial(count, lambda runs: rises(runs) > 0)
        yield Check(at, (runs,), rising, Claimed.HAPPENS, Kind.EXACT)


def odd_compensates(evidence: Evidence) -> Iterator[Check]:
    for at, runs in _recycled(evidence):
        setbacks = partial(count, lambda runs: np.diff(runs.odd("loss"), axis=1) >= 0)
        yield Check(at, (runs,), setbacks, Claimed.SAME, Kind.EXACT)


def rate_like_admm(evidence: Evidence) -> Iterator[Check]:
    for at, runs, admm in _with_admm(evidence):
        for metric, slowness in SLOW.items():
            yield slowness.check({**at, "metric": metric}, Claimed.SAME, runs, admm)


def faster_for_its_argmins(evidence: Evidence) -> Iterator[Check]:
    for at, runs, admm in _with_admm(evidence):
        yield Check(at, (runs, admm), _ratio_of_rates_per_argmin, Claimed.MORE, Kind.RATIO)


def gamma_damps(evidence: Evidence) -> Iterator[Check]:
    for at, less, more in _gamma_steps(evidence):
        yield Check(at, (more, less), partial(compare, relative_change, oscillation), Claimed.LESS, Kind.CHANGE)


def gamma_slows(evidence: Evidence) -> Iterator[Check]:
    for at, less, more in _gamma_steps(evidence):
        for metric, slowness in SLOW.items():
            yield slowness.check({**at, "metric": metric}, Claimed.MORE, more, less)


def growth_slows(evidence: Evidence) -> Iterator[Check]:
    for figure in ("fig1b", "fig1c"):
        for (growth, runs), constant in product(_growing(evidence, figure), evidence.find(figure, "R-ADMM")):
            for metric, slowness in SLOW.items():
                at = {"figure": figure, "q_1": growth, "metric": metric}
                yield slowness.check(at, Claimed.MORE, runs, constant)


def faster_growth_slows_more(evidence: Evidence) -> Iterator[Check]:
    for figure in ("fig1b", "fig1c"):
        for (_, less), (growth, more) in pairwise(_growing(evidence, figure)):
            for metric, slowness in SLOW.items():
                at = {"figure": figure, "q_1": growth, "metric": metric}
                yield slowness.check(at, Claimed.MORE, more, less)


def reaches_consensus(evidence: Evidence) -> Iterator[Check]:
    yield from _arrives(evidence, "consensus")


def reaches_the_optimum(evidence: Evidence) -> Iterator[Check]:
    yield from _arrives(evidence, "distance")


def _arrives(evidence: Evidence, metric: str) -> Iterator[Check]:
    """Yield checks that growing penalties lead to the optimum; R-ADMM with a constant penalty is the control."""
    for at, runs in _all_growths(evidence):
        left, is_control = partial(_what_is_left, metric), at["q_1"] == CONSTANT
        yield Check(at, (runs,), left, Claimed.LESS, Kind.RATIO, ARRIVED, is_control)


def keeps_converging(evidence: Evidence) -> Iterator[Check]:
    for at, runs in _all_growths(evidence):
        for constant in evidence.find(at["figure"], "R-ADMM") if at["q_1"] != CONSTANT else []:
            yield Check(at, (runs, constant), _change_of_slowdown, Claimed.NOT_LESS, Kind.CHANGE)


def _ratio_of_rates_per_argmin(runs: Runs, admm: Runs) -> Effect:
    """Compare R-ADMM's iterations 1, 3, 5, … with ADMM's 1, 2, 3, …: each has solved as many argmins as the other."""
    check_pair(runs, admm)
    distance = runs.odd("distance")
    return effect(log_ratio, rate(distance), rate(admm["distance"][:, 1 : distance.shape[1] + 1]))


def _change_of_slowdown(runs: Runs, constant: Runs) -> Effect:
    """Compare the rates in the last and the third quarter of the odd iterations, relative to R-ADMM's same ratio."""
    check_pair(runs, constant)
    quarter = max(2, runs.odd("distance").shape[1] // 4)
    quarters = slice(-quarter, None), slice(-2 * quarter, -quarter)
    rates = [rate(setting.odd("distance")[:, part]) for part in quarters for setting in (runs, constant)]
    return effect(_change_of_ratio, *rates)


def _change_of_ratio(late: Array, its_late: Array, before: Array, its: Array) -> Array:
    """Return the relative change of the ratio of two rates; a rate may come to nothing, so it has no logarithm."""
    return (1.0 + relative_change(late, its_late)) / (1.0 + relative_change(before, its)) - 1.0


def _what_is_left(metric: str, runs: Runs) -> Effect:
    """Compare a metric at the last odd iteration with its value at the initial point, relative to what counts as
    arrived.
    """
    return effect(over(ARRIVED), runs.odd(metric)[:, -1], runs[metric][:, 0])


def _recycled(evidence: Evidence) -> Iterator[tuple[CaseParameters, Runs]]:
    """Yield R-ADMM of Figure 1(a), at each N and γ."""
    axes = [evidence.values("fig1a", "R-ADMM", axis) for axis in (NODES, GAMMA)]
    for nodes, gamma in product(*axes):
        for runs in evidence.find("fig1a", "R-ADMM", {NODES: nodes, GAMMA: gamma}):
            yield {"N": nodes, "γ": gamma}, runs


def _with_admm(evidence: Evidence) -> Iterator[tuple[CaseParameters, Runs, Runs]]:
    for at, runs in _recycled(evidence):
        for admm in evidence.find("fig1a", "ADMM", {NODES: at["N"]}):
            yield at, runs, admm


def _gamma_steps(evidence: Evidence) -> Iterator[tuple[CaseParameters, Runs, Runs]]:
    """Yield pairs of runs from one γ to the next larger one."""
    sizes = evidence.values("fig1a", "R-ADMM", NODES)
    for nodes, (before, now) in product(sizes, evidence.steps("fig1a", "R-ADMM", GAMMA)):
        points = ({NODES: nodes, GAMMA: gamma} for gamma in (before, now))
        for less, more in evidence.together("fig1a", *(("R-ADMM", point) for point in points)):
            yield {"N": nodes, "γ": f"{before:g} → {now:g}"}, less, more


def _growing(evidence: Evidence, figure: str, suffix: str = "") -> Iterator[tuple[str, Runs]]:
    """Yield MR-ADMM from the slowest to the fastest growth of its penalties."""
    if figure == "fig1b":
        for k, growth in enumerate(OWN_GROWTHS, start=1):
            for runs in evidence.find(figure, f"MR-ADMM, {growth}{suffix}"):
                yield f"1 + {k} q_2", runs
    else:
        label = f"MR-ADMM{suffix}"
        for q_1 in evidence.values(figure, label, RATIO):
            for runs in evidence.find(figure, label, {RATIO: q_1}):
                yield f"{q_1:g}", runs


def _all_growths(evidence: Evidence) -> Iterator[tuple[dict[str, str], Runs]]:
    """Yield R-ADMM and MR-ADMM of Figures 1(b) and 1(c), the latter with either dual step."""
    for figure in ("fig1b", "fig1c"):
        for runs in evidence.find(figure, "R-ADMM"):
            yield {"figure": figure, "dual step": "η", "q_1": CONSTANT}, runs
        for dual_step, suffix in DUAL_STEPS.items():
            for growth, runs in _growing(evidence, figure, suffix):
                yield {"figure": figure, "dual step": dual_step, "q_1": growth}, runs
