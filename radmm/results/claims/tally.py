"""Count of claims that hold on all data sets, on some, and on none: each claim counts once."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from radmm.results.claims.verdict import Word

SOME = "holds on some"
NUMBERS = {2: "both", 3: "all three"}
ORDER = (Word.HOLDS, SOME, Word.MIXED, Word.NO_DIFFERENCE, Word.FAILS, Word.UNDECIDED, Word.NOT_TESTED)
VERBS = {  # for one claim, and for more
    Word.HOLDS: ("holds", "hold"),
    SOME: ("holds", "hold"),
    Word.NO_DIFFERENCE: ("shows no difference", "show no difference"),
    Word.FAILS: ("fails", "fail"),
    Word.MIXED: ("is mixed", "are mixed"),
    Word.UNDECIDED: ("is undecided", "are undecided"),
    Word.NOT_TESTED: ("was not tested", "were not tested"),
}


def tally(claims: Sequence[Mapping[str, Any]]) -> str:
    """Return how the claims of the paper came out, and those that we added, in two sentences."""
    theirs, added = ([claim["words"] for claim in claims if claim["ours"] is ours] for ours in (False, True))
    text = f"Of the paper's {len(theirs)} claims, {_counted(theirs)}."
    return text + (f" Of {len(added)} that we added, {_counted(added)}." if added else "")


def category(words: Sequence[str]) -> str:
    """Return the one category that a claim counts in.

    A claim holds if it does on all data sets, or else on some. One that holds on none is mixed if it is on some, and so
    on: it fails if it fails on some and is undecided or shows no difference on the others.

    Args:
        words: Its verdict on each data set.
    """
    if set(words) == {Word.HOLDS}:
        return Word.HOLDS
    if Word.HOLDS in words:
        return SOME
    found = (word for word in (Word.MIXED, Word.FAILS, Word.NO_DIFFERENCE, Word.UNDECIDED) if word in words)
    return next(found, Word.NOT_TESTED)


def _counted(claims: Sequence[Mapping[str, str]]) -> str:
    counted = Counter(category(list(words.values())) for words in claims)
    sets = max((len(words) for words in claims), default=1)
    where = f" on {NUMBERS.get(sets, f'all {sets}')} data sets" if sets > 1 else ""
    places = {Word.HOLDS: where, SOME: " on one data set only" if sets == 2 else " on some data sets only"}
    parts = [
        f"{counted[word]} {VERBS[word][counted[word] > 1]}{places.get(word, '')}" for word in ORDER if counted[word]
    ]
    return ", ".join(parts[:-1]) + (" and " if parts[:-1] else "") + parts[-1]
