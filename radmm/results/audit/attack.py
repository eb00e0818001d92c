"""Membership test on whole runs of the solver, given nothing but the primal iterates that they release.

The attacker knows both data sets and asks which one a run had. Replaying the algorithm on what was released gives the
duals, each step's linear term and so the likelihood ratio. A threshold on it, chosen on half of the runs, has a hit
and a false-alarm rate on the other half, and (ε, δ)-differential privacy allows no hit rate above e^ε times the
false-alarm rate plus δ.
"""

from zlib import crc32

import numpy as np

from radmm.algorithms.oracle import Oracle
from radmm.base.arrays import Array
from radmm.base.seeds import Purpose, generator
from radmm.driver import solve
from radmm.results.audit.case import AuditCase
from radmm.results.audit.intervals import ERROR, BoundedEstimate, clopper_pearson
from radmm.results.audit.release_loss import NeighbouringRows
from radmm.results.audit.transcripts import density_in_use, first_node_loss

THRESHOLDS = 200


def released_iterates(case: AuditCase, replaced: bool, runs: int, seed: int) -> Array:
    """Return the iterates released by the solver on one of the data sets, (run, iteration, node, feature)."""
    stream = generator(seed, Purpose.AUDIT_RUN, crc32(case.name.encode()), int(replaced))
    result = solve(
        case.problem(replaced),
        case.setup.network,
        case.setup.algorithm,
        noise=case.setup.noise,
        iterations=case.setup.iterations,
        runs=runs,
        seed=int(stream.integers(2**31)),
        keep_iterates=True,
        initial_scale=0.0,
    )
    failed = [status.reason for status in result.status if status.reason]
    if failed or result.primal is None:
        raise ArithmeticError(f"{case.name}: {len(failed)} runs failed, the first at {failed[0]}")
    return result.primal


def likelihood_ratios(case: AuditCase, primal: Array) -> Array:
    """Return the log-likelihood ratio of each run: the record's data set over the replacement's."""
    replay = Replay(case, primal)
    state = case.setup.algorithm.first(np.moveaxis(primal[:, 0], 0, 2), case.setup.network)
    while state.iteration < case.setup.iterations:
        state = case.setup.algorithm.advance(state, case.setup.network, replay)
        if not np.allclose(np.moveaxis(state.primal, 2, 0), primal[:, state.iteration], rtol=1e-9, atol=1e-9):
            raise ArithmeticError(f"{case.name}: iteration {state.iteration} doesn't follow from what was released")
    return replay.ratio


class Replay(Oracle):
    """Oracle that replays released answers and computes their likelihood under both data sets."""

    def __init__(self, case: AuditCase, primal: Array) -> None:
        self._setup, self._primal = case.setup, primal
        record, replacement = (case.node_rows(replaced, case.setup.dimension)[0] for replaced in (False, True))
        self._pair = NeighbouringRows(record, replacement)
        self._step = 0
        self.ratio = np.zeros(len(primal))

    def argmin(self, linear: Array, weight: Array, start: Array) -> Array:
        """Return what was released at this step.

        Args:
            linear: Linear term, (node, feature, run).
            weight: Quadratic weight w_i, one a node.
            start: Starting point, which is not used.
        """
        iteration = self._setup.query_log.queries[self._step].iteration
        self._step += 1
        released = np.moveaxis(self._primal[:, iteration], 0, 2)
        curvature = float(self._setup.facts.strong_convexity(weight)[0])
        law = density_in_use(self._setup, self._step, float(weight[0]))
        nowhere = np.zeros_like(self.ratio)
        self.ratio += first_node_loss(self._pair, self._setup.noise, released[0], linear[0], curvature, law, nowhere)
        return released

    def gradient(self, point: Array) -> Array:
        """Raise an error, as no audited case queries gradients here.

        Args:
            point: Point of the gradient.
        """
        raise NotImplementedError("the audit has no likelihood of a released gradient")


def epsilon_shown(with_record: Array, with_replacement: Array, delta: float) -> BoundedEstimate:
    """Return the ε at δ that scores of runs on either data set prove.

    The upper limit is unknown, as better tests may exist.

    Either data set may be the one to detect: large scores speak for the record, small ones for the replacement.
    """
    halves = [(with_record[::2], with_record[1::2]), (with_replacement[::2], with_replacement[1::2])]
    (train, test), (other_train, other_test) = halves
    thresholds = np.quantile(np.concatenate([train, other_train]), np.linspace(0.0, 1.0, THRESHOLDS))
    chosen = [
        (float(np.max(shown.low)), sign, float(thresholds[int(np.argmax(shown.low))]))
        for sign in (1.0, -1.0)
        for shown in [_epsilon(sign, train, other_train, thresholds, delta)]
    ]
    _, sign, threshold = max(chosen)
    return _epsilon(sign, test, other_test, np.array([threshold]), delta)


def _epsilon(
    sign: float, with_record: Array, with_replacement: Array, thresholds: Array, delta: float
) -> BoundedEstimate:
    """Estimate ε at each threshold.

    The test says record above the threshold (sign 1), or replacement up to it (sign −1).
    """
    above = [np.count_nonzero(scores[:, None] > thresholds, axis=0) for scores in (with_record, with_replacement)]
    if sign > 0:
        hit, alarm = above
        hits, alarms = len(with_record), len(with_replacement)
    else:
        alarm, hit = len(with_record) - above[0], len(with_replacement) - above[1]
        alarms, hits = len(with_record), len(with_replacement)
    hit_rate, alarm_rate = clopper_pearson(hit, hits, ERROR / 2), clopper_pearson(alarm, alarms, ERROR / 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.log(np.maximum(hit_rate.value - delta, 0.0) / alarm_rate.value)
        low = np.log(np.maximum(hit_rate.low - delta, 0.0) / alarm_rate.high)
    return BoundedEstimate(np.maximum(value, 0.0), np.maximum(low, 0.0), np.full_like(low, np.inf))
