"""Claims about the algorithms without noise: Figure 1."""

from collections.abc import Iterator
from functools import partial
from itertools import pairwise, product

import numpy as np

from radmm.base.arrays import Array
from radmm.results.claims.claim import CaseParameters, Check, above, below, is_positive, is_zero, within
from radmm.results.claims.evidence import GAMMA, NODES, RATIO, Evidence, EvidenceError, Runs, check_pair
from radmm.results.claims.statistics import Estimate, Measure, compare, count, difference, estimate, mean, ratio

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


def descent(runs: Runs) -> Array:
    """Return the decrease of the loss from the first to the last odd iteration."""
    losses = runs.odd("loss")
    return losses[:, 0] - losses[:, -1]


def rate(distance: Array) -> Array:
    """Return the mean decrease of the logarithm of the distance to the optimum from one column to the next."""
    if distance.shape[1] < 2:
        raise EvidenceError("too few iterations for a rate")
    rates: Array = np.log(distance[:, 0] / distance[:, -1]) / (distance.shape[1] - 1)
    return rates


def slowness(runs: Runs) -> Array:
    """Return minus the rate over the odd iterations."""
    return -rate(runs.odd("distance"))


SLOW: dict[str, Measure] = {"loss": mean_loss, "distance": slowness}

# Rates within a tenth of each other are similar, and so are curves whose heights differ by a tenth of ADMM's descent.
SIMILAR = 0.1
ARRIVED = 0.01  # of the initial distance is left: convergence
STEADY = 0.95  # what is left, after a quarter of the iterations, of a slowdown that stays the same

CONSTANT = "1 (R-ADMM)"
DUAL_STEPS = {"η_i": "", "θ": ", common θ"}


def even_increases(evidence: Evidence) -> Iterator[Check]:
    for at, runs in _recycled(evidence):
        yield Check(at, partial(count, lambda runs: rises(runs) > 0, runs), is_positive)


def odd_compensates(evidence: Evidence) -> Iterator[Check]:
    for at, runs in _recycled(evidence):
        yield Check(at, partial(count, lambda runs: np.diff(runs.odd("loss"), axis=1) >= 0, runs), is_zero)


def rate_like_admm(evidence: Evidence) -> Iterator[Check]:
    for at, runs, admm in _with_admm(evidence):
        yield Check({**at, "metric": "loss"}, partial(_lag, runs, admm), within(-SIMILAR, SIMILAR))
        similar = within(1 - SIMILAR, 1 / (1 - SIMILAR))
        yield Check({**at, "metric": "distance"}, partial(compare, ratio, slowness, runs, admm), similar)


def faster_for_its_argmins(evidence: Evidence) -> Iterator[Check]:
    for at, runs, admm in _with_admm(evidence):
        yield Check(at, partial(_ratio_of_rates_per_argmin, runs, admm), partial(above, bound=1.0))


def gamma_damps(evidence: Evidence) -> Iterator[Check]:
    for at, less, more in _gamma_steps(evidence):
        yield Check(at, partial(compare, difference, oscillation, more, less), below)


def gamma_slows(evidence: Evidence) -> Iterator[Check]:
    for at, less, more in _gamma_steps(evidence):
        for metric, slow in SLOW.items():
            yield Check({**at, "metric": metric}, partial(compare, difference, slow, more, less), above)


def growth_slows(evidence: Evidence) -> Iterator[Check]:
    for figure in ("fig1b", "fig1c"):
        for (growth, runs), constant in product(_growing(evidence, figure), evidence.find(figure, "R-ADMM")):
            for metric, slow in SLOW.items():
                at = {"figure": figure, "q_1": growth, "metric": metric}
                yield Check(at, partial(compare, difference, slow, runs, constant), above)


def faster_growth_slows_more(evidence: Evidence) -> Iterator[Check]:
    for figure in ("fig1b", "fig1c"):
        for (_, less), (growth, more) in pairwise(_growing(evidence, figure)):
            for metric, slow in SLOW.items():
                at = {"figure": figure, "q_1": growth, "metric": metric}
                yield Check(at, partial(compare, difference, slow, more, less), above)


def reaches_consensus(evidence: Evidence) -> Iterator[Check]:
    yield from _arrives(evidence, "consensus")


def reaches_the_optimum(evidence: Evidence) -> Iterator[Check]:
    yield from _arrives(evidence, "distance")


def _arrives(evidence: Evidence, metric: str) -> Iterator[Check]:
    """Yield checks that growing penalties lead to the optimum; R-ADMM with a constant penalty is the control."""
    arrived = partial(below, bound=ARRIVED)
    for at, runs in _all_growths(evidence):
        left = partial(compare, mean, partial(_left, metric=metric), runs)
        yield Check(at, left, arrived, is_control=at["q_1"] == CONSTANT)


def keeps_converging(evidence: Evidence) -> Iterator[Check]:
    for at, runs in _all_growths(evidence):
        for constant in evidence.find(at["figure"], "R-ADMM") if at["q_1"] != CONSTANT else []:
            yield Check(at, partial(_change_of_slowdown, runs, constant), partial(above, bound=STEADY))


def _lag(runs: Runs, admm: Runs) -> Estimate:
    """Estimate how much higher a curve is on average, as a share of ADMM's descent."""
    check_pair(runs, admm)
    return estimate(lambda ours, its, fall: ratio(ours - its, fall), mean_loss(runs), mean_loss(admm), descent(admm))


def _ratio_of_rates_per_argmin(runs: Runs, admm: Runs) -> Estimate:
    """Compare R-ADMM's iterations 1, 3, 5, … with ADMM's 1, 2, 3, …: each has solved as many argmins as the other."""
    check_pair(runs, admm)
    distance = runs.odd("distance")
    return estimate(ratio, rate(distance), rate(admm["distance"][:, 1 : distance.shape[1] + 1]))


def _change_of_slowdown(runs: Runs, constant: Runs) -> Estimate:
    """Compare the rates in the last and the third quarter of the odd iterations, relative to R-ADMM's same ratio."""
    check_pair(runs, constant)
    quarter = max(2, runs.odd("distance").shape[1] // 4)
    quarters = slice(-quarter, None), slice(-2 * quarter, -quarter)
    rates = [rate(setting.odd("distance")[:, part]) for part in quarters for setting in (runs, constant)]
    return estimate(lambda late, its_late, before, its: ratio(late, its_late) / ratio(before, its), *rates)


def _left(runs: Runs, metric: str) -> Array:
    """Return a metric at the last odd iteration, as a share of its value at the initial point."""
    return runs.odd(metric)[:, -1] / runs[metric][:, 0]


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
