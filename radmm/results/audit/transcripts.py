"""Whole runs of the algorithms with exact argmins, and the exact privacy loss of all that they release.

The steps are the algorithms' own; only the oracle is replaced by one that works in the few coordinates that depend on
the data. Each release follows the run's own history, and losses add up: given the history, only the first node's
density differs between the two data sets.
"""

from zlib import crc32

import numpy as np

from radmm.algorithms.oracle import Oracle
from radmm.base.arrays import Array
from radmm.base.seeds import Purpose, generator
from radmm.model.losses.loss import quadratic_of
from radmm.model.quadratic_model import QuadraticModel, entries_of
from radmm.privacy.cancelling_noise import pairs_of
from radmm.privacy.events import NoisyMoments, PerturbedPenaltyArgmin
from radmm.privacy.noise import Noise
from radmm.privacy.noise_laws import Law
from radmm.results.audit.case import AuditCase, Setup
from radmm.results.audit.release_loss import Density, NeighbouringRows

BLOCK = 10_000  # transcripts at a time: their arrays stay in the cache


def sample_losses(case: AuditCase, reverse: bool, samples: int, seed: int) -> Array:
    """Sample the privacy losses of independent transcripts; `reverse` exchanges the roles of record and replacement."""
    blocks = [min(BLOCK, samples - done) for done in range(0, samples, BLOCK)]
    return np.concatenate([_block(case, reverse, size, (seed, number)) for number, size in enumerate(blocks)])


def _block(case: AuditCase, reverse: bool, size: int, key: tuple[int, int]) -> Array:
    oracle = SamplingOracle(case, reverse, size, key)
    start = np.repeat(case.initial_point[:, :, None], size, axis=2)
    state = case.setup.algorithm.first(start, case.setup.network)
    while state.iteration < case.setup.iterations:
        state = case.setup.algorithm.advance(state, case.setup.network, oracle)
    return oracle.loss


class SamplingOracle(Oracle):
    """Oracle that perturbs and releases every node's exact argmin, and adds up the privacy loss of the first node's."""

    def __init__(self, case: AuditCase, reverse: bool, size: int, key: tuple[int, int]) -> None:
        self._case, self._reverse, self._key = case, reverse, key
        self._rows = case.node_rows(reverse, case.coordinates)
        self._pair = NeighbouringRows(self._rows[0], case.node_rows(not reverse, case.coordinates)[0])
        self._step = 0
        self.loss = np.zeros(size)

    def argmin(self, linear: Array, weight: Array, start: Array) -> Array:
        """Return every node's exact argmin, perturbed.

        Args:
            linear: Linear term, (node, feature, run).
            weight: Quadratic weight w_i, one a node.
            start: Starting point, which is not used.
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
        law, known = self._given_others(density_in_use(setup, self._step, float(weight[0])), noise)
        first, term = (released[0] - known, linear[0]) if setup.noise.on_output else (released[0], linear[0] + known)
        elsewhere = elsewhere[0] * _factor(setup.noise, float(weight[0])) ** 2
        self.loss += first_node_loss(self._pair, setup.noise, first, term, float(curvature[0]), law, elsewhere)
        if setup.noise.repair is not None:
            released += self._repair(self._step, released.shape, curvature)
        return released

    def gradient(self, point: Array) -> Array:
        """Return every node's gradient, perturbed.

        Args:
            point: Point at which each node takes its gradient, (node, feature, run).
        """
        self._step += 1
        facts = self._case.setup.facts
        noise, elsewhere = self._draw(self._step, point.shape)
        slopes = np.stack([rows.gradient(at) for rows, at in zip(self._rows, point, strict=True)])
        law, known = self._given_others(density_in_use(self._case.setup, self._step, 1.0), noise)
        self.loss += law.loss(noise[0] - known, slopes[0] - self._pair.there.gradient(point[0]), elsewhere[0])
        return slopes + facts.rho / facts.nodes * point + noise

    def moments(self, point: Array) -> QuadraticModel:
        """Return every node's moments, perturbed, as quadratic models in the coordinates that depend on the data.

        Args:
            point: Point of which only the shape matters.
        """
        self._step += 1
        setup, fine = self._case.setup, float(np.sqrt(NoisyMoments.ratio))
        exact = np.stack([rows.moments(fine) for rows in self._rows])[:, :, None]
        all_entries = setup.dimension + entries_of(setup.dimension)
        noise, elsewhere = self._draw(self._step, (len(point), exact.shape[1], point.shape[2]), all_entries)
        law, known = self._given_others(density_in_use(setup, self._step, 1.0), noise)
        shift = np.broadcast_to(exact[0] - self._pair.there.moments(fine)[:, None], noise[0].shape)
        self.loss += law.loss(noise[0] - known, shift, elsewhere[0])
        spread, ridge = setup.noise.scales(self._step, len(point)), setup.facts.rho / setup.facts.nodes
        first, second = np.split(exact + noise, [point.shape[1]], axis=1)
        return QuadraticModel.of_moments(first, second / fine, spread / fine, quadratic_of(setup.loss), ridge)

    def _given_others(self, law: Density, noise: Array) -> tuple[Density, Array]:
        """Return density and mean of the first node's noise given that of all others, which their messages reveal.

        Without cancelling noise it is unchanged. With it, noise has a covariance over the nodes, and is normal.
        """
        setup = self._case.setup
        if not setup.noise.cancelling:
            return law, np.zeros_like(noise[0])
        precision = np.linalg.inv(covariance(setup, self._step))
        mean = -np.einsum("n,ndr->dr", precision[0, 1:], noise[1:]) / precision[0, 0]
        return Density(law.law, float(precision[0, 0] ** -0.5)), mean

    def _repair(self, step: int, shape: tuple[int, ...], curvature: Array) -> Array:
        """Draw the noise that covers the solver's tolerance, and add its privacy loss.

        The loss is as if the exact argmin were released beside it. The solver stops as far from the argmin as it may,
        on one side for the one data set, on the other for the other.
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

    def _draw(self, step: int, shape: tuple[int, ...], dimension: int | None = None) -> tuple[Array, Array]:
        """Draw the noise of all nodes, as `draw_projected` returns it.

        Args:
            step: Number of the data-touching step.
            shape: (node, coordinate that depends on the data, run).
            dimension: Number of all coordinates; as many as there are features if not given.
        """
        stream = self._stream(step)
        setup = self._case.setup
        scale = setup.noise.scales(step, setup.network.nodes)
        inside, outside = draw_projected(setup.noise.law, scale, dimension or setup.dimension, shape, stream)
        if setup.noise.cancelling:
            pairs = pairs_of(setup.network)
            shared = setup.noise.cancelling * scale.min() * stream.standard_normal((len(pairs), *shape[1:]))
            np.add.at(inside, pairs[:, 0], shared)
            np.subtract.at(inside, pairs[:, 1], shared)
        return inside, outside


def covariance(setup: Setup, step: int) -> Array:
    """Return the covariance of the nodes' noise in one coordinate, from own noise and noise shared with neighbours."""
    scale = setup.noise.scales(step, setup.network.nodes)
    laplacian = np.diag(setup.network.degrees) - setup.network.adjacency.toarray()
    matrix: Array = np.diag(scale**2) + (setup.noise.cancelling * scale.min()) ** 2 * laplacian
    return matrix


def draw_projected(
    law: Law, scale: Array, dimension: int, shape: tuple[int, ...], stream: np.random.Generator
) -> tuple[Array, Array]:
    """Draw noise in d dimensions and return two parts of it.

    They are its first coordinates, (node, feature, run), and the squared norm of the rest, (node, run).
    """
    normal = stream.standard_normal(shape)
    others = dimension - shape[1]
    rest = stream.chisquare(others, size=shape[::2]) if others else np.zeros(shape[::2])
    if law == Law.GAUSSIAN:
        return normal * scale[:, None, None], rest * scale[:, None] ** 2
    norm = stream.gamma(dimension, size=shape[::2]) / scale[:, None]
    stretch = norm / np.sqrt(np.einsum("ndr,ndr->nr", normal, normal) + rest)
    return normal * stretch[:, None, :], rest * stretch**2


def first_node_loss(
    pair: NeighbouringRows,
    noise: Noise,
    released: Array,
    linear: Array,
    curvature: float,
    law: Density,
    elsewhere: Array,
) -> Array:
    loss = pair.output_loss if noise.on_output else pair.argmin_loss
    return loss(released, linear, curvature, law, elsewhere)


def density_in_use(setup: Setup, step: int, weight: float) -> Density:
    """Return the density of the first node's noise where it enters: the linear term, or the output."""
    noise = setup.noise
    scale, factor = float(noise.scales(step, setup.network.nodes)[0]), _factor(noise, weight)
    return Density(noise.law, scale / factor if noise.law == Law.EXPONENTIAL_NORM else scale * factor)


def _factor(noise: Noise, weight: float) -> float:
    """Return the factor, but for its sign, with which noise enters: 2ηV for penalty noise, else 1."""
    return weight if noise.event is PerturbedPenaltyArgmin else 1.0
