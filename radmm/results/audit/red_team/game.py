"""The game that every attack plays: find out one label of a table, all else of which is known.

A fair coin decides the label of row 0. The attacker knows every other entry of the table and all public parameters, and
reads the published files as anybody can: as JSON.
"""

import hashlib
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from radmm.algorithms.dgd import DGD
from radmm.base.arrays import Array
from radmm.base.seeds import Purpose, generator
from radmm.base.store import content_hash
from radmm.driver import solve
from radmm.model.network import Network
from radmm.model.problem import Problem
from radmm.privacy.noises.gradient import GradientNoise
from radmm.result import Result

STEP = 0.0625  # a power of two, so that dividing by it loses nothing
ALGORITHM = DGD(step=STEP)
ALONE = Network([[0]])
LABELS = (-1, 1)


@dataclass(frozen=True, eq=False)
class Game:
    """A table with one label unknown, and the public parameters of one gradient step from zero, by a single node.

    Args:
        features: Rows of norm 1, (row, feature).
        labels: Labels of all rows; that of row 0 is what the attacker looks for.
        sigma: Standard deviation of the gradient's noise.
        C: Weight of the loss.
        rho: Weight ρ of the regulariser.
    """

    features: Array
    labels: Array
    sigma: float
    C: float
    rho: float

    def table(self, label: int) -> Array:
        """Return the labels of all rows, of which the attacker guesses that of row 0.

        Args:
            label: Label of row 0.
        """
        return np.concatenate([[float(label)], self.labels[1:]])

    def problem(self, label: int) -> Problem:
        """Return the problem whose row 0 has a label.

        Args:
            label: Label of row 0; 0 stands for a table of zero rows.
        """
        rows = self.features if label else np.zeros_like(self.features)
        node = np.zeros(len(rows), dtype=np.int64)
        return Problem(rows, self.table(label or 1), node, C=self.C, rho=self.rho)

    def noise(self, factor: float = 1.0) -> GradientNoise:
        """Return the noise of a run, or a multiple of it.

        Args:
            factor: Noise, in units of the game's.
        """
        return GradientNoise(sigma=factor * self.sigma)

    def weights(self, label: int, seed: int | None = None) -> Array:
        """Return the weights that a run gives, without noise or with that of a seed.

        Args:
            label: Label of row 0, or 0 for a table of zero rows.
            seed: Seed of the noise; None for none.
        """
        return _weights(self, label, seed)

    def digests(self, label: int) -> set[str]:
        """Return what a hash of the table, or of a part of it that has the label, would be.

        Args:
            label: Label of row 0.
        """
        table = self.table(label)
        parts = [(self.features, table), (table,), (self.features[0], table[:1]), (table[:1],)]
        plain = [b"".join(np.ascontiguousarray(array).tobytes() for array in arrays) for arrays in parts]
        return {content_hash(*arrays) for arrays in parts} | {hashlib.sha256(each).hexdigest() for each in plain}


def one_step(game: Game, label: int, noise: GradientNoise | None, seed: int) -> Result:
    """Run one gradient step from zero.

    Args:
        label: Label of row 0, or 0 for a table of zero rows.
        noise: Noise, or None.
    """
    problem = game.problem(label)
    return solve(problem, ALONE, ALGORITHM, noise=noise, iterations=1, runs=1, seed=seed, initial_scale=0.0)


@lru_cache(maxsize=256)
def _weights(game: Game, label: int, seed: int | None) -> Array:
    noise = None if seed is None else game.noise()
    return one_step(game, label, noise, seed or 0).classifier().weights


def make_game(rows: int = 200, features: int = 100, sigma: float = 5.0, seed: int = 0) -> Game:
    """Return a game with a table of random rows; at C = rows/2 a replaced row moves the gradient by at most 1.

    Args:
        sigma: Standard deviation of the noise.
    """
    stream = generator(seed, Purpose.AUDIT_RUN, rows, features)
    table = stream.standard_normal((rows, features))
    table /= (1.0 + 1e-12) * np.linalg.norm(table, axis=1, keepdims=True)
    return Game(table, np.where(stream.random(rows) < 0.5, -1.0, 1.0), sigma, C=rows / 2, rho=0.5)
