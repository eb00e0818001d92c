"""Pairs of neighbouring data sets made to be told apart, and the runs in which that is tried.

Two nodes are linked; the first one's record is replaced. All rows lie in one plane, and nothing else in a run depends
on the data, so that its coordinates there tell all, whatever the dimension.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from radmm.algorithms.admm import MADMM
from radmm.algorithms.algorithm import Algorithm
from radmm.algorithms.recycled import MRADMM, RADMM
from radmm.base.arrays import Array, Integers
from radmm.model.facts import PublicFacts
from radmm.model.losses.logistic import Logistic
from radmm.model.network import Network
from radmm.model.problem import Problem
from radmm.model.schedules import Geometric
from radmm.privacy.ledger import Ledger, ledger_of
from radmm.privacy.noise import Noise
from radmm.privacy.noises.objective import ObjectiveNoise
from radmm.privacy.noises.output import OutputNoise
from radmm.privacy.noises.penalty import PenaltyNoise
from radmm.privacy.notes import Notes, take_notes
from radmm.results.audit.rows import Rows

Point = tuple[float, float]

LOSS = Logistic()
PLANE = 2
NETWORK = Network([[0, 1], [1, 0]])
DIMENSIONS = (1, 2, 5, 20, 105)


@dataclass(frozen=True)
class Pair:
    """A record, its replacement, and further rows that every node has; rows are y x."""

    name: str
    record: Point
    replacement: Point
    others: tuple[Point, ...] = ((0.6, 0.6), (-0.3, 0.8))
    start: float = 0.0  # every f_i(0) is this far down the second axis: public, and history as good as any
    least_dimension: int = 2


def turned(degrees: float) -> Point:
    """A row of norm 1, and no more than that after rounding."""
    return float(np.cos(np.radians(degrees))), float(np.sin(np.radians(degrees)))


OWN = ((0.0, 0.8), (0.0, -0.5))  # rows without the first feature
DOWN = ((0.0, -0.1),)  # short rows that push f down the second axis
# Down there both slopes are nearly −1, so that the gradient moves by nearly all that it can: 2C/B.
NEAR_FLIP = Pair("near-flip", turned(5), turned(175), DOWN, start=1e4)
# Runs of the solver begin at zero: the rows alone must push, and a wider angle is held there.
PUSHED = Pair("pushed near-flip", turned(17), turned(163), DOWN)
FLIP = Pair("label flip", (1.0, 0.0), (-1.0, 0.0), least_dimension=1)  # in y x the same as an opposite row
ZERO = Pair("row against zero", (1.0, 0.0), (0.0, 0.0), least_dimension=1)
OWN_ZERO = Pair("own feature against zero", (1.0, 0.0), (0.0, 0.0), OWN, least_dimension=1)
RIGHT_ANGLE = Pair("rotation by 90°", turned(0), turned(90))
PAIRS = (
    FLIP,
    ZERO,
    OWN_ZERO,
    Pair("own feature against another's", (1.0, 0.0), (0.0, 1.0), OWN),
    RIGHT_ANGLE,
    Pair("rotation by 150°", turned(20), turned(170)),
    NEAR_FLIP,
)


@dataclass(frozen=True)
class Setup:
    """All that is public about a run."""

    rows: int  # B_i
    C: float
    rho: float
    dimension: int
    algorithm: Algorithm[Any]
    noise: Noise
    iterations: int = 1

    @property
    def facts(self) -> PublicFacts:
        row_counts = np.full(NETWORK.nodes, self.rows)
        return PublicFacts.of(LOSS, self.C, self.rho, row_counts, NETWORK.degrees, self.dimension)

    @cached_property
    def ledger(self) -> Ledger:
        return ledger_of(self.notes, self.facts, self.noise)

    @property
    def notes(self) -> Notes:
        return take_notes(self.algorithm, NETWORK, self.iterations)

    @property
    def data_steps(self) -> int:
        return len(self.notes.calls)


@dataclass(frozen=True)
class Case:
    """A pair in a run."""

    pair: Pair
    setup: Setup
    panel: str = ""  # of the figure, if it is shown there

    @property
    def name(self) -> str:
        setup, noise = self.setup, self.setup.noise
        scale = f"α = {noise.alpha}" if noise.sigma is None else f"σ = {noise.sigma}"
        return (
            f"{self.pair.name}, {setup.algorithm.name}, {noise.name} noise with {scale}, d = {setup.dimension}, "
            f"C/B = {setup.C:g}/{setup.rows}, ρ = {setup.rho:g}, K = {setup.data_steps}"
        )

    @property
    def coordinates(self) -> int:
        return min(PLANE, self.setup.dimension)

    def node_rows(self, replaced: bool, coordinates: int) -> list[Rows]:
        """Each node's rows, in the first so many coordinates; the first node's record may be the replacement."""
        changed = self.pair.replacement if replaced else self.pair.record
        first = self._weighted((changed, *self.pair.others), coordinates, self._counts(own=1))
        return [first, self._weighted(self.pair.others, coordinates, self._counts(own=0))]

    def _counts(self, own: int) -> Integers:
        """How often each row occurs: the record once, the others in turn until the node has B rows."""
        turns = np.arange(self.setup.rows - own) % len(self.pair.others)
        return np.concatenate([np.ones(own, dtype=np.int64), np.bincount(turns, minlength=len(self.pair.others))])

    def _weighted(self, rows: tuple[Point, ...], coordinates: int, counts: Integers) -> Rows:
        inside = np.array(rows)[:, :coordinates]
        padded = np.pad(inside, ((0, 0), (0, coordinates - inside.shape[1])))
        return Rows(padded, self.setup.C / self.setup.rows * counts.astype(np.float64))

    def problem(self, replaced: bool) -> Problem:
        """The same data row by row, for the solver."""
        nodes = self.node_rows(replaced, self.setup.dimension)
        counts = [self._counts(own=1), self._counts(own=0)]
        features = np.concatenate(
            [np.repeat(node.rows, count, axis=0) for node, count in zip(nodes, counts, strict=True)]
        )
        owner = np.repeat(np.arange(NETWORK.nodes), self.setup.rows)
        return Problem(features, np.ones(len(features)), owner, LOSS, self.setup.C, self.setup.rho)

    @property
    def initial_point(self) -> Array:
        """(node, feature)."""
        start = np.zeros((NETWORK.nodes, PLANE))
        start[:, 1] = -self.pair.start
        return start[:, : self.coordinates]


def releases() -> list[Case]:
    """One release each: every pair, dimension, mechanism and law, at a gentle curvature ratio x and a steep one."""
    return [
        Case(pair, setup)
        for dimension in DIMENSIONS
        for setup in (*gentle(dimension), *steep(dimension))
        for pair in PAIRS
        if pair.least_dimension <= dimension
    ]


def gentle(dimension: int) -> list[Setup]:
    """x = 1/16, and a shift of twice the noise's 1/α or once its σ; penalty noise enters times 2ηV = 0.8."""
    noises: dict[Noise, Algorithm[Any]] = {
        ObjectiveNoise(4.0): RADMM(0.4),
        ObjectiveNoise(sigma=0.5): MRADMM(0.4),
        PenaltyNoise(3.2): MADMM(0.4, dual_step=0.4),
        PenaltyNoise(sigma=0.625): MADMM(0.4, dual_step=0.4),
        OutputNoise(4.0): RADMM(0.4),
        OutputNoise(sigma=0.5): MRADMM(0.4),
    }
    return [Setup(8, 2.0, 0.4, dimension, algorithm, noise) for noise, algorithm in noises.items()]


def steep(dimension: int) -> list[Setup]:
    """x = 4.2: the Hessians' determinants tell more than the noise hides, and the published theorem has no say."""
    return [
        Setup(4, 4.0, 0.08, dimension, RADMM(0.01), noise) for noise in (ObjectiveNoise(0.5), ObjectiveNoise(sigma=8.0))
    ]


def transcripts() -> list[Case]:
    """Ten releases of whole runs, with penalties that grow where the algorithm lets them."""
    growing = Geometric(0.4, 1.05)
    runs: list[tuple[Algorithm[Any], Noise, int]] = [
        (RADMM(0.4), ObjectiveNoise(1.0), 19),
        (MRADMM(growing), ObjectiveNoise(sigma=2.0), 20),
        (MADMM(growing, dual_step=0.4), PenaltyNoise(1.0), 10),
        (MADMM(growing, dual_step=0.4), PenaltyNoise(sigma=2.0), 10),
        (MRADMM(growing), OutputNoise(1.0), 19),
        (RADMM(0.4), OutputNoise(sigma=2.0), 20),
    ]
    return [
        Case(pair, transcript(dimension, *run))
        for dimension in (2, 20)
        for run in runs
        for pair in (FLIP, OWN_ZERO, NEAR_FLIP)
    ]


def transcript(dimension: int, algorithm: Algorithm[Any], noise: Noise, iterations: int) -> Setup:
    """As `gentle`, with several releases."""
    return Setup(8, 2.0, 0.4, dimension, algorithm, noise, iterations)


def papers_setting(noise: Noise) -> Setup:
    """B_i = 8000, C = 1750, d = 105 and, at a node of degree 1, ρ/N + 2η = 2.044; 50 iterations."""
    return Setup(8000, 1750.0, 0.088, 105, RADMM(1.0), noise, 50)


def panels() -> list[Case]:
    """What the figure shows. σ is such that the noise's expected norm is d/α."""
    return [
        Case(NEAR_FLIP, papers_setting(ObjectiveNoise(1.0)), "the paper's setting, α = 1"),
        Case(NEAR_FLIP, papers_setting(ObjectiveNoise(sigma=10.27)), "the paper's setting, Gaussian σ = 10.27"),
        Case(NEAR_FLIP, transcript(2, RADMM(0.4), ObjectiveNoise(1.0), 20), "objective noise, α = 1"),
        Case(NEAR_FLIP, transcript(2, MADMM(0.4, dual_step=0.4), PenaltyNoise(1.0), 10), "penalty noise, α = 1"),
        Case(NEAR_FLIP, transcript(20, RADMM(0.4), OutputNoise(1.0), 20), "output noise, α = 1"),
        Case(RIGHT_ANGLE, steep(5)[0], "large curvature ratio, α = 0.5"),
    ]


def attacks() -> list[Case]:
    """Runs of the solver, few steps each: few runs can show a large ε, so that bounds must be small to be tested."""
    runs: list[tuple[Algorithm[Any], Noise, int]] = [
        (RADMM(0.5), ObjectiveNoise(1.5), 2),
        (MRADMM(0.5), ObjectiveNoise(0.5), 5),
        (MADMM(0.5), PenaltyNoise(1.5), 1),
        (RADMM(0.5), OutputNoise(1.5), 2),
        (RADMM(0.5), ObjectiveNoise(sigma=1.0), 2),
        (MRADMM(0.5), OutputNoise(sigma=1.0), 3),
    ]
    return [Case(PUSHED, Setup(1000, 500.0, 0.2, 2, *run)) for run in runs]
