"""Zero-concentrated differential privacy: ρ of discrete Gaussian releases, and the ε that it gives.

All is computed in decimal numbers of 50 digits that are rounded up, so what is printed is a bound.
"""

import math
from collections.abc import Iterable
from decimal import ROUND_CEILING, Decimal, localcontext

from scipy.optimize import minimize_scalar

from radmm.base.errors import InputError

DIGITS = 50
GUARD = Decimal("1e-40")  # far above the rounding of a dozen operations of 50 digits, relative to the largest term


def total_rho(releases: Iterable[tuple[int, int]]) -> Decimal:
    """Return ρ = Σ Δ²/2σ² of one node's releases, rounded up (Canonne, Kamath and Steinke, 2020).

    Args:
        releases: Sensitivity Δ and scale σ of each, both whole numbers of steps of its grid.
    """
    with localcontext(prec=DIGITS, rounding=ROUND_CEILING):
        costs = (Decimal(sensitivity) ** 2 / (2 * Decimal(scale) ** 2) for sensitivity, scale in releases)
        return sum(costs, Decimal(0))  # squares of 64-bit numbers are exact in 50 digits


def epsilon_of(rho: Decimal, delta: float) -> float:
    """Return an ε for which ρ-zCDP implies (ε, δ)-differential privacy, rounded up.

    It is αρ + ln(1 − 1/α) − (ln δ + ln α)/(α − 1), which holds at every α > 1 (Canonne, Kamath and Steinke, 2020,
    Proposition 12), at the α where it is about least.

    Args:
        rho: ρ, a bound from above.
        delta: δ, above 0 and below 1.
    """
    if not 0.0 < delta < 1.0:
        raise InputError(f"delta = {delta:g}: must be above 0 and below 1")
    if rho == 0:
        return 0.0
    spent, log_delta = float(rho), math.log(delta)

    def at(log_excess: float) -> float:
        excess = math.exp(log_excess)
        order = 1.0 + excess
        return order * spent + log_excess - math.log(order) - (log_delta + math.log(order)) / excess

    best = minimize_scalar(at, bounds=(-30.0, 60.0), method="bounded", options={"xatol": 1e-9})
    return max(0.0, _rounded_up(_epsilon_at(Decimal(math.exp(best.x)), rho, Decimal(delta))))


def _epsilon_at(excess: Decimal, rho: Decimal, delta: Decimal) -> Decimal:
    """Return the bound at α = 1 + excess, with a guard above all rounding."""
    with localcontext(prec=DIGITS):
        order = 1 + excess
        terms = [order * rho, excess.ln() - order.ln(), -(delta.ln() + order.ln()) / excess]
        return sum(terms) + GUARD * (1 + sum(map(abs, terms)))


def _rounded_up(value: Decimal) -> float:
    near = float(value)
    return near if Decimal(near) >= value else math.nextafter(near, math.inf)
