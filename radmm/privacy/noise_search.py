"""Search for the least amount of noise whose ε is within a budget, given a function that returns the ε of an amount.

An accountant's ε falls as the noise grows, but for the grids inside its bound. So no search takes it to be monotone:
what is returned was itself accounted for and meets the budget, and either spends nearly all of it or 1 % less noise was
seen to spend too much. An amount is σ or 1/α; searches take arrays of them, one for each node or one for all.
"""

import math
from collections.abc import Callable

import numpy as np

from radmm.base.arrays import Array
from radmm.privacy.noise_laws import Law

CALIBRATION_DIGITS = 10  # calibrated α and σ have this many digits: one canonical form on every machine
MOST_NOISE, LEAST_NOISE = 1e9, 1e-9  # of 1/α or σ, in units of `Noise.unit`
WIDEN = math.log(8.0)  # how a bracket grows
CLOSE = 0.993  # the share of a budget that is near enough to the whole for an accountant that takes long
LESS = 0.99  # of the noise, which must be seen to be too little where less than that share is spent
SEEN = 0.992  # of the noise: seen to be too little, with room for the ten digits to which scales are rounded


def nearest_amounts(spent: Callable[[Array], Array], target: float, unit: float, most: Array) -> Array:
    """Return amounts that each spend at most the target, where amounts less by a relative 1e-10 spend more.

    It is a bracketed secant in logarithms, in which ε is nearly linear; each round keeps at least a hundredth of the
    bracket.

    Args:
        spent: Function that returns the ε of amounts of noise.
        target: ε that may be spent.
        unit: Amount at which the search begins.
        most: Amounts that are known to be enough.
    """

    def excess(log_amount: Array) -> Array:
        with np.errstate(divide="ignore"):
            difference: Array = np.log(spent(np.exp(log_amount)) / target)
        return difference

    high = np.full(len(most), math.log(unit))
    above = excess(high)
    while np.any(above > 0):
        high = np.minimum(np.where(above > 0, high + WIDEN, high), np.log(most))
        above = np.where(high == np.log(most), -np.inf, excess(high))
    low = high - WIDEN
    below = excess(low)
    while np.any((below <= 0) & (low > math.log(LEAST_NOISE * unit))):
        enough = below <= 0
        high, above = np.where(enough, low, high), np.where(enough, below, above)
        low = np.where(enough, low - WIDEN, low)
        below = excess(low)
    while np.any(high - low > 1e-10):
        width, slope = high - low, below - above
        usable = np.isfinite(slope) & (slope > 0)
        share = np.where(usable, -above / np.where(usable, slope, 1.0), 0.5)
        point = high - width * np.clip(share, 0.01, 0.99)
        value = excess(point)
        enough = value <= 0
        high, above = np.where(enough, point, high), np.where(enough, value, above)
        low, below = np.where(enough, low, point), np.where(enough, below, value)
    amounts: Array = np.exp(high)
    return amounts


def least_amounts(spent: Callable[[Array], Array], target: float, enough: Array) -> Array:
    """Reduce amounts that are enough to smaller ones that spend nearly the target.

    ε is nearly a power of the amount, so a few guesses along that power do, of which none is returned that spends more.
    Where ε jumps over the target no amount spends nearly all of it: there the search ends when 1 % less was too little.

    Args:
        spent: Function that returns the ε of amounts of noise.
        target: ε that may be spent.
        enough: Amounts that spend at most that.
    """
    enough, value = _enlarged(spent, target, enough)
    power, fails = np.full(len(enough), -1.0), np.zeros(len(enough))
    while True:
        shown = (fails >= SEEN * enough) | ((value >= LESS * target) & (fails > 0.0))
        if np.all((value >= CLOSE * target) | shown):
            return _enlarged(spent, target, enough)[0]
        guess = enough * (np.maximum(value, 1e-12) / (0.5 * (1.0 + CLOSE) * target)) ** (-1.0 / power)
        guess = np.where(guess > fails, guess, np.sqrt(fails * enough))  # between what fails and what is enough
        untried = (value < LESS * target) & (fails < LESS * enough)
        guess = np.where(untried, np.minimum(guess, LESS * enough), guess)
        guess = np.where((value >= CLOSE * target) | shown, enough, guess)
        found = spent(guess)
        with np.errstate(divide="ignore", invalid="ignore"):
            slope = np.log(np.maximum(found, 1e-12) / np.maximum(value, 1e-12)) / np.log(guess / enough)
        power = np.where(np.isfinite(slope) & (slope < -0.2), slope, power)
        within = found <= target
        fails = np.where(within, fails, guess)
        enough, value = np.where(within, guess, enough), np.where(within, found, value)


def _enlarged(spent: Callable[[Array], Array], target: float, amounts: Array) -> tuple[Array, Array]:
    """Return amounts that spend at most the target, 1 % larger at a time, and what they spend.

    Amounts that a quicker accountant found, or that were found one node after the other, may exceed it by a hair.
    """
    value = spent(amounts)
    while np.any(value > target):
        amounts = np.where(value > target, amounts / LESS, amounts)
        value = spent(amounts)
    return amounts, value


def safe_scales(law: Law, amounts: Array) -> Array:
    """Round α down, or σ up, to ten digits: one canonical form on every machine.

    Args:
        amounts: Amounts of noise, σ or 1/α.
    """
    scale, rounded = (amounts, np.ceil) if law == Law.GAUSSIAN else (1.0 / amounts, np.floor)
    unit = 10.0 ** (np.floor(np.log10(scale)) - CALIBRATION_DIGITS + 1)
    return np.array([float(f"{value:.{CALIBRATION_DIGITS}g}") for value in rounded(scale / unit) * unit])
