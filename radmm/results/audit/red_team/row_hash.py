"""Attack: compare hashes in a file with those of guessed tables.

Reads one file, and of it nothing but what looks like a SHA-256. A hash without a secret confirms a guess exactly,
however much noise there is elsewhere: the dictionary attack on pseudonyms (Marx and others, "Hashing of personally
identifiable information is not sufficient", 2018).
"""

from collections.abc import Sequence

from radmm.results.audit.red_team.documents import Document, digests_in
from radmm.results.audit.red_team.game import LABELS, Game


def guess(game: Game, documents: Sequence[Document]) -> int | None:
    """Return the label with which a hash in the file is that of the table; None if there is none."""
    [document] = documents
    found = digests_in(document)
    return next((label for label in LABELS if found & game.digests(label)), None)
