"""Attack: combine two files whose noise is the same draw.

Reads two files of the same table, one with half the noise of the other, and of both nothing but the weights. Settings
that share a seed share the draws behind their noise, on purpose, so that algorithms can be compared; then twice the
one less the other has no noise. That noise must be drawn anew for every answer is the oldest rule of query
auditing (Dinur and Nissim, "Revealing information while preserving privacy", 2003, on what differences give away).
"""

from collections.abc import Sequence

import numpy as np

from radmm.results.audit.red_team.documents import Document, weights_in
from radmm.results.audit.red_team.game import LABELS, Game

SHARES = (1.0, 0.5)  # of the game's noise, in the two files


def guess(game: Game, documents: Sequence[Document]) -> int:
    """Return the label whose exact weights are nearest to the combination in which shared noise cancels.

    Args:
        game: The game.
        documents: The published files, with all of the noise and with half of it.
    """
    whole, half = map(weights_in, documents)
    combined = 2.0 * half - whole
    return min(LABELS, key=lambda label: float(np.linalg.norm(combined - game.weights(label))))
