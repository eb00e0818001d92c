"""Attack: combine two files whose noise is the same draw.

Reads two files of the same table, one with twice the noise of the other, and of both nothing but the weights. Settings
that share a seed share the draws behind their noise, on purpose, so that algorithms can be compared; then twice the
one less the other has no noise. That noise must be drawn anew for every answer is the oldest rule of query
auditing (Dinur and Nissim, "Revealing information while preserving privacy", 2003, on what differences give away).
"""

from collections.abc import Sequence

import numpy as np

from radmm.results.audit.red_team.documents import Document, weights_in
from radmm.results.audit.red_team.game import LABELS, Game

FACTORS = (1.0, 2.0)  # noise of the two files, in units of the game's


def guess(game: Game, documents: Sequence[Document]) -> int:
    """Return the label whose exact weights are nearest to the combination in which shared noise cancels.

    Args:
        documents: The published files, with the game's noise and with twice that.
    """
    once, twice = map(weights_in, documents)
    combined = 2.0 * once - twice
    return min(LABELS, key=lambda label: float(np.linalg.norm(combined - game.weights(label))))
