"""The accountants side by side at the paper's setting, as Markdown tables: total ε of all releases, rounded up.

25 and 50 data-touching iterations with N = 5, B_i = 8000, C = 1750, ρ = 0.22, η = 1, d = 105, and a node of degree 1.
The Gaussian columns have the σ at which the noise's expected norm is that of the exponential-norm noise, d/α; output
noise has the same σ divided by the subproblem's curvature. Pure bounds (paper, pure) have δ = 0.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from radmm.algorithms.recycled import RADMM
from radmm.model.losses.logistic import Logistic
from radmm.model.network import Network
from radmm.model.public_facts import PublicFacts
from radmm.model.weighting import Weighting
from radmm.privacy.accountants.accountant import ACCOUNTANTS, Accountant
from radmm.privacy.accountants.pld import PldAccountant
from radmm.privacy.accountants.renyi import RenyiAccountant
from radmm.privacy.accountants.shift import ShiftAccountant
from radmm.privacy.guarantee import EXACT_ARGMINS, EXACT_ARITHMETIC, rounded_up
from radmm.privacy.ledger import Ledger, ledger_of
from radmm.privacy.noise import Noise
from radmm.privacy.noises.objective import ObjectiveNoise
from radmm.privacy.noises.output import OutputNoise
from radmm.privacy.query_log import record_queries
from radmm.privacy.relation import REPLACE_ONE, Neighbours, Relation

WORKED_DELTA, DIMENSION, PENALTY = 1e-5, 105, 1.0
NETWORK = Network.from_edges(np.array([[0, 4], [1, 4], [2, 4], [1, 3], [2, 3]]))
FACTS = PublicFacts.of(Logistic(), 1750.0, 0.22, np.full(5, 8000), NETWORK.degrees, DIMENSION, Weighting.NODES)
CURVATURE = float(FACTS.strong_convexity(2.0 * PENALTY * NETWORK.degrees).min())
COLUMNS = ("paper", "pure", "optimal-pure", "renyi", "pld")  # in the order of the table; new ones come after
STEPS, ALPHAS = (25, 50), (2.0, 1.0, 0.5)
TERMS = (
    f"Total ε over K data-touching iterations, rounded up, at δ = {WORKED_DELTA:g} (`paper` and `pure`: δ = 0), for "
    f"{REPLACE_ONE} or, where named, {Relation(Neighbours.ZERO_OUT)}; {EXACT_ARITHMETIC}; {EXACT_ARGMINS}, unless "
    "there is a repair."
)


def gaussian_sigma(alpha: float) -> float:
    """Return the σ at which E‖N(0, σ²I)‖ is d/α."""
    half = DIMENSION / 2.0
    return DIMENSION / alpha * math.exp(math.lgamma(half) - math.lgamma(half + 0.5)) / math.sqrt(2.0)


def columns(alpha: float) -> dict[str, tuple[Noise, Accountant]]:
    """Return the noise and the accountant of each column, by heading."""
    objective, sigma = ObjectiveNoise(alpha), gaussian_sigma(alpha)
    gaussian, output = ObjectiveNoise(sigma=sigma), OutputNoise(sigma=sigma / CURVATURE)
    exponential: dict[str, tuple[Noise, Accountant]] = {name: (objective, ACCOUNTANTS[name]()) for name in COLUMNS}
    exponential["shift"] = objective, ShiftAccountant()
    exponential["shift, zero-out"] = objective, ShiftAccountant(Relation(Neighbours.ZERO_OUT))
    renyi, pld = RenyiAccountant(), PldAccountant()
    return {
        **exponential,
        "output, pld": (OutputNoise(alpha * CURVATURE), pld),
        "Gaussian, renyi": (gaussian, renyi),
        "Gaussian, pld": (gaussian, pld),
        "Gaussian output, pld": (output, pld),
    }


def ledger_after(steps: int, noise: Noise) -> Ledger:
    """Return the ledger of a run with so many data-touching iterations."""
    return ledger_of(record_queries(RADMM(PENALTY), NETWORK, 2 * steps), FACTS, noise)


def worked_table() -> list[dict[str, float]]:
    """Return the table of total ε: one row for each number of data-touching iterations and α."""
    rows = []
    for steps in STEPS:
        for alpha in ALPHAS:
            row: dict[str, float] = {"K": steps, "α": alpha}
            for heading, (noise, accountant) in columns(alpha).items():
                row[heading] = accountant.epsilon(ledger_after(steps, noise), 0.0 if accountant.pure else WORKED_DELTA)
            rows.append(row)
    return rows


def repair_table() -> list[dict[str, float | str]]:
    """Return the cost of covering inexact argmins, K = 50 and α = 1.

    σ_o is a multiple of the distance 2τ/λ0 that it covers.
    """
    distance = 2.0 * FACTS.tolerance / CURVATURE
    rows: list[dict[str, float | str]] = []
    for multiple in (0, 10, 100, 1000):
        noise = ObjectiveNoise(1.0, repair=multiple * distance) if multiple else ObjectiveNoise(1.0)
        ledger = ledger_after(50, noise)
        spent = {name: ACCOUNTANTS[name]().epsilon(ledger, WORKED_DELTA) for name in ("renyi", "pld")}
        rows.append({"repair, σ_o λ0/2τ": f"{multiple:g}" if multiple else "none", **spent})
    return rows


def markdown(rows: Sequence[Mapping[str, float | str]]) -> str:
    """Return rows as a Markdown table whose head has the names of the first row."""
    plain = [[_written(name, value) for name, value in row.items()] for row in rows]
    lines = [list(rows[0]), ["---"] * len(rows[0]), *plain]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _written(name: str, value: float | str) -> str:
    if isinstance(value, str):
        return value
    return f"{value:g}" if name in ("K", "α") else rounded_up(value)


if __name__ == "__main__":
    print(f"{TERMS}\n\n{markdown(worked_table())}")
    print(f"\n{markdown(repair_table())}")
