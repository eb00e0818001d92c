"""Which rows train, and which test."""

from dataclasses import dataclass

from radmm.base.arrays import Integers
from radmm.base.errors import InputError
from radmm.base.seeds import Purpose, generator


@dataclass(frozen=True)
class Split:
    """Row numbers in the order of one random permutation.

    Args:
        train: Those of the training rows.
        test: Those of the test rows.
    """

    train: Integers
    test: Integers


def split_rows(rows: int, train: int, test: int | None, seed: int) -> Split:
    """A seeded permutation: the first rows train, the next ones (all that are left if test is None) test.

    Args:
        rows: How many there are.
        train: How many train.
        test: How many test, or None.
        seed: Which permutation.
    """
    left = rows - train if test is None else test
    if min(train, left) < 1 or train + left > rows:
        raise InputError(
            f"split.train = {train} and split.test = {test}: must be at least 1 each, and at most {rows} together"
        )
    order = generator(seed, Purpose.SPLIT).permutation(rows)
    return Split(order[:train], order[train : train + left])
