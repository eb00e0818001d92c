"""The split into training and test rows."""

from dataclasses import dataclass

import numpy as np

from radmm.base.arrays import Integers
from radmm.base.errors import InputError
from radmm.base.seeds import Purpose, generator


@dataclass(frozen=True)
class Split:
    """Numbers of the training and test rows, in the order of one random permutation.

    Args:
        train: Numbers of the training rows.
        test: Numbers of the test rows.
    """

    train: Integers
    test: Integers


def split_rows(rows: int, train: int, test: int | None, seed: int) -> Split:
    """Split by a seeded permutation: the first rows train, the next ones (all that are left if test is None) test.

    Args:
        test: Number of test rows, or None for all that are left.
    """
    left = rows - train if test is None else test
    if min(train, left) < 1 or train + left > rows:
        raise InputError(
            f"split.train = {train} and split.test = {test}: must be at least 1 each, and at most {rows} together"
        )
    order = training_rows(rows, rows, seed)
    return Split(order[:train], order[train : train + left])


def training_rows(rows: int, train: int, seed: int) -> Integers:
    """Return the numbers of the training rows: the first of a seeded permutation."""
    return generator(seed, Purpose.SPLIT).permutation(rows)[:train]


def check_classes(labels: Integers, split: Split, seed: int) -> None:
    """Refuse a split whose training rows lack a class that the data have.

    Args:
        seed: Seed of the split, for the message.
    """
    absent = np.setdiff1d(labels, labels[split.train])
    if len(absent):
        raise InputError(
            f"split.train = {len(split.train)} and split.seed = {seed}: none of the training rows has the label "
            f"{absent[0]}: must have every class among them, so train more rows or take another seed"
        )
