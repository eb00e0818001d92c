"""Neighbouring relations: which data sets a guarantee is about, a part of every total."""

from dataclasses import dataclass
from enum import StrEnum

from radmm.base.errors import InputError
from radmm.base.inputs import shown

MOST_ROWS = 10_000_000  # that one person may have


class Neighbours(StrEnum):
    """Change of one row between neighbouring data sets; the number of rows B_i is public and the same in both."""

    REPLACE = "replace"  # by any other row of norm at most 1
    ZERO_OUT = "zero-out"  # by the zero row: what most figures about private gradient descent are stated for


@dataclass(frozen=True)
class Relation:
    """A change of one person's rows, all at one node.

    Args:
        neighbours: How each row changes.
        rows: Largest number of rows that one person contributes.
    """

    neighbours: Neighbours = Neighbours.REPLACE
    rows: int = 1

    def __post_init__(self) -> None:
        if self.neighbours not in list(Neighbours):
            raise InputError(f"neighbours = {self.neighbours!r}: must be one of {', '.join(Neighbours)}")
        object.__setattr__(self, "neighbours", Neighbours(self.neighbours))
        if isinstance(self.rows, bool) or not isinstance(self.rows, int) or not 1 <= self.rows <= MOST_ROWS:
            raise InputError(f"rows = {shown(self.rows)}: must be a whole number, at least 1 and at most {MOST_ROWS}")

    @classmethod
    def named(cls, neighbours: str, rows: int = 1) -> "Relation":
        """Return the relation that a user names, or raise an InputError that lists the valid names."""
        return cls(neighbours, rows)  # type: ignore[arg-type]

    @property
    def legs(self) -> int:
        """Number of times a row is added or removed: a replacement is two changes."""
        return self.rows * (2 if self.neighbours == Neighbours.REPLACE else 1)

    def __str__(self) -> str:
        change = "replacing" if self.neighbours == Neighbours.REPLACE else "zeroing out"
        return f"{change} one row" if self.rows == 1 else f"{change} up to {self.rows} rows of one person"


REPLACE_ONE = Relation()
