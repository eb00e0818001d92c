"""Keyed random streams: who draws what never depends on who drew before.

A stream is keyed by the user's seed, its purpose, and then by run and step. Algorithms that share a seed therefore
share splits, graphs, initial points and the underlying noise draws (common random numbers: differences between
algorithms are then differences of the algorithms), while runs, steps and purposes never share anything. Node i reads
row i of its run's draw; rows of one draw don't overlap, and row i doesn't depend on the number of nodes.

These streams are reproducible on purpose. A deployment must draw its noise from a secret, cryptographic source.
"""

from enum import IntEnum

import numpy as np


class Purpose(IntEnum):
    """What random numbers are for: streams of different purposes are independent."""

    SPLIT = 0
    GRAPH = 1
    INITIAL_POINT = 2
    NOISE_DIRECTION = 3
    NOISE_NORM = 4
    REPAIR = 6
    AUDIT = 7
    AUDIT_RUN = 8
    PARTITION_SIZES = 9
    LABEL_SKEW = 10
    DATA = 11
    CANCELLING = 12
    CANARIES = 13
    RED_TEAM = 14


def generator(seed: int, purpose: Purpose, *key: int) -> np.random.Generator:
    """Return the random stream of one purpose, and of one run and step where these apply."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(int(purpose), *key))))
