"""Finds each ε that a text prints, and what is wrong with it: conditions that are left out, or rounding down."""

import re
from collections.abc import Iterator, Sequence

NUMBER = r"\d+(?:\.\d+)?(?:e[+-]?\d+)?"
PRINTED = re.compile(rf"(?:(?:ε|P\(T\)) ?(?:[=≤:]|of at most|of|at most)|spends|spent) ?({NUMBER})(?![\d.]*\d)")
CONDITIONS = {  # what a reader must find with each of them
    "δ": r"δ",
    "the relation": r"replac(?:e|ing)|zero(?:ed|ing)? ?out|zero-out|zero row",
    "that it is a total": r"total|per iteration",
    "what is taken as exact": r"exact",
}
DIGITS = 1e-3  # relative, by which four digits rounded up may exceed a number


def printed(text: str) -> list[float]:
    """All of them, in order."""
    return [float(number) for number in PRINTED.findall(text)]


def faults(text: str, context: str | None = None, known: Sequence[float] | None = None) -> Iterator[str]:
    """One sentence for each fault.

    Args:
        text: Where numbers are looked for.
        context: Where conditions may stand, the text itself if not given.
        known: The bounds of which each number must be one, rounded up; not asked if there are none.
    """
    numbers = printed(text)
    said = text if context is None else context
    missing = [name for name, pattern in CONDITIONS.items() if not re.search(pattern, said)]
    for number in numbers:
        if missing:
            yield f"ε = {number:g} is printed without {', '.join(missing)}: {text[:80]!r}"
        if known is not None and not any(bound <= number <= bound * (1.0 + DIGITS) for bound in known):
            yield f"ε = {number:g} is none of {', '.join(f'{bound:.8g}' for bound in known)} rounded up: {text[:80]!r}"


def sections(page: str) -> Iterator[tuple[str, str]]:
    """Each section of a Markdown page, and where its conditions may stand: in itself, or before the first of them."""
    preface, *parts = re.split(r"^(?=## )", page, flags=re.MULTILINE)
    yield preface, preface
    yield from ((part, preface + part) for part in parts)
