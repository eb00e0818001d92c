"""One-run audit with canaries: how much of a claimed ε a single run gives away (Steinke, Nasr and Jagielski, 2023).

Whatever is released is scored, plug-ins included: noise that is smaller than its ledger says, or a value that reaches
an iterate without noise, shows as guesses that are right too often for the claim.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from radmm.algorithms.algorithm import Algorithm
from radmm.base.errors import InputError
from radmm.base.inputs import as_number
from radmm.model.losses.loss import Loss, get_loss, is_multiclass
from radmm.model.network import Network
from radmm.privacy.guarantee import Guarantee, guarantee_of
from radmm.privacy.noise import Noise
from radmm.privacy.relation import Neighbours, Relation
from radmm.results.audit.canaries import scores
from radmm.results.audit.case import Setup
from radmm.results.audit.guessing import ERROR, best_guesses, epsilon_refuted, gaussian_shift

FEWEST = 100  # canaries; fewer show next to nothing
FEATURES_A_CANARY = 2  # so that canaries can lie where they tell most
FAULT = 4.0  # noise divided by this is the fault that the number of guesses is chosen for


@dataclass(frozen=True)
class OneRun:
    """Result of a one-run audit.

    Args:
        claimed: Total ε that the ledger promises, for one row that is zeroed out.
        canaries: Number of canaries.
        guesses: Number of canaries that were guessed.
        right: Number of right guesses.
        shown: Largest ε that the guesses refute, with 95 % confidence.
        could_show: ε that as many ideal canaries are expected to show of a run that spends exactly what is claimed.
    """

    claimed: Guarantee
    canaries: int
    guesses: int
    right: int
    shown: float
    could_show: float

    @property
    def falls(self) -> bool:
        """Whether the claim is refuted."""
        return self.shown > self.claimed

    def __str__(self) -> str:
        verdict = "the claim falls" if self.falls else "the claim stands"
        return (
            f"{verdict}: {self.right} of {self.guesses} guesses about {self.canaries} canaries are right, which shows "
            f"ε > {self.shown:.3g} at δ = {self.claimed.delta:g} with {1 - ERROR:.0%} confidence; of a run "
            f"that spends exactly what is claimed, ideal canaries would show {self.could_show:.2g}. "
            f"Claimed: {self.claimed}"
        )


def one_run_audit(
    network: Network,
    algorithm: Algorithm[Any],
    noise: Noise,
    iterations: int,
    *,
    rows: int = 1000,
    C: float = 1.0,  # noqa: N803 (the paper's name)
    rho: float = 1.0,
    loss: str | Loss = "logistic",
    canaries: int = 1000,
    delta: float = 1e-5,
    accountant: str = "shift",
    seed: int = 0,
) -> OneRun:
    """Audit the claimed ε of an algorithm with its noise by canaries in one run.

    The data are the audit's own: canaries at node 0, each in the data by a fair coin, and zero rows elsewhere. A few
    further runs, with coins of their own, find out how a canary is best told from what is released.

    Args:
        network: Graph over which the nodes exchange values.
        algorithm: Algorithm, shipped or your own.
        noise: Noise, shipped or your own; its ledger makes the claim.
        iterations: Number of iterations T.
        rows: Number of rows of each node, at least the number of canaries.
        C: Weight of the loss.
        rho: Weight ρ of the regulariser.
        loss: Loss of two classes, by name or as an object.
        canaries: Number of canaries, at least 100; more show more.
        delta: δ of the claim, above 0.
        accountant: Name of the accountant that makes the claim.
        seed: Seed of coins and noise.
    """
    _check_whole(canaries=(canaries, FEWEST), rows=(rows, canaries), seed=(seed, 0))
    known = get_loss(loss)
    if is_multiclass(known):
        raise InputError(f"loss = {known.name}: must be a loss of two classes")
    if not isinstance(noise, Noise):
        raise InputError(f"noise = {noise!r}: must be a radmm.Noise, as without noise there is no ε to audit")
    setup = Setup(rows, C, rho, FEATURES_A_CANARY * canaries, algorithm, noise, iterations, network, known)
    return audit_setup(setup, canaries, as_number("delta", delta), accountant, seed)


def audit_setup(setup: Setup, canaries: int, delta: float, accountant: str, seed: int) -> OneRun:
    """Audit the claim of a setup by canaries in one run.

    Args:
        setup: Public parameters of the run.
        canaries: Number of canaries.
        delta: δ of the claim, above 0.
        accountant: Name of the accountant that makes the claim.
        seed: Seed of coins and noise.
    """
    claimed = guarantee_of(setup.ledger, delta, accountant, Relation(Neighbours.ZERO_OUT))
    if not 0.0 < claimed < np.inf:
        raise InputError(f"noise = {setup.noise}: must give an ε above 0 and finite, not {float(claimed)}")
    mu = gaussian_shift(float(claimed), delta)
    guesses, _ = best_guesses(canaries, FAULT * mu, delta)
    included, score = scores(setup, canaries, seed)
    order = np.argsort(score, kind="stable")
    right = int((~included[order[: guesses // 2]]).sum() + included[order[-(guesses // 2) :]].sum())
    shown = epsilon_refuted(canaries, guesses, right, delta)
    return OneRun(claimed, canaries, guesses, right, shown, best_guesses(canaries, mu, delta)[1])


def _check_whole(**given: tuple[Any, int]) -> None:
    for field, (value, least) in given.items():
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
            raise InputError(f"{field} = {value!r}: must be a whole number, at least {least}")
