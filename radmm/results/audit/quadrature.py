"""The exact laws of releases that are held in one place, in one and two dimensions: nothing is sampled.

Let u be the noise that would give the same argmin if the node had no rows; then b = u − ∇(rows' loss) is the noise
that it took, and the density of u that of b times the determinant of the rows' Hessian over λ0, plus one. On a grid of
u both data sets' densities are known, and with them the law of the privacy loss. All losses are rounded down before
they are convolved, so that what is found is never more than there is, but for the grid, which is tried at two sizes.
"""

from typing import NamedTuple

import numpy as np

from radmm.base.arrays import Array
from radmm.privacy.noise_laws import Law
from radmm.results.audit.case import AuditCase
from radmm.results.audit.intervals import BoundedEstimate
from radmm.results.audit.release_loss import Density
from radmm.results.audit.rows import Rows
from radmm.results.audit.transcripts import density_in_use

REACH = {Law.GAUSSIAN: 8.0, Law.EXPONENTIAL_NORM: 30.0}  # how far the grid reaches, in units of the noise
EVENLY, STEEP, ACROSS = 1600, 600, 400  # cells along the row, more of them where its slope grows, and across it
ON_A_LINE = 20  # times as many cells in one dimension
LOGITS = 12.0  # the slope grows at logits up to these
COARSER = 0.7  # the other grid
FINE = 200  # steps of the losses' grid in a standard deviation of their sum: rounding down costs 1/400 of it
SEEN = 1e-14  # mass of a cell that is looked at
RARE = 1e-9  # mass of the least and the largest losses that are rounded down further


class Laws(NamedTuple):
    """Probability masses of the same cells under both data sets."""

    here: Array
    there: Array


def laws(case: AuditCase, reverse: bool, finer: float = 1.0) -> Laws:
    """Return the laws of one release at the case's place.

    Args:
        case: Case with noise in the linear term, in one or two dimensions.
        reverse: Whether the replacement is the data set that the run has.
        finer: Factor by which the grid is refined.
    """
    setup = case.setup
    if setup.dimension > 2 or setup.noise.on_output:
        raise ValueError(f"{case.name}: quadrature is for argmins in one or two dimensions")
    law = density_in_use(setup, 1, float(setup.query_log.queries[0].weight[0]))
    u, area = _grid(case, law, finer)
    point = -(u + case.linear[:, None]) / setup.curvature
    rows = [case.node_rows(replaced, setup.dimension)[0] for replaced in (reverse, not reverse)]
    return Laws(*(area * _density(each, u, point, setup.curvature, law) for each in rows))


def _density(rows: Rows, u: Array, point: Array, curvature: float, law: Density) -> Array:
    jacobian = rows.log_determinant(point, curvature) - len(u) * np.log(curvature)
    noise = u - rows.gradient(point)
    square = np.einsum("dr,dr->r", noise, noise)
    if law.law == Law.GAUSSIAN:
        log = -square / (2.0 * law.scale**2) - len(u) * np.log(np.sqrt(2.0 * np.pi) * law.scale)
    else:
        sphere = 2.0 if len(u) == 1 else 2.0 * np.pi  # the norm is Gamma(d, 1/α), and Γ(1) = Γ(2) = 1
        log = -law.scale * np.sqrt(square) + len(u) * np.log(law.scale) - np.log(sphere)
    density: Array = np.exp(log + jacobian)
    return density


def _grid(case: AuditCase, law: Density, finer: float) -> tuple[Array, Array]:
    """Return the cells' midpoints, (feature, cell), and their lengths or areas."""
    assert case.place is not None  # noqa: S101 (`linear` has looked)
    unit = law.scale if law.law == Law.GAUSSIAN else 1.0 / law.scale
    moved = 2.0 * case.setup.C / case.setup.rows
    reach = REACH[law.law] * unit + moved
    finer = finer * ON_A_LINE if case.setup.dimension == 1 else finer
    steep = case.place.half + LOGITS * case.setup.curvature * np.linspace(-1.0, 1.0, int(STEEP * finer) + 1)
    evenly = np.linspace(-reach, reach, int(EVENLY * finer) + 1)
    edges = np.unique(np.concatenate([evenly, steep[np.abs(steep) < reach]]))
    middle, length = (edges[1:] + edges[:-1]) / 2.0, np.diff(edges)
    if case.setup.dimension == 1:
        return middle[None], length
    # Across the row cells are densest at 0, where the density of exponential-norm noise has its peak.
    shares = np.linspace(-1.0, 1.0, int(ACROSS * finer) + 1)
    across = reach * np.sign(shares) * np.abs(shares) ** (2.0 if law.law == Law.EXPONENTIAL_NORM else 1.0)
    second, width = (across[1:] + across[:-1]) / 2.0, np.diff(across)
    u = np.stack([np.repeat(middle, len(second)), np.tile(second, len(middle))])
    return u, np.repeat(length, len(second)) * np.tile(width, len(middle))


def epsilon_reached(case: AuditCase, reverse: bool, both: Laws, deltas: Array) -> BoundedEstimate:
    """Return the ε of all K releases at each δ, with limits from two sizes of the grid.

    Args:
        case: Case as for `laws`.
        reverse: Whether the replacement is the data set that the run has.
        deltas: Values of δ, each above 0.
    """
    sizes = (both, laws(case, reverse, COARSER))
    found, coarse = (composed_epsilon(each, case.setup.data_steps, deltas) for each in sizes)
    apart = np.abs(found - coarse)
    return BoundedEstimate(found, np.maximum(np.minimum(found, coarse) - apart, 0.0), np.maximum(found, coarse) + apart)


def largest_loss(both: Laws) -> float:
    """Return the largest loss of one release among cells whose probability is large enough to be computed."""
    seen = (both.here > SEEN) & (both.there > SEEN)
    return float(np.log(both.here[seen] / both.there[seen]).max())


def composed_epsilon(both: Laws, times: int, deltas: Array) -> Array:
    """Return the ε at which the hockey stick of so many independent releases is each δ, from below.

    Args:
        times: Number of releases K.
        deltas: Values of δ, each above 0.
    """
    seen = (both.here > SEEN) & (both.there > SEEN)
    mass, loss = both.here[seen], np.log(both.here[seen] / both.there[seen])
    order = np.argsort(loss)
    mass, loss = mass[order], loss[order]
    below = np.cumsum(mass)
    low, high = loss[np.searchsorted(below, [RARE, below[-1] - RARE / times])]
    mass, loss = mass[loss >= low], np.minimum(loss[loss >= low], high)
    deviation = float(np.sqrt(mass @ (loss - mass @ loss) ** 2))
    step = deviation / np.sqrt(times) / FINE
    place = np.floor(loss / step).astype(np.int64)
    single = np.bincount(place - place[0], mass)
    size = (len(single) - 1) * times + 1
    length = 1 << (size - 1).bit_length()
    total = np.maximum(np.fft.irfft(np.fft.rfft(single, length) ** times, length)[:size], 0.0)
    losses: Array = step * (times * place[0] + np.arange(size, dtype=np.float64))
    return np.array([_smallest(losses, total, delta) for delta in deltas])


def _smallest(losses: Array, mass: Array, delta: float) -> float:
    """Return the ε at which the hockey stick is δ; between two losses it is linear in e^ε."""
    losses, mass = losses[losses > 0.0], mass[losses > 0.0]
    above = np.cumsum(mass[::-1])[::-1]
    weighted = np.cumsum((mass * np.exp(-losses))[::-1])[::-1]
    if not len(losses) or above[0] - weighted[0] <= delta:
        return 0.0
    enough = above - np.exp(losses) * weighted <= delta  # true for the last, where nothing is left
    place = int(np.argmax(enough))
    gap = float(above[place]) - delta
    before = float(losses[place - 1]) if place else 0.0
    return max(before, float(np.log(gap / weighted[place]))) if gap > 0.0 else before
