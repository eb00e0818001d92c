"""Claims about private algorithms at equal privacy: Figure 5, on a larger network and with α_i and η_i too.

Equal is the total bound P(T), as in the paper; whether one outperforms another is also asked at equal (ε, δ).
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from radmm.base.arrays import Array
from radmm.privacy.guarantee import rounded_up
from radmm.results.claims.claim import CaseParameters, Check
from radmm.results.claims.cost import MUCH_LESS
from radmm.results.claims.decision import Claimed, Kind
from radmm.results.claims.evidence import ALPHA, Evidence, EvidenceError, Runs, name_of
from radmm.results.claims.statistics import (
    ACCURACY,
    COMPARED,
    ROUNDING,
    Effect,
    Measure,
    Statistic,
    bound_difference,
    bounds,
    change_of,
    compare,
    exact,
    log_spread_ratio,
)
from radmm.study.noise_budget import NoiseBudget

FIGURES = ("fig5", "fig5_n20")
AT_EQUAL_EPSILON = "fig5_epsilon"
BOUND, EPSILON = "P(T)", "(ε, δ)"  # what is equal
OURS, RIVALS = ("R-ADMM", "MR-ADMM"), ("ADMM", "M-ADMM")
STOPPED = {"R-ADMM": "ADMM, stopped at T/2", "MR-ADMM": "ADMM, growing η, stopped at T/2"}
OUTPERFORMED = list(product(OURS, RIVALS))
BEATEN_BY_THE_BEST = [("MR-ADMM", rival) for rival in (*RIVALS, "R-ADMM")]


def outperform(evidence: Evidence) -> Iterator[Check]:
    for figure in FIGURES:
        for at, ours, rival in _pairs(evidence, figure, OUTPERFORMED):
            others = {axis: value for axis, value in at.items() if axis != "α"}
            budget = {"equal": BOUND, "budget": f"that of α = {name_of(at['α'])}"}
            yield from _more_accurate({**others, **budget}, _at_equal_bound, ours, rival)
    for label, other in OUTPERFORMED:
        for ours, rival in evidence.together(AT_EQUAL_EPSILON, (label, {}), (other, {})):
            target = _target(rival)
            for spent in evidence.total_epsilon(rival) if target is None else [target]:
                at = {"N": _nodes(ours), "algorithm": label, "over": other}
                budget = {"equal": EPSILON, "budget": f"ε = {rounded_up(spent)}"}
                yield from _more_accurate({**at, **budget}, _at_equal_epsilon, ours, rival)


def lower_bound(evidence: Evidence) -> Iterator[Check]:
    for figure in FIGURES:
        for at, ours, rival in _pairs(evidence, figure, OUTPERFORMED):
            for iterations, excess in (("the last", bound_difference), ("all", _largest_excess)):
                yield Check({**at, "iterations": iterations}, (ours, rival), excess, Claimed.LESS, Kind.EXACT)


def less_noise(evidence: Evidence) -> Iterator[Check]:
    for figure in FIGURES:
        for at, ours, rival in _pairs(evidence, figure, [("R-ADMM", "ADMM")]):
            yield Check(at, (ours, rival), _noise, Claimed.LESS, Kind.RATIO, MUCH_LESS)


def best_of_all(evidence: Evidence) -> Iterator[Check]:
    for figure in FIGURES:
        yield from _accuracy(evidence, figure, BEATEN_BY_THE_BEST)
        for at, ours, rival in _pairs(evidence, figure, BEATEN_BY_THE_BEST):
            yield Check({**at, "metric": "total bound"}, (ours, rival), bound_difference, Claimed.LESS, Kind.EXACT)


def gain_grows(evidence: Evidence) -> Iterator[Check]:
    for figure, (ours, rival) in product(FIGURES, BEATEN_BY_THE_BEST):
        for low, high in evidence.steps(figure, ours, ALPHA):
            wanted = [(label, {ALPHA: alpha}) for alpha in (low, high) for label in (ours, rival)]
            for settings in evidence.together(figure, *wanted):
                change = f"{name_of(high)} → {name_of(low)}"
                at = {"N": _nodes(settings[0]), "over": rival, "α": change}
                for kind, measure in ACCURACY.items():
                    gain = partial(_at_equal_bound, change_of(COMPARED[kind]), measure)
                    yield Check({**at, "metric": str(kind)}, settings, gain, Claimed.LESS, kind)


def similar_when_nodes_differ(evidence: Evidence) -> Iterator[Check]:
    yield from _accuracy(evidence, "fig5_per_node", [*OUTPERFORMED, ("MR-ADMM", "R-ADMM")])


def recycling_beats_stopping(evidence: Evidence) -> Iterator[Check]:
    for figure in FIGURES:
        yield from _accuracy(evidence, figure, list(STOPPED.items()))


def growth_stabilises(evidence: Evidence) -> Iterator[Check]:
    for figure in FIGURES:
        for at, ours, rival in _pairs(evidence, figure, [("MR-ADMM", "R-ADMM")]):
            for kind, measure in ACCURACY.items():
                spread = partial(compare, log_spread_ratio, measure)
                yield Check({**at, "metric": str(kind)}, (ours, rival), spread, Claimed.LESS, Kind.RATIO)


def _accuracy(evidence: Evidence, figure: str, pairs: list[tuple[str, str]]) -> Iterator[Check]:
    for at, ours, rival in _pairs(evidence, figure, pairs):
        yield from _more_accurate(at, _at_equal_bound, ours, rival)


def _more_accurate(
    at: CaseParameters, compare_fairly: Callable[..., Effect], ours: Runs, rival: Runs
) -> Iterator[Check]:
    for kind, measure in ACCURACY.items():
        gain = partial(compare_fairly, COMPARED[kind], measure)
        yield Check({**at, "metric": str(kind)}, (ours, rival), gain, Claimed.LESS, kind)


def _pairs(
    evidence: Evidence, figure: str, pairs: list[tuple[str, str]]
) -> Iterator[tuple[CaseParameters, Runs, Runs]]:
    """Yield pairs of runs at each α, which is R-ADMM's and MR-ADMM's: the others' are calibrated to it."""
    for ours, rival in pairs:
        for alpha in evidence.values(figure, ours, ALPHA):
            for left, right in evidence.together(figure, (ours, {ALPHA: alpha}), (rival, {ALPHA: alpha})):
                at = {"N": _nodes(left), "algorithm": ours, "over": rival, "α": alpha}
                yield at, left, right


def _at_equal_bound(statistic: Statistic, measure: Measure, *settings: Runs) -> Effect:
    """Compare settings, alternately ours and a rival, after checking that none of ours is less private."""
    for ours, rival in zip(settings[::2], settings[1::2], strict=True):
        if bound_difference(ours, rival).value > 0:
            raise EvidenceError(f"{ours.name} has a larger total bound than {rival.name}: no comparison")
    return compare(statistic, measure, *settings)


def _at_equal_epsilon(statistic: Statistic, measure: Measure, ours: Runs, rival: Runs) -> Effect:
    """Compare two settings whose noise was calibrated to the same total ε, or of which ours spends no more by the
    default accountant.
    """
    same = _target(ours) is not None and _target(ours) == _target(rival)
    if not same and ours.total_epsilon > rival.total_epsilon * (1 + ROUNDING):
        raise EvidenceError(f"{ours.name} has a larger total ε than {rival.name}: no comparison")
    return compare(statistic, measure, ours, rival)


def _target(runs: Runs) -> float | None:
    """Return the total ε that a setting's noise is or was calibrated to; None if its scale was given."""
    setting = runs.entry.setting
    budget = setting.noise if isinstance(setting.noise, NoiseBudget) else setting.calibrated_to
    return budget.total_epsilon if budget is not None else None


def _largest_excess(ours: Runs, rival: Runs) -> Effect:
    """Return the largest P(t) of ours less the rival's at the same t, as a share of the rival's P(T)."""
    left, right = bounds(ours), bounds(rival)
    common = min(len(left), len(right))
    return exact(float((left[1:common] - right[1:common]).max() / right[-1]), len(ours["privacy_loss"]))


def _noise(ours: Runs, rival: Runs) -> Effect:
    """Return the ratio of the noise's expected norms, d/α or its mean over the nodes, relative to "much less"."""
    norms = [np.mean(1.0 / _alphas(runs)) for runs in (ours, rival)]
    return exact(float(np.log(norms[0] / norms[1] / MUCH_LESS)), len(ours["loss"]))


def _alphas(runs: Runs) -> Array:
    """Return the α of the noise: a single number, or one for each node."""
    noise = runs.entry.setting.known_noise
    assert noise is not None  # noqa: S101 (settings with noise are compared)
    return np.atleast_1d(np.asarray(noise.alpha, dtype=np.float64))


def _nodes(runs: Runs) -> Any:
    """Return N, or the name of a network that isn't given by its size."""
    setting = runs.entry.setting
    return getattr(setting.network, "nodes", None) or setting.network_name
