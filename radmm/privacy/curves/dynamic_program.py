"""The dynamic program of the removal curve (docs/proofs.md, Lemma 5): an upper bound by construction.

Time is cut into cells of u, slopes into levels, such that a path rises by at most one level a cell. In each cell a
path is paid at the highest rate found anywhere in the cell and level: for being there, every time, and for rising
through the level, once, at the level's mean rate of rising. What that rate's spread within the level may add is paid as
well: all of it where a part of the level is worth nothing, and else only as far as later cells are worth more.
"""

import ctypes

import numpy as np

from radmm.base.arrays import Array
from radmm.privacy.curves.compiled import library
from radmm.privacy.curves.noise_marginal import NoiseMarginal, cell_masses
from radmm.privacy.curves.slope_levels import DURATION, Levels, levels

ROUND_OFF = 1e-12  # relative: the sums have no cancellation
HIGHEST = 0.2  # level, unless the effort would then be more than eight times what was asked for
ASIDE = 40  # levels' worth of what is done once a cell
MOST = 16.0  # times the effort: beyond, one is returned, and the cap of Theorem B is what counts
FIRM = 100.0  # curvature over reach from where on a slope hardly changes along the noise, and the cap is the shift's
OVERFLOW = 600.0  # exponents beyond are not worked with: one is a bound as well


def removal_values(
    law: NoiseMarginal, form: str, shift: float, curvature: float, gammas: Array, effort: float
) -> Array:
    """Bound the largest hockey stick H_γ(row present ‖ row absent), given the radius, for γ ≥ 1.

    Args:
        law: Law of the noise along the row.
        form: Form of the loss: logistic or bounded.
        shift: Largest shift c of the noise by the row.
        curvature: λ, where slopes rise at most at the rate κ/λ.
        gammas: Values of γ, ascending.
        effort: About cells times levels: more is tighter and slower; the error goes with its root.
    """
    reach = law.reach / curvature  # in time
    if reach * FIRM < 1.0:
        return np.ones_like(gammas)
    asked = np.sqrt(reach * DURATION[form] / effort)
    ladder = levels(form, shift, curvature, max(min(asked, HIGHEST), asked / 2.0))
    length = ladder.time * curvature
    if (2.0 * law.reach + shift) / length * (len(ladder.low) + ASIDE) > MOST * effort:
        return np.ones_like(gammas)
    before = int(np.ceil((law.reach + shift) / length))
    after = int(np.ceil(law.reach / length))
    edges: Array = length * np.arange(-before, after + 1, dtype=np.float64)
    if float(law.fall(edges[:1])[0]) > OVERFLOW:
        return np.ones_like(gammas)
    density, first, second = cell_masses(law, edges)
    solve = _numpy_values if library() is None else _compiled_values
    bend = law.bend(length, shift)
    values = solve(law, ladder, edges, shift, bend, np.stack([density, first, second]), gammas)
    outside = float(law.beyond(-edges[0] - shift) + law.beyond(edges[-1]))
    return values * (1.0 + ROUND_OFF) + outside


def _compiled_values(
    law: NoiseMarginal, ladder: Levels, edges: Array, shift: float, bend: float, cells: Array, gammas: Array
) -> Array:
    program = library()
    assert program is not None  # noqa: S101 - the caller has looked
    real, whole = ctypes.c_double, ctypes.c_long
    result = np.zeros(len(gammas))
    numbers = [edges[0], edges[1] - edges[0], shift, law.radius, min(bend, 1e300)]
    tables = [*cells, ladder.low, ladder.high, ladder.gain, ladder.least, ladder.most, ladder.spread, gammas]
    kept = [np.ascontiguousarray(table, dtype=np.float64) for table in tables]
    pointers = [table.ctypes.data_as(ctypes.POINTER(real)) for table in [*kept, result]]
    sizes = [whole(len(edges) - 1), whole(len(ladder.low)), whole(len(gammas))]
    if program.radmm_removal(*sizes, *(real(float(number)) for number in numbers), *pointers):
        raise MemoryError("the dynamic program of a removal curve")
    return result


def _numpy_values(
    law: NoiseMarginal, ladder: Levels, edges: Array, shift: float, bend: float, cells: Array, gammas: Array
) -> Array:
    """Run the recursion in NumPy, cell by cell, for all levels and for those γ at which anything can be gained."""
    have, spent, toll = np.zeros((3, len(gammas), len(ladder.low)))
    top, bottom, worth = np.zeros((3, len(ladder.low)))
    length = float(edges[1] - edges[0])
    for place in range(len(edges) - 2, -1, -1):
        density, first, second = cells[:, place]
        # The compiled program's own sum: where a rate is just worth its price, rounding decides what is paid.
        ratio, left, right = _ratios(law, ladder, float(edges[0]) + place * length, length, shift, bend)
        scaled = density * length * ratio
        paid_next, parted_next, grown = top, bottom, worth - scaled * ladder.spread
        top, bottom, worth = ladder.most * ratio, ladder.least * ratio, scaled * ladder.spread
        count = int(np.searchsorted(gammas, top.max()))  # for larger γ nothing is to be had here, nor further right
        gamma, parted = gammas[:count, None], bottom < gammas[:count, None]
        prize = np.minimum(scaled * ladder.gain, scaled * (1.0 + ladder.gain) - gamma * (scaled / ratio))
        np.maximum(prize, 0.0, out=prize)
        flat = np.maximum(first * left - gamma * first, 0.0)
        flat += np.maximum(second * right - gamma * second, 0.0)
        stays = np.flatnonzero(grown > 0.0)  # where a later cell is worth more than this one
        if len(stays):
            begins = np.where((parted_next[stays] < gamma) & ~parted[:, stays], worth[stays], 0.0)
            flat[:, stays] += np.where(paid_next[stays] > gamma, grown[stays] + begins, 0.0)
        toll[:count] = np.where(parted & (top > gamma), worth, 0.0)
        on = prize + spent[:count]
        np.maximum(on, have[:count], out=on)
        on += flat
        spent[:count] += flat
        entered = on[:, 1:] + toll[:count, 1:]
        have[:count, -1] = on[:, -1]
        np.maximum(on[:, :-1], np.add(prize[:, :-1], entered, out=prize[:, :-1]), out=have[:count, :-1])
        np.maximum(spent[:count, :-1], entered, out=spent[:count, :-1])
    best: Array = (have + toll).max(axis=1)
    return best


def _ratios(
    law: NoiseMarginal, ladder: Levels, u: float, length: float, shift: float, bend: float
) -> tuple[Array, Array, Array]:
    """Return each level's largest f(u + cs)/f(u), and the ratios at both ends of the cell for the flat reward."""
    near, far = u + shift * ladder.low, u + shift * ladder.high
    here, following = law.fall(np.array(u)), law.fall(np.array(u + length))
    ratio = np.exp(here - law.fall(np.clip(0.0, near, far)))
    left = np.exp(here - law.fall(np.minimum(far, 0.0))) if u < 0.0 else np.ones_like(far)
    chord = np.exp(following - law.fall(far + length))
    lift = left * min(bend, 1e300)
    better = (far + length <= 0.0) & (chord + 2.0 * lift < left)
    return ratio, np.where(better, left + lift, left), np.where(better, chord + lift, left)
