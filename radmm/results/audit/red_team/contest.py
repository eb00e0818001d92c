"""The contest: how often each attack is right, on research files and on releases, and how often it may be.

Whoever guesses a fair coin from (ε, δ)-private files is right with probability at most (e^ε + δ)/(1 + e^ε). An attack
that is right more often, with confidence, refutes the promise that stands in the files: it succeeds.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.special import expit

from radmm.base.seeds import Purpose, generator
from radmm.results.audit.intervals import ERROR, clopper_pearson
from radmm.results.audit.red_team import low_bits, row_hash, seed_noise, shared_draws
from radmm.results.audit.red_team.documents import Document, claimed_in, release_file, research_file
from radmm.results.audit.red_team.game import LABELS, Game

RESEARCH, RELEASES = "research files", "releases"
SUCCEEDS, FAILS = "succeeds", "fails"
Publish: TypeAlias = Callable[[Game, int, float, int], Document]
PUBLISHERS: dict[str, Publish] = {RESEARCH: research_file, RELEASES: release_file}


class Attack(NamedTuple):
    """An attack with its name and the files that it needs.

    Args:
        name: Name in tables.
        reads: What of the files it looks at.
        guess: Function that guesses the label from published files, or returns None if it finds nothing.
        factors: Noise of each file that it needs, in units of the game's.
    """

    name: str
    reads: str
    guess: Callable[[Game, Sequence[Document]], int | None]
    factors: tuple[float, ...] = (1.0,)


ATTACKS = (
    Attack("subtracting the seed's noise", "weights, seed", seed_noise.guess),
    Attack("matching the hash", "hashes", row_hash.guess),
    Attack("differencing shared draws", "weights of two files", shared_draws.guess, shared_draws.FACTORS),
    Attack("low bits of the noise", "weights", low_bits.guess),
)


@dataclass(frozen=True)
class AttackScore:
    """Number of right guesses of an attack, and the promise that they are compared with.

    Args:
        attack: The attack.
        files: Kind of files: research files or releases.
        right: Number of right guesses.
        wrong: Number of wrong guesses.
        silent: Number of times that the attack found nothing to guess from.
        epsilon: Total ε that the files of one guess promise.
        delta: Its δ.
    """

    attack: Attack
    files: str
    right: int
    wrong: int
    silent: int
    epsilon: float
    delta: float

    @property
    def allowed(self) -> float:
        """Largest probability of a right guess that the promise allows."""
        return float(expit(self.epsilon) + self.delta * expit(-self.epsilon))

    @property
    def certain(self) -> float:
        """Lower confidence limit of the probability of a right guess."""
        tried = self.right + self.wrong + self.silent
        return float(clopper_pearson(np.array([self.right]), tried, ERROR).low[0])

    @property
    def succeeds(self) -> bool:
        """Whether the attack refutes the promise."""
        return self.certain > self.allowed

    def row(self) -> dict[str, str | int | float]:
        """Return the row of the table."""
        return {
            "attack": self.attack.name,
            "files": self.files,
            "reads": self.attack.reads,
            "right": self.right,
            "wrong": self.wrong,
            "silent": self.silent,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "allowed": self.allowed,
            "certain": self.certain,
            "verdict": SUCCEEDS if self.succeeds else FAILS,
        }

    def complaint(self) -> str | None:
        """Return a sentence if the outcome is not the one that must be: success on research files alone."""
        if self.succeeds == (self.files == RESEARCH):
            return None
        said = f"{self.attack.name} {SUCCEEDS if self.succeeds else FAILS} on {self.files}"
        return f"{said}: {self.right} right, {self.wrong} wrong and {self.silent} silent at ε = {self.epsilon:.4g}"


def kinds() -> list[str]:
    """Return the kinds of files that can be made here: releases need OpenDP."""
    return [RESEARCH] if find_spec("opendp") is None else [RESEARCH, RELEASES]


def play(game: Game, files: str, rounds: int, seed: int) -> list[AttackScore]:
    """Return the outcome of every attack.

    Args:
        files: Kind of files that are published.
        rounds: Number of times that the coin is tossed and files are published.
        seed: Seed of the coins, and of the research files' seeds.
    """
    stream, publish = generator(seed, Purpose.RED_TEAM), PUBLISHERS[files]
    guesses: dict[Attack, list[int]] = {attack: [] for attack in ATTACKS}
    factors = sorted({factor for attack in ATTACKS for factor in attack.factors}, reverse=True)
    for _ in range(rounds):
        label, run_seed = LABELS[stream.integers(2)], int(stream.integers(2**31))
        published = {factor: publish(game, label, factor, run_seed) for factor in factors}
        for attack, told in guesses.items():
            told.append(label * (attack.guess(game, [published[factor] for factor in attack.factors]) or 0))
    promises = {factor: claimed_in(document) for factor, document in published.items()}
    return [
        AttackScore(attack, files, told.count(1), told.count(-1), told.count(0), *_total(promises, attack.factors))
        for attack, told in guesses.items()
    ]


def _total(promises: dict[float, tuple[float, float]], factors: Sequence[float]) -> tuple[float, float]:
    """Return the sum of several files' ε and that of their δ."""
    epsilons, deltas = zip(*(promises[factor] for factor in factors), strict=True)
    return sum(epsilons), sum(deltas)
