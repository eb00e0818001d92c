"""Audited cases beyond the paper: released gradients, noise that cancels between neighbours, other losses."""

from typing import Any

import numpy as np

from radmm.algorithms.algorithm import Algorithm
from radmm.algorithms.dgd import DGD
from radmm.algorithms.gradient_tracking import GradientTracking
from radmm.algorithms.one_shot import OneShot
from radmm.algorithms.recycled import RADMM
from radmm.model.losses.huber_hinge import HuberHinge
from radmm.model.losses.softmax import Softmax
from radmm.model.losses.squared import Squared
from radmm.model.network import Network
from radmm.privacy.noise import Noise
from radmm.privacy.noise_laws import Law
from radmm.privacy.noises.gradient import GradientNoise
from radmm.privacy.noises.moments import MomentNoise
from radmm.privacy.noises.objective import ObjectiveNoise
from radmm.privacy.noises.output import OutputNoise
from radmm.results.audit import paper_cases
from radmm.results.audit.case import PLANE, AuditCase, Place, RecordPair, Setup
from radmm.results.audit.multiclass_cases import ClassCase
from radmm.results.audit.paper_cases import ALONE, FLIP, NEAR_FLIP, NOTHING, PATH

STAR = Network.from_edges(
    np.array([[0, 1], [1, 2], [1, 3]])
)  # node 1 is the centre, and node 0, which is audited, at the rim
# From where every f(0) is, the record's slope is the largest, so that zeroing it moves the gradient by C/B.
SURE = RecordPair("sure record against none", (0.0, 1.0), (0.0, 0.0), NOTHING, start=1e4)
# Unit rows with the inner product −1/(2t) = −1/4, between which the moments are farthest apart.
OBTUSE = RecordPair("record against one at an obtuse angle", (1.0, 0.0), (-0.25, float(np.sqrt(15.0) / 4.0)))
HINGE = HuberHinge(0.5)
THREE = Softmax(3)


def sampled() -> list[AuditCase]:
    """Return the cases beyond the paper, sampled runs of ten releases, or of one where moments are released."""
    return [*gradients(), *moments(), *cancelling(), *hinges(), *softmaxes()]


def gradients() -> list[AuditCase]:
    """Return cases with released gradients, which a row moves by C/B or 2C/B without a Jacobian, for either law."""
    runs: list[tuple[Algorithm[Any], Noise]] = [
        (DGD(0.1), GradientNoise(1.0)),
        (DGD(0.1, momentum=0.5), GradientNoise(sigma=2.0)),
        (GradientTracking(0.05), GradientNoise(sigma=2.0)),
    ]
    return [
        AuditCase(pair, Setup(8, 2.0, 0.4, dimension, *run, 10, PATH))
        for dimension in (2, 20)
        for run in runs
        if dimension == 2 or run[1].law == Law.GAUSSIAN
        for pair in (NEAR_FLIP, SURE)
    ]


def moments() -> list[AuditCase]:
    """Return cases with released moments, which a record moves farthest to or from one that is nearly a right angle
    away, or from the zero row.

    Noise that cancels hides them as well, on a path from all who see its messages.
    """
    setups = [
        Setup(8, 2.0, 0.4, 2, OneShot(), MomentNoise(sigma=0.5)),
        Setup(8, 2.0, 0.4, 20, OneShot(), MomentNoise(sigma=0.5), loss=Squared()),
        Setup(8, 2.0, 0.4, 2, OneShot(), MomentNoise(sigma=0.3, cancelling=2.0), network=PATH),
    ]
    return [AuditCase(pair, setup) for setup in setups for pair in (OBTUSE, SURE)]


def cancelling() -> list[AuditCase]:
    """Return cases with cancelling noise.

    All messages are seen: given the others' noise, what hides the first node is less than what it adds.
    """
    runs: list[tuple[Algorithm[Any], Noise, int]] = [
        (DGD(0.1), GradientNoise(sigma=2.0, cancelling=2.0), 10),
        (RADMM(0.4), ObjectiveNoise(sigma=2.0, cancelling=2.0), 20),
        (RADMM(0.4), OutputNoise(sigma=2.0, cancelling=2.0), 20),
    ]
    return [
        AuditCase(pair, Setup(8, 2.0, 0.4, 2, *run, network))
        for network in (PATH, STAR)
        for run in runs
        if network is PATH or isinstance(run[0], DGD)
        for pair in (NEAR_FLIP, SURE)
    ]


def hinges() -> list[AuditCase]:
    """Return cases with a loss of which only the largest curvature is known."""
    return [
        AuditCase(pair, Setup(8, 2.0, 0.4, dimension, RADMM(0.4), noise, 20, loss=HINGE))
        for dimension, noise in ((1, ObjectiveNoise(1.0)), (2, ObjectiveNoise(sigma=2.0)))
        for pair in (FLIP, ALONE, NEAR_FLIP)
        if pair.least_dimension <= dimension
    ]


def softmaxes() -> list[AuditCase]:
    """Return cases with three classes on two features and Gaussian noise wherever it may enter."""
    runs: list[tuple[Algorithm[Any], Noise, int]] = [
        (DGD(0.1), GradientNoise(sigma=2.0), 10),
        (RADMM(0.4), ObjectiveNoise(sigma=2.0), 20),
        (RADMM(0.4), OutputNoise(sigma=2.0), 20),
    ]
    entries = THREE.outputs * PLANE
    return [
        ClassCase(pair, Setup(8, 2.0, 0.4, entries, *run, loss=THREE)) for run in runs for pair in (NEAR_FLIP, SURE)
    ]


def held_hinges() -> list[AuditCase]:
    """Return cases on a line, where the slope grows at its steepest.

    All of its parabola lies in one place of the noise.
    """
    return [
        AuditCase(ALONE, Setup(4, 4.0, 0.08, 1, RADMM(0.01), noise, 2 * times - 1, loss=HINGE), place=Place(half))
        for noise, half in ((ObjectiveNoise(0.5), -1.0), (ObjectiveNoise(sigma=8.0), -8.0))
        for times in (1, 10)
    ]


def every_case() -> list[AuditCase]:
    """Return all cases of the audit."""
    papers = [
        *paper_cases.held(),
        *paper_cases.releases(),
        *paper_cases.transcripts(),
        *paper_cases.panels(),
        *paper_cases.attacks(),
    ]
    return [*papers, *held_hinges(), *sampled()]
