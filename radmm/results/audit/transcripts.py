"""Whole runs of the algorithms with exact argmins, and the exact privacy loss of all that they release.

The steps are the algorithms' own; only the oracle is another, which works in the few coordinates that depend on the
data. Each release is one of the run's own history, and its losses add up: given the history, only the first node's
density differs between the two data sets.
"""

from zlib import crc32

import numpy as np

from radmm.algorithms.oracle import Oracle
from radmm.base.arrays import Array
from radmm.base.seeds import Purpose, generator
from radmm.privacy.events import PerturbedPenaltyArgmin
from radmm.privacy.laws import Law
from radmm.privacy.noise import Noise
from radmm.results.audit.case import Case, Setup
from radmm.results.audit.loss import Density, Neighbours

BLOCK = 10_000  # transcripts at a time: their arrays stay in the cache


def sample_losses(case: Case, reverse: bool, samples: int, seed: int) -> Array:
    """Privacy losses of independent transcripts; reverse has the replacement run, and the record as alternative."""
    blocks = [min(BLOCK, samples - done) for done in range(0, samples, BLOCK)]
    return np.concatenate([_block(case, reverse, size, (seed, number)) for number, size in enumerate(blocks)])


def _block(case: Case, reverse: bool, size: int, key: tuple[int, int]) -> Array:
    oracle = SamplingOracle(case, reverse, size, key)
    start = np.repeat(case.initial_point[:, :, None], size, axis=2)
    state = case.setup.algorithm.first(start, case.setup.network)
    while state.iteration < case.setup.iterations:
        state = case.setup.algorithm.advance(state, case.setup.network, oracle)
    return oracle.loss


class SamplingOracle(Oracle):
    """Perturbs and releases every node's exact argmin, and adds up what that gives away about the first node's."""

    def __init__(self, case: Case, reverse: bool, size: int, key: tuple[int, int]) -> None:
        self._case, self._reverse, self._key = case, reverse, key
        self._rows = case.node_rows(reverse, case.coordinates)
        self._pair = Neighbours(self._rows[0], case.node_rows(not reverse, case.coordinates)[0])
        self._step = 0
        self.loss = np.zeros(size)

    def argmin(self, linear: Array, weight: Array, start: Array) -> Array:
        """Every node's exact argmin, perturbed.

        Args:
            linear: The linear term.
            weight: w_i, one a node.
            start: Not used.
        """
        self._step += 1
        setup = self._case.setup
        curvature = setup.facts.strong_convexity(weight)
        noise, elsewhere = self._draw(self._step, linear.shape)
        perturbed = linear if setup.noise.on_output else linear + setup.noise.linear_term(noise, weight)
        argmins = zip(self._rows, perturbed, curvature, strict=True)
        released = np.stack([rows.minimise(term, float(bend)) for rows, term, bend in argmins])
        if setup.noise.on_output:
            released += noise
        law = density_in_use(setup, self._step, float(weight[0]))
        elsewhere = elsewhere[0] * _factor(setup.noise, float(weight[0])) ** 2
        self.loss += first_node_loss(
            self._pair, setup.noise, released[0], linear[0], float(curvature[0]), law, elsewhere
        )
        if setup.noise.repair is not None:
            released += self._repair(self._step, released.shape, curvature)
        return released

    def gradient(self, point: Array) -> Array:
        """No case asks for one.

        Args:
            point: Where.
        """
        raise NotImplementedError("the audit has no exact loss of a released gradient")

    def _repair(self, step: int, shape: tuple[int, ...], curvature: Array) -> Array:
        """What covers the solver's tolerance, and adds its own loss: as if the exact argmin were released beside it.

        The solver stops as far from the argmin as it may, on one side for the one data set, on the other for the other.
        """
        deviation = self._case.setup.noise.repairs(step, shape[0])
        normal = self._stream(step, Purpose.REPAIR).standard_normal(shape)
        missed = self._case.setup.facts.tolerance / curvature
        shift = 2.0 * float(missed[0] / deviation[0])
        self.loss += shift * normal[0, 0] + shift**2 / 2.0
        repair: Array = normal * deviation[:, None, None]
        repair[:, 0] += missed[:, None]
        return repair

    def _stream(self, step: int, *purpose: int) -> np.random.Generator:
        seed, block = self._key
        name = crc32(self._case.name.encode())
        return generator(seed, Purpose.AUDIT, name, int(self._reverse), block, step, *purpose)

    def _draw(self, step: int, shape: tuple[int, ...]) -> tuple[Array, Array]:
        stream = self._stream(step)
        scale = self._case.setup.noise.scales(step, self._case.setup.network.nodes)
        return draw_projected(self._case.setup.noise.law, scale, self._case.setup.dimension, shape, stream)


def draw_projected(
    law: Law, scale: Array, dimension: int, shape: tuple[int, ...], stream: np.random.Generator
) -> tuple[Array, Array]:
    """Noise in d dimensions: its first coordinates (node, feature, run), and the square of the rest (node, run)."""
    normal = stream.standard_normal(shape)
    others = dimension - shape[1]
    rest = stream.chisquare(others, size=shape[::2]) if others else np.zeros(shape[::2])
    if law == Law.GAUSSIAN:
        return normal * scale[:, None, None], rest * scale[:, None] ** 2
    norm = stream.gamma(dimension, size=shape[::2]) / scale[:, None]
    stretch = norm / np.sqrt(np.einsum("ndr,ndr->nr", normal, normal) + rest)
    return normal * stretch[:, None, :], rest * stretch**2


def first_node_loss(
    pair: Neighbours, noise: Noise, released: Array, linear: Array, curvature: float, law: Density, elsewhere: Array
) -> Array:
    loss = pair.output_loss if noise.on_output else pair.argmin_loss
    return loss(released, linear, curvature, law, elsewhere)


def density_in_use(setup: Setup, step: int, weight: float) -> Density:
    """The first node's where the noise enters: the linear term, or the output."""
    noise = setup.noise
    scale, factor = float(noise.scales(step, setup.network.nodes)[0]), _factor(noise, weight)
    return Density(noise.law, scale / factor if noise.law == Law.EXPONENTIAL_NORM else scale * factor)


def _factor(noise: Noise, weight: float) -> float:
    """Penalty noise enters the linear term as −2ηV ε, with the weight 2ηV."""
    return weight if noise.event is PerturbedPenaltyArgmin else 1.0
