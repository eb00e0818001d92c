"""Attack: subtract the noise that the seed in a file draws.

Reads one file. A run on a table of zero rows with the same seed has the same noise and no data, so that the difference
is the exact gradient of the private rows: none of them need be known to read it off. That noise from a generator
with a known state hides nothing is folklore; Garfinkel and Leclerc ("Randomness concerns when deploying differential
privacy", 2020) say what a deployment needs.
"""

from collections.abc import Sequence

import numpy as np

from radmm.base.arrays import Array
from radmm.results.audit.red_team.documents import Document, seeds_in, weights_in
from radmm.results.audit.red_team.game import LABELS, STEP, Game

GUESSED_SEEDS = range(10)  # tried besides those that are found: most people leave a seed at its default
ROUNDING = 1e-9


def exact_gradient(game: Game, document: Document, seed: int) -> Array:
    """Return the private rows' part of the gradient, if the seed is the run's.

    Args:
        game: The game; nothing of its table is used but its shape.
    """
    return (game.weights(0, seed) - weights_in(document)) / STEP


def guess(game: Game, documents: Sequence[Document]) -> int | None:
    """Return the label whose exact gradient is left when some seed's noise is subtracted; None if no seed fits."""
    [document] = documents
    for seed in [*seeds_in(document), *GUESSED_SEEDS]:
        found = exact_gradient(game, document, seed)
        for label in LABELS:
            if np.allclose(found, (game.weights(0) - game.weights(label)) / STEP, rtol=0.0, atol=ROUNDING):
                return label
    return None
