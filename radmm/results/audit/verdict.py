"""Each bound beside what the audit found, and whether it stands.

A bound falls where the lower confidence limit of what it bounds is above it. An accountant's δ at some ε is compared
with the hockey stick of the sampled losses there; a pure ε with the largest loss, which is no estimate but seen.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from radmm.base.arrays import Array
from radmm.privacy.accountants.accountant import ACCOUNTANTS
from radmm.privacy.ledger import Ledger
from radmm.results.audit.attack import epsilon_shown
from radmm.results.audit.cases import Case, Setup
from radmm.results.audit.intervals import hockey_stick, normalisation

DELTAS = (0.1, 0.01, 1e-3, 1e-4, 1e-5)
STANDS, FALLS = "stands", "falls"
ROUNDING = 1e-8  # of a loss, where the argmins end within rounding
CURVE_POINTS = 60
DELTA, EPSILON, LARGEST_LOSS, NORMALISATION = "delta", "epsilon", "largest loss", "E e^(-L)"


class Claim(NamedTuple):
    """What an accountant says of a ledger: total (ε, δ)."""

    accountant: str
    epsilon: float
    delta: float


@dataclass(frozen=True)
class Check:
    """One comparison; without an accountant it is of what no accountant needs to say."""

    audit: str
    case: Case
    direction: str
    samples: int
    quantity: str
    claim: Claim
    bound: float
    estimate: float
    low: float
    high: float  # a bound above it is no mistake, but 1 for E e^(−L) would be

    @property
    def falls(self) -> bool:
        return self.low > self.bound or (self.quantity == NORMALISATION and self.high < self.bound)

    @property
    def excess(self) -> float:
        """By which factor it falls."""
        return self.low / self.bound if self.low > self.bound else self.bound / self.high

    def row(self) -> dict[str, Any]:
        setup = self.case.setup
        release = setup.ledger.releases[0]
        return {
            "audit": self.audit,
            "case": self.case.pair.name,
            "algorithm": setup.algorithm.name,
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
            "accountant": self.claim.accountant,
            "epsilon": self.claim.epsilon,
            "delta": self.claim.delta,
            "bound": self.bound,
            "estimate": self.estimate,
            "low": self.low,
            "high": self.high,
            "verdict": "" if np.isnan(self.bound) else FALLS if self.falls else STANDS,
            "panel": self.case.panel,
        }

    def sentence(self) -> str:
        """For a bound that falls."""
        found = f"the {self.audit} audit finds at least {self.low:.6g} ({self.direction}, {self.samples} samples)"
        place = {
            DELTA: f"the {self.claim.accountant} accountant bounds delta at epsilon = {self.claim.epsilon:.6g}",
            EPSILON: f"the {self.claim.accountant} accountant bounds epsilon at delta = {self.claim.delta:g}",
            LARGEST_LOSS: f"the {self.claim.accountant} accountant bounds every loss",
        }
        if self.quantity in place:
            return f"{self.case.name}: {place[self.quantity]} by {self.bound:.6g}, but {found}"
        between = f"between {self.low:.6g} and {self.high:.6g} ({self.direction}, {self.samples} samples)"
        return (
            f"{self.case.name}: E e^(-L) of the sampled losses must be 1, but is {between}: the noise has another law"
        )


def claims_of(ledger: Ledger) -> list[Claim]:
    """What every accountant says that doesn't refuse."""
    claims = []
    for name in ACCOUNTANTS:
        accountant = ACCOUNTANTS[name]()
        if not accountant.refuses(ledger):
            deltas = (0.0,) if accountant.pure else DELTAS
            claims += [Claim(name, accountant.epsilon(ledger, delta), delta) for delta in deltas]
    return claims


@lru_cache(maxsize=256)
def claims_of_setup(setup: Setup) -> list[Claim]:
    """Pairs share setups, so that each is accounted for once."""
    return claims_of(setup.ledger)


def exact_checks(case: Case, direction: str, losses: Array, claims: Sequence[Claim]) -> list[Check]:
    """Sampled losses against every claim, and against their own law."""

    def check(quantity: str, claim: Claim, bound: float, found: Iterable[Array | float]) -> Check:
        estimate, low, high = map(float, found)
        return Check("exact", case, direction, len(losses), quantity, claim, bound, estimate, low, high)

    pure, approximate = ([claim for claim in claims if bool(claim.delta) == kind] for kind in (False, True))
    largest = float(losses.max()) - ROUNDING
    checks = [check(LARGEST_LOSS, claim, claim.epsilon, (largest, largest, np.inf)) for claim in pure]
    sticks = hockey_stick(losses, np.array([claim.epsilon for claim in approximate]))
    checks += [check(DELTA, claim, claim.delta, found) for claim, *found in zip(approximate, *sticks, strict=True)]
    nobody = Claim("", np.nan, np.nan)
    checks.append(check(NORMALISATION, nobody, 1.0, normalisation(losses)))
    if case.panel:
        epsilon = np.linspace(0.0, float(losses.max()), CURVE_POINTS)
        curve = zip(epsilon.tolist(), *hockey_stick(losses, epsilon), strict=True)
        checks += [check(DELTA, nobody._replace(epsilon=at), np.nan, found) for at, *found in curve]
    return checks


def attack_checks(case: Case, with_record: Array, with_replacement: Array, claims: Sequence[Claim]) -> list[Check]:
    """What a membership test shows, from its scores of runs on either data set, against every claim."""
    shown = {delta: epsilon_shown(with_record, with_replacement, delta) for delta in {claim.delta for claim in claims}}
    tested = len(with_record) // 2 + len(with_replacement) // 2
    checks = []
    for claim in claims:
        estimate, low, high = (float(each[0]) for each in shown[claim.delta])
        checks.append(Check("black-box", case, "either", tested, EPSILON, claim, claim.epsilon, estimate, low, high))
    return checks


def complaint(checks: Iterable[Check]) -> str | None:
    """One sentence about the bound that falls furthest, if any does."""
    fallen = sorted((check for check in checks if check.falls), key=lambda check: -check.excess)
    if not fallen:
        return None
    more = f"; {len(fallen) - 1} more bounds fall" if len(fallen) > 1 else ""
    return fallen[0].sentence() + more
