"""Other accountants on Gaussian releases one after the other: `python peer_accountants.py` answers lines on its input.

A line is JSON: the accountant's name, δ, and the noise multiplier σ/Δ of each release, for whatever relation Δ is of.
It prints CPU seconds and ε. Like `peer_solvers` it runs in the peers' own environment and imports no radmm.
"""

import json
import sys
import time
import warnings
from itertools import groupby


def dp_accounting_pld(multipliers, delta):
    from dp_accounting import GaussianDpEvent
    from dp_accounting.pld import PLDAccountant

    accountant = PLDAccountant()
    for multiplier, count in counted(multipliers):
        accountant.compose(GaussianDpEvent(multiplier), count)
    return accountant.get_epsilon(delta)


def dp_accounting_renyi(multipliers, delta):
    from dp_accounting import GaussianDpEvent
    from dp_accounting.rdp import RdpAccountant

    accountant = RdpAccountant()
    for multiplier, count in counted(multipliers):
        accountant.compose(GaussianDpEvent(multiplier), count)
    return accountant.get_epsilon(delta)


def prv(multipliers, delta):
    """Return ε by prv-accountant with the errors that its documentation takes: the upper bound counts."""
    from prv_accountant import GaussianMechanism, PRVAccountant

    releases = list(counted(multipliers))
    mechanisms, counts = [GaussianMechanism(multiplier) for multiplier, _ in releases], [count for _, count in releases]
    accountant = PRVAccountant(mechanisms, 0.01, delta / 1000, counts)
    return accountant.compute_epsilon(delta, counts)[2]


def riskcal(multipliers, delta):
    from riskcal.accountants import CTDAccountant

    accountant = CTDAccountant()
    for multiplier in multipliers:
        accountant.step(noise_multiplier=multiplier, sample_rate=1.0)
    return accountant.get_epsilon(delta=delta)


def counted(multipliers):
    """Return each multiplier with the number of releases that have it in a row."""
    return ((multiplier, len(list(group))) for multiplier, group in groupby(multipliers))


ACCOUNTANTS = {
    "dp-accounting, PLD": dp_accounting_pld,
    "dp-accounting, Rényi": dp_accounting_renyi,
    "prv-accountant": prv,
    "riskcal": riskcal,
}

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        name, delta, multipliers = json.loads(line)
        begin = time.process_time()
        epsilon = float(ACCOUNTANTS[name](multipliers, delta))
        print(json.dumps([time.process_time() - begin, epsilon]), flush=True)
