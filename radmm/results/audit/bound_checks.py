"""Comparison of each accountant's bound with what the audit found.

A bound falls where the lower confidence limit of what it bounds is above it. An accountant's δ at some ε is compared
with the hockey stick of the sampled losses there; a pure ε with the largest observed loss, which is no estimate.
Quadrature is compared in ε. Two data sets that differ by a zeroed record differ by a replaced one as well, so that the
totals of both relations are tested on them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from radmm.base.arrays import Array
from radmm.base.errors import InputError
from radmm.privacy.accountants.accountant import ACCOUNTANTS, Accountant
from radmm.privacy.guarantee import rounded_up
from radmm.privacy.ledger import Ledger
from radmm.privacy.relation import REPLACE_ONE, Relation
from radmm.results.audit.attack import epsilon_shown
from radmm.results.audit.case import AuditCase, Setup
from radmm.results.audit.intervals import hockey_stick, normalisation
from radmm.results.audit.quadrature import epsilon_reached, largest_loss, laws

DELTAS = (0.1, 0.01, 1e-3, 1e-4, 1e-5)
STANDS, FALLS = "stands", "falls"
ROUNDING = 1e-8  # rounding error of a privacy loss, where argmins end within rounding
CURVE_POINTS = 60
DELTA_BOUND, EPSILON_BOUND, LARGEST_LOSS, NORMALISATION = "delta", "epsilon", "largest loss", "E e^(-L)"


class AccountantTotal(NamedTuple):
    """An accountant's total (ε, δ) of a ledger, for data sets that are neighbours by the relation."""

    accountant: str
    epsilon: float
    delta: float
    relation: Relation = REPLACE_ONE


@dataclass(frozen=True)
class BoundCheck:
    """One comparison of a bound with a finding; without an accountant it tests the audit's own arithmetic."""

    audit: str
    case: AuditCase
    direction: str
    samples: int
    quantity: str
    total: AccountantTotal
    bound: float
    estimate: float
    low: float
    high: float  # a bound above it is no mistake, but 1 for E e^(−L) would be
    could_show: float = np.nan  # what a one-run audit is expected to find of a claim that is true

    @property
    def falls(self) -> bool:
        """Whether the finding refutes the bound."""
        return self.low > self.bound or (self.quantity == NORMALISATION and self.high < self.bound)

    @property
    def excess(self) -> float:
        """Factor by which the finding exceeds the bound."""
        return self.low / self.bound if self.low > self.bound else self.bound / self.high

    @property
    def tightness(self) -> float:
        """Certain part of the finding as a share of the bound: at most 1 if the bound stands; NaN without a bound."""
        if self.quantity == NORMALISATION or not self.bound > 0.0:
            return np.nan
        return self.low / self.bound

    def row(self) -> dict[str, object]:
        """Return the finding as a row of the audit's table."""
        setup = self.case.setup
        release = setup.ledger.releases[0]
        return {
            "audit": self.audit,
            "case": self.case.pair.name,
            "neighbours": (self.total if self.total.accountant else self.case).relation.neighbours,
            "algorithm": setup.algorithm.name,
            "loss": setup.loss.name,
            "mechanism": release.mechanism,
            "law": release.law,
            "direction": self.direction,
            "d": setup.dimension,
            "B": setup.rows,
            "C": setup.C,
            "alpha": setup.noise.alpha,
            "sigma": setup.noise.sigma,
            "x": release.jacobian,
            "K": setup.data_steps,
            "samples": self.samples,
            "quantity": self.quantity,
            "accountant": self.total.accountant,
            "epsilon": self.total.epsilon,
            "delta": self.total.delta,
            "bound": self.bound,
            "estimate": self.estimate,
            "low": self.low,
            "high": self.high,
            "could_show": self.could_show,
            "tightness": self.tightness,
            "verdict": "" if np.isnan(self.bound) else FALLS if self.falls else STANDS,
            "panel": self.case.panel,
        }

    def sentence(self) -> str:
        """Return the sentence that reports a bound that falls."""
        found = f"the {self.audit} audit finds at least {self.low:.6g} ({self.direction}, {self.samples} samples)"
        bounds = f"the {self.total.accountant} accountant bounds"
        place = {
            DELTA_BOUND: f"{bounds} delta at epsilon = {rounded_up(self.total.epsilon, 6)}",
            EPSILON_BOUND: f"{bounds} epsilon at delta = {self.total.delta:g}",
            LARGEST_LOSS: f"{bounds} every loss",
        }
        if self.quantity in place:
            return f"{self.case.name}: {place[self.quantity]} by {rounded_up(self.bound, 6)}, but {found}"
        between = f"between {self.low:.6g} and {self.high:.6g} ({self.direction}, {self.samples} samples)"
        return (
            f"{self.case.name}: E e^(-L) of the sampled losses must be 1, but is {between}: the noise has another law"
        )


def totals_of(ledger: Ledger, relation: Relation = REPLACE_ONE) -> list[AccountantTotal]:
    """Return the totals of all accountants that refuse neither the relation nor the ledger."""
    totals = []
    for accountant in _accountants(relation):
        if not accountant.refuses(ledger):
            deltas = (0.0,) if accountant.pure else DELTAS
            totals += [
                AccountantTotal(accountant.name, accountant.epsilon(ledger, delta), delta, relation) for delta in deltas
            ]
    return totals


def _accountants(relation: Relation) -> list[Accountant]:
    """Return the accountants that have a proof for the relation."""
    able = []
    for name in ACCOUNTANTS:
        try:
            able.append(ACCOUNTANTS[name](relation))
        except InputError:  # it says so itself
            continue
    return able


@lru_cache(maxsize=512)
def _totals_of_setup(setup: Setup, relation: Relation) -> tuple[AccountantTotal, ...]:
    """Return the accountants' totals of a setup, cached, as pairs share setups."""
    return tuple(totals_of(setup.ledger, relation))


def totals_of_case(case: AuditCase) -> list[AccountantTotal]:
    """Return the accountants' totals for every relation by which the case's data sets are neighbours."""
    relations = dict.fromkeys((case.relation, REPLACE_ONE))
    return [total for relation in relations for total in _totals_of_setup(case.setup, relation)]


def exact_checks(case: AuditCase, direction: str, losses: Array, totals: Sequence[AccountantTotal]) -> list[BoundCheck]:
    """Compare sampled losses with every total, and with their own law."""

    def check(quantity: str, total: AccountantTotal, bound: float, found: Iterable[Array | float]) -> BoundCheck:
        estimate, low, high = map(float, found)
        return BoundCheck("exact", case, direction, len(losses), quantity, total, bound, estimate, low, high)

    pure, approximate = ([total for total in totals if bool(total.delta) == kind] for kind in (False, True))
    largest = float(losses.max()) - ROUNDING
    checks = [check(LARGEST_LOSS, total, total.epsilon, (largest, largest, np.inf)) for total in pure]
    sticks = hockey_stick(losses, np.array([total.epsilon for total in approximate]))
    checks += [
        check(DELTA_BOUND, total, total.delta, found) for total, *found in zip(approximate, *sticks, strict=True)
    ]
    nobody = AccountantTotal("", np.nan, np.nan)
    checks.append(check(NORMALISATION, nobody, 1.0, normalisation(losses)))
    if case.panel:
        epsilon = np.linspace(0.0, float(losses.max()), CURVE_POINTS)
        curve = zip(epsilon.tolist(), *hockey_stick(losses, epsilon), strict=True)
        checks += [check(DELTA_BOUND, nobody._replace(epsilon=at), np.nan, found) for at, *found in curve]
    return checks


def quadrature_checks(
    case: AuditCase, reverse: bool, direction: str, totals: Sequence[AccountantTotal]
) -> list[BoundCheck]:
    """Compare the exact law of the releases' losses with every total.

    Args:
        case: Case with a place.
        reverse: Whether the replacement is the data set that the run has.
        direction: Name of the direction in the table.
        totals: Accountants' totals of the case.
    """
    both = laws(case, reverse)
    deltas = sorted({total.delta for total in totals if total.delta})
    reached = dict(zip(deltas, zip(*epsilon_reached(case, reverse, both, np.array(deltas)), strict=True), strict=True))
    largest = case.setup.data_steps * largest_loss(both) - ROUNDING
    checks = []
    for total in totals:
        estimate, low, high = map(float, reached.get(total.delta, (largest, largest, np.inf)))
        quantity = EPSILON_BOUND if total.delta else LARGEST_LOSS
        checks.append(
            BoundCheck(
                "quadrature", case, direction, len(both.here), quantity, total, total.epsilon, estimate, low, high
            )
        )
    return checks


def attack_checks(
    case: AuditCase, with_record: Array, with_replacement: Array, totals: Sequence[AccountantTotal]
) -> list[BoundCheck]:
    """Compare what a membership test shows, from its scores of runs on either data set, with every total."""
    shown = {delta: epsilon_shown(with_record, with_replacement, delta) for delta in {total.delta for total in totals}}
    tested = len(with_record) // 2 + len(with_replacement) // 2
    checks = []
    for total in totals:
        estimate, low, high = (float(each[0]) for each in shown[total.delta])
        checks.append(
            BoundCheck("black-box", case, "either", tested, EPSILON_BOUND, total, total.epsilon, estimate, low, high)
        )
    return checks


def complaint(checks: Iterable[BoundCheck]) -> str | None:
    """Return a sentence about the bound that falls furthest, or None if all stand."""
    fallen = sorted((check for check in checks if check.falls), key=lambda check: -check.excess)
    if not fallen:
        return None
    more = f"; {len(fallen) - 1} more bounds fall" if len(fallen) > 1 else ""
    return fallen[0].sentence() + more
