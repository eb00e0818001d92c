"""Seconds and ε of radmm's accountants beside dp-accounting, prv-accountant and riskcal, where these can do the same.

All have the releases of the node of smallest degree in the setting of `radmm.accounting`, for the replacement of a row.
Gaussian output noise is a composition of Gaussian mechanisms, whose ε is known exactly. Objective perturbation is none:
the others have no such mechanism, and refuse.
"""

import time
from math import exp, sqrt

import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm

import radmm
from benchmarks.peer_accountants import ACCOUNTANTS as PEERS
from benchmarks.peers import HERE, Process, environment
from radmm.accounting import FACTS, NETWORK
from radmm.privacy.accountants.accountant import ACCOUNTANTS
from radmm.privacy.ledger import ledger_of
from radmm.privacy.query_log import record_queries

DELTA, ITERATIONS, MULTIPLIER, REPEATS = 1e-5, 50, 20.0, 3
ONE, GROWING = radmm.RADMM(1.0, gamma=0.5), radmm.MRADMM(radmm.Geometric(1.0, 1.04), gamma=0.5)
RATIOS = {"25 equal Gaussian releases": (ONE, 1.0), "25 different Gaussian releases": (GROWING, 1.04)}
PAPERS = "25 releases by objective perturbation, α = 1"
REFUSED = "has no objective perturbation"


def sensitivity(ratio, k):
    """Return the sensitivity (2C/B)/(ρ/N + 2η(k)) of the k-th argmin at a node of degree 1, with the numbers of
    radmm.accounting.
    """
    return 2.0 * 1750.0 / 8000.0 / (0.22 / 5.0 + 2.0 * ratio**k)


def exact_epsilon(multipliers, delta):
    """Return ε of Gaussian releases, which together are one Gaussian mechanism (Balle and Wang, 2018, theorem 8)."""
    mu = sqrt(sum(multiplier**-2 for multiplier in multipliers))

    def excess(epsilon):
        return norm.cdf(mu / 2 - epsilon / mu) - exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu) - delta

    return brentq(excess, 0.0, 100.0, xtol=1e-12)


def accountants(small=False):
    """Return CPU seconds and ε by case and accountant, or a refusal where an accountant can't do a case."""
    names = ("renyi", "pld", "shift")
    others = None if small else Process(environment(), [str(HERE / "peer_accountants.py")], "")
    table = {}
    for case, (algorithm, ratio) in RATIOS.items():
        sigma = MULTIPLIER * sensitivity(ratio, 1)
        multipliers = [sigma / sensitivity(ratio, k) for k in range(1, ITERATIONS // 2 + 1)]
        table[case] = {"exact": {"ε": exact_epsilon(multipliers, DELTA)}}
        for name in names:
            table[case][f"radmm, {name}"] = medians(
                lambda level, name=name, algorithm=algorithm, sigma=sigma: own(
                    algorithm, radmm.OutputNoise(sigma=level * sigma), name
                )
            )
        for name in PEERS if others else ():
            table[case][name] = medians(
                lambda level, name=name, multipliers=multipliers: others.ask(
                    name, DELTA, [level * multiplier for multiplier in multipliers]
                )
            )
    table[PAPERS] = {
        f"radmm, {name}": medians(lambda level, name=name: own(ONE, radmm.ObjectiveNoise(level), name))
        for name in names
    }
    table[PAPERS] |= {name: {"refused": REFUSED} for name in PEERS}
    if others:
        others.end()
    return table


def medians(ask):
    """Return median seconds, and ε at the level 1.

    Args:
        ask: Gives seconds and ε for a level of the noise. The first call imports and compiles; the others differ in
            their level, so that nobody's cache can answer.
    """
    ask(1.01)
    found = [ask(1.0 + 1e-3 * repeat) for repeat in range(REPEATS)]
    return {"seconds": float(np.median([seconds for seconds, _ in found])), "ε": float(found[0][1])}


def own(algorithm, noise, name):
    """Return CPU seconds from the algorithm to ε, and ε."""
    begin = time.process_time()
    ledger = ledger_of(record_queries(algorithm, NETWORK, ITERATIONS), FACTS, noise)
    epsilon = ACCOUNTANTS[name]().epsilon(ledger, DELTA)
    return time.process_time() - begin, epsilon
