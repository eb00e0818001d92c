"""Spellings of numbers: which characters stand for the decimal point and between thousands."""

import itertools
import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from radmm.base.arrays import Array


class Spelling(NamedTuple):
    """How a table spells its numbers.

    Args:
        decimal: Character of the decimal point.
        thousands: Character between groups of three digits, or nothing.
    """

    decimal: str = "."
    thousands: str = ""

    def numbers(self, texts: pa.Array) -> Array | None:
        """Return the number that each text spells, or None if any text spells none.

        A point in a place where this spelling has none makes a text no number: 1.5 is not taken for 15.

        Args:
            texts: Texts without spaces around them.
        """
        spelled = pc.replace_substring_regex(texts, r"^\+", "")
        if self.thousands:
            between, point = re.escape(self.thousands), re.escape(self.decimal)
            grouped = pc.match_substring_regex(spelled, rf"^-?\d{{1,3}}({between}\d{{3}})+({point}\d*)?$")
            spelled = pc.if_else(grouped, pc.replace_substring(spelled, self.thousands, ""), spelled)
        if self.decimal != ".":
            spelled = pc.replace_substring(pc.replace_substring(spelled, ".", "?"), self.decimal, ".")
        try:
            numbers: Array = spelled.cast(pa.float64()).to_numpy(zero_copy_only=False)
        except pa.ArrowInvalid:
            return None
        return numbers


PLAIN = Spelling()


def other_spelling(texts: Collection[str]) -> str:
    """Return the options with which all texts would spell numbers, or nothing if none do.

    Args:
        texts: Distinct texts of a column, of which at least one is no number as it stands.
    """
    for thousands, decimal in itertools.product((",", ".", " ", "\u00a0", "'"), (",", ".")):
        point = rf"({re.escape(decimal)}\d*)?"
        grouped = rf"[+-]?\d{{1,3}}({re.escape(thousands)}\d{{3}})+{point}"
        if decimal == thousands or not _all(texts, rf"{grouped}|[+-]?\d+{point}"):
            continue
        if any(re.fullmatch(grouped, text) for text in texts):
            pointed = decimal == "," and any(decimal in text for text in texts)
            return f"data.thousands: {thousands!r}" + " with data.decimal: ','" * pointed
    return "data.decimal: ','" if texts and _all(texts, r"[+-]?\d+(,\d*)?([eE][+-]?\d+)?") else ""


def _all(texts: Iterable[str], pattern: str) -> bool:
    compiled = re.compile(pattern)
    return all(compiled.fullmatch(text) for text in texts)
