"""The audited cases: pairs of neighbouring data sets made to be distinguished, and the runs in which that is tried."""

from typing import Any

import numpy as np

from radmm.algorithms.admm import MADMM
from radmm.algorithms.algorithm import Algorithm
from radmm.algorithms.recycled import MRADMM, RADMM
from radmm.model.network import Network
from radmm.model.schedules.geometric import Geometric
from radmm.privacy.noise import Noise
from radmm.privacy.noise_laws import Law
from radmm.privacy.noises.objective import ObjectiveNoise
from radmm.privacy.noises.output import OutputNoise
from radmm.privacy.noises.penalty import PenaltyNoise
from radmm.results.audit.case import AuditCase, Place, PlanePoint, RecordPair, Setup

DIMENSIONS = (1, 2, 5, 20, 105)
SMALL = 5  # dimension up to which exponential-norm noise is tried everywhere: each of its curves takes seconds
PATH = Network.from_edges(np.array([[0, 1], [1, 2]]))
FAR = 1e6  # how far down: the slopes of rows that are nearly across are then the largest
NOTHING = ((0.0, 0.0),)  # rows that don't bend the objective: only then are the bounds reached


def turned(degrees: float) -> PlanePoint:
    """Return a row of norm at most 1, also after rounding, at an angle to the first axis."""
    return float(np.cos(np.radians(degrees))), float(np.sin(np.radians(degrees)))


OWN = ((0.0, 0.8), (0.0, -0.5))  # rows without the first feature
DOWN = ((0.0, -0.1),)  # short rows that push f down the second axis
# Down there both slopes are nearly −1, so that the gradient moves by nearly all that it can: 2C/B.
NEAR_FLIP = RecordPair("near-flip", turned(5), turned(175), DOWN, start=1e4)
# Runs of the solver begin at zero: the rows alone must push, and a wider angle is held there.
PUSHED = RecordPair("pushed near-flip", turned(17), turned(163), DOWN)
FLIP = RecordPair("label flip", (1.0, 0.0), (-1.0, 0.0), least_dimension=1)  # in y x the same as an opposite row
ZERO = RecordPair("row against zero", (1.0, 0.0), (0.0, 0.0), least_dimension=1)
OWN_ZERO = RecordPair("own feature against zero", (1.0, 0.0), (0.0, 0.0), OWN, least_dimension=1)
ALONE = RecordPair("one record against none", (1.0, 0.0), (0.0, 0.0), NOTHING, least_dimension=1)
# As nearly opposite as the noise's pull across them must not be felt: far down, slopes of both can be anything.
OPPOSITE = RecordPair("saturated near-flip", turned(0.01), turned(179.99), NOTHING)
# Noise at which the record's slope is at a half, by K: chosen such that much is told at large x.
HALVES: dict[tuple[str, Law, int], tuple[float, ...]] = {
    (ALONE.name, Law.GAUSSIAN, 1): (-16.0, -8.0, -2.0),
    (ALONE.name, Law.GAUSSIAN, 10): (-1.5,),
    (ALONE.name, Law.EXPONENTIAL_NORM, 1): (-1.0,),
    (ALONE.name, Law.EXPONENTIAL_NORM, 10): (-0.8,),
    (OPPOSITE.name, Law.GAUSSIAN, 1): (-20.0, -4.0),
    (OPPOSITE.name, Law.GAUSSIAN, 10): (-4.0,),
    (OPPOSITE.name, Law.EXPONENTIAL_NORM, 1): (-2.0,),
    (OPPOSITE.name, Law.EXPONENTIAL_NORM, 10): (-1.0,),
}
RIGHT_ANGLE = RecordPair("rotation by 90°", turned(0), turned(90))
PAIRS = (
    FLIP,
    ZERO,
    OWN_ZERO,
    RecordPair("own feature against another's", (1.0, 0.0), (0.0, 1.0), OWN),
    RIGHT_ANGLE,
    RecordPair("rotation by 150°", turned(20), turned(170)),
    NEAR_FLIP,
    ALONE,
)


def releases() -> list[AuditCase]:
    """Return cases of one release: every pair, dimension, mechanism and law, at a gentle and a steep ratio x."""
    return [
        AuditCase(pair, setup)
        for dimension in DIMENSIONS
        for setup in (*gentle(dimension), *steep(dimension))
        if setup.noise.law == Law.GAUSSIAN or dimension <= SMALL
        for pair in PAIRS
        if pair.least_dimension <= dimension
    ]


def gentle(dimension: int) -> list[Setup]:
    """Return setups with x = 1/16 and a shift of twice the noise's 1/α or once its σ.

    Penalty noise enters times 2ηV = 0.8.
    """
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
    """Return setups with x = 4.2, where no published theorem holds.

    The Hessians' determinants reveal more than the noise hides.
    """
    return [
        Setup(4, 4.0, 0.08, dimension, RADMM(0.01), noise) for noise in (ObjectiveNoise(0.5), ObjectiveNoise(sigma=8.0))
    ]


def transcripts() -> list[AuditCase]:
    """Return cases of whole runs with ten releases.

    Penalties grow where the algorithm lets them and curves are quick.
    """
    growing = Geometric(0.4, 1.05)
    runs: list[tuple[Algorithm[Any], Noise, int]] = [
        (RADMM(0.4), ObjectiveNoise(1.0), 19),
        (MRADMM(growing), ObjectiveNoise(sigma=2.0), 20),
        (MADMM(0.4, dual_step=0.4), PenaltyNoise(1.0), 10),
        (MADMM(growing, dual_step=0.4), PenaltyNoise(sigma=2.0), 10),
        (MRADMM(0.4), OutputNoise(1.0), 19),
        (RADMM(0.4), OutputNoise(sigma=2.0), 20),
    ]
    return [
        AuditCase(pair, transcript(dimension, *run))
        for dimension in (2, 20)
        for run in runs
        if dimension <= SMALL or not isinstance(run[1], PenaltyNoise) or run[1].law == Law.GAUSSIAN
        for pair in (FLIP, OWN_ZERO, NEAR_FLIP)
    ] + [AuditCase(pair, setup) for setup in (*on_a_path(), repaired()) for pair in (NEAR_FLIP, ALONE)]


def on_a_path() -> list[Setup]:
    """Return setups on a path of three nodes; the record is at one end, where the penalty is least."""
    runs: list[tuple[Algorithm[Any], Noise]] = [
        (RADMM(0.4), ObjectiveNoise(sigma=2.0)),
        (MRADMM(0.4), OutputNoise(1.0)),
    ]
    return [Setup(8, 2.0, 0.4, 2, *run, 20, PATH) for run in runs]


def repaired() -> Setup:
    """Return a setup whose repair reveals about as much as the noise, at 0.4 standard deviations in each release."""
    return transcript(5, RADMM(0.4), ObjectiveNoise(sigma=2.0, repair=5e-8), 20)


def transcript(dimension: int, algorithm: Algorithm[Any], noise: Noise, iterations: int) -> Setup:
    """Return a setup like `gentle`'s, with several releases."""
    return Setup(8, 2.0, 0.4, dimension, algorithm, noise, iterations)


def held() -> list[AuditCase]:
    """Return cases held in the place at which releases reveal most, in one and two dimensions, once and ten times."""
    gentle_noises = (ObjectiveNoise(1.0), ObjectiveNoise(sigma=2.0))
    found = [
        AuditCase(ALONE, Setup(8, 2.0, 0.4, dimension, RADMM(0.4), noise, 2 * times - 1), place=Place(-40.0))
        for dimension in (1, 2)
        for noise in gentle_noises
        for times in (1, 10)
    ]
    found += [
        AuditCase(OPPOSITE, Setup(8, 2.0, 0.4, 2, RADMM(0.4), noise, 2 * times - 1), place=Place(-40.0, FAR))
        for noise in gentle_noises
        for times in (1, 10)
    ]
    return found + [
        AuditCase(pair, Setup(4, 4.0, 0.08, dimension, RADMM(0.01), noise, 2 * times - 1), place=Place(half, across))
        for pair, across in ((ALONE, 0.0), (OPPOSITE, FAR))
        for dimension in (1, 2)
        if pair.least_dimension <= dimension
        for noise in (ObjectiveNoise(0.5), ObjectiveNoise(sigma=8.0))
        for times in (1, 10)
        for half in HALVES[pair.name, noise.law, times]
    ]


def papers_setting(noise: Noise) -> Setup:
    """Return the paper's setup, with 50 iterations.

    B_i = 8000, C = 1750, d = 105 and, at a node of degree 1, ρ/N + 2η = 2.044.
    """
    return Setup(8000, 1750.0, 0.088, 105, RADMM(1.0), noise, 50)


def panels() -> list[AuditCase]:
    """Return the cases that the figure shows, with σ such that the noise's expected norm is d/α."""
    return [
        AuditCase(NEAR_FLIP, papers_setting(ObjectiveNoise(1.0)), "the paper's setting, α = 1"),
        AuditCase(NEAR_FLIP, papers_setting(ObjectiveNoise(sigma=10.27)), "the paper's setting, Gaussian σ = 10.27"),
        AuditCase(NEAR_FLIP, transcript(2, RADMM(0.4), ObjectiveNoise(1.0), 20), "objective noise, α = 1"),
        AuditCase(NEAR_FLIP, transcript(2, MADMM(0.4, dual_step=0.4), PenaltyNoise(1.0), 10), "penalty noise, α = 1"),
        AuditCase(NEAR_FLIP, transcript(20, RADMM(0.4), OutputNoise(1.0), 20), "output noise, α = 1"),
        AuditCase(RIGHT_ANGLE, steep(5)[0], "large curvature ratio, α = 0.5"),
    ]


def attacks() -> list[AuditCase]:
    """Return cases to attack, with few steps each.

    Few runs of the solver can show a large ε, so bounds must be small to be tested.
    """
    runs: list[tuple[Algorithm[Any], Noise, int]] = [
        (RADMM(0.5), ObjectiveNoise(1.5), 2),
        (MRADMM(0.5), ObjectiveNoise(0.5), 5),
        (MADMM(0.5), PenaltyNoise(1.5), 1),
        (RADMM(0.5), OutputNoise(1.5), 2),
        (RADMM(0.5), ObjectiveNoise(sigma=1.0), 2),
        (MRADMM(0.5), OutputNoise(sigma=1.0), 3),
    ]
    return [AuditCase(PUSHED, Setup(1000, 500.0, 0.2, 2, *run)) for run in runs]
