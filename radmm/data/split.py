"""Which rows train, which test, and which node a training row belongs to."""

from dataclasses import dataclass

import numpy as np

from radmm.base.arrays import Integers
from radmm.base.errors import InputError
from radmm.base.seeds import Purpose, generator


@dataclass(frozen=True)
class Split:
    """Row numbers in the order of one random permutation."""

    train: Integers
    test: Integers


def split_rows(rows: int, train: int, test: int | None, seed: int) -> Split:
    """A seeded permutation: the first rows train, the next ones (all that are left if test is None) test."""
    left = rows - train if test is None else test
    if min(train, left) < 1 or train + left > rows:
        raise InputError(
            f"split.train = {train} and split.test = {test}: must be at least 1 each, and at most {rows} together"
        )
    order = generator(seed, Purpose.SPLIT).permutation(rows)
    return Split(order[:train], order[train : train + left])


def rows_per_node(rows: int, nodes: int) -> Integers:
    """B_i when rows are spread evenly: the first nodes get one more where it doesn't come out even."""
    return np.full(nodes, rows // nodes) + (np.arange(nodes) < rows % nodes)


def assign_nodes(rows: int, nodes: int) -> Integers:
    """The node of each training row."""
    return np.repeat(np.arange(nodes), rows_per_node(rows, nodes))
