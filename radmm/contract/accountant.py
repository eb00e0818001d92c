"""The contract of an accountant: it refuses, or gives a total that grows with the releases and is never too small."""

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from radmm.algorithms.admm import MADMM
from radmm.base.errors import InputError
from radmm.contract.contract_error import Broken, calling, require
from radmm.model.losses.logistic import Logistic
from radmm.model.network import Network
from radmm.model.public_facts import PublicFacts
from radmm.model.weighting import Weighting
from radmm.privacy.accountants.accountant import Accountant
from radmm.privacy.curves.total_epsilon import gaussian_epsilon
from radmm.privacy.events import Release
from radmm.privacy.ledger import Ledger, ledger_of
from radmm.privacy.noise import NOISES, Noise
from radmm.privacy.noise_laws import Law
from radmm.privacy.noises.output import OutputNoise
from radmm.privacy.query_log import ArgminQuery, record_queries

ITERATIONS = 4
DELTAS = (1e-3, 1e-6)
SCALES: tuple[dict[str, Any], ...] = ({"alpha": 1.0}, {"sigma": 2.0})
ROUNDING = 1e-9


def check_accountant(accountant: Accountant) -> str | None:
    """Raise Broken if an accountant breaks its contract."""
    knows = getattr(accountant, "knows", None)
    typed = isinstance(knows, tuple) and all(isinstance(event, type) and issubclass(event, Release) for event in knows)
    require(typed, f"knows = {knows!r}: must be a tuple of types of radmm.Release")
    bounded = 0
    for noise, ledger in _ledgers():
        what = f"{noise.law} {noise.name} noise"
        with calling(f"refuses, of {what},"):
            reason = accountant.refuses(ledger)
        require(reason is None or isinstance(reason, str), f"refuses must give a sentence or None, not {reason!r}")
        known = all(type(release) in accountant.knows for release in ledger.releases)
        require(known or reason, f"it must refuse {what}, whose type of release is not among those it knows")
        if reason is None:
            bounded += 1
            _check_totals(accountant, ledger, noise, what)
        else:
            _check_refused(accountant, ledger, what)
    require(bounded, "it refuses every noise that there is")
    return None


def _ledgers() -> Iterator[tuple[Noise, Ledger]]:
    """Yield every noise for argmins with its ledger: of both laws, at nodes that are alike, as accounting is slow."""
    network = Network.from_edges([(0, 1), (1, 2), (0, 2)])
    query_log = record_queries(MADMM(), network, ITERATIONS)
    facts = PublicFacts.of(Logistic(), 5.0, 0.4, np.full(3, 10), network.degrees, 3, Weighting.NODES)
    for kind in NOISES.values():
        for given in SCALES:
            if issubclass(ArgminQuery, kind.perturbs):
                noise = kind(**given)
                yield noise, ledger_of(query_log, facts, noise)


def _check_refused(accountant: Accountant, ledger: Ledger, what: str) -> None:
    try:
        found = accountant.epsilon(ledger, 0.0 if accountant.pure else DELTAS[0])
    except InputError:
        return
    raise Broken(f"it refuses {what}, and yet gives ε = {found:g}")


def _check_totals(accountant: Accountant, ledger: Ledger, noise: Noise, what: str) -> None:
    deltas = (0.0,) if accountant.pure else DELTAS
    totals = []
    for delta in deltas:
        with calling(f"trace, of {what} at δ = {delta:g},"):
            trace = np.asarray(accountant.trace(ledger, delta), dtype=float)
            total = float(accountant.epsilon(ledger, delta))
            nodes = np.asarray(accountant.epsilon_of_nodes(ledger, delta), dtype=float)
        require(trace.shape == (ITERATIONS + 1,), f"its trace of {ITERATIONS} iterations has shape {trace.shape}")
        require(trace[0] == 0.0, f"before anything is released it must say ε = 0, not {trace[0]:g}")
        slack = ROUNDING * (1.0 + np.abs(trace[:-1]))
        require(
            not np.any(np.diff(trace) < -slack), f"its ε falls as more is released with {what}: {np.round(trace, 4)}"
        )
        require(
            math.isclose(trace[-1], total, rel_tol=1e-6), f"trace ends with {trace[-1]:g}, but epsilon gives {total:g}"
        )
        require(
            math.isclose(nodes.max(), total, rel_tol=1e-6),
            f"its nodes' largest ε is {nodes.max():g}, its total {total:g}",
        )
        totals.append(total)
        least = _least(ledger, delta) if type(noise) is OutputNoise else 0.0
        require(
            total >= least * (1.0 - 1e-6),
            f"its ε is too small: {total:g} for {what} at δ = {delta:g}, but the noise alone gives away {least:g}",
        )
    falls = all(one <= other * (1 + ROUNDING) for one, other in itertools.pairwise(totals))
    require(falls, f"its ε must not fall as δ gets smaller, but for {what} it is {np.round(totals, 4)} at δ = {DELTAS}")


def _least(ledger: Ledger, delta: float) -> float:
    """Return an ε that no accountant can go below: shifts of Gaussian noise composed exactly, or pure sums."""
    releases = [[ledger.releases[index] for index in column] for column in ledger.which.T]
    shifts = [[release.shift_in_noise for release in node] for node in releases]
    if releases[0][0].law == Law.GAUSSIAN:
        return max(gaussian_epsilon(math.hypot(*node), delta) for node in shifts) if delta else math.inf
    return 0.0 if delta else float(max(map(sum, shifts)))
