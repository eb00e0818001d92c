"""Conditions of the privacy proofs, checked before anything runs; messages contain the numbers.

Neighbouring data sets differ by replacing one row at one node.
"""

from typing import Any

import numpy as np

from radmm.algorithms.algorithm import Algorithm
from radmm.base.arrays import Array, Mask
from radmm.base.errors import InputError
from radmm.model.losses.loss import BOUNDED, LOGISTIC, SOFTMAX, Loss, is_multiclass
from radmm.model.problem import NORM_SLACK, LongestRow
from radmm.model.public_facts import PublicFacts
from radmm.privacy.cancelling_noise import check_colluders
from radmm.privacy.events import PerturbedArgmin, PerturbedPenaltyArgmin
from radmm.privacy.noise import Noise
from radmm.privacy.noise_laws import Law
from radmm.privacy.query_log import QueryLog
from radmm.privacy.softmax_conditions import NOT_FINITE, UNPROVED, check_softmax

# Margins at which a loss's stated bounds are tried: finely around 0, where losses bend, and far out.
FAR = np.geomspace(12.0, 1e6, 200)
MARGINS: Array = np.unique(np.concatenate([-FAR, np.linspace(-12.0, 12.0, 4801), FAR]))
ROUNDING = 1e-6  # relative, of a difference quotient


def check_private(loss: Loss, facts: PublicFacts, algorithm: Algorithm[Any], query_log: QueryLog, noise: Noise) -> None:
    """Refuse a noise that the algorithm can't use, or whose guarantee nobody has proved.

    Args:
        loss: Loss, whose stated bounds are tested.
    """
    check_pair(algorithm, query_log, noise)
    if noise.needs_slope_bound:
        check_stated_bounds(loss)
    noise.scales(1, facts.nodes)  # one for each node
    noise.repairs(1, facts.nodes)
    check_condition(facts, query_log, noise)


def check_pair(algorithm: Algorithm[Any], query_log: QueryLog, noise: Noise) -> None:
    """Refuse a noise that the algorithm can't use."""
    reason = noise.refusal(algorithm)
    if reason:
        raise InputError(reason)
    if noise.cancelling and query_log.network is not None:
        check_colluders(noise.colluders, query_log.network)
    if np.diff(query_log.data_steps).max(initial=0) > 1:
        raise InputError(
            f"algorithm = {algorithm.name}: must ask at most once in an iteration to be private, as a ledger has one "
            "release for each iteration and node"
        )
    for query in query_log.queries:
        if not isinstance(query, noise.perturbs):
            raise InputError(
                f"{noise.name} noise is for {noise.perturbs.asks_for}, but {algorithm.name} asks for {query.asks_for}"
            )
        if issubclass(noise.event, PerturbedPenaltyArgmin) and not query.weight.all():
            raise InputError(
                f"{noise.name} noise enters with the penalty, but node {int(query.weight.argmin())} has no neighbour, "
                "hence no penalty, and its data would be released as they are: must be another noise"
            )


def check_stated_bounds(loss: Loss) -> None:
    """Refuse a loss that doesn't state the bounds that the proofs need, or states false ones."""
    name = getattr(loss, "name", type(loss).__name__)
    if is_multiclass(loss):
        check_softmax(loss, name)
        return
    G, c1 = (_stated(loss, name, field, meaning) for field, meaning in (("G", "slope"), ("c1", "curvature")))  # noqa: N806
    with np.errstate(all="ignore"):
        value, slope = loss.value_and_slope(MARGINS)
    _refuse_where(~np.isfinite(value + slope), MARGINS, name, NOT_FINITE)
    step = np.diff(MARGINS)
    bends = np.diff(slope) / step
    steep, bent = np.abs(slope) > G * (1.0 + ROUNDING), bends > c1 * (1.0 + ROUNDING)
    _refuse_where(steep, MARGINS, name, f"its slope exceeds the stated bound G = {G:g}")
    _refuse_where(bent, MARGINS[:-1], name, f"its curvature exceeds the stated bound c1 = {c1:g}")
    _refuse_where(bends < -ROUNDING * c1, MARGINS[:-1], name, "it is not convex")
    if getattr(loss, "monotone", None):
        changes = (slope * np.sign(slope[np.abs(slope).argmax()])) < -ROUNDING * G
        _refuse_where(changes, MARGINS, name, "its slope changes its sign, though it is stated to be monotone")
    if getattr(loss, "form", BOUNDED) == LOGISTIC:
        share = np.abs(slope) / G
        largest = 4.0 * c1 * np.maximum.reduce([share[:-1] * (1.0 - share[:-1]), share[1:] * (1.0 - share[1:])])
        _refuse_where(
            bends > largest * (1.0 + 0.02) + ROUNDING * c1, MARGINS[:-1], name, "its curvature is not of logistic form"
        )
    between = (np.diff(value) / step - slope[:-1]) * (np.diff(value) / step - slope[1:]) > (ROUNDING * G) ** 2
    _refuse_where(between, MARGINS[:-1], name, "its slope is not the derivative of its value")


def _stated(loss: Loss, name: str, field: str, meaning: str) -> float:
    bound = getattr(loss, field, None)
    if bound is None:
        raise InputError(f"loss = {name}: {UNPROVED} it states no bound {field} on its {meaning}")
    if not (np.isfinite(bound) and bound > 0):
        raise InputError(f"loss = {name}: {field} = {bound} must be a positive number to bound its {meaning}")
    return float(bound)


def _refuse_where(fails: Mask, margins: Array, name: str, what: str) -> None:
    """Raise an InputError that names the failing margin nearest to 0."""
    if np.any(fails):
        margin = margins[fails][np.abs(margins[fails]).argmin()]
        raise InputError(f"loss = {name}: {UNPROVED} at margin {margin:g} {what}")


def check_condition(facts: PublicFacts, query_log: QueryLog, noise: Noise) -> None:
    """Refuse nodes that violate the privacy theorem's condition 2c1 < (B_i/C_i)(ρ/N + 2η_i(1)V_i).

    It is about objective perturbation in pure differential privacy, so Gaussian noise doesn't need it. The theorem's
    penalties don't decrease; where an algorithm's weights do, the least of them takes the first one's place.
    """
    if not query_log.queries or noise.law == Law.GAUSSIAN or not issubclass(noise.event, PerturbedArgmin):
        return
    if facts.form == SOFTMAX:  # of which the theorem doesn't speak, and the others need no condition
        return
    assert facts.c1 is not None  # noqa: S101 (check_stated_bounds has refused it)
    distinct = {id(query.weight): query.weight for query in query_log.queries}  # equal ones in a row are kept once
    weight: Array = np.minimum.reduce(list(distinct.values()))
    right = facts.row_counts / facts.node_weights * facts.strong_convexity(weight)
    node = int(right.argmin())
    if not 2 * facts.c1 < right[node]:
        remedy = "raise the penalty" if weight[node] else "raise rho"  # a single node has no penalty
        raise InputError(
            f"the privacy bound needs 2 c1 < (B_i/C_i)(rho/N + 2 eta_i(1) V_i), but at node {node} "
            f"the left side is {2 * facts.c1:g} and the right side {right[node]:g}: {remedy} or lower C"
        )


def check_row_norms(longest: LongestRow) -> None:
    """Refuse rows of norm above 1, for which no bound holds."""
    if longest.norm > 1.0 + NORM_SLACK:
        raise InputError(
            f"features of row {longest.row}, at node {longest.node}, have norm {longest.norm:g}: "
            "a privacy bound needs every row's norm to be at most 1"
        )
