"""Whole runs of the algorithms with exact argmins, and the exact privacy loss of all that they release.

The runs are those of `radmm.algorithms.families`; only the release is made here, in the few coordinates that depend on the
data. Each release is one of the run's own history, and its losses add up: given the history, only the first node's
density differs between the two data sets.
"""

from zlib import crc32

import numpy as np

from radmm.algorithms.families import Released, State
from radmm.base.arrays import Array
from radmm.base.seeds import Purpose, generator
from radmm.privacy.noise import EXPONENTIAL_NORM, GAUSSIAN, Noise
from radmm.results.audit.cases import NETWORK, Case
from radmm.results.audit.loss import Law, Neighbours

BLOCK = 10_000  # transcripts at a time: their arrays stay in the cache


def sample_losses(case: Case, reverse: bool, samples: int, seed: int) -> Array:
    """Privacy losses of independent transcripts; reverse has the replacement run, and the record as alternative."""
    blocks = [min(BLOCK, samples - done) for done in range(0, samples, BLOCK)]
    return np.concatenate([_block(case, reverse, size, (seed, number)) for number, size in enumerate(blocks)])


def _block(case: Case, reverse: bool, size: int, key: tuple[int, int]) -> Array:
    release = SampledRelease(case, reverse, size, key)
    start = np.repeat(case.initial_point[:, :, None], size, axis=2)
    state = State.first(start, NETWORK)
    while state.iteration < case.setup.iterations:
        state = case.setup.algorithm.step(state, NETWORK, release)
    return release.loss


class SampledRelease:
    """Perturbs and releases every node's exact argmin, and adds up what that gives away about the first node's."""

    def __init__(self, case: Case, reverse: bool, size: int, key: tuple[int, int]) -> None:
        self._case, self._reverse, self._key = case, reverse, key
        self._rows = case.node_rows(reverse, case.coordinates)
        self._pair = Neighbours(self._rows[0], case.node_rows(not reverse, case.coordinates)[0])
        self.loss = np.zeros(size)

    def __call__(self, state: State, linear: Array, penalty: Array) -> Released:
        setup = self._case.setup
        curvature = setup.facts.strong_convexity(penalty)
        noise, elsewhere = self._draw(state.data_steps + 1, linear.shape)
        perturbed = linear + setup.noise.linear_term(noise, penalty, NETWORK.degrees)
        argmins = zip(self._rows, perturbed, curvature, strict=True)
        released = np.stack([rows.minimise(term, float(bend)) for rows, term, bend in argmins])
        if not setup.noise.perturbs_objective:
            released += noise
        law = law_in_use(setup.noise, state.data_steps + 1, float(penalty[0]))
        elsewhere = elsewhere[0] * _factor(setup.noise, float(penalty[0])) ** 2
        self.loss += first_node_loss(
            self._pair, setup.noise, released[0], linear[0], float(curvature[0]), law, elsewhere
        )
        nothing = np.zeros(linear.shape[::2])  # to report: no solver took part
        return Released(released, nothing, None, nothing.astype(np.int64))

    def _draw(self, step: int, shape: tuple[int, ...]) -> tuple[Array, Array]:
        seed, block = self._key
        stream = generator(seed, Purpose.AUDIT, crc32(self._case.name.encode()), int(self._reverse), block, step)
        scale = self._case.setup.noise.scales(step, NETWORK.nodes)
        return draw_projected(self._case.setup.noise.law, scale, self._case.setup.dimension, shape, stream)


def draw_projected(
    law: str, scale: Array, dimension: int, shape: tuple[int, ...], stream: np.random.Generator
) -> tuple[Array, Array]:
    """Noise in d dimensions: its first coordinates (node, feature, run), and the square of the rest (node, run)."""
    normal = stream.standard_normal(shape)
    others = dimension - shape[1]
    rest = stream.chisquare(others, size=shape[::2]) if others else np.zeros(shape[::2])
    if law == GAUSSIAN:
        return normal * scale[:, None, None], rest * scale[:, None] ** 2
    norm = stream.gamma(dimension, size=shape[::2]) / scale[:, None]
    stretch = norm / np.sqrt(np.einsum("ndr,ndr->nr", normal, normal) + rest)
    return normal * stretch[:, None, :], rest * stretch**2


def first_node_loss(
    pair: Neighbours, noise: Noise, released: Array, linear: Array, curvature: float, law: Law, elsewhere: Array
) -> Array:
    loss = pair.argmin_loss if noise.perturbs_objective else pair.output_loss
    return loss(released, linear, curvature, law, elsewhere)


def law_in_use(noise: Noise, step: int, penalty: float) -> Law:
    """The first node's law where the noise enters: the linear term, or the output."""
    scale, factor = float(noise.scales(step, NETWORK.nodes)[0]), _factor(noise, penalty)
    return Law(noise.law, scale / factor if noise.law == EXPONENTIAL_NORM else scale * factor)


def _factor(noise: Noise, penalty: float) -> float:
    """Penalty noise enters the linear term as −2ηV ε."""
    return 2.0 * penalty * float(NETWORK.degrees[0]) if noise.name == "penalty" else 1.0
