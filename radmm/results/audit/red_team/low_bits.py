"""Attack: look at the lowest bits of noisy doubles.

Reads one file, and of it nothing but the weights. Noise is a double z times σ, rounded, and then added to the exact
value v, and rounded again. Where multiplying by σ stretches the doubles, it skips some: not every double is a noise
that can be drawn. So for the right v the difference from what is released can be drawn in every coordinate, and
for a wrong one in some coordinate it can't. Mironov ("On significance of the least significant bits for
differential privacy", 2012) broke Laplace noise like this; Holohan and Braghin (2021) and Jin and others
(2022) did normal noise.
"""

from collections.abc import Sequence

import numpy as np

from radmm.base.arrays import Array, Mask
from radmm.results.audit.red_team.documents import Document, weights_in
from radmm.results.audit.red_team.game import LABELS, STEP, Game

NEAR = 2  # doubles to either side that rounding may have come from


def neighbours(values: Array) -> Array:
    """Return the doubles around each value, along a new first axis."""
    above, below = [values], [values]
    for _ in range(NEAR):
        above.append(np.nextafter(above[-1], np.inf))
        below.append(np.nextafter(below[-1], -np.inf))
    return np.stack([*above, *below[1:]])


def impossible(released: Array, exact: Array, sigma: float) -> Mask:
    """Return where no double z makes the exact value plus σz, each rounded, the released one.

    Where the sum's rounding hides the noise's lowest bits, everything counts as possible.

    Args:
        exact: Exact values, if the attacker's guess is right.
        sigma: Standard deviation of the noise.
    """
    noise = neighbours(released - exact)
    added = exact + noise == released
    drawn = np.any(sigma * neighbours(noise / sigma) == noise, axis=0)
    hidden = np.spacing(np.abs(released)) > NEAR * np.spacing(np.abs(noise).min(axis=0))
    ruled_out: Mask = ~np.any(added & drawn, axis=0) & ~hidden
    return ruled_out


def guess(game: Game, documents: Sequence[Document]) -> int | None:
    """Return the label with which fewer coordinates are impossible; None if there are as many with both."""
    [document] = documents
    released = -weights_in(document) / STEP
    counts = [int(impossible(released, -game.weights(label) / STEP, game.sigma).sum()) for label in LABELS]
    return None if counts[0] == counts[1] else LABELS[int(np.argmin(counts))]
